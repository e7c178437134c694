import type { Tool } from '../../catalog/tool.ts';
import type { Evidence } from '../evidence.ts';
import type { InvertedIndex } from './invertedIndex.ts';
import type { Slot } from './queryPlan.ts';
import type { ToolDocument } from './toolDocument.ts';
import { leastThing, rarest, type WeighedQuery } from './weighedQuery.ts';

/** A tool being reranked. */
export interface Candidate {
	readonly place: number;
	/** Its summed score for the query. */
	readonly sum: number;
	score: number;
	/** Weighted share of the query that the tool matches, 0 to 1. */
	readonly coverage: number;
	/** Its score for each slot. */
	readonly bySlot: Float32Array;
	/** By slot: 1 if the tool has the very word and not only a synonym. */
	readonly literal: Uint8Array;
	/** Share of the words in its name that the query asks for. */
	readonly named: number;
	/** The same tool without its known text, if it has one. */
	readonly own?: Candidate;
}

export interface RankedIndex {
	readonly tools: readonly Tool[];
	readonly documents: readonly ToolDocument[];
	/** Server number of each place. */
	readonly servers: Uint32Array;
	readonly index: InvertedIndex;
}

export function evidenceFor(hit: Candidate, query: WeighedQuery, ranked: RankedIndex): Evidence {
	const { weights, total, unknown, needs, services, slots } = query;
	const { size } = ranked.index;
	const document = ranked.documents[hit.place] as ToolDocument;
	let [told, literal, askedThings, things] = [0, 0, 0, 0];
	for (let i = 0; i < slots.length; i++) {
		const slot = slots[i] as Slot;
		const thing = slot.information >= leastThing ? slot.information : 0;
		told += slot.information;
		askedThings += thing;
		if (hit.literal[i] === 1) literal += slot.information;
		if (hit.bySlot[i] !== 0) things += thing;
	}
	let unserved = 0;
	for (const i of unknown) if (hit.bySlot[i] === 0) unserved += weights[i] as number;
	// A tool that fully meets one of several needs is not penalised for the others.
	let coverage = hit.coverage;
	for (const need of needs) coverage = Math.max(coverage, shareOf(need, hit, weights));
	return {
		strength: hit.sum / rarest(size),
		coverage,
		literal: told > 0 ? literal / told : 0,
		things,
		isVague: query.isVague,
		hasOnlyAction: things === 0 && askedThings > 0 && hit.named < 1,
		named: hit.named,
		unserved: total > 0 ? unserved / total : 0,
		otherService: services.length > 0 && !hasService(document, services),
		isElsewhere: query.isElsewhere,
		tools: size,
		isMatch: isMatch(hit, query),
	};
}

/** See `Evidence.isMatch`. */
export function isMatch({ bySlot }: Candidate, { slots }: WeighedQuery): boolean {
	return slots.some(({ tells }, i) => tells && bySlot[i] !== 0);
}

/** Weighted share of a need that a tool matches. */
function shareOf(need: readonly number[], { bySlot }: Candidate, weights: Float32Array): number {
	let had = 0;
	let all = 0;
	for (const i of need) {
		if (bySlot[i]) had += weights[i] as number;
		all += weights[i] as number;
	}
	return had / all;
}

/** Whether any text of a tool mentions one of the services. */
function hasService({ terms }: ToolDocument, services: WeighedQuery['services']): boolean {
	return services.some((names) => names.some((term) => terms.includes(term)));
}
