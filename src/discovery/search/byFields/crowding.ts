import { shortHash } from '../../../common/json.ts';
import { weakMemo } from '../../../common/memo.ts';
import type { Tool } from '../../catalog/tool.ts';
import type { AskedTerms } from './askedTerms.ts';
import type { Candidate } from './candidate.ts';
import { ForwardIndex } from './forwardIndex.ts';
import { isMatch, type RankedIndex } from './hitEvidence.ts';
import type { WeighedQuery } from './weighedQuery.ts';

/** The first hits, and how many of them may look alike. */
const firstHits = 5;
const maxAlike = 2;
/**
 * Weighted Jaccard similarity of two definitions from which they look alike, and how much more the words that the query asks for count in
 * it: tools of an honest server differ in what was not asked. In the middle of a range in which no labelled set loses anything.
 */
const minSimilarity = 0.5;
const askedFactor = 3;

/** Diversifies the first hits: near duplicates, of one server or of many, do not push out what else matches. */
export class Crowding {
	readonly #ranked: RankedIndex;
	readonly #asked: AskedTerms;
	/** The terms of names and first sentences. */
	readonly #definitions: ForwardIndex;
	/** The chosen hits, the weight of each one's terms, and the hits that look like too many of those chosen. */
	#hits: Candidate[] = [];
	readonly #hitWeights = new Float32Array(firstHits);
	#heldBack: Candidate[] = [];
	/** How many hits to choose. */
	#wanted = firstHits;
	/** By term, and by slot of the query: a bit for each of the hits that has it. */
	readonly #hitsWithTerm: Uint8Array;
	#hitsWithSlot = new Uint8Array(64);
	/** The tool that was read last: by slot, whether it has it; the weight of its terms; and by hit, the weight of what both have. */
	#slotsOfTool = new Uint8Array(64);
	#toolWeight = 0;
	readonly #sharedWeights = new Float32Array(firstHits);

