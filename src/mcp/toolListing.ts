import { isRecord, type JsonRecord } from '../discovery/record.ts';
import type { JsonSchema, Tool, ToolAnnotations } from '../discovery/tool.ts';
import type { ToolsPage } from './connection.ts';
import type { McpLimits } from './limits.ts';

/** A tool that a server lists and that cannot be used. */
export interface DroppedTool {
	/** Its name, or its place in the list if it has none: `#3`. */
	readonly name: string;
	/** What is wrong with it, e.g. `inputSchema is not an object`. */
	readonly reason: string;
}

/** What came of listing a server's tools. */
export interface ToolListing {
	readonly tools: readonly Tool[];
	readonly dropped: readonly DroppedTool[];
	/** Why the list may not be all that the server has; `undefined`: it is all. */
	readonly cutShort: string | undefined;
}

type ListLimits = Pick<McpLimits, 'listPages' | 'toolsPerServer' | 'toolBytes' | 'schemaDepth'>;

/** Fetches every page of a server's list. A page that fails fails the whole: a list with a hole would look complete. */
export async function listAllTools(
	server: string,
	page: (cursor: string | undefined) => Promise<ToolsPage>,
	limits: ListLimits,
): Promise<ToolListing> {
	const entries: unknown[] = [];
	const seen = new Set<string>();
	const listing = (cutShort?: string) => readTools(server, entries, limits, cutShort);
	let cursor: string | undefined;
	for (let pages = 0; pages < limits.listPages; pages += 1) {
		const { tools, nextCursor } = await page(cursor);
		for (const tool of tools) entries.push(tool);
		if (entries.length > limits.toolsPerServer) return listing();
		if (nextCursor === undefined) return listing();
		if (seen.has(nextCursor)) return listing('the server gave the same cursor twice');
		seen.add(nextCursor);
		cursor = nextCursor;
	}
	return listing(`the list was left after ${limits.listPages} pages`);
}

/** Takes each entry of a list for itself: the bad ones are dropped with a reason, the rest live. */
export function readTools(
	server: string,
	entries: readonly unknown[],
	limits: ListLimits,
	cutShort?: string,
): ToolListing {
	const tools = new Map<string, Tool>();
	const dropped: DroppedTool[] = [];
	for (const [index, entry] of entries.slice(0, limits.toolsPerServer).entries()) {
		const verdict = readTool(server, entry, limits);
		if (typeof verdict === 'string') dropped.push({ name: nameOf(entry, index), reason: verdict });
		else if (tools.has(verdict.name))
			dropped.push({ name: verdict.name, reason: 'the name is listed twice' });
		else tools.set(verdict.name, verdict);
	}
	const overLimit = entries.length > limits.toolsPerServer;
	return {
		tools: [...tools.values()],
		dropped,
		cutShort: overLimit ? `only the first ${limits.toolsPerServer} tools are taken` : cutShort,
	};
}

/** The tool, or what is wrong with the entry. Optional members of a wrong type are left out. */
function readTool(server: string, entry: unknown, limits: ListLimits): Tool | string {
	if (!isRecord(entry)) return 'it is not an object';
	const { name, title, description, inputSchema, annotations } = entry;
	if (typeof name !== 'string' || name.trim() === '') return 'name is not a string with something in it';
	if (!isRecord(inputSchema)) return 'inputSchema is not an object';
	if ('type' in inputSchema && inputSchema.type !== 'object') return 'inputSchema is not of type "object"';
	// Depth first: what follows walks the schema.
	if (isDeeperThan(inputSchema, limits.schemaDepth))
		return `inputSchema is nested over ${limits.schemaDepth} levels`;
	const tool: Tool = {
		server,
		name,
		...(typeof title === 'string' ? { title } : {}),
		...(typeof description === 'string' ? { description } : {}),
		inputSchema: inputSchema as JsonSchema,
		...(isRecord(annotations) ? { annotations: readAnnotations(annotations) } : {}),
	};
	const bytes = Buffer.byteLength(JSON.stringify(tool));
	return bytes > limits.toolBytes ? `its definition has ${bytes} bytes, over ${limits.toolBytes}` : tool;
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

function readAnnotations(raw: JsonRecord): ToolAnnotations {
	return {
		...(typeof raw.title === 'string' ? { title: raw.title } : {}),
		...Object.fromEntries(
			hints.filter((hint) => typeof raw[hint] === 'boolean').map((hint) => [hint, raw[hint]]),
		),
	};
}

/** Walks with a list of its own, not the stack, which is what a nested bomb aims at. */
function isDeeperThan(root: object, limit: number): boolean {
	let level: object[] = [root];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > limit) return true;
		level = level.flatMap((node) =>
			Object.values(node).filter((child): child is object => typeof child === 'object' && child !== null),
		);
	}
	return false;
}

function nameOf(entry: unknown, index: number): string {
	return isRecord(entry) && typeof entry.name === 'string' && entry.name !== ''
		? entry.name
		: `#${index + 1}`;
}
