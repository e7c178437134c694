import { actionKindsOf } from '../words/actionKinds.ts';
import { isStopWord, joinedTerm, stem } from '../words/analyzer.ts';
import { askedActions } from '../words/likelyActions.ts';
import { type Meaning, meaningOf } from '../words/meanings.ts';
import { isService, servicesIn, termsOfService } from '../words/services.ts';
import type { KnownPhrase } from '../words/thesaurus.ts';
import { isUnspaced } from '../words/tokenizer.ts';
import { type ActionKindsAt, type Intent, readIntent } from './intent.ts';
import type { RankingParameters } from './parameters.ts';
import type { Alternative, QueryTerms } from './queryTerms.ts';
import { type QueryWord, readQuery } from './queryWords.ts';

/** A word or phrase of the query with everything that tools may call it. The best alternative counts, as in Lucene's `DisjunctionMaxQuery`. */
export interface Slot {
	/** As written. */
	readonly text: string;
	readonly weight: number;
	/** Empty if no tool has the word in any form. */
	readonly alternatives: readonly Alternative[];
	readonly clause: number;
	/** Index of its first word in the query, and its number of words. */
	readonly at: number;
	readonly length: number;
	/**
	 * `topic`: the thesaurus knows it, so a tool for it would have it in some form. `service`: the name of a service.
	 */
	readonly kind: 'word' | 'topic' | 'service';
	/** How much it says about the need, 0 to 1, independent of the catalog: things say more than actions. 0 if it repeats other slots. */
	readonly information: number;
	/** More than small talk or a kind of thing: a tool that has it is not found by chance. */
	readonly tells: boolean;
	/** Written as a name, or a known service's. */
	readonly isName: boolean;
	/** Only its synonyms can be found, as for a word of another language. A tool that has one counts as having the word itself. */
	readonly isTranslated: boolean;
}

/** How a query is understood. */
export interface QueryPlan {
	readonly slots: readonly Slot[];
	/** The services that it names, each as the terms by which tools say that they serve it; empty: no tool does. */
	readonly services: readonly (readonly number[])[];
	readonly intent: Intent;
	/** By kind of action: the probability that the query asks for it. */
	readonly likelyActions: Float64Array;
	/** Of all words but quoted ones. */
	readonly meaning: Meaning;
}

/** Information of an action, and of an argument such as a city or a person (a quoted word or a name that no tool has), relative to a thing. */
const lowInformation = 0.3;

/** Words of a sentence. */
const minSentenceLength = 4;

const usualSlot = {
	kind: 'word',
	information: 0,
	tells: true,
	isName: false,
	isTranslated: false,
} as const satisfies Partial<Slot>;

/** Reads a query into terms of an index. */
export function queryPlan(query: string, terms: QueryTerms, parameters: RankingParameters): QueryPlan {
	const { words, kinds } = readQuery(query);
	const plain = words.filter((word) => !isArgument(word) && !word.isName).map((word) => word.text);
	const builder = new SlotBuilder(words, terms, parameters);
	for (const i of words.keys()) builder.mixedCase(i);
	for (const i of words.keys()) builder.phrase(i);
	for (const i of words.keys()) builder.word(i);
	for (const kind of kinds) builder.kind(kind);
	return {
		slots: builder.slots,
		services: builder.services(),
		intent: readIntent(words, (position) => builder.actionKindsAt(position)),
		likelyActions: askedActions(plain),
		meaning: meaningOf(
			new Map(words.filter((word) => !isArgument(word)).map((word) => [stem(word.text), 1])),
		),
	};
}

/** Whether a word is an argument rather than part of the request. */
function isArgument({ manner }: QueryWord): boolean {
	return manner === 'quoted';
}

class SlotBuilder {
	readonly slots: Slot[] = [];
	readonly #words: readonly QueryWord[];
	readonly #stems: readonly string[];
	/** The known phrase that begins with each word. */
	readonly #phrases: readonly (KnownPhrase | undefined)[];
	/** See {@link actionKindsAt}: asked several times for each word. */
	readonly #actionKinds: ReturnType<ActionKindsAt>[] = [];
	readonly #terms: QueryTerms;
	readonly #parameters: RankingParameters;
	readonly #taken = new Set<string>();
	/** Indexes of words inside a phrase. */
	readonly #inPhrase = new Set<number>();
	/** Indexes of the parts of a mixed-case word. */
	readonly #inWhole = new Set<number>();
	/** Stop words count if there is nothing else ("who am I"). */
	readonly #everyWord: boolean;
	/** Few words are terms of a search: what people mean by words, sentences tell. */
	readonly #isSentence: boolean;

	constructor(words: readonly QueryWord[], terms: QueryTerms, parameters: RankingParameters) {
		this.#words = words;
		this.#stems = words.map((word) => stem(word.text));
		this.#phrases = words.map((_, at) => terms.thesaurus.phraseAt(this.#stems, at));
		this.#terms = terms;
		this.#parameters = parameters;
		this.#isSentence = words.length >= minSentenceLength;
		this.#everyWord = words.every((word) => isStopWord(word.text));
	}

