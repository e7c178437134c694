import { firstSentence } from '../../common/text.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import { actionKindsOf, reading } from '../../discovery/search/words/actionKinds.ts';
import { isStopWord, stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { fill } from './fill.ts';
import type { Sentence } from './sentence.ts';

/** A tool with the arguments that a request gives it, and what speaks against calling it. */
export interface Choice {
	readonly tool: ToolDefinition;
	readonly input: Readonly<Record<string, unknown>>;
	/** Required parameters without a value. */
	readonly missing: readonly string[];
	/** Words and values of the request that have no place. */
	readonly unplaced: readonly string[];
	/** Whether nothing speaks against it. */
	readonly isReady: boolean;
	/** Whether the tool changes nothing: then so few words suffice that another tool may fit better. */
	readonly reads: boolean;
}

/** How many tools are considered for a request, and how many are offered. */
const mostConsidered = 12;
const mostOffered = 3;
/** Lowest relevance of a tool that is considered. */
const leastRelevance = 0.1;

/** The tools closest to a request; those that can be called come first. */
export function choose(
	tools: readonly ToolDefinition[],
	sentence: Sentence,
	query: string,
	workspaceFolder: string | undefined,
): readonly Choice[] {
	const index = new ToolIndex(tools.map((tool) => ({ ...tool, ...splitName(tool.name), definition: tool })));
	const choices = index
		.search(query, { limit: mostConsidered })
		.filter(({ relevance = 1 }) => relevance >= leastRelevance)
		.map(({ tool }) => judged(tool.definition, sentence, workspaceFolder));
	const ready = choices.filter(({ isReady, tool }) => isReady && !/\bdeprecated\b/i.test(tool.description));
	// A tool that changes something is never picked from several by rank.
	const isClear = ready.length < 2 || ready.every(({ reads }) => reads);
	return [...ready, ...choices.filter((choice) => !ready.includes(choice))]
		.slice(0, mostOffered)
		.map((choice) => ({ ...choice, isReady: isClear && ready.includes(choice) }));
}

function splitName(wireName: string): { readonly server: string; readonly name: string } {
	const [, server = '', name = wireName] = /^(.+?)__(.*)$/s.exec(wireName) ?? [];
	return { server, name };
}

/** The terms of a text or an identifier: `channelId` is `channel`, `id`. People say "folder" where tools say "directory". */
export function termsOf(text: string): readonly string[] {
	return tokenize(text).map((word) => stem(/^(?:folders?|dirs?)$/.test(word) ? 'directory' : word));
}

/** The terms of a tool's name without its server's. */
function nameTerms(tool: ToolDefinition): readonly string[] {
	const { server, name } = splitName(tool.name);
	const others = termsOf(server);
	return termsOf(name).filter((term) => !others.includes(term));
}

/** What a tool says that it does: the words with which its description begins, as in "Move or rename files". */
function opening({ description }: ToolDefinition): readonly string[] {
	const [words = ''] = /^\s*\w+(?:(?:,|,? (?:or|and)) \w+)*/.exec(firstSentence(description)) ?? [];
	return termsOf(words).filter((term) => !isStopWord(term));
}

/** Whether a tool changes nothing, by the verbs of its name and its description: VS Code passes no annotations to models. */
function onlyReads(tool: ToolDefinition): boolean {
	const name = nameTerms(tool).map(actionKindsOf);
	const kinds = [name[0] ?? 0, ...opening(tool).map(actionKindsOf)];
	return kinds.some((kind) => kind > 0) && [...kinds, ...name].every((kind) => (kind & ~reading) === 0);
}

/** Whether a term of a request asks to look at something. */
function asksToRead(term: string): boolean {
	return (actionKindsOf(term) & reading) !== 0;
}

/** Words that change nothing about a request. In a request for a change, nothing else may be passed over. */
const small = new Set('a an the my our your this that please to in with of and for me'.split(' '));

/**
 * Finds what speaks against calling a tool: a value that is missing or left over, or a word that the tool does not explain. A tool that reads is
 * explained by all of its definition. One that changes something must be called by its name, with values.
 */
function judged(tool: ToolDefinition, sentence: Sentence, workspaceFolder: string | undefined): Choice {
	const reads = onlyReads(tool);
	const { input, missing, left } = fill(tool, sentence.values, { workspaceFolder, reads });
	const name = nameTerms(tool);
	const verbs = opening(tool);
	const definition = reads ? [tool.description, JSON.stringify(tool.inputSchema)] : [];
	const known = new Set([tool.name, ...Object.keys(input), ...definition].flatMap(termsOf).concat(verbs));
	const words = sentence.words.filter((word) => !small.has(word));
	const isExplained = (term: string) => known.has(term) || (reads && (isStopWord(term) || asksToRead(term)));
	const unknown = words.filter((word) => !isExplained(word) && !termsOf(word).every(isExplained));
	const unplaced = [...new Set([...unknown, ...left.map(({ key, text }) => key ?? text)])];
	const terms = words.flatMap(termsOf);
	const hasPath = sentence.values.some(({ kind }) => kind === 'path' || kind === 'name');
	const isSaid = (term: string) => terms.includes(term) || (term === stem('file') && hasPath);
	const isAsked = reads
		? terms.some((term) => name.includes(term) || asksToRead(term))
		: [name[0] ?? '', ...verbs].some(isSaid) && name.slice(1).every(isSaid);
	// "Read" or "reset" alone says too little.
	const telling = terms.filter((term) => !isStopWord(term) || asksToRead(term));
	const isMeant = isAsked && telling.length + sentence.values.length > 1;
	const isReady = missing.length === 0 && unplaced.length === 0 && isMeant;
	return { tool, input, missing, unplaced, isReady, reads };
}
