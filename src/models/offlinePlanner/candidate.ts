import type { ToolDefinition } from '../../discovery/tool.ts';
import { resultText, type ToolResult } from '../../discovery/toolResult.ts';
import { type Filling, fillParameters } from './fill.ts';
import { parametersOf } from './parameter.ts';
import type { Request } from './request.ts';
import { suitability } from './suitability.ts';
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

/**
 * The best choice: the first, unless another suits better, see {@link isNearer}; or unless it lacks
 * a value or leaves one of the prompt unused, and another takes them all and speaks as much of the user's words. Also,
 * for a single value a tool for one goes before the same for a list.
 */
export function choose(choices: readonly Choice[], request: Request): Choice | undefined {
	const [top, ...others] = choices;
	if (!top) return undefined;
	const first = others.reduce((best, choice) => (isNearer(choice, best, request) ? choice : best), top);
	const better = [top, ...others].find(
		(choice) =>
			choice !== first &&
			takesAll(choice) &&
			closeness(choice, request) >= closeness(first, request) &&
			(takesAll(first)
				? isShortList(first) &&
					!isShortList(choice) &&
					sharedWords(choice, request, nameWords) >= sharedWords(first, request, nameWords)
				: sharedWords(choice, request) >= sharedWords(first, request)),
	);
	return better ?? first;
}

/**
 * Is no worse in its verb, in the words of the request that its name has, and in what it lacks, and better in one of the
 * last two. That it lacks nothing counts only where more speaks for it: a tool without parameters never lacks any.
 */
function isNearer(choice: Choice, other: Choice, request: Request): boolean {
	const words = sharedNouns(choice, request) - sharedNouns(other, request);
	const lacksLess = lacksNothing(choice) && !lacksNothing(other);
	const lacksMore = lacksNothing(other) && !lacksNothing(choice);
	if (closeness(choice, request) < closeness(other, request) || words < 0 || lacksMore) return false;
	const isMeant = choice.filling.said.size > 0 || sharedNouns(choice, request) > 0;
	return words > 0 || (lacksLess && isMeant && sharedWords(choice, request) >= sharedWords(other, request));
}

function lacksNothing({ filling }: Choice): boolean {
	return filling.missing.length === 0;
}

/** How near what the tool does is to what is asked for: 0 unknown, 1 of the same kind, 2 the verb itself is in its name. */
function closeness(choice: Choice, request: Request): number {
	const word = request.verb?.word;
	if (suitability(choice, request) !== 'fits') return 0;
	return word !== undefined && nameWords(choice.tool).has(word) ? 2 : 1;
}

/** Complete, and with every value of the request used, of which there is at least one. */
function takesAll({ filling }: Choice): boolean {
	return (
		filling.missing.length === 0 &&
		filling.unused.length === 0 &&
		filling.said.size > 0 &&
		!filling.byRemainder
	);
}

function isShortList({ filling }: Choice): boolean {
	return Object.values(filling.input).some((value) => Array.isArray(value) && value.length === 1);
}

/** Words of the request, values aside, that stand in what the tool says of itself. */
function sharedWords({ tool }: Choice, { words }: Request, wordsIn = wordsOfTool): number {
	const known = wordsIn(tool);
	return words.filter((word) => known.has(word)).length;
}

/** Words of the request beside its verb that stand in the tool's name. */
function sharedNouns(choice: Choice, request: Request): number {
	const verb = singular(request.verb?.word ?? '');
	return sharedWords(
		choice,
		request,
		(tool) => new Set([...nameWords(tool)].filter((word) => word !== verb)),
	);
}

/** Words of the tool's name and of its server's, in the singular. */
export function nameWords({ name }: ToolDefinition): ReadonlySet<string> {
	return new Set(wordsOf(name).map(singular));
}

function wordsOfTool(tool: ToolDefinition): ReadonlySet<string> {
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
