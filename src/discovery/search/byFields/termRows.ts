/** Some terms of each document with their weights, in one block of memory: the documents themselves are far apart. */
export class TermRows {
	/** The row of a place begins at `offsets[place]` and ends before `offsets[place + 1]`. */
	readonly offsets: Uint32Array;
	readonly terms: Uint32Array;
	readonly weights: Float32Array;

	/** `rows`: by place; of each the first `count` terms. `weights`: by term. */
	constructor(
		rows: readonly { readonly terms: Uint32Array; readonly count: number }[],
		weights: Float32Array,
	) {
		this.offsets = new Uint32Array(rows.length + 1);
		let end = 0;
		for (const [place, { count }] of rows.entries()) {
			end += count;
			this.offsets[place + 1] = end;
		}
		this.terms = new Uint32Array(end);
		this.weights = new Float32Array(end);
		let at = 0;
		for (const { terms, count } of rows) {
			for (let i = 0; i < count; i++, at++) {
				const term = terms[i] as number;
				this.terms[at] = term;
				this.weights[at] = weights[term] as number;
			}
		}
	}
}
