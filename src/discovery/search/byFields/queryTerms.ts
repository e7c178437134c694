import { distance } from 'fastest-levenshtein';
import { Memo } from '../../../common/memo.ts';
import { compareStrings } from '../../../common/text.ts';
import { isSmallTalk, stem } from '../words/analyzer.ts';
import { likelyTerms } from '../words/likelyTerms.ts';
import type { Thesaurus } from '../words/thesaurus.ts';
import type { InvertedIndex } from './invertedIndex.ts';
import type { RankingParameters } from './parameters.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A term that can match a slot. */
export interface Alternative {
	/** Number in the vocabulary. */
	readonly term: number;
	/** 1 for the word as written, {@link RankingParameters.related} for a synonym, less for terms that the word may stand for. */
	readonly strength: number;
	/** A person may mean it: learned, and less sure than a synonym. */
	readonly isLikely?: true;
}

/** Highest document frequency of a likely term. One that more tools have says too little for the time that it takes. */
const maxLikelyFrequency = 64;

/** Words whose alternatives are cached. */
const maxCachedWords = 5_000;

/** The terms of an index that can match a query's words: the words themselves, synonyms, or failing both, similar terms. */
export class QueryTerms {
	/** Synonyms and phrases, whether or not any document has them. */
	readonly thesaurus: Thesaurus;
	readonly #vocabulary: Vocabulary;
	readonly #index: InvertedIndex;
	readonly #parameters: RankingParameters;
	readonly #similar: SimilarTerms;
	readonly #cache = new Memo<string, readonly Alternative[]>(maxCachedWords);

	constructor(
		vocabulary: Vocabulary,
		index: InvertedIndex,
		thesaurus: Thesaurus,
		parameters: RankingParameters,
	) {
		this.#vocabulary = vocabulary;
		this.#index = index;
		this.thesaurus = thesaurus;
		this.#parameters = parameters;
		this.#similar = new SimilarTerms(vocabulary, index);
	}

	/** Alternatives for a word and its term; the word itself comes first if any document has it. */
	alternatives(word: string, term: string, isName: boolean): readonly Alternative[] {
		// Names are not corrected, so a name can have fewer alternatives than the same word elsewhere.
		const key = isName ? `${word} (name)` : word;
		return this.#cache.get(key, () => this.#find(word, term, isName));
	}

	hasSynonyms(term: string): boolean {
		return this.thesaurus.of(term).size > 0;
	}

	/** The term itself, if any document has it. */
	exact(term: string): readonly Alternative[] {
		return this.#indexed([term], 1);
	}

	/** The term itself, if any tool has it in its own words; otherwise empty. */
	ownTerms(term: string): readonly number[] {
		const id = this.#vocabulary.find(term);
		return id !== undefined && this.#index.frequency(id) > 0 ? [id] : [];
	}

	/** Those of some synonyms that any document has. */
	synonyms(terms: Iterable<string>): readonly Alternative[] {
		return this.#indexed(terms, this.#parameters.related);
	}

	#find(word: string, term: string, isName: boolean): readonly Alternative[] {
		const own = [...this.exact(term), ...this.synonyms(this.thesaurus.of(term))];
		const alternatives = isName ? own : [...own, ...this.#likely(term)];
		// A known word is not a misspelling of another.
		if (alternatives.length > 0 || isName || isSmallTalk(word) || this.hasSynonyms(term)) return alternatives;
		return this.#similar.of(word).map((id) => ({ term: id, strength: this.#parameters.related }));
	}

	/** Terms that people's words may stand for. */
	#likely(word: string): Alternative[] {
		return likelyTerms(word).flatMap(({ term, strength }) =>
			this.#indexed([term], strength)
				.filter((one) => this.#index.frequency(one.term) <= maxLikelyFrequency)
				.map((one) => ({ ...one, isLikely: true as const })),
		);
	}

