import { isDeepStrictEqual } from 'node:util';
import { isNestedDeeper, isRecord, type JsonRecord } from '../../common/json.ts';
import type { JsonSchema } from '../../common/jsonSchema.ts';
import { cut } from '../../common/text.ts';
import type { CatalogServer } from '../../discovery/catalog/catalog.ts';
import type { Tool, ToolAnnotations } from '../../discovery/catalog/tool.ts';
import type { ToolsPage } from '../connection/connection.ts';
import { repeatedArguments } from '../connection/requestHeaders.ts';
import type { McpLimits } from '../limits.ts';
import { followPages } from './pages.ts';

/** A listed tool that cannot be used. */
export interface UnusableTool {
	/** Its name, or its position if it has none: `#3`. */
	readonly name: string;
	/** For example `inputSchema is not an object`. */
	readonly reason: string;
}

export interface ToolListing {
	readonly tools: readonly Tool[];
	readonly dropped: readonly UnusableTool[];
	/** Why the list may be incomplete; `undefined`: it is complete. */
	readonly cutShort: string | undefined;
	/** Pages are missing: an earlier list may have what was on them. */
	readonly lacksPages?: true;
	/** The server's time to live, in milliseconds: the shortest of all pages. */
	readonly ttlMs?: number;
}

/** What is known about a server's tools, and since when. */
export interface FetchedTools extends Omit<ToolListing, 'tools' | 'lacksPages'> {
	/** From the cache on disk, or listed in this window. */
	readonly from: 'cache' | 'live';
	/** For the catalog. The same object as long as nothing changes. */
	readonly server: CatalogServer;
	/** Milliseconds since the epoch. */
	readonly listedAt: number;
}

type ListLimits = Pick<McpLimits, 'listPages' | 'listBytes' | 'toolsPerServer' | 'toolBytes' | 'schemaDepth'>;

/** Longest name of a dropped tool in a message, in characters. */
const maxDroppedNameCharacters = 200;
const bytesPerMegabyte = 1024 * 1024;

/** Fetches every page of a server's list. */
export async function listAllTools(
	server: string,
	page: (cursor: string | undefined) => Promise<ToolsPage>,
	limits: ListLimits,
): Promise<ToolListing> {
	const list = new ListReader(server, limits);
	const { cutShort, ...followed } = await followPages(limits.listPages, async (cursor) => {
		const { tools, ...next } = await page(cursor);
		list.add(tools);
		return { ...next, isFull: list.isFull };
	});
	return { ...list.listing(cutShort), ...followed };
}

/** In a tool's `_meta`: see “Exempt specific tools from deferral” in the documentation of Claude Code, where it comes from. */
const alwaysLoadKey = 'anthropic/alwaysLoad';

/** An entry that {@link readTools} reads as this tool. */
export function listedEntry({ server: _, alwaysLoad, ...tool }: Tool): JsonRecord {
	return { ...tool, ...(alwaysLoad && { _meta: { [alwaysLoadKey]: true } }) };
}

/** Reads each entry separately: bad ones are dropped with a reason, the rest is kept. */
export function readTools(server: string, entries: readonly unknown[], limits: ListLimits): ToolListing {
	const list = new ListReader(server, limits);
	list.add(entries);
	return list.listing();
}

/** Reads a list page by page, up to the limits of one server. */
class ListReader {
	readonly #server: string;
	readonly #limits: ListLimits;
	readonly #tools = new Map<string, Tool>();
	readonly #dropped: UnusableTool[] = [];
	#entries = 0;
	#bytes = 0;
	#overLimit: string | undefined;

	constructor(server: string, limits: ListLimits) {
		this.#server = server;
		this.#limits = limits;
	}

	/** Whether the list is larger than what is read. */
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
		const same = this.#tools.get(tool.name);
		if (same) {
			// Some servers repeat a page.
			if (!isDeepStrictEqual(same, tool)) this.#drop(tool.name, 'the name is listed twice');
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
		this.#dropped.push({ name: cut(name, maxDroppedNameCharacters), reason });
	}
}

/** The tool and its size, or what is wrong with the entry. Optional members of the wrong type are ignored. */
function readTool(
	server: string,
	entry: unknown,
	limits: ListLimits,
): { readonly tool: Tool; readonly bytes: number } | string {
	if (!isRecord(entry)) return 'it is not an object';
	const { name, title, description, annotations, _meta: meta } = entry;
	// Some servers write no schema for a tool without arguments, or the key of another API: https://docs.anthropic.com/en/api/messages#body-tools,
	// https://platform.openai.com/docs/guides/function-calling.
	const inputSchema = entry.inputSchema ?? entry.input_schema ?? entry.parameters ?? { type: 'object' };
	if (typeof name !== 'string' || name.trim() === '') return 'name is not a non-empty string';
	if (!isRecord(inputSchema)) return 'inputSchema is not an object';
	if ('type' in inputSchema && inputSchema.type !== 'object') return 'inputSchema is not of type "object"';
	// Check the depth first: what follows walks the schema.
	if (isNestedDeeper(inputSchema, limits.schemaDepth))
		return `inputSchema has more than ${limits.schemaDepth} levels`;
	const tool: Tool = {
		server,
		name,
		...(typeof title === 'string' ? { title } : {}),
		...(typeof description === 'string' ? { description } : {}),
		inputSchema: inputSchema as JsonSchema,
		...(isRecord(annotations) ? { annotations: readAnnotations(annotations) } : {}),
		...(isRecord(meta) && meta[alwaysLoadKey] === true && { alwaysLoad: true }),
	};
	const bytes = Buffer.byteLength(JSON.stringify(tool));
	if (bytes > limits.toolBytes) return `its definition has ${bytes} bytes, more than ${limits.toolBytes}`;
	return repeatedArguments(inputSchema)
		? { tool, bytes }
		: 'it declares HTTP headers in a way that the protocol does not allow';
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
