import { isFiller, isStopWord, joinedTerm, stem } from './analyzer.ts';
import everyday from './synonyms/everyday.json' with { type: 'json' };
import general from './synonyms/general.json' with { type: 'json' };
import languages from './synonyms/languages.json' with { type: 'json' };
import requests from './synonyms/requests.json' with { type: 'json' };
import work from './synonyms/work.json' with { type: 'json' };
import { tokenize, withoutMarks } from './tokenizer.ts';

/** A known phrase in a text, with its synonyms. */
export interface KnownPhrase {
	/** Its number of words. */
	readonly length: number;
	readonly terms: Iterable<string>;
	/** Numbers of its subjects. */
	readonly subjects: Iterable<number>;
}

interface Phrase {
	readonly words: readonly string[];
	readonly terms: Set<string>;
	readonly subjects: Set<number>;
}

/**
 * Synonyms, read from lines in the syntax of Solr
 * (https://solr.apache.org/guide/solr/latest/indexing-guide/filters.html#synonym-graph-filter): words or phrases separated by
 * commas stand for each other; with `=>`, those on the left also lead to those on the right, but not back. Lines that make no
 * sense are left out. Chains are not followed: `a, b` and `b, c` do not make `a` a synonym of `c`.
 */
export class Thesaurus {
	readonly #base: Thesaurus | undefined;
	readonly #lines: Line[] = [];
	/** By term: the lines on whose left side it stands alone. */
	readonly #words = new Map<string, number[]>();
	/** By first term of a phrase: the lines on whose left side it stands. */
	readonly #beginnings = new Map<string, number[]>();
	/** By term: the lines with a subject that contain it. */
	readonly #subjects = new Map<string, number[]>();
	/** What was read of the lines: a query has a dozen of the ten thousand terms. */
	readonly #synonyms = new Map<string, ReadonlySet<string>>();
	readonly #phrases = new Map<string, ReadonlyMap<string, Phrase[]>>();

	/** With a base, its synonyms count too. */
	constructor(base?: Thesaurus) {
		this.#base = base;
	}

