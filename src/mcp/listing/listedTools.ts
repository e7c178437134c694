import { isDeepStrictEqual } from 'node:util';
import { cut, sentence } from '../../common/text.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { CatalogServer } from '../../discovery/catalog/catalog.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { CalledTool, McpConnection } from '../connection/connection.ts';
import type { ServerContext } from '../poolContext.ts';
import { ServerError } from '../serverError.ts';
import { RefreshQueue } from './refreshQueue.ts';
import { type FetchedTools, listAllTools } from './toolListing.ts';

/** Longest text about a server that is kept, in characters. Prompts and views show far less. */
const maxIntroductionCharacters = 65_536;

function catalogServer(
	name: string,
	{ serverInfo, instructions }: McpConnection,
	tools: readonly Tool[],
): CatalogServer {
	const { title, description } = serverInfo ?? {};
	return {
		name,
		...(title ? { title: cut(title, maxIntroductionCharacters) } : {}),
		...(description ? { description: cut(description, maxIntroductionCharacters) } : {}),
		...(instructions ? { instructions: cut(instructions, maxIntroductionCharacters) } : {}),
		tools,
	};
}

/** A list with missing pages, completed by what was known before. */
function withToolsOfEarlierList(listed: readonly Tool[], before: readonly Tool[]): readonly Tool[] {
	const names = new Set(listed.map(({ name }) => name));
	return [...listed, ...before.filter(({ name }) => !names.has(name))];
}

/** What a server lists, and by which launch. */
export interface ServerListing {
	readonly launch: ServerLaunch;
	readonly server: CatalogServer;
}

interface ListedToolsParts extends ServerContext {
	/** From an earlier window. */
	readonly known: FetchedTools | undefined;
	/** The present connection, if the server is ready. */
	readonly connection: () => McpConnection | undefined;
	/** The list, or the error of the last fetch, has changed. */
	readonly onChange: () => void;
}

/** The tool list of one server: fetches it, refreshes it, caches it on disk. */
export class ListedTools {
	readonly refreshes: RefreshQueue;
	readonly #parts: ListedToolsParts;
	#known: FetchedTools | undefined;
	#error: ServerError | undefined;

	constructor(parts: ListedToolsParts) {
		this.#parts = parts;
		this.#known = parts.known;
		this.refreshes = new RefreshQueue(() => this.#refresh(), parts.clock, parts.limits);
	}

	/** `undefined`: never listed. */
	get known(): FetchedTools | undefined {
		return this.#known;
	}

	/** Why the last fetch failed. An earlier list is still shown. */
	get error(): ServerError | undefined {
		return this.#error;
	}

	/** Whether the list is older than `maxAgeMs`, or than the server's own time to live. */
	isOlderThan(maxAgeMs: number): boolean {
		const { clock, limits } = this.#parts;
		const { listedAt = 0, ttlMs = 0 } = this.#known ?? {};
		const serverMaxAgeMs = Math.min(Math.max(ttlMs, limits.listChangedIntervalMs), limits.maxListTtlMs);
		return clock.now() - listedAt > (ttlMs > 0 ? serverMaxAgeMs : maxAgeMs);
	}

	/** Fetches the list. If that fails, it rejects, and the earlier list stays. */
	async fetch(connection: McpConnection, signal: AbortSignal): Promise<void> {
		const { name, launch, clock, limits, store, log, onChange } = this.#parts;
		const page = (cursor: string | undefined) => connection.listToolsPage(cursor, signal);
		const { tools: listed, lacksPages, ...listing } = await listAllTools(name, page, limits);
		const previous = this.#known?.server;
		const tools = lacksPages ? withToolsOfEarlierList(listed, previous?.tools ?? []) : listed;
		const server = catalogServer(name, connection, tools);
		const known: FetchedTools = {
			...listing,
			from: 'live',
			// The same object if nothing has changed: a fetch alone is no change.
			server: previous && isDeepStrictEqual(previous, server) ? previous : server,
			listedAt: clock.now(),
		};
		for (const { name: tool, reason } of known.dropped)
			log.write('warn', sentence`tool "${tool}" dropped: ${reason}`);
		if (known.cutShort) log.write('warn', `the list is incomplete: ${known.cutShort}`);
		this.#error = undefined;
		this.#known = known;
		store.set(launch, known);
		onChange();
	}

	/** Keeps the earlier list, and shows why it is not newer. */
	fail(error: ServerError): void {
		this.#error = error;
		this.#parts.onChange();
	}

	/** A tool to call; `undefined`: the server has listed all of its tools in this window, and this one is not among them. */
	named(name: string): CalledTool | undefined {
		const { server, dropped = [], from, cutShort } = this.#known ?? {};
		const tool = server?.tools.find((one) => one.name === name);
		const isAllKnown = from === 'live' && cutShort === undefined;
		if (tool || (isAllKnown && !dropped.some((one) => one.name === name))) return tool;
		return { name, inputSchema: {} };
	}

	async #refresh(): Promise<void> {
		const { log, connection } = this.#parts;
		const currentConnection = connection();
		if (!currentConnection) return;
		try {
			await this.fetch(currentConnection, new AbortController().signal);
		} catch (error) {
			// Failed is not the same as empty: the earlier list stays.
			if (!(error instanceof ServerError)) throw error;
			if (connection() !== currentConnection) return;
			log.write('warn', error.message);
			this.fail(error);
		}
	}
}
