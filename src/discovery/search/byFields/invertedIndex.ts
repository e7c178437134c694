import type { ToolDocument } from './toolDocument.ts';

/** The terms of a document with their impacts. */
interface CountedTerms {
	readonly terms: Uint32Array;
	readonly impacts: Float32Array;
}

/** For each term, a run of places in ascending order with the term's impact there. */
export class Postings {
	/** Runs begin at `offsets[term]` and end before `offsets[term + 1]`. */
	readonly offsets: Uint32Array;
	readonly places: Uint32Array;
	readonly impacts: Float32Array;

	/** `documents`: by place, `undefined` if empty. `terms`: size of the vocabulary. */
	constructor(documents: readonly (CountedTerms | undefined)[], terms: number) {
		this.offsets = new Uint32Array(terms + 1);
		for (const document of documents)
			for (const term of document?.terms ?? []) increment(this.offsets, term + 1);
		for (let term = 0; term < terms; term++) {
			this.offsets[term + 1] = (this.offsets[term + 1] ?? 0) + (this.offsets[term] ?? 0);
		}
		this.places = new Uint32Array(this.offsets[terms] ?? 0);
		this.impacts = new Float32Array(this.places.length);
		this.#fill(documents);
	}

	/** Document frequency: the number of documents that have a term. */
	frequency(term: number): number {
		return (this.offsets[term + 1] ?? 0) - (this.offsets[term] ?? 0);
	}

	#fill(documents: readonly (CountedTerms | undefined)[]): void {
		const next = this.offsets.slice();
		documents.forEach((document, place) => {
			if (!document) return;
			const { terms, impacts } = document;
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

/** Which documents have a term, in their own words or in their expansions. */
export class InvertedIndex {
	readonly size: number;
	readonly own: Postings;
	/** Absent if no tool has an expansion. */
	readonly expansions: Postings | undefined;
	/** By term: number of documents that have it in a naming field. */
	readonly namingFrequencies: Uint32Array;
	/** By term: its weight, from its rarity and its use in names. */
	readonly weights: Float32Array;

	/** `terms`: size of the vocabulary. `naming`: see `RankingParameters`. `same`: an index of the same documents with expansions. */
	constructor(documents: readonly ToolDocument[], terms: number, naming: number, same?: InvertedIndex) {
		this.size = documents.length;
		this.own = same?.own ?? new Postings(documents, terms);
		const isExpanded = documents.some(({ expansion }) => expansion);
		this.expansions = isExpanded ? expansionsOf(documents, terms) : undefined;
		this.namingFrequencies = same?.namingFrequencies ?? namingFrequencies(documents, terms);
		const onlyExpanded = isExpanded ? this.#onlyExpanded(documents, terms) : undefined;
		this.weights = new Float32Array(terms);
		for (let term = 0; term < terms; term++) {
			const frequency = this.frequency(term);
			const share = frequency === 0 ? 0 : (this.namingFrequencies[term] ?? 0) / frequency;
			const all = frequency + (onlyExpanded?.[term] ?? 0);
			this.weights[term] = inverseFrequency(this.size, all) * (1 - naming + naming * Math.sqrt(share));
		}
	}

	/** Number of documents that have a term in their own words. */
	frequency(term: number): number {
		return this.own.frequency(term);
	}

	/** Whether any document has a term, in its own words or in its expansion. */
	has(term: number): boolean {
		return this.own.frequency(term) > 0 || (this.expansions?.frequency(term) ?? 0) > 0;
	}

	get termsInUse(): number {
		return this.weights.reduce((count, _, term) => (this.has(term) ? count + 1 : count), 0);
	}

	/** By term: number of documents that have it only in the expansion. */
	#onlyExpanded(documents: readonly ToolDocument[], terms: number): Uint32Array {
		const counts = new Uint32Array(terms);
		/** By term: the last document that has it itself, from 1. */
		const last = new Uint32Array(terms);
		documents.forEach(({ terms: own, expansion }, place) => {
			for (const term of own) last[term] = place + 1;
			for (const term of expansion?.terms ?? []) if (last[term] !== place + 1) increment(counts, term);
		});
		return counts;
	}
}

/** The postings of only some documents of an index with this many terms. */
export function postingsOf(
	documents: readonly (ToolDocument | undefined)[],
	terms: number,
): Pick<InvertedIndex, 'own' | 'expansions'> {
	return { own: new Postings(documents, terms), expansions: expansionsOf(documents, terms) };
}

function expansionsOf(documents: readonly (ToolDocument | undefined)[], terms: number): Postings {
	return new Postings(
		documents.map((document) => document?.expansion),
		terms,
	);
}

function namingFrequencies(documents: readonly ToolDocument[], terms: number): Uint32Array {
	const counts = new Uint32Array(terms);
	for (const { terms: own, namingTerms } of documents) {
		for (let i = 0; i < namingTerms; i++) increment(counts, own[i] ?? 0);
	}
	return counts;
}

/** Imaginary documents without any of the terms. With them, a word that all ten tools of a single server share still has weight. */
const background = 100;

/** BM25's inverse document frequency; never negative. */
export function inverseFrequency(documents: number, frequency: number): number {
	return Math.log(1 + (documents + background - frequency + 0.5) / (frequency + 0.5));
}

function increment(counts: Uint32Array, at: number): void {
	counts[at] = (counts[at] ?? 0) + 1;
}
