import { firstSentence } from '../../common/text.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import { actionKindsOf, reading } from '../../discovery/search/words/actionKinds.ts';
import { isStopWord, stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { fill } from './fill.ts';
import type { Sentence } from './sentence.ts';

/** A tool with the arguments that a request gives it. */
export type Choice = ReturnType<typeof assess>;

/** How many tools are considered for a request, and how many are offered. */
const maxConsidered = 12;
const maxOffered = 3;
/** Lowest relevance of a tool that is considered. */
const minRelevance = 0.1;

/** The tools closest to a request; those that can be called come first. */
export function choose(
	tools: readonly ToolDefinition[],
	sentence: Sentence,
	query: string,
	workspaceFolder: string | undefined,
): readonly Choice[] {
	const index = new ToolIndex(tools.map((tool) => ({ ...tool, ...splitName(tool.name), definition: tool })));
	const choices = index
		.search(query, { limit: maxConsidered })
		.filter(({ relevance = 1 }) => relevance >= minRelevance)
		.map(({ tool }) => assess(tool.definition, sentence, workspaceFolder));
	// If the closest tool that explains the request lacks a value, another one is not what was meant.
	const closest = choices.find(({ isExplained }) => isExplained);
	const ready = closest?.isReady ? choices.filter(({ isReady }) => isReady) : [];
	// A tool that changes something is never picked from several by rank.
	const isClear = ready.length < 2 || ready.every(({ reads }) => reads);
	return [...ready, ...choices.filter((choice) => !ready.includes(choice))]
		.slice(0, maxOffered)
		.map((choice) => ({ ...choice, isReady: isClear && ready.includes(choice) }));
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
 * A tool for a request: its arguments, the required parameters that are `missing`, and the words and values that have no place (`unplaced`).
 * `isExplained`: it is what the request asks for. `isReady`: it also has its values. `reads`: the tool changes nothing, by the verbs of its name and
 * its description, because VS Code passes no annotations to models. The words of a request may come from anywhere in the definition of such a tool;
 * one that changes something must be called by its name, with values.
 */
function assess(tool: ToolDefinition, sentence: Sentence, workspaceFolder: string | undefined) {
	const { server, name: ownName } = splitName(tool.name);
	const serverTerms = termsOf(server);
	const name = termsOf(ownName).filter((term) => !serverTerms.includes(term));
	// What the tool says that it does: the words with which its description begins, as in "Move or rename files".
	const [words = ''] = /^\s*\w+(?:(?:,|,? (?:or|and)) \w+)*/.exec(firstSentence(tool.description)) ?? [];
	const verbs = termsOf(words).filter((term) => !isStopWord(term));
	const kinds = [...name, ...verbs].map(actionKindsOf);
	const reads = kinds.some((kind) => kind > 0) && kinds.every((kind) => (kind & ~reading) === 0);
	const { input, missing, left } = fill(tool, sentence.values, { workspaceFolder, reads });
	const texts = [tool.name, ...Object.keys(input)];
	if (reads) texts.push(tool.description, JSON.stringify(tool.inputSchema));
	const knownTerms = new Set([...texts.flatMap(termsOf), ...verbs]);
	const requestWords = sentence.words.filter((word) => !fillerWords.has(word));
	const isKnown = (term: string) => knownTerms.has(term) || (reads && isStopWord(term));
	const unknownWords = requestWords.filter((word) => !isKnown(word) && !termsOf(word).every(isKnown));
	const unplaced = [...new Set([...unknownWords, ...left.map(({ key, text }) => key ?? text)])];
	const terms = new Set(requestWords.flatMap(termsOf));
	if (sentence.values.some(({ kind }) => kind === 'path' || kind === 'name')) terms.add(stem('file'));
	const asksToRead = (term: string) => (actionKindsOf(term) & reading) !== 0;
	const significantTerms = [...terms].filter((term) => !isStopWord(term) || asksToRead(term));
	const [verb = '', ...others] = name;
	const isAsked = reads
		? significantTerms.some((term) => name.includes(term) || asksToRead(term))
		: [verb, ...verbs].some((term) => terms.has(term)) && others.every((term) => terms.has(term));
	// "Read" or "reset" alone says too little.
	const isSpecific = isAsked && significantTerms.length + sentence.values.length > 1;
	const isExplained = unplaced.length === 0 && isSpecific;
	return { tool, input, missing, unplaced, isExplained, isReady: isExplained && missing.length === 0, reads };
}
