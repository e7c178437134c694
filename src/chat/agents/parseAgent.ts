import { oneLine } from '../../discovery/text.ts';
import type { Agent, AgentFault } from './agent.ts';
import { type FrontMatterEntry, type Place, readFrontMatter } from './frontMatter.ts';

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

/** Thrown inside this file only. */
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
	// In a folder of Claude Code any Markdown may lie; VS Code tells its agents by the ending of their names.
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
