import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { type Filling, fill, isFolder, placeOfIt, type Sources } from './fill.ts';
import type { Value } from './values.ts';
import { asksForReading, hasRole, isSmall, splitName, termOf, termsOf, wordsOf } from './words.ts';

/** A tool, the values that a step gives it, and everything that speaks against calling it. */
export interface Choice {
	readonly tool: ToolDefinition;
	readonly filling: Filling;
	/** Words and values that have no place. */
	readonly unplaced: readonly string[];
	/** Whether nothing speaks against it. */
	readonly isReady: boolean;
}

/** How many tools are considered for a step, and how many are offered. */
const mostConsidered = 12;
const mostOffered = 3;
/** Lowest confidence of a tool that is considered. */
const leastConfidence = 0.1;

/** The search query for a step: its words, and what its places are, because "read" alone finds anything. */
export function queryOf(sources: Sources): string {
	const words = sources.values.flatMap((value) => {
		const { kind, key, text } = value;
		if (key !== undefined) return [];
		if (kind === 'word' || kind === 'here') return contentOf(text);
		const place = kind === 'path' ? text : kind === 'it' ? placeOfIt(value, sources) : undefined;
		return place === undefined ? [] : [isFolder(place) ? 'folder' : 'file'];
	});
	return [...new Set(words)].join(' ').normalize('NFC') || sources.text.trim();
}

/** The tools that come closest to a step, beginning with those that can be called. */
export function choose(tools: readonly ToolDefinition[], sources: Sources): readonly Choice[] {
	const index = new ToolIndex(tools.map((tool) => ({ ...tool, ...splitName(tool.name), definition: tool })));
	const hits = index
		.search(queryOf(sources), { limit: mostConsidered })
		.filter(({ confidence = 1 }) => confidence >= leastConfidence);
	const all = hits.map(({ tool }) => judged(tool.definition, sources));
	const ready = all.filter(({ isReady, tool }) => isReady && !/\bdeprecated\b/i.test(tool.description));
	// A tool that changes something is never picked by chance from one of two servers.
	const servers = new Set(ready.map(({ tool }) => splitName(tool.name).server));
	const isClear = servers.size < 2 || ready.every(({ tool }) => wordsOf(tool).onlyReads);
	return [...ready, ...all.filter((choice) => !ready.includes(choice))]
		.slice(0, mostOffered)
		.map((choice) => ({ ...choice, isReady: isClear && ready.includes(choice) }));
}

/** Finds what speaks against calling a tool for a step: a value that is missing or left over, or a word that nothing explains. */
function judged(tool: ToolDefinition, sources: Sources): Choice {
	const filling = fill(tool, sources);
	const { missing, used, said } = filling;
	const { server, name, verbs, about, onlyReads: reading } = wordsOf(tool);
	const left = sources.values.filter((value) => !used.has(value));
	// Something that only looks like a name may be a word of the tool's: "long-running".
	const isWord = ({ kind, key }: Value) => key === undefined && /^(?:word|name|here)$/.test(kind);
	const content = left.filter(isWord).flatMap(({ text }) => contentOf(text));
	// Only a tool that changes nothing may be found by what its description tells besides.
	const known = new Set([...server, ...name, ...verbs, ...said.flatMap(termsOf), ...(reading ? about : [])]);
	const isExplained = (word: string) => known.has(termOf(word)) || (reading && asksForReading(word));
	const isPlaced = (value: Value) => isWord(value) && contentOf(value.text).every(isExplained);
	const unplaced = new Set(left.filter((value) => !isPlaced(value)).map(({ key, text }) => key ?? text));
	const terms = content.map(termOf);
	const isAsked = content.some((word) => asksForReading(word) || name.includes(termOf(word)));
	const isAbout = said.length > 0 || terms.some((term) => known.has(term));
	const isMeant = reading ? isAsked && isAbout : isChange(terms, tool, said);
	const isReady = missing.length === 0 && unplaced.size === 0 && terms.length > 0 && isMeant;
	return { tool, filling, unplaced: [...unplaced], isReady };
}

function contentOf(text: string): readonly string[] {
	return tokenize(text).filter((word) => !isSmall(word, false));
}

/** Whether a request means a tool's change: it says its verb and every other word of the name, and gives a value or says more than one word of it. */
function isChange(terms: readonly string[], tool: ToolDefinition, said: readonly string[]): boolean {
	const { server, name, verbs } = wordsOf(tool);
	const isSaid = (word: string) =>
		terms.includes(word) ||
		// The file of `write_file` is its path. But "create a.txt" is no folder.
		(word !== termOf('folder') &&
			(['place', 'text', 'address'] as const).some(
				(role) => hasRole(word, role) && said.some((one) => hasRole(one, role)),
			));
	const isDone = terms.some((term) => term === name[0] || verbs.includes(term));
	const isNamed = name.some(isSaid) && name.slice(1).every((word) => isSmall(word, true) || isSaid(word));
	const isCalled = terms.length > 1 && terms.every((term) => name.includes(term) || server.includes(term));
	return isDone && isNamed && (said.length > 0 || isCalled);
}
