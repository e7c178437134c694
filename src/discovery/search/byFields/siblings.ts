import { reading } from '../words/actionKinds.ts';
import type { AskedTerms } from './askedTerms.ts';
import type { SiblingWeights } from './parameters.ts';
import type { Slot } from './queryPlan.ts';
import type { Request } from './request.ts';
import type { ToolShape } from './toolShape.ts';
import type { WeighedQuery } from './weighedQuery.ts';

/** A tool to compare with the others of its server. */
export interface Sibling {
	/** Its score for each slot of the query. */
	readonly bySlot: Float32Array;
	readonly shape: ToolShape;
}

/** How well each tool of one server fits a query beside the others: the logarithm of a factor for its score. */
export function siblingBoosts(
	siblings: readonly Sibling[],
	query: WeighedQuery,
	asked: AskedTerms,
	weights: SiblingWeights,
): Float64Array {
	const boosts = distinctShares(siblings, query.slots);
	for (const [i, { shape }] of siblings.entries()) {
		const { head } = shape;
		const slot = asked.slots[head] ?? 0;
		const strength = asked.strengths[head] ?? 0;
		const headInObject = query.isInObject[slot - 1] ? strength : 0;
		let boost = weights.distinct * (boosts[i] as number);
		if (query.isHead[slot - 1]) boost += weights.head * strength;
		if (isForObject(shape, query, asked)) boost += actionBoost(query.request.actionKinds, shape, weights);
		boost += headInObject * numberBoost(query.request, shape, weights);
		boosts[i] = boost;
	}
	return boosts;
}

/** With several needs in a query, its action belongs to one of them and says nothing about tools for the objects of the others. */
function isForObject({ parts }: ToolShape, query: WeighedQuery, { slots }: AskedTerms): boolean {
	if (query.needs.length < 2 || !query.isInObject.some(Boolean)) return true;
	return parts.some((term) => query.isInObject[(slots[term] ?? 0) - 1]);
}

/** Only for tools that read: whether a tool returns one thing or several does not matter where things are changed. */
function numberBoost(
	{ actionKinds: asked, isMany }: Request,
	{ many }: ToolShape,
	weights: SiblingWeights,
): number {
	const mayRead = asked === 0 || (asked & reading) !== 0;
	return isMany && mayRead ? weights.many * many : 0;
}

function actionBoost(asked: number, { named, described }: ToolShape, weights: SiblingWeights): number {
	const kinds = named || described;
	if (asked === 0 || kinds === 0) return 0;
	const onlyReads = ((named | described) & ~reading) === 0;
	const neverReads = (kinds & reading) === 0;
	const clashes = ((asked & reading) === 0 && onlyReads) || ((asked & ~reading) === 0 && neverReads);
	return weights.sameAction * Number((asked & kinds) !== 0) + weights.clash * Number(clashes);
}

/** Share of the query that each tool matches, where a word counts more the fewer siblings have it. */
function distinctShares(siblings: readonly Sibling[], slots: readonly Slot[]): Float64Array {
	const count = slots.length;
	const most = new Float32Array(count);
	for (const { bySlot } of siblings) {
		for (let i = 0; i < count; i++) {
			if ((bySlot[i] as number) > (most[i] as number)) most[i] = bySlot[i] as number;
		}
	}
	/** By slot: how many siblings match it, each relative to the best of them. */
	const matching = new Float32Array(count);
	for (const { bySlot } of siblings) {
		for (let i = 0; i < count; i++) {
			if (most[i]) matching[i] = (matching[i] as number) + (bySlot[i] as number) / (most[i] as number);
		}
	}
	/** By slot: its inverse document frequency among the siblings. */
	const local = new Float32Array(count);
	let all = 0;
	for (let i = 0; i < count; i++) {
		if (!most[i]) continue;
		const having = matching[i] as number;
		local[i] = (slots[i] as Slot).weight * Math.log(1 + (siblings.length - having + 0.5) / (having + 0.5));
		all += local[i] as number;
	}
	const shares = new Float64Array(siblings.length).fill(1);
	if (all === 0) return shares;
	for (const [n, { bySlot }] of siblings.entries()) {
		let had = 0;
		for (let i = 0; i < count; i++) {
			if (most[i]) had += ((local[i] as number) * (bySlot[i] as number)) / (most[i] as number);
		}
		shares[n] = had / all;
	}
	return shares;
}
