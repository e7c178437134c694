import { isNestedDeeper, isRecord, type JsonRecord } from '../../common/json.ts';
import type { JsonSchema } from '../../common/jsonSchema.ts';
import { cut } from '../../common/text.ts';
import type { CatalogServer } from '../../discovery/catalog/catalog.ts';
import type { Tool, ToolAnnotations } from '../../discovery/catalog/tool.ts';
import { leftOutMember, leftOutReasons, type ToolsPage } from '../connection/connection.ts';
import type { KnownEra } from '../connection/connectOptions.ts';
import type { McpLimits } from '../limits.ts';

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
	/** How long the server says that the list is good for, in milliseconds: the least that a page says. */
	readonly ttlMs?: number;
}

/** What is known of a server's tools, and since when. */
export interface FetchedTools {
	/** Kept on disk from an earlier time, or listed by the server since we started. */
	readonly from: 'cache' | 'live';
	/** What the catalog has of it: the same object as long as the server says the same. */
	readonly server: CatalogServer;
	readonly dropped: readonly DroppedTool[];
	/** Why the list may not be all that the server has. */
	readonly cutShort: string | undefined;
	/** Milliseconds since the epoch. */
	readonly listedAt: number;
	/** How long the server says that the list is good for, in milliseconds. */
	readonly ttlMs?: number;
	/** Which protocol the server spoke then. */
	readonly era?: KnownEra;
}

type ListLimits = Pick<McpLimits, 'listPages' | 'listBytes' | 'toolsPerServer' | 'toolBytes' | 'schemaDepth'>;

/** Longest name of a dropped tool that is told, in characters. */
const longestDroppedName = 200;
const bytesPerMegabyte = 1024 * 1024;

/** Fetches every page of a server's list. A page that fails fails the whole: a list with a hole would look complete. */
export async function listAllTools(
	server: string,
	page: (cursor: string | undefined) => Promise<ToolsPage>,
	limits: ListLimits,
): Promise<ToolListing> {
	const list = new ListReader(server, limits);
	const seen = new Set<string>();
	let cursor: string | undefined;
	let ttl = Number.POSITIVE_INFINITY;
	const listing = (cutShort?: string) => ({
		...list.listing(cutShort),
		...(Number.isFinite(ttl) ? { ttlMs: ttl } : {}),
	});
	for (let pages = 0; pages < limits.listPages; pages += 1) {
		const { tools, nextCursor, ttlMs } = await page(cursor);
		list.add(tools);
		ttl = Math.min(ttl, ttlMs ?? ttl);
		if (list.isFull || nextCursor === undefined) return listing();
		if (seen.has(nextCursor)) return listing('the server gave the same cursor twice');
		seen.add(nextCursor);
		cursor = nextCursor;
	}
	return listing(`the list was left after ${limits.listPages} pages`);
}

/** Takes each entry of a list for itself: the bad ones are dropped with a reason, the rest live. */
export function readTools(server: string, entries: readonly unknown[], limits: ListLimits): ToolListing {
	const list = new ListReader(server, limits);
	list.add(entries);
	return list.listing();
}

/** A list that is being read, page by page, up to what one server may have. */
class ListReader {
	readonly #server: string;
	readonly #limits: ListLimits;
	readonly #tools = new Map<string, Tool>();
	readonly #dropped: DroppedTool[] = [];
	#entries = 0;
	#bytes = 0;
	#overLimit: string | undefined;

	constructor(server: string, limits: ListLimits) {
		this.#server = server;
		this.#limits = limits;
	}

	/** Whether there was more than is taken. */
	get isFull(): boolean {
		return this.#overLimit !== undefined;
	}

	add(entries: readonly unknown[]): void {
		for (const entry of entries) {
			if (this.#entries === this.#limits.toolsPerServer)
				this.#overLimit = onlyFirst(this.#limits.toolsPerServer);
			if (this.isFull) return;
			this.#entries += 1;
			this.#take(entry);
		}
	}

	listing(cutShort?: string): ToolListing {
		return {
			tools: [...this.#tools.values()],
			dropped: this.#dropped,
			cutShort: this.#overLimit ?? cutShort,
		};
	}

	#take(entry: unknown): void {
		const verdict = readTool(this.#server, entry, this.#limits);
		if (typeof verdict === 'string') {
			this.#drop(nameOf(entry, this.#entries), verdict);
			return;
		}
		const { tool, bytes } = verdict;
		if (this.#tools.has(tool.name)) {
			this.#drop(tool.name, 'the name is listed twice');
			return;
		}
		const { listBytes } = this.#limits;
		if (this.#bytes + bytes > listBytes) {
			const size = `${Math.round(listBytes / bytesPerMegabyte)} MB of definitions`;
			this.#overLimit = `${onlyFirst(this.#tools.size)}, with ${size}`;
			return;
		}
		this.#bytes += bytes;
		this.#tools.set(tool.name, tool);
	}

	#drop(name: string, reason: string): void {
		this.#dropped.push({ name: cut(name, longestDroppedName), reason });
	}
}

/** The tool and its size, or what is wrong with the entry. Optional members of a wrong type are left out. */
function readTool(
	server: string,
	entry: unknown,
	limits: ListLimits,
): { readonly tool: Tool; readonly bytes: number } | string {
	if (!isRecord(entry)) return 'it is not an object';
	const leftOut = String(entry[leftOutMember]);
	if (Object.hasOwn(leftOutReasons, leftOut)) return leftOutReasons[leftOut] ?? leftOut;
	const { name, title, description, inputSchema, annotations } = entry;
	if (typeof name !== 'string' || name.trim() === '') return 'name is not a string with something in it';
	if (!isRecord(inputSchema)) return 'inputSchema is not an object';
	if ('type' in inputSchema && inputSchema.type !== 'object') return 'inputSchema is not of type "object"';
	// Depth first: what follows walks the schema.
	if (isNestedDeeper(inputSchema, limits.schemaDepth))
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
	return bytes > limits.toolBytes
		? `its definition has ${bytes} bytes, over ${limits.toolBytes}`
		: { tool, bytes };
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

function nameOf(entry: unknown, place: number): string {
	return isRecord(entry) && typeof entry.name === 'string' && entry.name !== '' ? entry.name : `#${place}`;
}

function onlyFirst(count: number): string {
	return count === 1 ? 'only the first tool is taken' : `only the first ${count} tools are taken`;
}
