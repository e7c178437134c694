import type { Tool } from '../../catalog/tool.ts';
import type { Evidence } from '../evidence.ts';
import type { InvertedIndex } from './invertedIndex.ts';
import type { Slot } from './queryPlan.ts';
import type { ToolDocument } from './toolDocument.ts';
import { minThing, rarest, type WeighedQuery } from './weighedQuery.ts';

/** Slots for which a candidate has room before it grows. */
const usualSlots = 32;

/** A tool being reranked. Later queries use the same objects again, because to allocate them takes longer than to fill them. */
export class Candidate {
	place = 0;
	/** Its summed score for the query. */
	sum = 0;
	score = 0;
	/** Weighted share of the query that the tool matches, 0 to 1. */
	coverage = 0;
	/** Weight of the slots that it matches. */
	had = 0;
	/** Share of the words in its name that the query asks for. */
	named = 0;
	/** Factor for its score from its name and description. */
	merit = 1;
	/** By slot: 1 if the tool has the very word and not only a synonym. */
	literal = new Uint8Array(usualSlots);
	/** By slot: how surely it has what the slot asks for, see `QueryTermList`. */
	covered = new Float32Array(usualSlots);
	/** Its score before tools are compared with each other, and the same without texts. */
	alone = 0;
	byOwnWords = 0;
	/** Between the two: texts count less if a tool is likely by its own words. */
	worth = 0;
	/** Factor for its score among the tools of its server. */
	fit = 1;
	/** The same tool without its text. */
	own: Candidate | undefined;

	/** Makes it a tool that matches nothing yet. */
	begin(place: number, sum: number, slots: number): void {
		this.place = place;
		this.sum = sum;
		this.own = undefined;
		if (slots > this.literal.length) {
			this.literal = new Uint8Array(2 * slots);
			this.covered = new Float32Array(2 * slots);
		}
		for (let i = 0; i < slots; i++) this.literal[i] = this.covered[i] = 0;
	}

	/** Makes it the same tool as another, to which its text is yet to be added. */
	beginWith(own: Candidate, sum: number, slots: number): void {
		this.begin(own.place, sum, slots);
		this.own = own;
		this.byOwnWords = own.byOwnWords;
		this.named = own.named;
		this.merit = own.merit;
		for (let i = 0; i < slots; i++) {
			this.literal[i] = own.literal[i] as number;
			this.covered[i] = own.covered[i] as number;
		}
	}

	/** Adds a word that it has. */
	add(slot: number, covers: number, isLiteral: boolean): void {
		if (isLiteral) this.literal[slot] = 1;
		if (covers > (this.covered[slot] as number)) this.covered[slot] = covers;
	}

	/** Sums up the weight of the slots that it matches and did not match before; these count only a share. */
	cover({ weights }: WeighedQuery, hadBefore: number, share: number): void {
		let had = 0;
		const before = this.own?.covered;
		for (let i = 0; i < weights.length; i++) {
			had += ((this.covered[i] as number) - (before?.[i] ?? 0)) * (weights[i] as number);
		}
		this.had = hadBefore + share * had;
	}
}

export interface RankedIndex {
	readonly tools: readonly Tool[];
	readonly documents: readonly ToolDocument[];
	/** By place: the numbers of the tool's server and name. */
	readonly servers: Uint32Array;
	readonly names: Uint32Array;
	/** By place: 1 if the tool has a text. */
	readonly hasText: Uint8Array;
	/** All texts come with Discovery, none from the user's teaching. */
	readonly isKnown: boolean;
	readonly index: InvertedIndex;
}

export function evidenceFor(hit: Candidate, query: WeighedQuery, ranked: RankedIndex): Evidence {
	const { weights, total, unknown, services, slots } = query;
	const { size } = ranked.index;
	let [told, literal, askedThings, things] = [0, 0, 0, 0];
	for (let i = 0; i < slots.length; i++) {
		const slot = slots[i] as Slot;
		const thing = slot.information >= minThing ? slot.information : 0;
		told += slot.information;
		askedThings += thing;
		if (hit.literal[i] === 1) literal += slot.information;
		things += thing * (hit.covered[i] as number);
	}
	let unserved = 0;
	for (const i of unknown) unserved += (1 - (hit.covered[i] as number)) * (weights[i] as number);
	return {
		strength: hit.sum / rarest(size),
		coverage: hit.coverage,
		literal: told > 0 ? literal / told : 0,
		things,
		isVague: query.isVague,
		isOneWord: slots.filter(({ information, tells }) => tells && information > 0).length < 2,
		hasOnlyAction: things === 0 && askedThings > 0 && hit.named < 1,
		named: hit.named,
		unserved: total > 0 ? unserved / total : 0,
		otherService: services.length > 0 && !hasService(ranked.documents[hit.place] as ToolDocument, services),
		isElsewhere: query.isElsewhere,
		tools: size,
		isMatch: isMatch(hit, query),
		isGuess: !hit.covered.subarray(0, slots.length).includes(1),
	};
}

/** See `Evidence.isMatch`. */
export function isMatch({ covered }: Candidate, { slots }: WeighedQuery): boolean {
	for (let i = 0; i < slots.length; i++) if (covered[i] !== 0 && slots[i]?.tells) return true;
	return false;
}

/** Whether any text of a tool mentions one of the services. */
function hasService({ terms }: ToolDocument, services: WeighedQuery['services']): boolean {
	return services.some((names) => names.some((term) => terms.includes(term)));
}
