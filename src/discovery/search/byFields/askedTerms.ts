import type { WeighedQuery } from './weighedQuery.ts';

/** Size of a filter over the query's terms, by their last bits. Most terms of a tool miss it, which saves lookups in large tables. */
const marks = 4096;
const lastMark = marks - 1;

/** What the running query asks for, by term. All zero between queries. */
export class AskedTerms {
	/** The slot that asks for the term, from 1. */
	readonly slots: Uint16Array;
	/** How surely the query asks for the term in a name, see `QueryTermList`. */
	readonly strengths: Float32Array;
	/** How surely a tool with the term has what is asked for. */
	readonly covers: Float32Array;
	readonly #marks = new Uint8Array(marks);

	/** `terms`: size of the vocabulary. */
	constructor(terms: number) {
		this.slots = new Uint16Array(terms);
		this.strengths = new Float32Array(terms);
		this.covers = new Float32Array(terms);
	}

	open({ terms: { terms, slots, strengths, covers } }: WeighedQuery): void {
		for (let i = 0; i < terms.length; i++) {
			const term = terms[i] as number;
			this.slots[term] = slots[i] as number;
			this.strengths[term] = strengths[i] as number;
			this.covers[term] = covers[i] as number;
			this.#marks[term & lastMark] = 1;
		}
	}

	close({ terms: { terms } }: WeighedQuery): void {
		for (let i = 0; i < terms.length; i++) {
			const term = terms[i] as number;
			this.slots[term] = 0;
			this.strengths[term] = 0;
			this.covers[term] = 0;
			this.#marks[term & lastMark] = 0;
		}
	}

	/** The slot that asks for a term, from 1; 0: none. */
	slotOf(term: number): number {
		return this.#marks[term & lastMark] === 0 ? 0 : (this.slots[term] as number);
	}
}
