import type { Tool } from '../../catalog/tool.ts';
import { isStopWord, joinedTerm, stem } from '../words/analyzer.ts';
import { deeds, deedsOf, reading } from '../words/deeds.ts';
import { tokenize } from '../words/tokenizer.ts';
import { isPlural } from './request.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What a tool's name and first sentences tell of what it does, and to what. Terms are numbers of the vocabulary, -1 where it has them not. */
export interface ToolShape {
	/** Kinds of actions (`deeds`) by its name, and by the verbs that its sentences begin with. */
	readonly named: number;
	readonly told: number;
	/** Terms of the name but for verbs and the server's name, in order; `joined`: each with the next word, as one. */
	readonly parts: readonly number[];
	readonly joined: readonly number[];
	/** Place in `parts` of what the action is done to; -1 where there is none. */
	readonly head: number;
	/** Whether it gives several things: 1 by its name, less by its text, 0 where nothing says so. */
	readonly many: number;
	/** Whether it gives one thing. */
	readonly one: boolean;
	/** Terms before and after `to` in the name. */
	readonly from: readonly number[];
	readonly to: readonly number[];
}

/** Sentences whose number is read, those of them whose verbs are, and characters of a sentence. */
const sentencesRead = 5;
const verbSentences = 3;
const longestSentence = 200;
/** Words of a sentence in which its verbs stand. */
const verbReach = 6;
/** What the text says of number, beside what the name does. */
const manyByText = 0.5;

