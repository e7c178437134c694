import { Memo, weakMemo } from '../../../common/memo.ts';
import { actionSubjects, type KnownPhrase, subjectCount, type Thesaurus } from '../words/thesaurus.ts';
import type { ToolDocument } from './toolDocument.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Weights of words by subject; zero weights are left out. */
export interface Subjects {
	/** Numbers of the subjects. */
	readonly ids: readonly number[];
	readonly values: readonly number[];
}

/** For words without a subject, such as names. */
export const noSubjects: Subjects = { ids: [], values: [] };

/** Weight of a phrase that the thesaurus knows, over all its subjects. A word weighs at most the logarithm of their number. */
const phraseWeight = 3;
/** Lines about actions from which a word counts as an action, or share of all its lines. */
const actionLines = 2;
const actionShare = 0.05;
/** Words whose subjects are cached. */
const remembered = 20_000;

export class SubjectsOfWords {
	readonly #thesaurus: Thesaurus;
	readonly #ofTerm = new Memo<string, Subjects>(remembered);
	/** Sum over all words by subject, normalised to length 1. */
	#common: Float64Array | undefined;

	constructor(thesaurus: Thesaurus) {
		this.#thesaurus = thesaurus;
	}

	/** The fewer subjects a word has, the more it says. A word without any, as of another language, has those of its synonyms. */
	ofTerm(term: string): Subjects {
		return this.#ofTerm.get(term, () => {
			const own = this.#listed(term);
			return own.ids.length > 0 ? own : this.#ofAll(this.#thesaurus.of(term));
		});
	}

	/** Whether a word names an action and not a thing: "create", "look for". Some things appear under such a subject once. */
	isAction(term: string): boolean {
		const subjects = this.#thesaurus.subjectsOf(term) ?? new Map<number, number>();
		let lines = 0;
		let all = 0;
		for (const [subject, count] of subjects) {
			all += count;
			if (actionSubjects.has(subject)) lines += count;
		}
		return lines >= actionLines || lines > actionShare * all;
	}

	/** Whether a word has no subject but synonyms: a word of another language, or added by the user. */
	isTranslated(term: string): boolean {
		return this.#listed(term).ids.length === 0 && this.#thesaurus.of(term).size > 0;
	}

	/** The subjects of a phrase beyond those of its words. */
	ofPhrase(phrase: KnownPhrase): Subjects {
		const ids = [...phrase.subjects];
		if (ids.length === 0) return this.#ofAll(phrase.terms);
		return { ids, values: ids.map(() => phraseWeight / ids.length) };
	}

	/** Sum over all words by subject, normalised to length 1. */
	get common(): Float64Array {
		this.#common ??= unit(this.ofEach(this.#thesaurus.termsOfSubjects));
		return this.#common;
	}

	/** Sum over some words by subject. */
	ofEach(terms: Iterable<string>): Float64Array {
		const sum = new Float64Array(subjectCount);
		for (const term of terms) {
			const { ids, values } = this.ofTerm(term);
			for (let i = 0; i < ids.length; i++) {
				const id = ids[i] as number;
				sum[id] = (sum[id] as number) + (values[i] as number);
			}
		}
		return sum;
	}

	#ofAll(terms: Iterable<string>): Subjects {
		return sumOfSubjects(Array.from(terms, (term) => this.#listed(term)));
	}

	#listed(term: string): Subjects {
		const lines = this.#thesaurus.subjectsOf(term);
		if (!lines) return noSubjects;
		const roots = Array.from(lines.values(), Math.sqrt);
		const weight = Math.log(subjectCount / lines.size) / roots.reduce((sum, root) => sum + root, 0);
		return { ids: [...lines.keys()], values: roots.map((root) => weight * root) };
	}
}

/** One per thesaurus, because it caches. */
export const subjectsOfWords = weakMemo((thesaurus: Thesaurus) => new SubjectsOfWords(thesaurus));

export function sumOfSubjects(parts: readonly Subjects[]): Subjects {
	const sum = new Map<number, number>();
	for (const { ids, values } of parts) {
		for (let i = 0; i < ids.length; i++) {
			const id = ids[i] as number;
			sum.set(id, (sum.get(id) ?? 0) + (values[i] as number));
		}
	}
	return { ids: [...sum.keys()], values: [...sum.values()] };
}

/**
 * What servers are about. Synonyms are grouped by subject ("cooking, recipes", "databases and SQL"), so every word in them belongs to some subjects: the
 * lock of a database and the lock of a door are told apart by the words beside them.
 */
export class SubjectsOfServers {
	readonly #documents: readonly ToolDocument[];
	/** Server number of each place. */
	readonly #servers: Uint32Array;
	readonly #vocabulary: Vocabulary;
	readonly #words: SubjectsOfWords;
	/** By server number: normalised, without what is common to all words. Computed on demand. */
	readonly #ofServer = new Map<number, Float64Array>();
	/** By server number. Computed on demand. */
	#places: ReadonlyMap<number | undefined, readonly number[]> | undefined;

	constructor(
		documents: readonly ToolDocument[],
		servers: Uint32Array,
		vocabulary: Vocabulary,
		words: SubjectsOfWords,
	) {
		this.#documents = documents;
		this.#servers = servers;
		this.#vocabulary = vocabulary;
		this.#words = words;
	}

	/** Similarity of subjects to those of a server: their cosine, without what is common to all words. */
	kinship({ ids, values }: Subjects, server: number): number {
		if (ids.length === 0) return 0;
		const ofServer = this.#subjectsOf(server);
		const { common } = this.#words;
		let product = 0;
		let square = 0;
		let usual = 0;
		for (let i = 0; i < ids.length; i++) {
			const id = ids[i] as number;
			const value = values[i] as number;
			product += value * (ofServer[id] as number);
			square += value * value;
			usual += value * (common[id] as number);
		}
		return product / Math.sqrt(square - usual * usual);
	}

	/** Computes the subjects of all servers, in steps. */
	*prepare(): Generator<void> {
		void this.#words.common;
		for (const server of new Set(this.#servers)) {
			yield;
			this.#subjectsOf(server);
		}
	}

	#subjectsOf(server: number): Float64Array {
		const kept = this.#ofServer.get(server);
		if (kept) return kept;
		this.#places ??= Map.groupBy(this.#documents.keys(), (place) => this.#servers[place]);
		const terms = new Set<number>();
		for (const place of this.#places.get(server) ?? []) {
			const { terms: words, central } = this.#documents[place] as ToolDocument;
			for (let i = 0; i < central; i++) terms.add(words[i] as number);
		}
		const all = this.#words.ofEach(Array.from(terms, (term) => this.#vocabulary.term(term)));
		const { common } = this.#words;
		const usual = dot(all, common);
		const distinct = unit(all.map((value, id) => value - usual * (common[id] as number)));
		this.#ofServer.set(server, distinct);
		return distinct;
	}
}

function unit(vector: Float64Array): Float64Array {
	const length = Math.sqrt(dot(vector, vector));
	return length > 0 ? vector.map((value) => value / length) : vector;
}

function dot(a: Float64Array, b: Float64Array): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
	return sum;
}