	constructor(ranked: RankedIndex, asked: AskedTerms) {
		this.#ranked = ranked;
		this.#asked = asked;
		this.#definitions = new ForwardIndex(
			ranked.documents,
			({ terms }) => terms,
			({ centralTerms }) => centralTerms,
			ranked.index.weights,
		);
		this.#hitsWithTerm = new Uint8Array(asked.slots.length);
	}

	/**
	 * The first hits of the running query; fewer than wanted if look-alikes were held back. `candidates`: best first. `limit`: the
	 * most hits that are wanted.
	 */
	first(candidates: readonly Candidate[], query: WeighedQuery, limit: number): readonly Candidate[] {
		this.#start(query);
		this.#wanted = Math.min(limit, firstHits);
		for (const hit of candidates.slice(0, this.#wanted)) {
			if (!this.#isOneTooMany(hit.place)) this.#choose(hit);
			else this.#heldBack.push(hit);
		}
		return this.fill(candidates.slice(this.#wanted), query);
	}

	/** Chooses other matching tools instead of those that were held back; returns the first hits. */
	fill(others: readonly Candidate[], query: WeighedQuery): readonly Candidate[] {
		for (const hit of others) {
			if (this.#hits.length === this.#wanted || !this.hasRoom) break;
			// A tool that shares only small talk with the query replaces nothing.
			if (isMatch(hit, query) && !this.holdsBack(hit.place)) this.#choose(hit);
		}
		return this.#hits;
	}

	/** Whether look-alikes were held back and hits are missing. */
	get hasRoom(): boolean {
		return this.#heldBack.length > 0 && this.#hits.length < this.#wanted;
	}

	/** Whether a tool must not stand in for those: a tool of its server was held back, or it looks like the chosen hits. */
	holdsBack(place: number): boolean {
		const { servers } = this.#ranked;
		return this.#heldBack.some((hit) => servers[hit.place] === servers[place]) || this.#isOneTooMany(place);
	}

	/** Whether a tool is one of the chosen hits, a copy of one, or looks like too many of them. */
	#isOneTooMany(place: number): boolean {
		for (const hit of this.#hits) if (hit.place === place || this.#isCopy(place, hit.place)) return true;
		this.#read(place);
		let left = maxAlike;
		for (let i = 0; i < this.#hits.length; i++) if (this.#isSimilar(i) && --left === 0) return true;
		return false;
	}

	#start({ slots }: WeighedQuery): void {
		if (slots.length < this.#slotsOfTool.length) this.#hitsWithSlot.fill(0);
		else {
			this.#hitsWithSlot = new Uint8Array(2 * slots.length);
			this.#slotsOfTool = new Uint8Array(2 * slots.length);
		}
	}

	/** Ends the query. */
	close(): void {
		const { offsets, terms } = this.#definitions;
		for (const { place } of this.#hits) {
			const end = offsets[place + 1] as number;
			for (let i = offsets[place] as number; i < end; i++) this.#hitsWithTerm[terms[i] as number] = 0;
		}
		this.#hits = [];
		this.#heldBack = [];
	}

	/** Adds the tool that was read last. */
	#choose(hit: Candidate): void {
		const at = this.#hits.push(hit) - 1;
		this.#hitWeights[at] = this.#toolWeight;
		const { offsets, terms } = this.#definitions;
		const end = offsets[hit.place + 1] as number;
		for (let i = offsets[hit.place] as number; i < end; i++) {
			const term = terms[i] as number;
			const slot = this.#asked.slotOf(term);
			if (slot === 0) this.#hitsWithTerm[term] = (this.#hitsWithTerm[term] as number) | (1 << at);
			else this.#hitsWithSlot[slot] = (this.#hitsWithSlot[slot] as number) | (1 << at);
		}
	}

	/** Whether two servers have the same tool. */
	#isCopy(a: number, b: number): boolean {
		const { tools, names } = this.#ranked;
		if (names[a] !== names[b]) return false;
		const [tool, other] = [tools[a] as Tool, tools[b] as Tool];
		if (tool.description !== other.description) return false;
		return schemaHash(tool.inputSchema) === schemaHash(other.inputSchema);
	}

	/** Reads the names and the first sentence of a tool. Words that the query asks for are equal if they fill the same slot. */
	#read(place: number): void {
		const { offsets, terms, weights } = this.#definitions;
		const begin = offsets[place] as number;
		const end = offsets[place + 1] as number;
		const slotsOfTool = this.#slotsOfTool.fill(0);
		this.#sharedWeights.fill(0);
		let askedWeight = 0;
		let count = 0;
		for (let i = begin; i < end; i++) {
			const term = terms[i] as number;
			const slot = this.#asked.slotOf(term);
			if (slot === 0 || slotsOfTool[slot] !== 0) continue;
			slotsOfTool[slot] = 1;
			count++;
			askedWeight += weights[i] as number;
			addToEach(
				this.#sharedWeights,
				this.#hitsWithSlot[slot] as number,
				askedFactor * (weights[i] as number),
			);
		}
		this.#toolWeight = askedFactor * askedWeight;
		// A made-up word is the rarest of all. It must not make tools differ that say the same otherwise.
		const maxWeight = count > 0 ? askedWeight / count : Number.POSITIVE_INFINITY;
		for (let i = begin; i < end; i++) {
			const term = terms[i] as number;
			if (this.#asked.slotOf(term) !== 0) continue;
			const weight = Math.min(maxWeight, weights[i] as number);
			this.#toolWeight += weight;
			addToEach(this.#sharedWeights, this.#hitsWithTerm[term] as number, weight);
		}
	}

	/** Whether the tool that was read looks like a hit: weight of the shared terms by that of all terms. */
	#isSimilar(hit: number): boolean {
		const shared = this.#sharedWeights[hit] as number;
		const all = this.#toolWeight + (this.#hitWeights[hit] as number) - shared;
		return shared >= minSimilarity * all;
	}
}

const schemaHash = weakMemo((schema: object) => shortHash(schema));

/** Adds a value to the sums whose bits are set. */
function addToEach(sums: Float32Array, bits: number, value: number): void {
	for (let left = bits; left !== 0; left &= left - 1) {
		const at = 31 - Math.clz32(left & -left);
		sums[at] = (sums[at] as number) + value;
	}
}
