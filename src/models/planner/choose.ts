import { firstSentence } from '../../common/text.ts';
import { toolDefinition } from '../../discovery/catalog/catalog.ts';
import type { ToolAnnotations, ToolDefinition } from '../../discovery/catalog/tool.ts';
import { certainty } from '../../discovery/search/certainty.ts';
import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import { actionKindsOf, reading } from '../../discovery/search/words/actionKinds.ts';
import { isStopWord, stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import type { FoundTool } from '../chatModel.ts';
import { fill } from './fill.ts';
import type { Sentence } from './sentence.ts';

/** A tool with the arguments that a request gives it. */
export type Choice = ReturnType<typeof assess>;

/** A tool that may serve a request. */
export interface Candidate {
	readonly tool: ToolDefinition;
	readonly server: string;
	/** On its server. */
	readonly name: string;
	readonly annotations?: ToolAnnotations | undefined;
	/** The search is sure that it is the right one. */
	readonly isSure: boolean;
}

/** How many tools are considered for a request, and how many are offered. */
const maxConsidered = 12;
const maxOffered = 3;
/** Lowest relevance of a tool that is considered, and of the best one: below, nothing fits. */
const minRelevance = 0.1;
const minBestRelevance = 0.25;

/** The tools that a search found. */
export function foundCandidates(found: readonly FoundTool[]): readonly Candidate[] {
	return likely(found).map((hit) => {
		const { server, name, annotations } = hit.tool;
		return {
			tool: toolDefinition(hit.tool),
			server,
			name,
			annotations,
			isSure: (hit.confidence ?? 1) >= certainty,
		};
	});
}

/** The closest of the tools that the model has, where nothing searches for it. */
export function ownCandidates(tools: readonly ToolDefinition[], query: string): readonly Candidate[] {
	const index = new ToolIndex(tools.map((tool) => ({ ...tool, ...splitName(tool.name), definition: tool })));
	return likely(index.search(query, { limit: maxConsidered })).map(
		({ tool: { server, name, definition } }) => {
			return { tool: definition, server, name, isSure: false };
		},
	);
}

function likely<H extends Pick<FoundTool, 'relevance'>>(hits: readonly H[]): readonly H[] {
	if (hits.every(({ relevance = 1 }) => relevance < minBestRelevance)) return [];
	return hits.filter(({ relevance = 1 }) => relevance >= minRelevance).slice(0, maxConsidered);
}

/** The tools closest to a request: those that can be called come first, and where the request asks to read, those that change nothing. */
export function choose(
	candidates: readonly Candidate[],
	sentence: Sentence,
	workspaceFolder: string | undefined,
): readonly Choice[] {
	const asked = asksToRead(sentence);
	const assessed = candidates.map((candidate) => assess(candidate, sentence, asked, workspaceFolder));
	// One that has no place for a value of the request is hardly meant.
	const fitting = firstWhere(assessed, ({ takesAll }) => takesAll);
	const choices = asked ? readingFirst(fitting) : fitting;
	// If the closest tool that explains the request lacks a value, another one is not what was meant; but a question without values asks a tool
	// that needs none.
	const needsNone = asked && sentence.values.length === 0;
	const closest = choices.find(({ isMeant, missing }) => isMeant && (missing.length === 0 || !needsNone));
	// One that reads is what was meant only if no other tool that can be called is closer.
	const closer = closest ? choices.slice(0, choices.indexOf(closest)) : [];
	const isClosest =
		closer.every(({ missing }) => missing.length > 0) && (closest?.isFull || !assessed[0]?.changes);
	const ready =
		closest?.isReady && (!closest.reads || isClosest) ? choices.filter(({ isReady }) => isReady) : [];
	// A tool that changes something is never picked from several by rank.
	const isClear = ready.length < 2 || ready.every(({ reads }) => reads);
	return [...ready, ...choices.filter((choice) => !ready.includes(choice))]
		.slice(0, maxOffered)
		.map((choice) => ({ ...choice, isReady: isClear && ready.includes(choice) }));
}

/**
 * Tools that change something after the others, and before them those that need nothing more than the request gives. The closest of all stays among
 * those that are offered.
 */
function readingFirst(choices: readonly Choice[]): readonly Choice[] {
	const [first] = choices;
	const harmless = firstWhere(
		choices.filter(({ changes }) => !changes),
		({ isFull }) => isFull,
	);
	const changing = choices.filter(({ changes }) => changes);
	return first?.changes ? [...harmless.slice(0, maxOffered - 1), ...changing] : [...harmless, ...changing];
}

function firstWhere<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly T[] {
	return [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))];
}

/** How a request begins that asks to be told something, beside the verbs of reading. */
const questionWords = new Set(
	'how why whose am is are was were do does did have has had tell give open look'.split(' '),
);
const politeWords = new Set(
	'please can could would will you kindly i want like need to me let us'.split(' '),
);

