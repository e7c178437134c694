import { getOrAdd } from '../../../common/memo.ts';
import { isFiller, isStopWord, joinedTerm, stem } from './analyzer.ts';
import { packedTables } from './packedTables.ts';
import everyday from './synonyms/everyday.json' with { type: 'json' };
import general from './synonyms/general.json' with { type: 'json' };
import languages from './synonyms/languages.json' with { type: 'json' };
import requests from './synonyms/requests.json' with { type: 'json' };
import work from './synonyms/work.json' with { type: 'json' };
import { type ReadTables, type ThesaurusTables, unpackTables } from './thesaurusTables.ts';
import { tokenize, withoutMarks } from './tokenizer.ts';

/** A known phrase in a text, with its synonyms. */
export interface KnownPhrase {
	/** Its number of words. */
	readonly length: number;
	readonly terms: Iterable<string>;
}

interface Phrase {
	readonly words: readonly string[];
	readonly terms: Set<string>;
}

/** A line of synonyms before it is parsed. */
interface Line {
	readonly line: string;
	/** What it is about; absent for other languages and for lines of the user. */
	readonly about?: 'actions' | 'things';
}

/** Lines about actions from which a word counts as an action, or share of all its lines. */
const actionLines = 2;
const actionShare = 0.05;

/**
 * Synonyms, read from lines in the syntax of Solr
 * (https://solr.apache.org/guide/solr/latest/indexing-guide/filters.html#synonym-graph-filter): words or phrases separated by
 * commas stand for each other; with `=>`, those on the left also lead to those on the right, but not back. Lines that make no
 * sense are left out. Chains are not followed: `a, b` and `b, c` do not make `a` a synonym of `c`.
 */
export class Thesaurus {
	readonly #base: Thesaurus | undefined;
	readonly #lines: readonly Line[];
	readonly #tables: ThesaurusTables;
	/** What was read of the lines: a query has a dozen of the ten thousand terms. */
	readonly #synonyms = new Map<string, ReadonlySet<string>>();
	readonly #phrases = new Map<string, ReadonlyMap<string, Phrase[]>>();

	/** `tables`: where the terms of the lines stand. With a base, its synonyms count too. */
	constructor(lines: readonly Line[], tables: ThesaurusTables, base?: Thesaurus) {
		this.#lines = lines;
		this.#tables = tables;
		this.#base = base;
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
			: own && { length: own.words.length, terms: own.terms };
	}

	/** Whether a word names an action and not a thing: "create", "look for". Some things stand in a line about actions once. */
	isAction(term: string): boolean {
		return this.#base ? this.#base.isAction(term) : this.#tables.actions.has(term);
	}

	/** Whether a word has synonyms only as one of another language, or of the user's. */
	isTranslated(term: string): boolean {
		const own = this.#tables.words.get(term)?.every((number) => this.#lines[number]?.about === undefined);
		if (own === false) return false;
		return this.#base?.isKnown(term) ? this.#base.isTranslated(term) : own === true;
	}

	isKnown(term: string): boolean {
		return this.#tables.words.get(term) !== undefined || this.#base?.isKnown(term) === true;
	}

	#ownOf(term: string): ReadonlySet<string> | undefined {
		const lines = this.#tables.words.get(term);
		if (!lines) return undefined;
		return getOrAdd(this.#synonyms, term, () => {
			const others = lines.flatMap((number) => this.#read(number).to.map(joinedTerm));
			return new Set(others.filter((other) => other !== term));
		});
	}

	/** The phrases that begin with a term, by their second term. */
	#phrasesFrom(first: string): ReadonlyMap<string, Phrase[]> | undefined {
		const lines = this.#tables.beginnings.get(first);
		if (!lines) return undefined;
		return getOrAdd(this.#phrases, first, () => {
			const phrases = new Map<string, Phrase[]>();
			for (const number of lines) readPhrases(this.#read(number), first, phrases);
			return phrases;
		});
	}

	#read(number: number): Synonyms {
		return parseSynonyms(this.#lines[number]?.line ?? '') ?? { from: [], to: [] };
	}
}

/** Finds out where the terms of some lines stand, in steps. */
export function* tablesOf(lines: readonly Line[]): Generator<void, ReadTables, void> {
	const words = new Map<string, number[]>();
	const beginnings = new Map<string, number[]>();
	const counts = new Map<string, { all: number; actions: number }>();
	for (const [number, { line, about }] of lines.entries()) {
		if (number % linesAtOnce === linesAtOnce - 1) yield;
		const { from, to } = parseSynonyms(line) ?? { from: [], to: [] };
		for (const entry of from) note(entry.length === 1 ? words : beginnings, entry[0], number);
		if (about === undefined) continue;
		const all = (to === from ? from : [...from, ...to]).flat().filter((word) => !isStopWord(word));
		for (const term of new Set(all.map(stem))) {
			const count = getOrAdd(counts, term, () => ({ all: 0, actions: 0 }));
			count.all++;
			if (about === 'actions') count.actions++;
		}
	}
	const ofActions = [...counts].filter(
		([, { all, actions }]) => actions >= actionLines || actions > actionShare * all,
	);
	return { words, beginnings, actions: new Set(ofActions.map(([term]) => term)) };
}

/** Notes a line under the term of a word, once. */
function note(lines: Map<string, number[]>, word: string | undefined, line: number): void {
	const known = getOrAdd(lines, stem(word ?? ''), () => []);
	if (known.at(-1) !== line) known.push(line);
}

/** Adds the phrases of a line that begin with a term. A phrase without synonyms counts too: tools may write it as one word. */
function readPhrases({ from, to }: Synonyms, first: string, into: Map<string, Phrase[]>): void {
	for (const words of from) {
		if (words.length === 1 || stem(words[0] ?? '') !== first) continue;
		const own = joinedTerm(words);
		const { terms } = phraseIn(into, words.map(stem));
		for (const term of to.map(joinedTerm)) if (term !== own) terms.add(term);
	}
}

function phraseIn(phrases: Map<string, Phrase[]>, words: readonly string[]): Phrase {
	const beginning = getOrAdd(phrases, words[1] ?? '', () => []);
	const known = beginning.find((phrase) => isAt(phrase, words, 0) && phrase.words.length === words.length);
	if (known) return known;
	const phrase: Phrase = { words, terms: new Set() };
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

/** Lines about actions stand under such subjects. */
const ofActions = /^actions/;

/** All lines of {@link synonymFiles}. Languages are about everything. */
export const builtInLines: readonly Line[] = Object.entries(synonymFiles).flatMap(([file, lists]) =>
	Object.entries(lists).flatMap(([subject, lines]) => {
		const about = ofActions.test(subject) ? 'actions' : 'things';
		return lines.map((line) => (file === 'languages' ? { line } : { line, about }));
	}),
);

/** The synonyms of {@link synonymFiles}, read once, plus the caller's `lines`. */
export function* thesaurusWith(lines: readonly string[]): Generator<void, Thesaurus, void> {
	builtIn ??= packedTables
		? new Thesaurus(builtInLines, unpackTables(packedTables))
		: yield* readThesaurus(builtInLines);
	if (lines.length === 0) return builtIn;
	let extended = extensions.get(lines);
	if (!extended) {
		extended = yield* readThesaurus(
			lines.map((line) => ({ line })),
			builtIn,
		);
		extensions.set(lines, extended);
	}
	return extended;
}

export function* readThesaurus(lines: readonly Line[], base?: Thesaurus): Generator<void, Thesaurus, void> {
	return new Thesaurus(lines, yield* tablesOf(lines), base);
}
