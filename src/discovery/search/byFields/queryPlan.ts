import { isService, isStopWord, joinedTerm, stem } from '../words/analyzer.ts';
import { deedsOf } from '../words/deeds.ts';
import { isUnspaced } from '../words/tokenizer.ts';
import { type GeneralKind, generalRequest } from './generalTools.ts';
import type { RankingParameters } from './parameters.ts';
import type { Alternative, QueryTerms } from './queryTerms.ts';
import { type QueryWord, readQuery } from './queryWords.ts';
import { type DeedsAt, type Request, readRequest } from './request.ts';
import { noSubjects, type Subjects, sumOfSubjects } from './subjects.ts';

/** One thing that a query says, a word or a phrase, and all that tools may call it. The best alternative counts. */
export interface Slot {
	/** As written. */
	readonly text: string;
	readonly weight: number;
	/** None where no tool has the word in any form. */
	readonly alternatives: readonly Alternative[];
	readonly clause: number;
	/** Place of its first word in the query, and how many words it has. */
	readonly at: number;
	readonly length: number;
	/**
	 * `topic`: the thesaurus knows it, so that a tool for it would have it in some form; `service`: it names a service, and a tool
	 * that does not know that service is another.
	 */
	readonly kind: 'word' | 'topic' | 'service';
	/** What it is about; none where that is not known, as of names. */
	readonly subjects: Subjects;
	/** How much it tells of what is needed, 0 to 1, whatever the catalog: a thing tells more than an action. 0 if it only repeats other slots. */
	readonly information: number;
	/** A word that is more than small talk, or a kind of thing: a tool that has it is not found by chance alone. */
	readonly tells: boolean;
	/** Only its synonyms can be found, as of a word of another language: a tool that has one has the word itself. */
	readonly isTranslated: boolean;
}

/** How a query is read. */
export interface QueryPlan {
	readonly slots: readonly Slot[];
	/** What it is about as a whole. */
	readonly subjects: Subjects;
	/** The kind of general tool that it asks for. */
	readonly general?: GeneralKind;
	readonly request: Request;
}

/** What a word tells that names an action, as a share of one that names a thing. */
const actionTells = 0.3;
/** What a quoted word tells, and a name that no tool has: it is an argument of the need, as a place or a person. */
const argumentTells = 0.2;

const noTopic = {
	kind: 'word',
	subjects: noSubjects,
	information: 0,
	tells: true,
	isTranslated: false,
} as const satisfies Partial<Slot>;

/** What a query asks for, as terms of an index. */
export function queryPlan(
	query: string,
	terms: QueryTerms,
	parameters: RankingParameters,
	hasGeneral: (kind: GeneralKind) => boolean,
): QueryPlan {
	const request = generalRequest(query);
	const general = request && hasGeneral(request) ? request : undefined;
	const { words, kinds, means } = readQuery(query, general);
	const builder = new SlotBuilder(words, terms, parameters);
	for (const i of words.keys()) builder.mixedCase(i);
	for (const i of words.keys()) builder.phrase(i);
	for (const i of words.keys()) builder.word(i);
	for (const kind of kinds) builder.kind(kind);
	for (const word of means) builder.kind(word, 1);
	return {
		slots: builder.slots,
		subjects: builder.subjects(),
		request: readRequest(words, (place) => builder.deedsAt(place)),
		...(general && { general }),
	};
}

/** Whether a word is of what something is to be done with, and not of what is to be done. */
function isObject({ manner }: QueryWord): boolean {
	return manner === 'quoted' || manner === 'about';
}

class SlotBuilder {
	readonly slots: Slot[] = [];
	readonly #words: readonly QueryWord[];
	readonly #stems: readonly string[];
	readonly #terms: QueryTerms;
	readonly #parameters: RankingParameters;
	readonly #taken = new Set<string>();
	/** Places of words inside a phrase. */
	readonly #inPhrase = new Set<number>();
	/** Places of parts of a word in mixed case. */
	readonly #inWhole = new Set<number>();
	/** Stop words count where there is nothing else ("who am I"). */
	readonly #everyWord: boolean;

	constructor(words: readonly QueryWord[], terms: QueryTerms, parameters: RankingParameters) {
		this.#words = words;
		this.#stems = words.map((word) => stem(word.text));
		this.#terms = terms;
		this.#parameters = parameters;
		this.#everyWord = words.every((word) => isStopWord(word.text));
	}

