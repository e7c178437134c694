import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../common/clock.ts';
import { cut, sentence } from '../../common/text.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { CatalogServer } from '../../discovery/catalog/catalog.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { McpConnection } from '../connection/connection.ts';
import type { KnownEra } from '../connection/connectOptions.ts';
import type { McpLimits } from '../limits.ts';
import type { PoolContext } from '../poolContext.ts';
import { ServerError } from '../serverError.ts';
import type { ServerLog } from '../serverLog.ts';
import { RefreshQueue } from './refreshQueue.ts';
import { type FetchedTools, listAllTools, type ToolListing } from './toolListing.ts';

/** Longest text that is kept of what a server says of itself, in characters; prompts and views take far less. */
const longestIntroduction = 65_536;

/** Asks a server for what it offers. What equals that known `before` is returned as that object, so that a fetch alone is no change. */
export async function fetchTools(
	name: string,
	connection: McpConnection,
	options: {
		readonly signal: AbortSignal;
		readonly limits: McpLimits;
		readonly clock: Clock;
		readonly before: FetchedTools | undefined;
		readonly era: KnownEra | undefined;
	},
): Promise<FetchedTools> {
	const page = (cursor: string | undefined) => connection.listToolsPage(cursor, options.signal);
	const { tools, dropped, cutShort, ttlMs }: ToolListing = connection.hasTools
		? await listAllTools(name, page, options.limits)
		: { tools: [], dropped: [], cutShort: undefined };
	const listed = catalogServer(name, connection, tools);
	const before = options.before?.server;
	return {
		from: 'live',
		server: before && isDeepStrictEqual(before, listed) ? before : listed,
		dropped,
		cutShort,
		listedAt: options.clock.now(),
		...(ttlMs === undefined ? {} : { ttlMs }),
		...(options.era ? { era: options.era } : {}),
	};
}

function catalogServer(
	name: string,
	{ serverInfo, instructions }: McpConnection,
	tools: readonly Tool[],
): CatalogServer {
	const { title, description } = serverInfo ?? {};
	return {
		name,
		...(title ? { title: cut(title, longestIntroduction) } : {}),
		...(description ? { description: cut(description, longestIntroduction) } : {}),
		...(instructions ? { instructions: cut(instructions, longestIntroduction) } : {}),
		tools,
	};
}

/** What a server lists, and the launch that it came from. */
export interface ServerListing {
	readonly launch: ServerLaunch;
	readonly server: CatalogServer;
}

export interface ListedToolsOptions {
	/** From an earlier time. */
	readonly known: FetchedTools | undefined;
	readonly log: ServerLog;
	/** The connection of the moment, while the server is ready. */
	readonly connection: () => McpConnection | undefined;
	/** Which protocol the server speaks, once that is known. */
	readonly era: () => KnownEra | undefined;
	/** What is known, or why it is not newer, has changed. */
	readonly onChange: () => void;
}

/** What is known of one server's tools: fetched, fetched anew, and kept on disk. */
export class ListedTools {
	/** Fetches of a running server's list. */
	readonly refreshes: RefreshQueue;
	readonly #server: string;
	readonly #launch: ServerLaunch;
	readonly #context: PoolContext;
	readonly #options: ListedToolsOptions;
	#known: FetchedTools | undefined;
	#error: ServerError | undefined;

	constructor(server: string, launch: ServerLaunch, context: PoolContext, options: ListedToolsOptions) {
		this.#server = server;
		this.#launch = launch;
		this.#context = context;
		this.#options = options;
		this.#known = options.known;
		this.refreshes = new RefreshQueue(() => this.#refresh(), context.clock, context.limits);
	}

	/** `undefined`: the server has never been listed. */
	get known(): FetchedTools | undefined {
		return this.#known;
	}

	/** Why the last fetch failed, while what an earlier one brought is still shown. */
	get error(): ServerError | undefined {
		return this.#error;
	}

	/** Asks a server for its list; rejects where that fails, and what was known stays. */
	async fetch(connection: McpConnection, signal: AbortSignal): Promise<void> {
		const { clock, limits, store } = this.#context;
		const { log, onChange } = this.#options;
		const known = await fetchTools(this.#server, connection, {
			signal,
			limits,
			before: this.#known,
			clock,
			era: this.#options.era(),
		});
		for (const { name, reason } of known.dropped)
			log.write('warn', sentence`tool "${name}" dropped: ${reason}`);
		if (known.cutShort) log.write('warn', `not all tools are known: ${known.cutShort}`);
		this.#error = undefined;
		this.#known = known;
		store.set(this.#launch, known);
		onChange();
	}

	/** What was known stays, and is shown with why it is not newer. */
	fail(error: ServerError): void {
		this.#error = error;
		this.#options.onChange();
	}

	/** Whether the server, asked since we started, has told all of its tools and not this one. */
	lacks(tool: string): boolean {
		const known = this.#known;
		if (known?.from !== 'live' || known.cutShort !== undefined) return false;
		return ![...known.server.tools, ...known.dropped].some(({ name }) => name === tool);
	}

	async #refresh(): Promise<void> {
		const { log, connection } = this.#options;
		const asked = connection();
		if (!asked) return;
		try {
			await this.fetch(asked, new AbortController().signal);
		} catch (error) {
			// A list that fails is not an empty list: what was known stays.
			if (!(error instanceof ServerError)) throw error;
			if (connection() !== asked) return;
			log.write('warn', error.message);
			this.fail(error);
		}
	}
}
