import type { Tool } from './tool.ts';
import { shortServer, wireName } from './wireNames.ts';

/** What models write around any tool's name: GPT's `functions.NAME`, Kimi's `functions.NAME:0`, Gemini's `default_api:NAME`. */
const wrapping = /^(?:functions?|default_api|tools?)[.:](.+?)(?::\d+)?$/is;

/** A name without what models write around any tool's name. No wire name has a dot or a colon. */
export function unwrappedName(name: string): string {
	const unmarked = unmarkedName(name);
	return wrapping.exec(unmarked)?.[1] ?? unmarked;
}

/** A name without the marks of gpt-oss that servers leave behind it (`NAME<|channel|>commentary`), quotation marks, and the brackets of a call. */
export function unmarkedName(name: string): string {
	const bare = name.replace(/(?<=.)<\|.*$/s, '').replace(/^[\s"'`]+(?=.)|(?<=.)[\s"'`]+$/g, '');
	return bare.replace(/(?<=.)\(\)$/, '');
}

/** A name in the form of Claude Code without what it puts before servers of a plugin (`mcp__plugin_NAME_`) and of claude.ai (`mcp__claude_ai_`). */
export function withoutOrigin(name: string): string {
	return name.replace(/^mcp__(?:claude_ai|plugin_[A-Za-z0-9-]+)_(?=[^_])/, 'mcp__');
}

/** Characters of a server's name that VS Code puts into the names of tools (`McpToolName.MaxPrefixLen` in microsoft/vscode). */
const maxEditorCharacters = 13;

/**
 * How the full names of a server's tools begin: here (`server__`, `server:`), in VS Code (`server/`, `mcp_server_`), in programs that join
 * names with a dot (`server.`), in Claude Code and Codex (`mcp__server__`), in Gemini CLI (`mcp_server_`), and in Kiro (`@server/`).
 */
export function namesBeginnings(server: string): readonly string[] {
	const inEditor = server
		.toLowerCase()
		.replace(/[^a-z0-9_.-]+/g, '_')
		.slice(0, maxEditorCharacters);
	const spellings = new Set([server, shortServer(server), inClaude(server)]);
	const beginnings = [...spellings].flatMap((name) => [
		...['__', ':', '/', '.'].flatMap((mark) => [name + mark, `mcp${mark}${name}${mark}`]),
		`mcp_${name}_`,
		`@${name}/`,
	]);
	return [...new Set([...beginnings, `mcp_${inEditor}_`])];
}

/** A full name as far as every program agrees about it: letters and digits in their order, and whether something separates them. */
export function looseName(name: string): string {
	const words = name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, '_');
	// Windsurf numbers its servers: `mcp0_NAME`.
	return words.replace(/^_?mcp\d*_/, '');
}

/** Every full name of a tool. */
export function fullNames(tool: Pick<Tool, 'server' | 'name'>): readonly string[] {
	const { server, name } = tool;
	const names = namesBeginnings(server).flatMap((start) => [start + name, start + inClaude(name)]);
	return [...new Set([wireName(tool), ...names])];
}

/** A name in the form that Claude Code uses for tools. */
function inClaude(name: string): string {
	return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** Whether a name is a full one in the form of Claude Code, perhaps of a server that is not known. */
export function isInClaude(name: string): boolean {
	return /^mcp__.+__/s.test(name);
}

/** How lists name all tools of a server. */
export function wholeServerNames(server: string): readonly string[] {
	const prefix = `mcp__${inClaude(server)}`;
	return [server, `${server}/*`, `${server}:*`, prefix, `${prefix}__*`, `@${server}`, `@${server}/*`];
}

/**
 * Whether a tool of the editor belongs to an MCP server that VS Code runs itself (`McpToolName.Prefix` in microsoft/vscode). The rest of the
 * name does not reliably identify the server.
 */
export function isOfEditorsServer(name: string): boolean {
	return name.startsWith('mcp_');
}