	#indexed(terms: Iterable<string>, strength: number): Alternative[] {
		const alternatives: Alternative[] = [];
		for (const text of terms) {
			const term = this.#vocabulary.find(text);
			if (term !== undefined && this.#index.has(term)) alternatives.push({ term, strength });
		}
		return alternatives;
	}
}

/** Minimum letters of a part of a compound, and of a prefix. */
const minPartLength = 3;
const minPrefixLength = 4;
/** A longer run of letters is not a word. */
const maxWordLength = 40;
/** Most similar terms of a word. */
const maxTerms = 3;

/** Largest edit distance of a misspelling, by the length of the word. */
function maxEdits(letters: number): number {
	if (letters < 4) return 0;
	return letters < 8 ? 1 : 2;
}

/** Finds terms for a word that no document has: the parts of a compound, a typo, a prefix. */
class SimilarTerms {
	readonly #vocabulary: Vocabulary;
	readonly #index: InvertedIndex;
	/** Terms by first letter. Computed on demand. */
	#byLetter: Map<string, { readonly text: string; readonly id: number }[]> | undefined;

	constructor(vocabulary: Vocabulary, index: InvertedIndex) {
		this.#vocabulary = vocabulary;
		this.#index = index;
	}

	/** The most likely terms, unordered; empty if nothing is similar. */
	of(word: string): readonly number[] {
		if (word.length > maxWordLength) return [];
		const parts = this.#compoundParts(word);
		if (parts.length > 0) return parts;
		const neighbours = (this.#termsByLetter().get(word[0] ?? '') ?? []).filter(
			({ id }) => this.#index.frequency(id) > 0,
		);
		const misspelt = nearest(stem(word), neighbours);
		if (misspelt.length > 0) return this.#commonest(misspelt);
		if (word.length < minPrefixLength) return [];
		return this.#commonest(neighbours.filter(({ text }) => text.startsWith(word)).map(({ id }) => id));
	}

	/**
	 * The two words of a compound, if the index has both: `filewatcher` is `file` and `watcher`. Of several splits, the one whose rarer word is the most
	 * frequent.
	 */
	#compoundParts(word: string): number[] {
		let best: { terms: number[]; frequency: number } | undefined;
		for (let at = minPartLength; at <= word.length - minPartLength; at++) {
			const terms = [word.slice(0, at), word.slice(at)]
				.map((part) => this.#vocabulary.find(stem(part)))
				.filter((id) => id !== undefined);
			const frequency = Math.min(...terms.map((id) => this.#index.frequency(id)));
			if (terms.length === 2 && frequency > (best?.frequency ?? 0)) best = { terms, frequency };
		}
		return best?.terms ?? [];
	}

	/** The most frequent first, then by name. Term numbers are no order: they depend on what else shares the vocabulary. */
	#order(a: number, b: number): number {
		return (
			this.#index.frequency(b) - this.#index.frequency(a) ||
			compareStrings(this.#vocabulary.term(a), this.#vocabulary.term(b))
		);
	}

	#commonest(terms: readonly number[]): number[] {
		return terms.toSorted((a, b) => this.#order(a, b)).slice(0, maxTerms);
	}

	#termsByLetter(): Map<string, { readonly text: string; readonly id: number }[]> {
		if (!this.#byLetter) {
			const all = Array.from({ length: this.#vocabulary.size }, (_, id) => ({
				text: this.#vocabulary.term(id),
				id,
			}));
			this.#byLetter = Map.groupBy(all, ({ text }) => text[0] ?? '');
		}
		return this.#byLetter;
	}
}

/** The terms with the smallest tolerated edit distance. */
function nearest(word: string, terms: readonly { readonly text: string; readonly id: number }[]): number[] {
	const most = maxEdits(word.length);
	const near = terms
		.filter(({ text }) => Math.abs(text.length - word.length) <= most)
		.map(({ text, id }) => ({ id, edits: distance(word, text) }))
		.filter(({ edits }) => edits <= most);
	const least = Math.min(...near.map(({ edits }) => edits));
	return near.filter(({ edits }) => edits === least).map(({ id }) => id);
}
