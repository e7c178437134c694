import type { Tool } from '../../catalog/tool.ts';
import { actionKinds, actionKindsOf, reading } from '../words/actionKinds.ts';
import { isPlural, isStopWord, stem } from '../words/analyzer.ts';
import { tokenize } from '../words/tokenizer.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What a tool's name and first sentences say about its action and its object. Terms are numbers of the vocabulary; -1: not in it. */
export interface ToolShape {
	/** Kinds of actions (`actionKinds`) from its name, and from the verbs that its first sentences begin with. */
	readonly named: number;
	readonly described: number;
	/** Term of the head of the object; -1: the name has no object, or none that is in the vocabulary. */
	readonly head: number;
	/** Whether its name says that it returns several things. */
	readonly isMany: boolean;
}

/** Sentences that are read, and characters of a sentence. */
const sentencesRead = 3;
const maxSentenceLength = 200;
/** Words of a sentence in which its verbs are looked for. */
const verbReach = 6;

const links = new Set(['or', 'and', 'either']);
const qualifiers = new Set('by for from with in of to via on at as using 2'.split(' '));
const commonVerbs = new Set(
	'get list create update delete add remove set show send read write edit'.split(' '),
);
const self = /^(?:this|the) (?:tool|command|function|endpoint|api|method)\b/i;
/** "Manages branches: lists all, creates one, or deletes one": each has a verb of its own. */
const clauseEnd = /,\s+(?:(?:and|or)\s+)?/;
/** A sentence or clause that says what a tool is not for, when to use it, or more about a thing. */
const aside =
	/^\s*(?:not\b|do not|don't|never|this (?:tool|command) (?:does|is) not|if\b|use\b(?! this)|wh(?:en|ere|ich|o|ose)\b)/i;

/** Tools of a server whose names are read to find out where it puts verbs. */
const namesRead = 200;

/** The shapes of an index's tools, by place. Read on demand: a search compares few tools. */
export class ToolShapes {
	readonly #tools: readonly Tool[];
	readonly #vocabulary: Vocabulary;
	readonly #shapes: (ToolShape | undefined)[] = [];
	#byServer: ReadonlyMap<string, readonly Tool[]> | undefined;
	/** By server, see {@link endsWithVerb}. */
	readonly #verbLast = new Map<string, boolean>();

	constructor(tools: readonly Tool[], vocabulary: Vocabulary) {
		this.#tools = tools;
		this.#vocabulary = vocabulary;
	}

	of(place: number): ToolShape {
		let shape = this.#shapes[place];
		if (!shape) {
			const tool = this.#tools[place] as Tool;
			shape = shapeOf(tool, this.#vocabulary, this.#isVerbLast(tool.server));
			this.#shapes[place] = shape;
		}
		return shape;
	}

	/** Reads the names of all servers, in steps. */
	*prepare(): Generator<void> {
		for (const server of new Set(this.#tools.map((tool) => tool.server))) {
			yield;
			this.#isVerbLast(server);
		}
	}

	#isVerbLast(server: string): boolean {
		let isLast = this.#verbLast.get(server);
		if (isLast === undefined) {
			this.#byServer ??= Map.groupBy(this.#tools, (tool) => tool.server);
			const siblings = this.#byServer.get(server)?.slice(0, namesRead) ?? [];
			isLast = endsWithVerb(
				server,
				siblings.map(({ name }) => name),
			);
			this.#verbLast.set(server, isLast);
		}
		return isLast;
	}
}

/** Whether the names of a server's tools mostly end with their verbs (`registry_list`) rather than begin with them. */
export function endsWithVerb(server: string, names: Iterable<string>): boolean {
	const ofServer = new Set(tokenize(server));
	let first = 0;
	let last = 0;
	for (const name of names) {
		const words = tokenize(name);
		while (ofServer.has(words[0] as string)) words.shift();
		if (words.length < 2) continue;
		if (commonVerbs.has(words[0] as string)) first++;
		if (commonVerbs.has(words.at(-1) as string)) last++;
	}
	return last > first;
}

/** `verbLast`: see {@link endsWithVerb}. */
export function shapeOf(tool: Tool, vocabulary: Vocabulary, verbLast: boolean): ToolShape {
	const words = tokenize(tool.name);
	const terms = words.map(stem);
	const server = new Set(tokenize(tool.server).map(stem));
	const isServers = terms.map((term) => server.has(term));
	const verbs = verbsIn(words, terms, isServers, verbLast);
	const named = verbs.reduce((mask, i) => mask | actionKindsOf(terms[i] as string), 0);
	const places = [...words.keys()].filter((i) => {
		const word = words[i] as string;
		return !verbs.includes(i) && !isServers[i] && !links.has(word) && !isStopWord(word);
	});
	const qualifier = words.findIndex((word, i) => i > 0 && i < words.length - 1 && qualifiers.has(word));
	const end = qualifier < 0 ? words.length : qualifier;
	const head = places.findLast((i) => i < end) ?? places[0];
	const isPluralObject = head !== undefined && head > (verbs[0] ?? -1) && isPlural(words[head] as string);
	const termAt = (i: number) => vocabulary.find(terms[i] as string) ?? -1;
	return {
		named,
		described: describedKinds(tool.description ?? ''),
		head: head === undefined ? -1 : termAt(head),
		isMany: isManyByName(named, isPluralObject),
	};
}

function isManyByName(named: number, isPluralObject: boolean): boolean {
	const lists = (named & actionKinds.list) !== 0 && (named & actionKinds.get) === 0;
	return lists || (isPluralObject && (named & reading) !== 0);
}

/** Indexes of the verbs of a name: the first or the last word, as the server puts them, and verbs joined to it with `or`. */
function verbsIn(
	words: readonly string[],
	terms: readonly string[],
	isServers: readonly boolean[],
	verbLast: boolean,
): readonly number[] {
	const last = words.length - 1;
	const isVerb = (i: number) => actionKindsOf(terms[i] ?? '') !== 0;
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

/** Kinds of the actions with which the first sentences begin, and their clauses. */
function describedKinds(description: string): number {
	const sentences = description.split(/(?<=[.!?:;])\s+|\n+/).filter(Boolean);
	let kinds = 0;
	for (const sentence of sentences.slice(0, sentencesRead))
		for (const clause of sentence.split(clauseEnd))
			if (!aside.test(clause)) kinds |= leadingActionKinds(clause);
	return kinds;
}

/** The verbs that a sentence begins with: "List/enumerate all…", "Creates or updates…", "This tool can…". */
function leadingActionKinds(sentence: string): number {
	const words = tokenize(sentence.slice(0, maxSentenceLength));
	let at = self.test(sentence) ? 2 : 0;
	if (words[at] === 'can' || words[at] === 'will') at++;
	let mask = 0;
	for (const word of words.slice(at, at + verbReach)) {
		const kinds = actionKindsOf(stem(word));
		if (kinds === 0 && !links.has(word)) break;
		mask |= kinds;
	}
	return mask;
}

/** Kinds of actions that leave what exists as it was: they only read, or add something new. */
const harmless = reading | actionKinds.make;

/**
 * Whether a tool may change or destroy something that exists, as far as its server says: by its annotations, else by the verb of its name, else by
 * the verbs that its description begins with. MCP calls these updates destructive, and others additive. A tool without any verb, such as
 * `weather`, counts as reading: most of those do.
 */
export function mayChange({ annotations }: Tool, { named, described }: ToolShape): boolean {
	const { readOnlyHint, destructiveHint } = annotations ?? {};
	if (readOnlyHint === true) return false;
	if (destructiveHint !== undefined) return destructiveHint;
	if (readOnlyHint === false) return true;
	const kinds = named || described;
	return (kinds & ~harmless) !== 0 && (kinds & reading) === 0;
}
