import { Memo } from '../memo.ts';
import type { KnownPhrase, Thesaurus } from '../words/thesaurus.ts';
import type { InvertedIndex } from './invertedIndex.ts';
import type { RankingParameters } from './parameters.ts';
import { ResemblingTerms } from './resemblingTerms.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A term that may stand for what a query says. */
export interface Alternative {
	/** Number in the vocabulary. */
	readonly term: number;
	/** 1 for what was written, less for what is only related. */
	readonly strength: number;
}

/** Words whose alternatives are remembered. */
const remembered = 5_000;

/** What the words of a query may be called in an index: themselves, synonyms, and where there are none, what they resemble. */
export class QueryTerms {
	readonly #vocabulary: Vocabulary;
	readonly #index: InvertedIndex;
	readonly #thesaurus: Thesaurus;
	readonly #parameters: RankingParameters;
	readonly #resembling: ResemblingTerms;
	readonly #known = new Memo<string, readonly Alternative[]>(remembered);

	constructor(
		vocabulary: Vocabulary,
		index: InvertedIndex,
		thesaurus: Thesaurus,
		parameters: RankingParameters,
	) {
		this.#vocabulary = vocabulary;
		this.#index = index;
		this.#thesaurus = thesaurus;
		this.#parameters = parameters;
		this.#resembling = new ResemblingTerms(vocabulary, index);
	}

	/** Alternatives for a word with its term, the word itself first where any document has it. */
	alternatives(word: string, term: string, isName: boolean): readonly Alternative[] {
		// A name is not corrected, so that it may have fewer.
		const key = isName ? `${word} (name)` : word;
		return this.#known.get(key, () => this.#find(word, term, isName));
	}

	phraseAt(terms: readonly string[], at: number): KnownPhrase | undefined {
		return this.#thesaurus.phraseAt(terms, at);
	}

	/** Whether the thesaurus has anything to say of a term. */
	knows(term: string): boolean {
		return this.#thesaurus.of(term).size > 0;
	}

	/** The term itself, where any document has it. */
	exact(term: string): readonly Alternative[] {
		return this.#those([term], 1);
	}

	/** Those terms for a phrase that any document has. */
	forPhrase(terms: Iterable<string>): readonly Alternative[] {
		return this.#those(terms, this.#parameters.phrase);
	}

	#find(word: string, term: string, isName: boolean): readonly Alternative[] {
		const alternatives = [
			...this.exact(term),
			...this.#those(this.#thesaurus.of(term), this.#parameters.synonym),
		];
		// What is known to be another word is nobody's slip of the pen.
		if (alternatives.length > 0 || isName || this.knows(term)) return alternatives;
		return this.#resembling.of(word).map((id) => ({ term: id, strength: this.#parameters.resembling }));
	}

	#those(terms: Iterable<string>, strength: number): Alternative[] {
		const alternatives: Alternative[] = [];
		for (const text of terms) {
			const term = this.#vocabulary.find(text);
			if (term !== undefined && this.#index.frequency(term) > 0) alternatives.push({ term, strength });
		}
		return alternatives;
	}
}
