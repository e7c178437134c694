import type { ToolDefinition } from '../../discovery/tool.ts';
import { resultText, type ToolResult } from '../../discovery/toolResult.ts';
import { type Filling, fillParameters } from './fill.ts';
import { parametersOf } from './parameter.ts';
import { readableName } from './toolReference.ts';
import { contentWords, singular, wordsOf } from './words.ts';

/** A tool that may be the one that the user wants. */
export interface Candidate {
	readonly tool: ToolDefinition;
	/** `server:tool`. */
	readonly readable: string;
}

/** Orders tools by how well they answer a query, best first; tools that do not answer it may be left out. */
export type Rank = (query: string, tools: readonly ToolDefinition[]) => readonly ToolDefinition[];

/**
 * The tools that a search result lists, in its order, as far as they are offered. Entries are the lines that begin with
 * a hyphen; descriptions are indented, so that a name in one is not taken for a hit.
 */
export function foundIn(result: ToolResult, tools: readonly ToolDefinition[]): readonly Candidate[] {
	const byName = new Map(tools.map((tool) => [tool.name, tool]));
	const found = new Map<string, Candidate>();
	for (const line of resultText(result).split('\n')) {
		const entry =
			/^- (\S.*?)(?:,? +[(`]+|, +)([A-Za-z0-9_-]+)\b/.exec(line) ?? /^- (([A-Za-z0-9_-]+))/.exec(line);
		const tool = byName.get(entry?.[2] ?? '');
		if (tool && entry && !found.has(tool.name)) {
			const readable = entry[1]?.includes(':') ? entry[1] : readableName(tool.name);
			found.set(tool.name, { tool, readable: readable.replaceAll('`', '') });
		}
	}
	return [...found.values()];
}

/** The tools that a search which found nothing names as the nearest, as `server:tool`: indented lines that begin with a name. */
export function nearestIn(result: ToolResult): readonly string[] {
	const text = resultText(result);
	if (!text.startsWith('No tools found')) return [];
	return [...text.matchAll(/^ {2}([A-Za-z0-9_-]+)(?::|$)/gm)].map(([, name = '']) => readableName(name));
}

export function candidateOf(tool: ToolDefinition): Candidate {
	return { tool, readable: readableName(tool.name) };
}

/** A candidate with what the prompt gives it. */
export interface Choice extends Candidate {
	readonly filling: Filling;
}

export function choiceOf(candidate: Candidate, prompt: string): Choice {
	return { ...candidate, filling: fillParameters(candidate.tool, prompt) };
}

/** Words of the tool's name and of its server's, in the singular. */
export function nameWords({ name }: ToolDefinition): ReadonlySet<string> {
	return new Set(wordsOf(name).map(singular));
}

/** Words of what a tool says of itself and of its parameters, in the singular. */
export function wordsOfTool(tool: ToolDefinition): ReadonlySet<string> {
	const names = parametersOf(tool).map(({ name }) => name);
	return new Set(wordsOf([tool.name, tool.description, ...names].join(' ')).map(singular));
}

/** A value of the prompt that the tool takes speaks for it; so does a word of the prompt that it says of itself. */
export function isSupported(choice: Choice, prompt: string): boolean {
	const { filling } = choice;
	return filling.said.size > (filling.byRemainder ? 1 : 0) || isSpokenOf(choice, prompt);
}

/** A word of the prompt stands in what the tool says of itself. */
export function isSpokenOf({ tool }: Choice, prompt: string): boolean {
	const known = wordsOfTool(tool);
	return contentWords(prompt).some((word) => known.has(singular(word)));
}
