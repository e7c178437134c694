import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser';
import { parse as parseToml, stringify as tomlText } from 'smol-toml';
import { isRecord, stableJson } from '../common/json.ts';
import type { Product } from '../config/import/importSources.ts';

/** How an agent starts the program that leads to a window. */
export interface ProgramStart {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** A coding agent that keeps MCP servers in a file of the user. */
export interface CodingAgent {
	readonly product: Product;
	/** The end of the path of that file among the agent's, to choose it. */
	readonly file: string;
	/** Where its servers are in the file. */
	readonly section: readonly string[];
	readonly entry: (start: ProgramStart) => Readonly<Record<string, unknown>>;
}

/** The name of the entry. */
export const entryName = 'discovery';

/** How long an agent should wait for a call, since the user may be asked first. Without it most give up after a minute. */
const callSeconds = 600;

const plain = ({ command, args, env }: ProgramStart) => ({ command, args, env });

/** Agents that get an entry, with the page that says how it looks. */
export const agents: readonly CodingAgent[] = [
	// https://code.claude.com/docs/en/mcp
	{
		product: 'Claude Code',
		file: '.claude.json',
		section: ['mcpServers'],
		entry: (start) => ({ type: 'stdio', ...plain(start) }),
	},
	// https://developers.openai.com/codex/mcp
	{
		product: 'Codex',
		file: 'config.toml',
		section: ['mcp_servers'],
		entry: (start) => ({ ...plain(start), tool_timeout_sec: callSeconds }),
	},
	// https://cursor.com/docs/context/mcp
	{
		product: 'Cursor',
		file: 'mcp.json',
		section: ['mcpServers'],
		// It does not start servers in the folder that is open.
		entry: ({ args, ...start }) => plain({ ...start, args: [...args, `\${workspaceFolder}`] }),
	},
	// https://geminicli.com/docs/tools/mcp-server
	{
		product: 'Gemini CLI',
		file: 'settings.json',
		section: ['mcpServers'],
		entry: (start) => ({ ...plain(start), timeout: callSeconds * 1_000 }),
	},
	// https://opencode.ai/docs/mcp-servers
	{
		product: 'opencode',
		file: 'opencode.json',
		section: ['mcp'],
		entry: ({ command, args, env }) => ({ type: 'local', command: [command, ...args], environment: env }),
	},
	// https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers
	{
		product: 'Copilot CLI',
		file: 'mcp-config.json',
		section: ['mcpServers'],
		entry: (start) => ({ type: 'local', ...plain(start), tools: ['*'] }),
	},
];

/** The entry in the file's own format, to show it to the user. */
export function shownEntry(agent: CodingAgent, start: ProgramStart): string {
	return isToml(agent)
		? tomlText(nested(agent, start))
		: JSON.stringify(nested(agent, start), undefined, '\t');
}

/** Whether the file has our entry; `other`: an outdated one. */
export function entryState(agent: CodingAgent, text: string, start: ProgramStart): 'none' | 'other' | 'same' {
	const entry = entryIn(agent, text);
	if (entry === undefined) return 'none';
	return stableJson(entry) === stableJson(agent.entry(start)) ? 'same' : 'other';
}

/** Adds or replaces our entry. `text`: empty if there is no file. Throws a `SyntaxError` if the file is malformed. */
export function withEntry(agent: CodingAgent, text: string, start: ProgramStart): string {
	const without = withoutEntry(agent, text);
	if (isToml(agent)) {
		// After everything else, where it cannot change what other lines belong to.
		const lead = without.trim() === '' ? '' : `${without.trimEnd()}\n\n`;
		return `${lead}${shownEntry(agent, start)}\n`;
	}
	return edited(agent, without, agent.entry(start));
}

/** Removes our entry and nothing else. Throws a `SyntaxError` if the file is malformed. */
export function withoutEntry(agent: CodingAgent, text: string): string {
	if (entryIn(agent, text) === undefined) return text;
	return isToml(agent) ? text.replace(tomlEntry(agent), '') : edited(agent, text, undefined);
}

function edited({ section }: CodingAgent, text: string, entry: unknown): string {
	// Without a formatter, which would rewrite lines that are not ours.
	return applyEdits(text, modify(text, [...section, entryName], entry, {}));
}

function isToml({ file }: CodingAgent): boolean {
	return file.endsWith('.toml');
}

/** The tables of the entry with their lines, up to the next table. Only we write such an entry. */
function tomlEntry({ section }: CodingAgent): RegExp {
	const name = [...section, entryName].join('\\.');
	return new RegExp(`^\\[${name}(\\.\\w+)?\\]\\r?\\n(?:(?!\\[).*(?:\\r?\\n|$))*`, 'gm');
}

function nested({ section, entry }: CodingAgent, start: ProgramStart): Record<string, unknown> {
	return [...section, entryName].reduceRight<Record<string, unknown>>(
		(inner, key) => ({ [key]: inner }),
		entry(start),
	);
}

function entryIn(agent: CodingAgent, text: string): unknown {
	if (text.trim() === '') return undefined;
	const read = (value: unknown, key: string) => (isRecord(value) ? value[key] : undefined);
	return [...agent.section, entryName].reduce<unknown>(read, isToml(agent) ? tomlOf(text) : jsonOf(text));
}

function jsonOf(text: string): unknown {
	const errors: ParseError[] = [];
	const value: unknown = parse(text, errors, { allowTrailingComma: true });
	if (errors.length > 0 || !isRecord(value)) throw new SyntaxError('It is no valid JSON.');
	return value;
}

function tomlOf(text: string): unknown {
	try {
		return parseToml(text);
	} catch {
		throw new SyntaxError('It is no valid TOML.');
	}
}
