import type { Tool } from './tool.ts';
import { shortServer, wireName } from './wireNames.ts';

/** What models write around any tool's name: GPT's `functions.NAME`, Kimi's `functions.NAME:0`, Gemini's `default_api:NAME`. */
const wrapping = /^(?:functions?|default_api|tools?)[.:](.+?)(?::\d+)?$/is;

/** A name without what models write around any tool's name. No wire name has a dot or a colon. */
export function unwrappedName(name: string): string {
	return wrapping.exec(name)?.[1] ?? name;
}

/**
 * How the full names of a server's tools begin: here (`server__`, `server:`), in VS Code (`server/`), in programs that join names with a dot
 * (`server.`), in Claude Code and Codex (`mcp__server__`), and in Gemini CLI (`mcp_server_`).
 */
export function namesBeginnings(server: string): readonly string[] {
	const written = new Set([server, shortServer(server), inClaude(server)]);
	const beginnings = [...written].flatMap((name) => [
		...['__', ':', '/', '.'].flatMap((mark) => [name + mark, `mcp${mark}${name}${mark}`]),
		`mcp_${name}_`,
	]);
	return [...new Set(beginnings)];
}

/** A full name as far as every program agrees about it: letters and digits in their order, and whether something separates them. */
export function looseName(name: string): string {
	const words = name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, '_');
	return words.replace(/^_?mcp_/, '');
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
	return [server, `${server}/*`, `${server}:*`, prefix, `${prefix}__*`];
}

/**
 * Whether a tool of the editor belongs to an MCP server that VS Code runs itself (`McpToolName.Prefix` in microsoft/vscode). The rest of the
 * name does not reliably identify the server.
 */
export function isOfEditorsServer(name: string): boolean {
	return name.startsWith('mcp_');
}
