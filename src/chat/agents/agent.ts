import { defined } from '../../common/json.ts';
import { oneLine } from '../../common/text.ts';
import { type AgentKey, agentEntries } from './agentKeys.ts';
import { FileFault, type LineColumn } from './fileFault.ts';
import type { FrontMatterEntry } from './frontMatter.ts';

/** A Markdown file of the workspace with instructions for an assistant that works on its own. */
export interface Agent {
	/** Unique among the agents, ignoring case; one short line. */
	readonly name: string;
	/** When to call it; empty if the file does not say. */
	readonly description: string;
	/** Its system prompt: the body of the file. */
	readonly instructions: string;
	/** Tools that it may use, named as in the file; `undefined` for all. See `agentTools.ts`. */
	readonly tools: readonly string[] | undefined;
	/** Tools that it may not use, even if `tools` has them. */
	readonly disallowedTools: readonly string[];
	/** Tools that it may use of single servers; of other servers, all. */
	readonly serverTools: readonly { readonly server: string; readonly tools: readonly string[] }[];
	/** Agents that it may call, by name; `undefined` for all. It also needs a tool that calls agents. */
	readonly agents?: readonly string[];
	/** Most requests to the model for one task; default: our limit. */
	readonly maxTurns?: number;
	/** Whether it starts with what its caller has loaded, instead of with nothing. */
	readonly inheritsActive: boolean;
	/** Whether models may call it. */
	readonly isForModels: boolean;
	/** Path of its file, for people. */
	readonly file: string;
}

/** A fault in a file and its position; `line` and `column` start at 1. The agent of this file is left out. */
export interface AgentFault extends LineColumn {
	readonly file: string;
	/** A sentence that says what to do. */
	readonly message: string;
}

/** The agents of a workspace, and the faults in its other files. */
export interface AgentList {
	readonly agents: readonly Agent[];
	readonly faults: readonly AgentFault[];
}

/** Longest name and description of an agent, in characters. */
const nameLimit = 64;
const descriptionLimit = 1024;

export type ParsedAgent =
	| { readonly ok: true; readonly agent: Agent }
	| { readonly ok: false; readonly fault: AgentFault };

/**
 * Reads an agent in the format of VS Code (`.agent.md`) or of Claude Code (`.md`), which differ little: both have `name`, `description`
 * and `tools`, as a list or separated by commas. Other keys (`model`, `color`, `handoffs`, …) are ignored, unless they look like a restriction.
 * `file`: the path, with `/`.
 */
export async function parseAgent({ file, text }: { file: string; text: string }): Promise<ParsedAgent> {
	try {
		return { ok: true, agent: await agentOf(file, text) };
	} catch (error) {
		if (!(error instanceof FileFault)) throw error;
		return { ok: false, fault: { file, ...error.position, message: error.message } };
	}
}

type AgentEntries = ReadonlyMap<AgentKey, FrontMatterEntry>;

async function agentOf(file: string, text: string): Promise<Agent> {
	// Imported on demand: a workspace without agents never loads the YAML parser.
	const { readFrontMatter } = await import('./frontMatter.ts');
	const read = readFrontMatter(text);
	// A folder of Claude Code may contain other Markdown without front matter; VS Code's agents have an ending of their own.
	if (!read.entries && !file.endsWith('.agent.md')) {
		throw new FileFault(
			'The front matter is missing. Begin the file with a line ---, a line name: …, and a line ---.',
		);
	}
	const { body } = read;
	const { entries, serverTools } = agentEntries(read);
	if (body === '') throw new FileFault('The instructions are missing. Write them below the front matter.');
	return {
		name: nameOf(entries, file),
		description: oneLine(textAt(entries, 'description') ?? '', descriptionLimit),
		instructions: body,
		tools: listAt(entries, 'tools'),
		disallowedTools: listAt(entries, 'disallowedTools') ?? [],
		serverTools: serverTools.map((entry) => ({ server: entry.path[1] ?? '', tools: listIn(entry) })),
		...defined({ agents: listAt(entries, 'agents'), maxTurns: countAt(entries, 'maxTurns') }),
		inheritsActive: booleanAt(entries, 'inherit_active_mcp') ?? true,
		// `infer` is its older name in VS Code.
		isForModels:
			booleanAt(entries, 'disable-model-invocation') !== true && booleanAt(entries, 'infer') !== false,
		file,
	};
}

function nameOf(entries: AgentEntries, file: string): string {
	const nameOfFile = (file.split('/').at(-1) ?? '').replace(/(?:\.agent)?\.md$/i, '');
	const name = oneLine(textAt(entries, 'name') || nameOfFile, nameLimit);
	if (name === '') throw new FileFault('name: expected visible characters.', entries.get('name'));
	return name;
}

function textAt(entries: AgentEntries, key: AgentKey): string | undefined {
	const entry = entries.get(key);
	if (entry && typeof entry.value !== 'string') throw new FileFault(`${key}: expected a text.`, entry);
	return entry?.value as string | undefined;
}

function listAt(entries: AgentEntries, key: AgentKey): readonly string[] | undefined {
	const entry = entries.get(key);
	return entry && listIn(entry);
}

/** A list, or names separated by commas. A comma inside brackets, as in `Bash(ls, git log)`, does not separate names. */
function listIn(entry: FrontMatterEntry): readonly string[] {
	const { key, value } = entry;
	if (value === undefined) {
		throw new FileFault(`${key}: expected names in a list, or separated by commas.`, entry);
	}
	const names = typeof value === 'string' ? (value.match(/(?:[^,()]|\([^()]*\)?)+/g) ?? []) : value;
	return names.map((name) => name.trim()).filter(Boolean);
}

function booleanAt(entries: AgentEntries, key: AgentKey): boolean | undefined {
	const entry = entries.get(key);
	if (!entry) return undefined;
	const word = typeof entry.value === 'string' ? entry.value.toLowerCase() : '';
	if (word !== 'true' && word !== 'false') throw new FileFault(`${key}: expected true or false.`, entry);
	return word === 'true';
}

function countAt(entries: AgentEntries, key: AgentKey): number | undefined {
	const entry = entries.get(key);
	if (!entry) return undefined;
	const count = typeof entry.value === 'string' ? Number(entry.value) : Number.NaN;
	if (!Number.isInteger(count) || count < 1) throw new FileFault(`${key}: expected a number from 1.`, entry);
	return count;
}

/** The agents of some files. Of two with the same name the first one counts; the other is reported as a fault. */
export function agentList(parsed: readonly ParsedAgent[]): AgentList {
	const agents = new Map<string, Agent>();
	const faults: AgentFault[] = [];
	for (const outcome of parsed) {
		if (!outcome.ok) {
			faults.push(outcome.fault);
			continue;
		}
		const { name, file } = outcome.agent;
		const first = agents.get(name.toLowerCase());
		if (!first) agents.set(name.toLowerCase(), outcome.agent);
		else {
			const message = `Another agent is called "${name}", in ${first.file}. That one is used; rename this one.`;
			faults.push({ file, line: 1, column: 1, message });
		}
	}
	return { agents: [...agents.values()], faults };
}
