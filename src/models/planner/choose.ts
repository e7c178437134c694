import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';
import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import { stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { type Filling, fill, isFolder, placeOfIt, type Sources } from './fill.ts';
import type { Value } from './values.ts';
import {
	asksForReading,
	hasRole,
	isSmall,
	isWeighty,
	splitName,
	stemsOf,
	type ToolWords,
	wordsOf,
} from './words.ts';

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

/** The search query for a step: its words, and what kind of thing its values are. */
export function queryOf(sources: Sources): string {
	const { text, values } = sources;
	// What was said in a later message is behind the text.
	const words = values
		.filter(({ start }) => start < text.length)
		.flatMap((value) => queryWords(value, sources));
	return [...new Set(words)].join(' ').normalize('NFC') || text.trim();
}

function queryWords(value: Value, sources: Sources): readonly string[] {
	const { kind, key, text } = value;
	if (key !== undefined) return [];
	if (kind === 'word' || kind === 'here') return contentOf(text);
	// "Read" alone finds anything, "read file" what is meant.
	const place = kind === 'path' ? text : kind === 'it' ? placeOfIt(value, sources) : undefined;
	return place === undefined ? [] : [isFolder(place) ? 'folder' : 'file'];
}

/** The tools that come closest to a step, beginning with those that can be called. */
export function choose(tools: readonly ToolDefinition[], sources: Sources): readonly Choice[] {
	const index = new ToolIndex(tools.map((tool) => ({ ...tool, ...splitName(tool.name), definition: tool })));
	const hits = index
		.search(queryOf(sources), { limit: mostConsidered })
		.filter(({ confidence = 1 }) => confidence >= leastConfidence);
	const all = hits.map(({ tool }) => judged(tool.definition, sources, index.explain(sources.text, tool)));
	const isOld = ({ tool }: Choice) => /\bdeprecated\b/i.test(tool.description.slice(0, 200));
	const ready = all.filter((choice) => choice.isReady && !isOld(choice));
	// A tool that changes something is never picked by chance from one of two servers.
	const servers = new Set(ready.map(({ tool }) => splitName(tool.name).server));
	const isClear = servers.size < 2 || ready[0]?.filling.reading === true;
	const rest = all.filter((choice) => !ready.includes(choice));
	return [...ready, ...rest]
		.slice(0, mostOffered)
		.map((choice) => ({ ...choice, isReady: isClear && ready.includes(choice) }));
}

/** Finds what speaks against calling a tool for a step: a value that is missing or left over, or a word that nothing explains. */
export function judged(tool: ToolDefinition, sources: Sources, matches: readonly WordMatch[] = []): Choice {
	const filling = fill(tool, sources);
	const { missing, used, said, reading } = filling;
	const left = sources.values.filter((value) => !used.has(value));
	// Something that only looks like a name may be a word of the tool's: "long-running".
	const isWord = ({ kind, key }: Value) => key === undefined && /^(?:word|name|here)$/.test(kind);
	const content = left.filter(isWord).flatMap(({ text }) => contentOf(text));
	const words = wordsOf(tool);
	const isExplained = explainedBy(words, content, filling, matches);
	// "Stage and commit a.txt" is two changes, although the first tool's text may have both verbs.
	const isSecond = ({ label, text }: Value) => label === 'and' && !reading && contentOf(text).length > 0;
	const isPlaced = (value: Value) =>
		isWord(value) && !isSecond(value) && contentOf(value.text).every(isExplained);
	const unplaced = new Set(left.filter((value) => !isPlaced(value)).map(({ key, text }) => key ?? text));
	const isAbout = (word: string) => words.about.includes(stem(word));
	const isMeant = reading ? said.length > 0 || content.some(isAbout) : isChange(content, words, filling);
	const isComplete = missing.length === 0 && unplaced.size === 0 && content.length > 0;
	return { tool, filling, unplaced: [...unplaced], isReady: isComplete && isMeant };
}

function contentOf(text: string): readonly string[] {
	return tokenize(text).filter((word) => !isSmall(word, false));
}

/** Tells the words for which the tool's texts, or the name of a filled parameter, account. */
function explainedBy(
	{ server, name, verbs, about }: ToolWords,
	content: readonly string[],
	{ reading, used, said }: Filling,
	matches: readonly WordMatch[],
): (word: string) => boolean {
	const verb = content.find((word) => !server.includes(stem(word))) ?? '';
	const stems = content.map(stem);
	// "readme" resembles "read", but that only repeats what the verb found.
	const others = matches.filter(({ word, as = '' }) => word === verb || stem(as) !== stem(verb));
	const found = new Map(
		others.flatMap((one) => tokenize(one.word).map((word) => [word, one.as ?? one.word])),
	);
	const labels = new Set([...used].map(({ label }) => label));
	return (word) => {
		const root = stem(word);
		if (reading && isSmall(word, true)) return true;
		if (labels.has(word) && said.some((one) => stemsOf(one).includes(root))) return true;
		if (isWeighty(word)) return false;
		if (reading && asksForReading(word)) return true;
		if (word === verb) return (reading ? name : verbs).includes(root);
		// Another word for a thing in the tool's name that is not said itself: "folder" for `directory`.
		const isSynonym = stemsOf(found.get(word) ?? '').some(
			(one) => name.includes(one) && !stems.includes(one),
		);
		return about.includes(root) || isSynonym || (reading && found.has(word));
	};
}

/** Whether a request means a tool's change: it says every word of the name but the verb, and gives a value or says more than one word of it. */
function isChange(
	content: readonly string[],
	{ server, name, doing }: ToolWords,
	{ said }: Filling,
): boolean {
	const stems = content.map(stem);
	// The first word of a name is its verb, unless the description uses it as a noun: `commit` in "Create a new commit".
	const isNoun = doing.indexOf(name[0] ?? '', name.length) > name.length;
	const nouns = name.slice(isNoun ? 0 : 1).filter((word) => !isSmall(word, true));
	const roles = ['place', 'text', 'address'] as const;
	const isValueOf = (noun: string, parameter: string) =>
		roles.some((role) => hasRole(noun, role) && hasRole(parameter, role));
	const isMeant = nouns.every((noun) => stems.includes(noun) || said.some((one) => isValueOf(noun, one)));
	const isCalled = stems.length > 1 && stems.every((word) => name.includes(word) || server.includes(word));
	return isMeant && (said.length > 0 || isCalled);
}