	/** Adds a mixed-case word as a whole if any tool may have it; its parts then count less. */
	mixedCase(at: number): void {
		const word = this.#words[at];
		if (!word?.whole) return;
		const { text, parts } = word.whole;
		const term = stem(text);
		const alternatives = [
			...this.#terms.exact(term),
			...this.#terms.synonyms(this.#terms.thesaurus.of(term)),
		];
		if (alternatives.length === 0) return;
		this.#taken.add(term);
		this.#push({
			...usualSlot,
			text,
			weight: 1,
			alternatives,
			at,
			length: parts,
			kind: this.#kind({ ...word, text }, term),
			information: this.#information(word, term, true),
			isName: true,
		});
		for (let i = 0; i < parts; i++) {
			this.#inPhrase.add(at + i);
			this.#inWhole.add(at + i);
		}
	}

	/** Adds the phrase that starts here, unless an earlier phrase covers it. */
	phrase(at: number): void {
		const known = this.#phrases[at];
		if (!known || this.#inPhrase.has(at + known.length - 1)) return;
		const covered = this.#words.slice(at, at + known.length);
		if (covered.some(isArgument)) return;
		const own = joinedTerm(covered.map((word) => word.text));
		const alternatives = [...this.#terms.exact(own), ...this.#terms.synonyms(known.terms)];
		if (alternatives.length === 0) return;
		this.#taken.add(own);
		const text = covered.map((word) => word.text).join(' ');
		this.#push({ ...usualSlot, text, weight: 1, alternatives, at, length: known.length, kind: 'topic' });
		for (const i of covered.keys()) this.#inPhrase.add(at + i);
	}

	/** Adds a word, and the pair it forms with the next word. */
	word(at: number): void {
		const word = this.#words[at];
		const term = this.#stems[at];
		if (!word || term === undefined || !this.#isSearched(word)) return;
		this.#pair(word, at);
		if (this.#taken.has(term)) return;
		this.#taken.add(term);
		const alternatives = isArgument(word)
			? this.#terms.exact(term)
			: this.#terms
					.alternatives(word.text, term, word.isName)
					.filter((one) => this.#isSentence || !one.isLikely);
		// Not a word of its own inside a phrase that has terms, or across two words of a script without spaces.
		if (alternatives.length === 0 && (this.#inPhrase.has(at) || isUnspaced(word.text))) return;
		this.#push({
			text: word.text,
			weight: this.#weight(word, at),
			alternatives,
			at,
			length: 1,
			kind: this.#kind(word, term),
			information: this.#inWhole.has(at) ? 0 : this.#information(word, term, alternatives.length > 0),
			tells: word.manner === 'plain',
			isName: word.isName || isService(word),
			isTranslated: this.#terms.thesaurus.isTranslated(term),
		});
	}

	/** Also those inside a phrase: "google calendar" has synonyms that other calendars have. */
	services(): readonly (readonly number[])[] {
		const words = this.#words
			.filter((word) => !isArgument(word))
			.map((word) => ({ ...word, text: word.whole?.text ?? word.text }));
		return servicesIn(words).map(({ text }) =>
			termsOfService(text).flatMap((term) => this.#terms.ownTerms(term)),
		);
	}

	/** The kinds of actions of the phrase or word at this index, directly or through synonyms. */
	actionKindsAt(at: number): ReturnType<ActionKindsAt> {
		this.#actionKinds[at] ??= this.#readActionKinds(at);
		return this.#actionKinds[at];
	}

	#readActionKinds(at: number): ReturnType<ActionKindsAt> {
		const term = this.#stems[at] ?? '';
		const own = actionKindsOf(term);
		const known = this.#phrases[at];
		if (known) {
			let mask = 0;
			for (const one of known.terms) mask |= actionKindsOf(one);
			if (mask !== 0 && known.length > 1) return { actionKinds: mask, length: known.length, isVerb: false };
		}
		if (own !== 0) return { actionKinds: own, length: 1, isVerb: true };
		let mask = 0;
		let count = 0;
		let verbs = 0;
		for (const one of this.#terms.thesaurus.of(term)) {
			const kinds = actionKindsOf(one);
			count++;
			if (kinds !== 0) verbs++;
			mask |= kinds;
		}
		return { actionKinds: 2 * verbs > count ? mask : 0, length: 1, isVerb: false };
	}

	kind(kind: string): void {
		const term = stem(kind);
		if (this.#taken.has(term)) return;
		const weight = this.#parameters.minor;
		const alternatives = this.#terms.exact(term);
		this.#push({ ...usualSlot, text: kind, weight, alternatives, at: this.#words.length - 1, length: 0 });
	}

	#pair(word: QueryWord, at: number): void {
		const next = this.#words[at + 1];
		if (!next || !this.#isSearched(next)) return;
		const term = joinedTerm([word.text, next.text]);
		const alternatives = this.#terms.exact(term);
		if (alternatives.length === 0 || this.#taken.has(term)) return;
		this.#taken.add(term);
		const weight = this.#parameters.pair * Math.min(this.#mannerWeight(word), this.#mannerWeight(next));
		this.#push({ ...usualSlot, text: `${word.text} ${next.text}`, weight, alternatives, at, length: 2 });
	}

	#push(slot: Omit<Slot, 'clause'>): void {
		this.slots.push({ ...slot, clause: this.#words[slot.at]?.clause ?? 0 });
	}

	/** See {@link Slot.information}. */
	#information(word: QueryWord, term: string, isThere: boolean): number {
		const ofKind = isArgument(word) || (word.isName && !isThere) ? lowInformation : 1;
		const ofAction = this.#terms.thesaurus.isAction(term) ? lowInformation : 1;
		return ofKind * ofAction * this.#mannerWeight(word);
	}

	#kind(word: QueryWord, term: string): Slot['kind'] {
		if (isArgument(word)) return 'word';
		if (isService(word)) return 'service';
		return this.#terms.hasSynonyms(term) ? 'topic' : 'word';
	}

	#isSearched(word: QueryWord): boolean {
		return this.#everyWord || !isStopWord(word.text);
	}

	#weight(word: QueryWord, at: number): number {
		return this.#mannerWeight(word) * (this.#inPhrase.has(at) ? this.#parameters.insidePhrase : 1);
	}

	#mannerWeight({ manner }: QueryWord): number {
		return manner === 'plain' ? 1 : this.#parameters.minor;
	}
}