	/** Takes a word in mixed case as a whole, if any tool may have it so; its parts count less then. */
	mixedCase(at: number): void {
		const word = this.#words[at];
		if (!word?.whole) return;
		const { text, parts } = word.whole;
		const term = stem(text);
		const alternatives = [...this.#terms.exact(term), ...this.#terms.synonyms(term)];
		if (alternatives.length === 0) return;
		this.#taken.add(term);
		const place = { at, length: parts };
		this.#push(text, 1, alternatives, place, {
			...noTopic,
			kind: this.#kind({ ...word, text }, term),
			subjects: this.#terms.subjects.ofTerm(term),
			information: this.#information(word, term, true),
		});
		for (let i = 0; i < parts; i++) {
			this.#inPhrase.add(at + i);
			this.#inWhole.add(at + i);
		}
	}

	/** Takes the phrase that begins at a place, if any reaches beyond those that were taken. */
	phrase(at: number): void {
		const known = this.#terms.phraseAt(this.#stems, at);
		if (!known || this.#inPhrase.has(at + known.length - 1)) return;
		const covered = this.#words.slice(at, at + known.length);
		if (covered.some(isObject)) return;
		const own = joinedTerm(covered.map((word) => word.text));
		const alternatives = [...this.#terms.exact(own), ...this.#terms.forPhrase(known.terms)];
		if (alternatives.length === 0) return;
		this.#taken.add(own);
		const parts = this.#stems.slice(at, at + known.length).map((term) => this.#terms.subjects.ofTerm(term));
		const subjects = sumOfSubjects([this.#terms.subjects.ofPhrase(known), ...parts]);
		const text = covered.map((word) => word.text).join(' ');
		const place = { at, length: known.length };
		this.#push(text, 1, alternatives, place, { ...noTopic, kind: 'topic', subjects });
		for (const i of covered.keys()) this.#inPhrase.add(at + i);
	}

	/** Takes a word, and the pair that it makes with the next. */
	word(at: number): void {
		const word = this.#words[at];
		const term = this.#stems[at];
		if (!word || term === undefined || !this.#counts(word)) return;
		this.#pair(word, at);
		if (this.#taken.has(term)) return;
		this.#taken.add(term);
		const alternatives = isObject(word)
			? this.#terms.exact(term)
			: this.#terms.alternatives(word.text, term, word.isName);
		// Inside a phrase that has its terms, and across two words of a script without blanks, it is no word of its own.
		if (alternatives.length === 0 && (this.#inPhrase.has(at) || isUnspaced(word.text))) return;
		const subjects = word.manner === 'plain' ? this.#terms.subjects.ofTerm(term) : noSubjects;
		const place = { at, length: 1 };
		this.#push(word.text, this.#weight(word, at), alternatives, place, {
			kind: this.#kind(word, term),
			subjects,
			information: this.#inWhole.has(at) ? 0 : this.#information(word, term, alternatives.length > 0),
			tells: word.manner === 'plain' || word.manner === 'about',
			isTranslated: this.#terms.subjects.isTranslated(term),
		});
	}

	/** Every word counts once, and every phrase besides, whether a tool has it or not. */
	subjects(): Subjects {
		const plain = this.#stems.filter((_, i) => this.#words[i]?.manner === 'plain');
		const words = Array.from(new Set(plain), (term) => this.#terms.subjects.ofTerm(term));
		const phrases = this.#stems.map((_, i) => {
			const known = this.#terms.phraseAt(this.#stems, i);
			return known ? this.#terms.subjects.ofPhrase(known) : noSubjects;
		});
		return sumOfSubjects([...words, ...phrases]);
	}

	/** The kinds of actions that the phrase or word at a place stands for, by itself or its synonyms. */
	deedsAt(at: number): ReturnType<DeedsAt> {
		const term = this.#stems[at] ?? '';
		const own = deedsOf(term);
		const known = this.#terms.phraseAt(this.#stems, at);
		if (known) {
			let mask = 0;
			for (const one of known.terms) mask |= deedsOf(one);
			if (mask !== 0 && known.length > 1) return { deeds: mask, length: known.length, isVerb: false };
		}
		if (own !== 0) return { deeds: own, length: 1, isVerb: true };
		let mask = 0;
		let count = 0;
		let verbs = 0;
		for (const one of this.#terms.synonymsOf(term)) {
			const its = deedsOf(one);
			count++;
			if (its !== 0) verbs++;
			mask |= its;
		}
		return { deeds: 2 * verbs > count ? mask : 0, length: 1, isVerb: false };
	}

	kind(kind: string, weight = this.#parameters.quoted): void {
		const term = stem(kind);
		if (this.#taken.has(term)) return;
		const place = { at: this.#words.length - 1, length: 0 };
		this.#push(kind, weight, this.#terms.exact(term), place, {
			...noTopic,
			information: weight < 1 ? 0 : 1,
		});
	}

	#pair(word: QueryWord, at: number): void {
		const next = this.#words[at + 1];
		if (!next || !this.#counts(next)) return;
		const term = joinedTerm([word.text, next.text]);
		const alternatives = this.#terms.exact(term);
		if (alternatives.length === 0 || this.#taken.has(term)) return;
		this.#taken.add(term);
		const weight = this.#parameters.pair * Math.min(this.#manner(word), this.#manner(next));
		this.#push(`${word.text} ${next.text}`, weight, alternatives, { at, length: 2 });
	}

	#push(
		text: string,
		weight: number,
		alternatives: readonly Alternative[],
		{ at, length }: Pick<Slot, 'at' | 'length'>,
		meaning: Omit<Slot, 'text' | 'weight' | 'alternatives' | 'clause' | 'at' | 'length'> = noTopic,
	): void {
		const clause = this.#words[at]?.clause ?? 0;
		this.slots.push({ text, weight, alternatives, clause, at, length, ...meaning });
	}

	/** See {@link Slot.information}. */
	#information(word: QueryWord, term: string, isThere: boolean): number {
		if (word.manner === 'about') return 0;
		const isArgument = word.manner === 'quoted' || (word.isName && !isThere);
		const argument = isArgument ? argumentTells : 1;
		return argument * this.#manner(word) * (this.#terms.subjects.isAction(term) ? actionTells : 1);
	}

	#kind(word: QueryWord, term: string): Slot['kind'] {
		if (isObject(word)) return 'word';
		if (isService(word)) return 'service';
		return this.#terms.knows(term) ? 'topic' : 'word';
	}

	#counts(word: QueryWord): boolean {
		return this.#everyWord || !isStopWord(word.text);
	}

	#weight(word: QueryWord, at: number): number {
		return this.#manner(word) * (this.#inPhrase.has(at) ? this.#parameters.insidePhrase : 1);
	}

	#manner({ manner }: QueryWord): number {
		return manner === 'plain' ? 1 : this.#parameters[manner];
	}
}
