import { stem } from '../words/analyzer.ts';

/** Numbers for terms, in the order in which they come. Terms are never taken out, so that indexes can share one. */
export class Vocabulary {
	readonly #ids = new Map<string, number>();
	readonly #terms: string[] = [];
	/** Terms of words as they were written: most are met again and again. */
	readonly #words = new Map<string, number>();

	get size(): number {
		return this.#terms.length;
	}

	/** The number of a term that is there. */
	find(term: string): number | undefined {
		return this.#ids.get(term);
	}

	/** The number of a word's term, which is added where it is new. */
	addWord(word: string): number {
		let id = this.#words.get(word);
		if (id === undefined) {
			id = this.addTerm(stem(word));
			this.#words.set(word, id);
		}
		return id;
	}

	term(id: number): string {
		return this.#terms[id] ?? '';
	}

	/** The number of a term, which is added where it is new. */
	addTerm(term: string): number {
		let id = this.#ids.get(term);
		if (id === undefined) {
			id = this.#terms.length;
			this.#ids.set(term, id);
			this.#terms.push(term);
		}
		return id;
	}
}
