import type { ToolDocument } from './toolDocument.ts';

/** A forward index: some terms of each document with their weights, in one block of memory, since the documents themselves are far apart. */
export class ForwardIndex {
	/** The terms of a place begin at `offsets[place]` and end before `offsets[place + 1]`. */
	readonly offsets: Uint32Array;
	readonly terms: Uint32Array;
	readonly weights: Float32Array;

	/** It has the first `countOf` of each document's `termsOf`. `weights`: by term. */
	constructor(
		documents: readonly ToolDocument[],
		termsOf: (document: ToolDocument) => Uint32Array,
		countOf: (document: ToolDocument) => number,
		weights: Float32Array,
	) {
		this.offsets = new Uint32Array(documents.length + 1);
		let end = 0;
		for (let place = 0; place < documents.length; place++) {
			end += countOf(documents[place] as ToolDocument);
			this.offsets[place + 1] = end;
		}
		this.terms = new Uint32Array(end);
		this.weights = new Float32Array(end);
		let at = 0;
		for (let place = 0; place < documents.length; place++) {
			const terms = termsOf(documents[place] as ToolDocument);
			const next = this.offsets[place + 1] as number;
			for (let i = 0; at < next; i++, at++) {
				const term = terms[i] as number;
				this.terms[at] = term;
				this.weights[at] = weights[term] as number;
			}
		}
	}
}
