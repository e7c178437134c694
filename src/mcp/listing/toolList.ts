import type { ServerLaunch } from '../../config/launch.ts';
import { sentence } from '../../discovery/text.ts';
import type { McpConnection } from '../connection/connection.ts';
import type { PoolContext } from '../poolContext.ts';
import { ServerError } from '../serverError.ts';
import type { ServerLog } from '../serverLog.ts';
import { fetchTools, type KnownTools } from './knownTools.ts';
import { RefreshQueue } from './refreshQueue.ts';

export interface ToolListOptions {
	/** From an earlier time. */
	readonly known: KnownTools | undefined;
	readonly log: ServerLog;
	/** The connection of the moment, while the server is ready. */
	readonly connection: () => McpConnection | undefined;
	/** What is known, or why it is not newer, has changed. */
	readonly onChange: () => void;
}

/** What is known of one server's tools: fetched, fetched anew, and kept on disk. */
export class ToolList {
	/** Fetches of a running server's list. */
	readonly refreshes: RefreshQueue;
	readonly #server: string;
	readonly #launch: ServerLaunch;
	readonly #context: PoolContext;
	readonly #options: ToolListOptions;
	#known: KnownTools | undefined;
	#error: ServerError | undefined;

	constructor(server: string, launch: ServerLaunch, context: PoolContext, options: ToolListOptions) {
		this.#server = server;
		this.#launch = launch;
		this.#context = context;
		this.#options = options;
		this.#known = options.known;
		this.refreshes = new RefreshQueue(() => this.#refresh(), context.clock, context.limits);
	}

	/** `undefined`: the server has never been listed. */
	get known(): KnownTools | undefined {
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
		const known = await fetchTools(this.#server, connection, { signal, limits, before: this.#known, clock });
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
		return ![...known.content.tools, ...known.dropped].some(({ name }) => name === tool);
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