/** Whether a request asks to see something, and not to change anything. */
export function asksToRead({ words }: Sentence): boolean {
	const first = words.find((word) => !politeWords.has(word));
	return first !== undefined && (questionWords.has(first) || (actionKindsOf(stem(first)) & reading) !== 0);
}

function splitName(wireName: string): { readonly server: string; readonly name: string } {
	const [, server = '', name = wireName] = /^(.+?)__(.*)$/s.exec(wireName) ?? [];
	return { server, name };
}

/** The terms of a text or an identifier: `channelId` is `channel`, `id`. People say "folder" where tools say "directory". */
export function termsOf(text: string): readonly string[] {
	return tokenize(text).map((word) => stem(/^folders?$/.test(word) ? 'directory' : word));
}

/** Words that change nothing about a request. In a request for a change, nothing else may be passed over. */
const fillerWords = new Set('a an the my our your this that please to in with of and for me'.split(' '));

/**
 * What a tool does, by the verbs of its name and of its description: a server that calls it read-only is not believed against them. Only the order in
 * which tools are offered (`changes`) trusts the server.
 */
function actionOf({ tool, server, name: ownName, annotations }: Candidate) {
	const serverTerms = termsOf(server);
	const name = termsOf(ownName).filter((term) => !serverTerms.includes(term));
	// What the tool says that it does: the words with which its description begins, as in "Move or rename files".
	const [words = ''] = /^\s*\w+(?:(?:,|,? (?:or|and)) \w+)*/.exec(firstSentence(tool.description)) ?? [];
	// "Get" is a stop word as well.
	const kinds = [...name, ...termsOf(words)].map(actionKindsOf).filter((kind) => kind !== 0);
	const seemsToRead = kinds.length > 0 && kinds.every((kind) => (kind & ~reading) === 0);
	const isReadOnly = annotations?.readOnlyHint;
	return {
		name,
		verbs: termsOf(words).filter((term) => !isStopWord(term)),
		reads: seemsToRead && isReadOnly !== false,
		changes: isReadOnly === undefined ? !seemsToRead : !isReadOnly,
	};
}

/**
 * A tool for a request: its arguments, the required parameters that are `missing`, and the words and values that have no place (`unplaced`).
 * `isMeant`: it is what the request asks for, because it explains every word, or because the search is sure of it and it only reads.
 * `isReady`: it also has its values. The words of a request may come from anywhere in the definition of a tool that reads; one that does not must be called by its
 * name, with values that nobody had to guess.
 */
function assess(
	candidate: Candidate,
	sentence: Sentence,
	asked: boolean,
	workspaceFolder: string | undefined,
) {
	const { tool, isSure } = candidate;
	const { name, verbs, reads, changes } = actionOf(candidate);
	const texts = [tool.name, ...(reads ? [tool.description, JSON.stringify(tool.inputSchema)] : [])];
	const toolTerms = new Set([...texts.flatMap(termsOf), ...verbs]);
	const { input, missing, left, takesAll, guesses } = fill(tool, sentence, { workspaceFolder, reads });
	const placed = [...Object.keys(input), ...guesses];
	const knownTerms = new Set([...toolTerms, ...placed.flatMap(termsOf)]);
	const requestWords = sentence.words.filter((word) => !fillerWords.has(word));
	const isKnown = (term: string) =>
		knownTerms.has(term) || (reads && (isStopWord(term) || (asked && questionWords.has(term))));
	const unknownWords = requestWords.filter((word) => !isKnown(word) && !termsOf(word).every(isKnown));
	const unplaced = [...new Set([...unknownWords, ...left.map(({ key, text }) => key ?? text)])];
	const terms = new Set(requestWords.flatMap(termsOf));
	if (sentence.values.some(({ kind }) => kind === 'path' || kind === 'name')) terms.add(stem('file'));
	const isReading = (term: string) => (actionKindsOf(term) & reading) !== 0;
	const significantTerms = [...terms].filter((term) => !isStopWord(term) || isReading(term));
	const [verb = '', ...others] = name;
	const isAsked = reads
		? significantTerms.some((term) => name.includes(term) || isReading(term))
		: [verb, ...verbs].some((term) => terms.has(term)) && others.every((term) => terms.has(term));
	// "Read" or "reset" alone says too little.
	const isSpecific = isAsked && significantTerms.length + sentence.values.length > 1;
	const isExplained = unplaced.length === 0 && isSpecific;
	const isMeant = isExplained || (isSure && reads && asked && left.length === 0);
	const isReady = isMeant && missing.length === 0 && (reads || guesses.length === 0);
	// It takes every value that the request gives, and needs no more.
	const isFull = sentence.values.length + guesses.length > 0 && left.length === 0 && missing.length === 0;
	return {
		tool,
		input,
		missing,
		unplaced,
		isMeant,
		isReady,
		takesAll,
		isFull,
		reads,
		changes,
	};
}