const links = new Set(['or', 'and', 'either']);
const qualifiers = new Set('by for from with in of to via on at as using 2'.split(' '));
const commonVerbs = new Set(
	'get list create update delete add remove set show send read write edit'.split(' '),
);
const self = /^(?:this|the) (?:tool|command|function|endpoint|api|method)\b/i;
/** A sentence that says what a tool is not for, or when it is. */
const aside =
	/^\s*(?:not\b|do not|don't|never|this (?:tool|command) (?:does|is) not|if\b|use\b(?! this)|when\b)/i;
const notFor = /^\s*not\b/i;
const severalWords = /\b(?:lists?|enumerates?|all|multiple|every)\b/i;
const notSeveral = /\bmultiple|list/i;
const oneWords =
	/\b(?:single|specific|specified|particular|given|one(?! by)|details? (?:of|for|about) an?|by (?:its |the |their )?(?:\w+ )?(?:id|name|key|url|path))\b/i;
const notOne = /\bsingle|specific/i;

/** Whether the names of a server's tools mostly end with their verbs (`registry_list`) and do not begin with them. */
export function endsWithVerb(names: Iterable<string>): boolean {
	let first = 0;
	let last = 0;
	for (const name of names) {
		const words = tokenize(name);
		if (words.length < 2) continue;
		if (commonVerbs.has(words[0] as string)) first++;
		if (commonVerbs.has(words.at(-1) as string)) last++;
	}
	return last > first;
}

/** Reads a tool; `verbLast`: see {@link endsWithVerb}. */
export function shapeOf(tool: Tool, vocabulary: Vocabulary, verbLast: boolean): ToolShape {
	const words = tokenize(tool.name);
	const terms = words.map(stem);
	const server = new Set(tokenize(tool.server).map(stem));
	const isServers = words.map((_, i) => server.has(terms[i] as string));
	const verbs = verbsIn(words, terms, isServers, verbLast);
	const named = verbs.reduce((mask, i) => mask | deedsOf(terms[i] as string), 0);
	const places = [...words.keys()].filter(
		(i) =>
			!verbs.includes(i) &&
			!isServers[i] &&
			!links.has(words[i] as string) &&
			!isStopWord(words[i] as string),
	);
	const idOf = (term: string) => vocabulary.find(term) ?? -1;
	const idAt = (i: number) => idOf(terms[i] as string);
	const isInside = (i: number) => i > 0 && i < words.length - 1;
	const qualifier = words.findIndex((word, i) => isInside(i) && qualifiers.has(word));
	const end = qualifier < 0 ? words.length : qualifier;
	const converts = words[qualifier] === 'to' || words[qualifier] === '2';
	const headPlace = places.findLast((i) => i < end) ?? places[0];
	const text = readText(tool.description ?? '');
	return {
		named,
		told: text.deeds,
		parts: places.map(idAt),
		joined: places.map((i) => (words[i + 1] ? idOf(joinedTerm(words.slice(i, i + 2))) : -1)),
		head: headPlace === undefined ? -1 : places.indexOf(headPlace),
		...numberOf(named, text, {
			isPluralObject:
				headPlace !== undefined && headPlace > (verbs[0] ?? -1) && isPlural(words[headPlace] as string),
		}),
		from: converts ? places.filter((i) => i < end).map(idAt) : [],
		to: converts ? places.filter((i) => i > end).map(idAt) : [],
	};
}

/** Places of the verbs of a name: the first or the last word, by the habit of the server, and those that `or` joins to it. */
function verbsIn(
	words: readonly string[],
	terms: readonly string[],
	isServers: readonly boolean[],
	verbLast: boolean,
): readonly number[] {
	const last = words.length - 1;
	const isVerb = (i: number) => deedsOf(terms[i] ?? '') !== 0;
	let begin = 0;
	while (begin < last && isServers[begin]) begin++;
	let verb = -1;
	if (verbLast) {
		if (isVerb(last)) verb = last;
		else if (words.length <= 2 && isVerb(begin)) verb = begin;
	} else if (isVerb(begin)) verb = begin;
	else if (commonVerbs.has(words[last] ?? '')) verb = last;
	if (verb < 0) return [];
	const verbs = [verb];
	// `create_or_update`
	for (let i = verb + 2; links.has(words[i - 1] ?? '') && isVerb(i); i += 2) verbs.push(i);
	for (let i = verb - 2; links.has(words[i + 1] ?? '') && isVerb(i); i -= 2) verbs.push(i);
	return verbs;
}

interface ReadText {
	readonly deeds: number;
	readonly many: boolean;
	readonly one: boolean;
	readonly neverMany: boolean;
	readonly neverOne: boolean;
}

function readText(description: string): ReadText {
	let told = 0;
	let many = false;
	let one = false;
	let neverMany = false;
	let neverOne = false;
	const sentences = description
		.split(/(?<=[.!?:;])\s+|\n+/)
		.filter(Boolean)
		.slice(0, sentencesRead);
	for (const [n, sentence] of sentences.entries()) {
		if (aside.test(sentence)) {
			neverMany ||= notFor.test(sentence) && notSeveral.test(sentence);
			neverOne ||= notFor.test(sentence) && notOne.test(sentence);
		} else if (n < verbSentences) {
			told |= leadingDeeds(sentence);
			many ||= severalWords.test(sentence);
			one ||= oneWords.test(sentence);
		}
	}
	return { deeds: told, many, one, neverMany, neverOne };
}

/** "List/enumerate all…", "Creates or updates…", "This tool can…": the verbs that a sentence begins with. */
function leadingDeeds(sentence: string): number {
	const words = tokenize(sentence.slice(0, longestSentence));
	let at = self.test(sentence) ? 2 : 0;
	if (words[at] === 'can' || words[at] === 'will') at++;
	let mask = 0;
	for (const word of words.slice(at, at + verbReach)) {
		const its = deedsOf(stem(word));
		if (its === 0 && !links.has(word)) break;
		mask |= its;
	}
	return mask;
}

function numberOf(
	named: number,
	text: ReadText,
	{ isPluralObject }: { readonly isPluralObject: boolean },
): Pick<ToolShape, 'many' | 'one'> {
	const lists = (named & deeds.list) !== 0 && (named & deeds.get) === 0;
	const manyByName = lists || (isPluralObject && (named & reading) !== 0);
	const many = text.neverMany ? 0 : manyByName ? 1 : text.many ? manyByText : 0;
	const getsOne = named === deeds.get && !manyByName && !text.many;
	return { many, one: !text.neverOne && ((text.one && !lists) || getsOne) };
}
