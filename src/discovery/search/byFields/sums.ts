import type { InvertedIndex, Postings } from './invertedIndex.ts';
import type { ExpansionWeights } from './parameters.ts';
import type { WeighedQuery, WeightedTerm } from './weighedQuery.ts';

/** The documents that are searched. */
export type SearchedPostings = Pick<InvertedIndex, 'own' | 'expansions'>;

/** Above this share of all tools, clearing whole arrays is faster than clearing touched places. */
const largeShare = 1 / 16;

/** The scores of documents while a query runs. All zero between queries. */
export class Sums {
	/** Score per document by its own words. */
	readonly own: Float32Array;
	/** While slots are added, what expansions add to it; then the score with expansions, see {@link add}. */
	readonly withExpansions: Float32Array;
	/** By how much expansions multiply the scores of the documents that have one, all in all. */
	expansionGain = 1;
	/** Documents with a score, in the order they were first touched; and their number. */
	readonly touched: Uint32Array;
	count = 0;
	/** Score per document of the slot in {@link slotOfPlace}, numbered from 1. Slot 0: not touched by this query. */
	readonly slotScore: Float32Array;
	readonly slotOfPlace: Uint16Array;

	constructor(documents: number) {
		this.own = new Float32Array(documents);
		this.withExpansions = new Float32Array(documents);
		this.touched = new Uint32Array(documents);
		this.slotScore = new Float32Array(documents);
		this.slotOfPlace = new Uint16Array(documents);
	}

	/**
	 * Adds the scores of a query's slots. A document without an expansion gets as much as expansions add to the others: it is not worse because
	 * nobody wrote about it. `hasExpansion`: by place.
	 */
	add(
		query: WeighedQuery,
		postings: SearchedPostings,
		weights: ExpansionWeights,
		hasExpansion: Uint8Array,
	): void {
		for (let i = 0; i < query.slots.length; i++) this.#addSlot(query, i, postings, weights);
		if (postings.expansions) this.#includeExpansions(hasExpansion);
	}

	#includeExpansions(hasExpansion: Uint8Array): void {
		const { own, withExpansions, touched, count } = this;
		let [sumOfOwn, sumWithExpansions] = [0, 0];
		for (let i = 0; i < count; i++) {
			const place = touched[i] as number;
			if (hasExpansion[place] === 0) continue;
			const added = withExpansions[place] as number;
			withExpansions[place] = added + (own[place] as number);
			sumOfOwn += own[place] as number;
			sumWithExpansions += withExpansions[place] as number;
		}
		if (sumOfOwn > 0) this.expansionGain = sumWithExpansions / sumOfOwn;
		for (let i = 0; i < count; i++) {
			const place = touched[i] as number;
			if (hasExpansion[place] === 0) withExpansions[place] = this.expansionGain * (own[place] as number);
		}
	}

	/** Ends the query. */
	clear(): void {
		const { own, withExpansions, touched, slotOfPlace, count } = this;
		this.count = 0;
		this.expansionGain = 1;
		if (count > largeShare * own.length) {
			own.fill(0);
			withExpansions.fill(0);
			slotOfPlace.fill(0);
			return;
		}
		for (let i = 0; i < count; i++) {
			const place = touched[i] as number;
			own[place] = 0;
			withExpansions[place] = 0;
			slotOfPlace[place] = 0;
		}
	}

	/** Adds a slot's score to each document. */
	#addSlot(
		query: WeighedQuery,
		slot: number,
		{ own, expansions }: SearchedPostings,
		weights: ExpansionWeights,
	): void {
		const alternatives = query.alternatives[slot] as readonly WeightedTerm[];
		const expansionTerms = query.expansionTerms[slot] as readonly WeightedTerm[];
		const [only] = alternatives;
		if (only && alternatives.length === 1 && expansionTerms.length === 0) this.#addTerm(own, only);
		else for (const alternative of alternatives) this.#addBest(own, alternative, slot + 1);
		if (expansions)
			for (const term of expansionTerms) this.#addExpansions(expansions, term, slot + 1, weights);
	}

	#addTerm({ offsets, places, impacts }: Postings, { term, weight }: WeightedTerm): void {
		if (weight === 0) return;
		const { own, withExpansions, touched } = this;
		let { count } = this;
		const end = offsets[term + 1] as number;
		for (let i = offsets[term] as number; i < end; i++) {
			const place = places[i] as number;
			const sum = own[place] as number;
			if (sum === 0 && withExpansions[place] === 0) touched[count++] = place;
			own[place] = sum + weight * (impacts[i] as number);
		}
		this.count = count;
	}

	/** Adds what this alternative scores above the slot's other alternatives. */
	#addBest({ offsets, places, impacts }: Postings, { term, weight }: WeightedTerm, slot: number): void {
		if (weight === 0) return;
		const { own, withExpansions, touched, slotScore, slotOfPlace } = this;
		let { count } = this;
		const end = offsets[term + 1] as number;
		for (let i = offsets[term] as number; i < end; i++) {
			const place = places[i] as number;
			const value = weight * (impacts[i] as number);
			let gain = value;
			if (slotOfPlace[place] === slot) {
				gain -= slotScore[place] as number;
				if (gain <= 0) continue;
			}
			slotOfPlace[place] = slot;
			slotScore[place] = value;
			const sum = own[place] as number;
			if (sum === 0 && withExpansions[place] === 0) touched[count++] = place;
			own[place] = sum + gain;
		}
		this.count = count;
	}

	/** Adds what expansions score above the tool's own words; if the tool has the word itself, only a share. */
	#addExpansions(
		{ offsets, places, impacts }: Postings,
		{ term, weight }: WeightedTerm,
		slot: number,
		{ word, besides }: ExpansionWeights,
	): void {
		const most = word * weight;
		if (most === 0) return;
		const { own, withExpansions, touched, slotScore, slotOfPlace } = this;
		let { count } = this;
		const end = offsets[term + 1] as number;
		for (let i = offsets[term] as number; i < end; i++) {
			const place = places[i] as number;
			const value = most * (impacts[i] as number);
			let gain = value;
			if (slotOfPlace[place] === slot) {
				const had = slotScore[place] as number;
				gain = Math.max(value - had, besides * value);
				slotScore[place] = Math.max(value, had);
			} else {
				slotOfPlace[place] = slot;
				slotScore[place] = value;
			}
			const sum = withExpansions[place] as number;
			if (sum === 0 && own[place] === 0) touched[count++] = place;
			withExpansions[place] = sum + gain;
		}
		this.count = count;
	}
}
