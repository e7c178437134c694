import { actionKinds, reading } from '../words/actionKinds.ts';
import { actionOdds } from '../words/likelyActions.ts';
import type { AskedTerms } from './askedTerms.ts';
import type { Candidate } from './hitEvidence.ts';
import type { SiblingWeights } from './parameters.ts';
import type { Slot } from './queryPlan.ts';
import type { Request } from './request.ts';
import type { ToolShape, ToolShapes } from './toolShape.ts';
import type { WeighedQuery } from './weighedQuery.ts';

/** How well each tool of one server fits a query beside the others. */
export class Siblings {
	readonly #shapes: ToolShapes;
	readonly #asked: AskedTerms;
	readonly #weights: SiblingWeights;
	/** By slot: the best score of any sibling, and the slot's share of all. */
	#most = new Float32Array(64);
	#local = new Float32Array(64);

	constructor(shapes: ToolShapes, asked: AskedTerms, weights: SiblingWeights) {
		this.#shapes = shapes;
		this.#asked = asked;
		this.#weights = weights;
	}

	/** Finds out how well each of the tools of one server fits. */
	fit(siblings: readonly Candidate[], query: WeighedQuery): void {
		if (siblings.length === 1) return;
		const weights = this.#weights;
		const isInformative = this.#readSlots(siblings, query.slots);
		for (const candidate of siblings) {
			const shape = this.#shapes.of(candidate.place);
			const slot = this.#asked.slots[shape.head] ?? 0;
			const strength = this.#asked.strengths[shape.head] ?? 0;
			const headInObject = query.isInObject[slot - 1] ? strength : 0;
			let boost = weights.distinct * (isInformative ? this.#distinctShare(candidate, query.slots.length) : 1);
			if (query.isHead[slot - 1]) boost += weights.head * strength;
			boost += actionBoost(query, shape, weights);
			boost += headInObject * numberBoost(query.request, shape, weights);
			candidate.fit = Math.exp(boost);
		}
	}

	/** Reads how much each slot tells the siblings apart: the fewer have a word, the more it counts. Returns whether any does. */
	#readSlots(siblings: readonly Candidate[], slots: readonly Slot[]): boolean {
		if (slots.length > this.#most.length) {
			this.#most = new Float32Array(2 * slots.length);
			this.#local = new Float32Array(2 * slots.length);
		}
		const [most, local] = [this.#most, this.#local];
		let all = 0;
		for (let i = 0; i < slots.length; i++) {
			let best = 0;
			let sum = 0;
			for (const { bySlot } of siblings) {
				const value = bySlot[i] as number;
				sum += value;
				if (value > best) best = value;
			}
			most[i] = best;
			local[i] = 0;
			if (best === 0) continue;
			/** How many siblings have it, each relative to the best of them. */
			const having = sum / best;
			local[i] = (slots[i] as Slot).weight * Math.log(1 + (siblings.length - having + 0.5) / (having + 0.5));
			all += local[i] as number;
		}
		if (all > 0) for (let i = 0; i < slots.length; i++) local[i] = (local[i] as number) / all;
		return all > 0;
	}

	/** Share of the query that a tool matches, as far as that tells the siblings apart. */
	#distinctShare({ bySlot }: Candidate, slots: number): number {
		let had = 0;
		for (let i = 0; i < slots; i++) {
			const best = this.#most[i] as number;
			if (best > 0) had += ((this.#local[i] as number) * (bySlot[i] as number)) / best;
		}
		return had;
	}
}

/** Only for tools that read: whether a tool returns one thing or several does not matter where things are changed. */
function numberBoost(
	{ actionKinds: asked, isMany }: Request,
	shape: ToolShape,
	weights: SiblingWeights,
): number {
	const mayRead = asked === 0 || (asked & reading) !== 0;
	return isMany && shape.isMany && mayRead ? weights.many : 0;
}

const oneOrSeveral = actionKinds.list | actionKinds.get;

function actionBoost(
	{ request: { actionKinds: asked, isMany }, likelyActions }: WeighedQuery,
	{ named, described }: ToolShape,
	weights: SiblingWeights,
): number {
	const kinds = named || described;
	// Whether one thing or several are asked for, their number says better.
	const alike = isMany && (kinds & oneOrSeveral) !== 0 ? kinds | oneOrSeveral : kinds;
	return (
		weights.likelyAction * actionOdds(likelyActions, alike) +
		weights.sameAction * Number((asked & kinds) !== 0)
	);
}
