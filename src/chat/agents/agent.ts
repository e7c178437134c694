import { oneLine } from '../../common/text.ts';
import { type FrontMatterEntry, type Place, readFrontMatter } from './frontMatter.ts';

/** A Markdown file of the workspace that tells an assistant how to work on its own. */
export interface Agent {
	/** Unique among the agents, whatever the case; on one line and short. */
	readonly name: string;
	/** When to call it; empty where the file does not say. */
	readonly description: string;
	/** Its system prompt: the body of the file. */
	readonly instructions: string;
	/** Tools that it may use, as the file names them; `undefined`: all. See `agentTools.ts`. */
	readonly tools: readonly string[] | undefined;
	/** Tools that it may not use, whatever else is said. */
	readonly disallowedTools: readonly string[];
	/** It begins with what its caller has loaded, else with nothing loaded. */
	readonly inheritsActive: boolean;
	/** Models may set it to work. */
	readonly isForModels: boolean;
	/** Path of its file, for people. */
	readonly file: string;
}

/** Something wrong with a file, and where; `line` and `column` begin with 1. Its agent is left out. */
export interface AgentFault {
	readonly file: string;
	readonly line: number;
	readonly column: number;
	/** A sentence that says what to do. */
	readonly message: string;
}

/** The agents of a workspace, and what is wrong with its other files. */
export interface AgentList {
	readonly agents: readonly Agent[];
	readonly faults: readonly AgentFault[];
}

/** Characters of an agent's name and of its description. */
const nameLimit = 64;
const descriptionLimit = 1024;

/** A file that may hold an agent; `file`: its path, with `/`. */
export interface AgentFile {
	readonly file: string;
	readonly text: string;
}

/** What a file came to. */
export type ParsedAgent =
	| { readonly ok: true; readonly agent: Agent }
	| { readonly ok: false; readonly fault: AgentFault };

/** A fault of the file, thrown and caught within this module. */
class Misfit extends Error {
	readonly place: Place;
	constructor(message: string, { line, column }: Place = { line: 1, column: 1 }) {
		super(message);
		this.place = { line, column };
	}
}

/**
 * Reads an agent in the format of VS Code (`.agent.md`) or of Claude Code (`.md`), which differ little: both have `name`, `description`
 * and `tools`, as a list or separated by commas. Keys that are not known (`model`, `color`, `handoffs`, …) are for others.
 */
export async function parseAgent({ file, text }: AgentFile): Promise<ParsedAgent> {
	try {
		return { ok: true, agent: await agentOf(file, text) };
	} catch (error) {
		if (!(error instanceof Misfit)) throw error;
		return { ok: false, fault: { file, ...error.place, message: error.message } };
	}
}

async function agentOf(file: string, text: string): Promise<Agent> {
	const read = await readFrontMatter(text);
	if (!read.ok) throw new Misfit(read.message, read);
	// A folder of Claude Code may hold other Markdown, too, without a front matter; VS Code's agents are told by the ending of their names.
	if (!read.entries && !file.endsWith('.agent.md')) {
		throw new Misfit(
			'There is no front matter, so this is no agent: begin with a line ---, name: …, and a line ---.',
		);
	}
	const { entries = new Map<string, FrontMatterEntry>(), body } = read;
	if (body === '') throw new Misfit('There are no instructions below the front matter: write them there.');
	return {
		name: nameOf(entries, file),
		description: oneLine(textAt(entries, 'description') ?? '', descriptionLimit),
		instructions: body,
		tools: listAt(entries, 'tools'),
		disallowedTools: listAt(entries, 'disallowedTools') ?? [],
		inheritsActive: booleanAt(entries, 'inherit_active_mcp') ?? true,
		isForModels: booleanAt(entries, 'disable-model-invocation') !== true,
		file,
	};
}

function nameOf(entries: ReadonlyMap<string, FrontMatterEntry>, file: string): string {
	const ofFile = (file.split('/').at(-1) ?? '').replace(/(?:\.agent)?\.md$/i, '');
	const name = oneLine(textAt(entries, 'name') || ofFile, nameLimit);
	if (name === '') throw new Misfit('name: expected words that can be seen.', entries.get('name'));
	return name;
}

function textAt(entries: ReadonlyMap<string, FrontMatterEntry>, key: string): string | undefined {
	const entry = entries.get(key);
	if (entry && typeof entry.value !== 'string') throw new Misfit(`${key}: expected a text.`, entry);
	return entry?.value as string | undefined;
}

/** A list, or names separated by commas; a comma inside of brackets, as in `Bash(ls, git log)`, separates nothing. */
function listAt(entries: ReadonlyMap<string, FrontMatterEntry>, key: string): readonly string[] | undefined {
	const entry = entries.get(key);
	if (!entry) return undefined;
	const { value } = entry;
	if (value === undefined) {
		throw new Misfit(`${key}: expected names in a list, or separated by commas.`, entry);
	}
	const names = typeof value === 'string' ? (value.match(/(?:[^,()]|\([^()]*\)?)+/g) ?? []) : value;
	return names.map((name) => name.trim()).filter(Boolean);
}

function booleanAt(entries: ReadonlyMap<string, FrontMatterEntry>, key: string): boolean | undefined {
	const entry = entries.get(key);
	if (!entry) return undefined;
	const word = typeof entry.value === 'string' ? entry.value.toLowerCase() : '';
	if (word !== 'true' && word !== 'false') throw new Misfit(`${key}: expected true or false.`, entry);
	return word === 'true';
}

/** The agents of some files. Of two with the same name the first counts, and the other is reported as a fault. */
export function agentList(parsed: readonly ParsedAgent[]): AgentList {
	const agents = new Map<string, Agent>();
	const faults: AgentFault[] = [];
	for (const one of parsed) {
		if (!one.ok) {
			faults.push(one.fault);
			continue;
		}
		const { name, file } = one.agent;
		const first = agents.get(name.toLowerCase());
		if (!first) agents.set(name.toLowerCase(), one.agent);
		else {
			const message = `There is another agent "${name}", in ${first.file}, and that one counts: give this one a name of its own.`;
			faults.push({ file, line: 1, column: 1, message });
		}
	}
	return { agents: [...agents.values()], faults };
}
