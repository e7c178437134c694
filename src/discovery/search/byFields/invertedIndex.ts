import type { ToolDocument } from './toolDocument.ts';

/** Which documents have a term: one run of places in ascending order for each, with what the term counts there. */
export class InvertedIndex {
	readonly size: number;
	/** Runs begin at `offsets[term]` and end before `offsets[term + 1]`. */
	readonly offsets: Uint32Array;
	readonly places: Uint32Array;
	readonly impacts: Float32Array;
	/** Documents that have each term in a name or title. */
	readonly named: Uint32Array;
	/** How much each term tells, from its rarity and its use in names. */
	readonly weights: Float32Array;

	/** `terms`: how many the vocabulary has. `naming`: see `RankingParameters`. */
	constructor(documents: readonly ToolDocument[], terms: number, naming: number) {
		this.size = documents.length;
		this.offsets = new Uint32Array(terms + 1);
		this.named = new Uint32Array(terms);
		for (const document of documents) {
			for (const term of document.terms) this.#count(term);
			for (let i = 0; i < document.named; i++) increment(this.named, document.terms[i] ?? 0);
		}
		for (let term = 0; term < terms; term++) {
			this.offsets[term + 1] = (this.offsets[term + 1] ?? 0) + (this.offsets[term] ?? 0);
		}
		this.places = new Uint32Array(this.offsets[terms] ?? 0);
		this.impacts = new Float32Array(this.places.length);
		this.#fill(documents);
		this.weights = Float32Array.from({ length: terms }, (_, term) => {
			const frequency = this.frequency(term);
			const share = frequency === 0 ? 0 : (this.named[term] ?? 0) / frequency;
			return inverseFrequency(this.size, frequency) * (1 - naming + naming * Math.sqrt(share));
		});
	}

	/** Documents that have a term. */
	frequency(term: number): number {
		return (this.offsets[term + 1] ?? 0) - (this.offsets[term] ?? 0);
	}

	/** Terms that any document has. */
	get termsInUse(): number {
		return this.weights.reduce((count, _, term) => (this.frequency(term) > 0 ? count + 1 : count), 0);
	}

	#count(term: number): void {
		increment(this.offsets, term + 1);
	}

	#fill(documents: readonly ToolDocument[]): void {
		const next = this.offsets.slice();
		documents.forEach(({ terms, impacts }, place) => {
			for (let i = 0; i < terms.length; i++) {
				const term = terms[i] ?? 0;
				const at = next[term] ?? 0;
				this.places[at] = place;
				this.impacts[at] = impacts[i] ?? 0;
				next[term] = at + 1;
			}
		});
	}
}

/**
 * Documents that are imagined besides, which have none of the terms: among the ten tools of one server, too, a word that all of them
 * have tells something.
 */
const background = 100;

/** BM25's weight of a term in so many of all documents; never negative. */
export function inverseFrequency(documents: number, frequency: number): number {
	return Math.log(1 + (documents + background - frequency + 0.5) / (frequency + 0.5));
}

function increment(counts: Uint32Array, at: number): void {
	counts[at] = (counts[at] ?? 0) + 1;
}
