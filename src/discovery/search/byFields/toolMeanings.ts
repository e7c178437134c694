import { type Meaning, meaningOf } from '../words/meanings.ts';
import type { ToolDocument } from './toolDocument.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What tools are about, by their own words. Computed on demand: a search needs a few of them, and only if its words are not clear. */
export class ToolMeanings {
	readonly #documents: readonly ToolDocument[];
	readonly #vocabulary: Vocabulary;
	readonly #read: Meaning[] = [];

	constructor(documents: readonly ToolDocument[], vocabulary: Vocabulary) {
		this.#documents = documents;
		this.#vocabulary = vocabulary;
	}

	of(place: number): Meaning {
		let meaning = this.#read[place];
		if (!meaning) {
			const { terms, impacts } = this.#documents[place] as ToolDocument;
			const weights = Array.from(
				terms,
				(term, i) => [this.#vocabulary.term(term), impacts[i] as number] as const,
			);
			this.#read[place] = meaning = meaningOf(weights);
		}
		return meaning;
	}
}
