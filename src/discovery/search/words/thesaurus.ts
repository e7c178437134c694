import { isFiller, isStopWord, joinedTerm, stem } from './analyzer.ts';
import everyday from './synonyms/everyday.json' with { type: 'json' };
import general from './synonyms/general.json' with { type: 'json' };
import languages from './synonyms/languages.json' with { type: 'json' };
import requests from './synonyms/requests.json' with { type: 'json' };
import work from './synonyms/work.json' with { type: 'json' };
import { tokenize } from './tokenizer.ts';

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
	readonly #words = new Map<string, Set<string>>();
	/** By first word, then by second. */
	readonly #phrases = new Map<string, Map<string, Phrase[]>>();
	/** By word: the number of its lines in each subject. */
	readonly #subjects = new Map<string, Map<number, number>>();

	/** With a base, its synonyms count too. */
	constructor(base?: Thesaurus) {
		this.#base = base;
	}

	/** `subject`: the number of the line's subject, if known. */
	add(line: string, subject?: number): void {
		const synonyms = parseSynonyms(line);
		if (!synonyms) return;
		if (subject !== undefined) this.#addSubject(synonyms, subject);
		const targets = synonyms.to.map(joinedTerm);
		for (const words of synonyms.from) {
			const own = joinedTerm(words);
			const others = targets.filter((term) => term !== own);
			// Phrases without synonyms are kept too: tools may write them as one word.
			if (others.length === 0 && words.length === 1) continue;
			const stems = words.map(stem);
			const terms = this.#termsFor(stems);
			for (const term of others) terms.add(term);
			if (subject !== undefined && words.length > 1) this.#phrase(stems).subjects.add(subject);
		}
	}

	/** Synonyms of a term. */
	of(term: string): ReadonlySet<string> {
		const own = this.#words.get(term);
		const inherited = this.#base?.of(term);
		if (!own || !inherited) return own ?? inherited ?? none;
		return own.union(inherited);
	}

	/** The longest phrase that starts here in a text of stems. On equal length the phrase added here wins over the base's. */
	phraseAt(words: readonly string[], at: number): KnownPhrase | undefined {
		const beginning = this.#phrases.get(words[at] ?? '')?.get(words[at + 1] ?? '');
		const own = beginning && longestAt(beginning, words, at);
		const inherited = this.#base?.phraseAt(words, at);
		return inherited && inherited.length > (own?.words.length ?? 0)
			? inherited
			: own && { length: own.words.length, terms: own.terms, subjects: own.subjects };
	}

	/** Number of lines per subject that contain a term. */
	subjectsOf(term: string): ReadonlyMap<number, number> | undefined {
		return this.#base ? this.#base.subjectsOf(term) : this.#subjects.get(term);
	}

	/** All terms with subjects. */
	get termsOfSubjects(): Iterable<string> {
		return this.#base ? this.#base.termsOfSubjects : this.#subjects.keys();
	}

	#addSubject({ from, to }: Synonyms, subject: number): void {
		const words = [...from, ...to].flat().filter((word) => !isStopWord(word));
		for (const term of new Set(words.map(stem))) {
			const counts = getOrAdd(this.#subjects, term, () => new Map<number, number>());
			counts.set(subject, (counts.get(subject) ?? 0) + 1);
		}
	}

	#termsFor(words: readonly string[]): Set<string> {
		const [first = ''] = words;
		return words.length === 1 ? getOrAdd(this.#words, first, () => new Set()) : this.#phrase(words).terms;
	}

	#phrase(words: readonly string[]): Phrase {
		const [first = '', second = ''] = words;
		const phrases = getOrAdd(this.#phrases, first, () => new Map<string, Phrase[]>());
		const beginning = getOrAdd(phrases, second, () => []);
		const known = beginning.find((phrase) => isAt(phrase, words, 0) && phrase.words.length === words.length);
		if (known) return known;
		const phrase: Phrase = { words, terms: new Set(), subjects: new Set() };
		beginning.push(phrase);
		return phrase;
	}
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
	const entries = new Set([...from, ...to].map((words) => words.join(' ')));
	return sides.length > 2 || from.length === 0 || to.length === 0 || entries.size < 2
		? undefined
		: { from, to };
}

/** The entries of one side of a line, as words. */
function entriesOf(side: string): string[][] {
	return side
		.split(',')
		.map(wordsOf)
		.filter((words) => words.length > 0);
}

/** Queries are read without fillers, so phrases are, too. */
function wordsOf(entry: string): string[] {
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
		...subjects.flatMap((its, subject) => its.map((line) => ({ line, subject }))),
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