	/** `subject`: the number of the line's subject, if known. */
	add(line: string, subject?: number): void {
		const synonyms = parseSynonyms(line);
		if (!synonyms) return;
		const { from, to } = synonyms;
		const number = this.#lines.push({ from, to, subject }) - 1;
		for (const words of from) note(words.length === 1 ? this.#words : this.#beginnings, words[0], number);
		if (subject === undefined) return;
		for (const entries of to === from ? [from] : [from, to])
			for (const words of entries)
				for (const word of words) if (!isStopWord(word)) note(this.#subjects, word, number);
	}

	/** Synonyms of a term. */
	of(term: string): ReadonlySet<string> {
		const own = this.#ownOf(term);
		const inherited = this.#base?.of(term);
		if (!own || !inherited) return own ?? inherited ?? none;
		return own.union(inherited);
	}

	/** The longest phrase that starts here in a text of stems. On equal length the phrase added here wins over the base's. */
	phraseAt(words: readonly string[], at: number): KnownPhrase | undefined {
		const beginning = this.#phrasesFrom(words[at] ?? '')?.get(words[at + 1] ?? '');
		const own = beginning && longestAt(beginning, words, at);
		const inherited = this.#base?.phraseAt(words, at);
		return inherited && inherited.length > (own?.words.length ?? 0)
			? inherited
			: own && { length: own.words.length, terms: own.terms, subjects: own.subjects };
	}

	/** Number of lines per subject that contain a term. */
	subjectsOf(term: string): ReadonlyMap<number, number> | undefined {
		if (this.#base) return this.#base.subjectsOf(term);
		const lines = this.#subjects.get(term);
		if (!lines) return undefined;
		const counts = new Map<number, number>();
		for (const number of lines) {
			const subject = this.#lines[number]?.subject;
			if (subject !== undefined) counts.set(subject, (counts.get(subject) ?? 0) + 1);
		}
		return counts;
	}

	/** All terms with subjects. */
	get termsOfSubjects(): Iterable<string> {
		return this.#base ? this.#base.termsOfSubjects : this.#subjects.keys();
	}

	#ownOf(term: string): ReadonlySet<string> | undefined {
		const lines = this.#words.get(term);
		if (!lines) return undefined;
		return getOrAdd(this.#synonyms, term, () => {
			const others = lines.flatMap((number) => (this.#lines[number] as Line).to.map(joinedTerm));
			return new Set(others.filter((other) => other !== term));
		});
	}

	/** The phrases that begin with a term, by their second term. */
	#phrasesFrom(first: string): ReadonlyMap<string, Phrase[]> | undefined {
		const lines = this.#beginnings.get(first);
		if (!lines) return undefined;
		return getOrAdd(this.#phrases, first, () => {
			const phrases = new Map<string, Phrase[]>();
			for (const number of lines) readPhrases(this.#lines[number] as Line, first, phrases);
			return phrases;
		});
	}
}

interface Line extends Synonyms {
	readonly subject: number | undefined;
}

/** Notes a line under the term of a word, once. */
function note(lines: Map<string, number[]>, word: string | undefined, line: number): void {
	const term = stem(word ?? '');
	const known = lines.get(term);
	if (!known) lines.set(term, [line]);
	else if (known.at(-1) !== line) known.push(line);
}

/** Adds the phrases of a line that begin with a term. A phrase without synonyms counts too: tools may write it as one word. */
function readPhrases({ from, to, subject }: Line, first: string, into: Map<string, Phrase[]>): void {
	for (const words of from) {
		if (words.length === 1 || stem(words[0] ?? '') !== first) continue;
		const own = joinedTerm(words);
		const { terms, subjects } = phraseIn(into, words.map(stem));
		for (const term of to.map(joinedTerm)) if (term !== own) terms.add(term);
		if (subject !== undefined) subjects.add(subject);
	}
}

function phraseIn(phrases: Map<string, Phrase[]>, words: readonly string[]): Phrase {
	const beginning = getOrAdd(phrases, words[1] ?? '', () => []);
	const known = beginning.find((phrase) => isAt(phrase, words, 0) && phrase.words.length === words.length);
	if (known) return known;
	const phrase: Phrase = { words, terms: new Set(), subjects: new Set() };
	beginning.push(phrase);
	return phrase;
}

function longestAt(phrases: readonly Phrase[], words: readonly string[], at: number): Phrase | undefined {
	let longest: Phrase | undefined;
	for (const phrase of phrases) {
		if (phrase.words.length > (longest?.words.length ?? 0) && isAt(phrase, words, at)) longest = phrase;
	}
	return longest;
}

function isAt(phrase: Phrase, words: readonly string[], at: number): boolean {
	return phrase.words.every((word, i) => words[at + i] === word);
}

const none: ReadonlySet<string> = new Set();

/** A parsed line of synonyms, each entry as words. */
export interface Synonyms {
	readonly from: readonly (readonly string[])[];
	/** Same as `from` if the line has no arrow. */
	readonly to: readonly (readonly string[])[];
}

/** Parses a line; `undefined` if it makes no sense. */
export function parseSynonyms(line: string): Synonyms | undefined {
	const sides = line.split('=>').map(entriesOf);
	const [from = [], to = from] = sides;
	if (sides.length > 2 || from.length === 0 || to.length === 0) return undefined;
	const first = from[0]?.join(' ');
	const isOneEntry = [...from, ...to].every((words) => words.join(' ') === first);
	return isOneEntry ? undefined : { from, to };
}

/** Matches sides, without accents, that need no tokenizer: splitting them at spaces gives the same words. Nearly all do. */
const plainSide = /^[a-z\d, ]*$/;

/** The entries of one side of a line, as words. */
function entriesOf(side: string): string[][] {
	const plain = plainSide.test(side) ? side : withoutMarks(side);
	const isPlain = plainSide.test(plain);
	const entries: string[][] = [];
	for (const entry of (isPlain ? plain : side).split(',')) {
		const words = isPlain ? plainWords(entry) : otherWords(entry);
		if (words.length > 0) entries.push(words);
	}
	return entries;
}

/** Queries are read without fillers, so phrases are, too. */
function plainWords(entry: string): string[] {
	return entry.split(' ').filter((word) => word !== '' && !isFiller(word));
}

function otherWords(entry: string): string[] {
	const telling = entry.split(/\s+/).filter((word) => !isFiller(word.toLowerCase()));
	return tokenize(telling.join(' '));
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
	let value = map.get(key);
	if (value === undefined) {
		value = make();
		map.set(key, value);
	}
	return value;
}

/** Lines read per step. */
const linesAtOnce = 400;

/** Extended thesauruses of workspaces, by their list of lines. */
const extensions = new WeakMap<readonly string[], Thesaurus>();
let builtIn: Thesaurus | undefined;

/** The files in `synonyms/`: lists of lines by subject. */
export const synonymFiles: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
	general,
	everyday,
	work,
	requests,
	languages,
};

/** The subjects of the built-in lines, numbered by position. Without the languages, which are about everything. */
const subjectEntries = Object.entries(synonymFiles)
	.filter(([file]) => file !== 'languages')
	.flatMap(([, file]) => Object.entries(file));
const subjects = subjectEntries.map(([, lines]) => lines);

/** Subjects of words for actions: "create", "look for". */
export const actionSubjects: ReadonlySet<number> = new Set(
	subjectEntries.flatMap(([name], subject) => (name.startsWith('actions') ? [subject] : [])),
);

export const subjectCount = subjects.length;

/** The synonyms of {@link synonymFiles}, read once, plus the caller's `lines`. */
export function* thesaurusWith(lines: readonly string[]): Generator<void, Thesaurus, void> {
	builtIn ??= yield* read([
		...subjects.flatMap((lines, subject) => lines.map((line) => ({ line, subject }))),
		...Object.values(languages)
			.flat()
			.map((line) => ({ line })),
	]);
	if (lines.length === 0) return builtIn;
	let extended = extensions.get(lines);
	if (!extended) {
		extended = yield* read(
			lines.map((line) => ({ line })),
			builtIn,
		);
		extensions.set(lines, extended);
	}
	return extended;
}

function* read(
	lines: readonly { readonly line: string; readonly subject?: number }[],
	base?: Thesaurus,
): Generator<void, Thesaurus, void> {
	const thesaurus = new Thesaurus(base);
	for (const [i, { line, subject }] of lines.entries()) {
		if (i % linesAtOnce === linesAtOnce - 1) yield;
		thesaurus.add(line, subject);
	}
	return thesaurus;
}
