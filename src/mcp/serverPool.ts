import { isDeepStrictEqual } from 'node:util';
import { abortable } from '../common/cancellation.ts';
import { systemClock } from '../common/clock.ts';
import { type Disposable, DisposableStore, Emitter } from '../common/event.ts';
import { sentence } from '../common/text.ts';
import { type ServerLaunch, storedSecrets } from '../config/servers/launch.ts';
import type { CatalogServer } from '../discovery/catalog/catalog.ts';
import type { Tool, ToolResult } from '../discovery/catalog/tool.ts';
import type { Connect } from './connection/connection.ts';
import type { CallOptions } from './connection/connectOptions.ts';
import type { ServerFeatures } from './connection/offers.ts';
import { defaultLimits, type McpLimits } from './limits.ts';
import type { ServerListing } from './listing/listedTools.ts';
import type { PoolContext, PooledServerEvents, ServerPoolOptions } from './poolContext.ts';
import { PooledServer } from './pooledServer.ts';
import { oneAtATime } from './questionQueue.ts';
import { type Ban, ServerError, type StartBarrier } from './serverError.ts';
import type { LogLine } from './serverLog.ts';
import { type ServerStatus, statusOf } from './serverStatus.ts';
import { StartSlots } from './starts.ts';
import { ProcessReaper } from './stdio/processReaper.ts';

/** Loads the SDK with the first connection, because that takes a while. */
const connectWithSdk: Connect = async (launch, options) => {
	const { connect } = await import('./connection/connect.ts');
	return connect(launch, options);
};

export interface ServerLogEvent extends LogLine {
	readonly server: string;
}

/** All servers of the configuration: starts and stops them, calls their tools, and knows what they offer. */
export class ServerPool {
	readonly #context: PoolContext;
	readonly #reaper: ProcessReaper;
	readonly #changed = new Emitter<void>();
	/** A server's state, or what is known of its tools, has changed. */
	readonly onDidChange = this.#changed.event;
	readonly #logged = new Emitter<ServerLogEvent>();
	readonly onDidLog = this.#logged.event;
	#toolCacheTtlSeconds: number;
	#servers = new Map<string, PooledServer>();
	/** Every secret that launches have read from secret storage. */
	readonly #storedSecrets = new Set<string>();
	/** Whether a server with these tools must run even if nobody calls it. */
	#mustRun: (tools: readonly Tool[]) => boolean = () => true;
	/** From the last configuration. Asked at each start, as an approval may be revoked before the pool is told. */
	#barred: (name: string, launch: ServerLaunch) => StartBarrier | undefined = () => undefined;
	/** Stops in progress by name, also of removed servers: a server that is added again waits for its predecessor. */
	readonly #stopping = new Map<string, Promise<void>>();
	#disposed = false;
	#maintenanceTimer: Disposable | undefined;

	constructor(options: ServerPoolOptions) {
		const { limits = defaultLimits, clock = systemClock, ask } = options;
		this.#reaper = new ProcessReaper(options.reaperScript);
		this.#toolCacheTtlSeconds = options.toolCacheTtlSeconds;
		this.#context = {
			connect: connectWithSdk,
			isQuarantined: () => false,
			isDisabled: () => false,
			...options,
			limits,
			clock,
			groups: this.#reaper,
			slots: new StartSlots(clock, limits),
			ask: ask && oneAtATime(ask),
		};
	}

	get limits(): McpLimits {
		return this.#context.limits;
	}

	/** Every server that was ever listed, in the order of the configuration. Unchanged servers are the same objects. */
	catalogServers(): readonly CatalogServer[] {
		return this.listings().map(({ server }) => server);
	}

	/** {@link catalogServers}, each with the launch that listed it. */
	listings(): readonly ServerListing[] {
		return [...this.#servers.values()].flatMap(({ launch, list: { known } }) =>
			known ? [{ launch, server: known.server }] : [],
		);
	}

	/** Every server, in the order of the configuration. */
	servers(): readonly ServerStatus[] {
		return [...this.#servers.values()].map(statusOf);
	}

	/** One server; absent if the configuration has none of this name. */
	server(name: string): ServerStatus | undefined {
		const server = this.#servers.get(name);
		return server && statusOf(server);
	}

	/** The latest lines of a server's log, oldest first. */
	log(name: string): readonly LogLine[] {
		return this.#servers.get(name)?.log.lines ?? [];
	}

	/**
	 * Applies the configuration: restarts changed servers, stops removed ones, leaves the rest alone. No server starts unless `isApproved`
	 * allows it, which is asked before every start. A server with known tools starts only if `eager` says that they must be available; a
	 * server that was started only to be listed is stopped after a while.
	 */
	setLaunches(
		launches: ReadonlyMap<string, ServerLaunch>,
		options: {
			readonly isApproved?: (name: string, launch: ServerLaunch) => boolean;
			readonly isDisabled?: (name: string) => boolean;
			readonly ban?: (name: string, launch: ServerLaunch) => Ban | undefined;
			readonly eager?: (tools: readonly Tool[]) => boolean;
			readonly toolCacheTtlSeconds?: number;
		} = {},
	): void {
		if (this.#disposed) return;
		const { clock, limits } = this.#context;
		this.#maintenanceTimer ??= clock.after(limits.maintenanceMs, () => this.#maintain());
		this.#mustRun = options.eager ?? (() => true);
		this.#toolCacheTtlSeconds = options.toolCacheTtlSeconds ?? this.#toolCacheTtlSeconds;
		const { isApproved = () => true, isDisabled = () => false } = options;
		this.#barred = (name, launch) => {
			const ban = options.ban?.(name, launch);
			if (ban) return { kind: 'forbidden', ban };
			if (isDisabled(name)) return { kind: 'disabled' };
			return isApproved(name, launch) ? undefined : { kind: 'unapproved' };
		};
		const barred = new Map([...launches].map(([name, launch]) => [name, this.#barred(name, launch)]));
		const previous = this.#servers;
		const unchanged = ([name, launch]: readonly [string, ServerLaunch]) => {
			const server = previous.get(name);
			return isDeepStrictEqual([server?.barred, server?.launch], [barred.get(name), launch]);
		};
		const kept = new Set([...launches].filter(unchanged).map(([name]) => name));
		for (const [name, server] of previous) if (!kept.has(name)) void this.#stop(server);
		this.#servers = new Map(
			[...launches].map(([name, launch]) => {
				const server = kept.has(name) ? previous.get(name) : undefined;
				return [name, server ?? this.#create(name, launch, barred.get(name))];
			}),
		);
		for (const secret of storedSecrets(launches.values())) this.#storedSecrets.add(secret);
		for (const server of this.#servers.values()) {
			server.connector.redactor.add(this.#storedSecrets);
			const { known } = server.list;
			if (!known || this.#mustRun(known.server.tools)) void server.startUnlessStopped();
		}
		this.#changed.fire();
	}

	/** Starts a server; resolves when its tools are listed. Rejects with a {@link ServerError}. */
	async start(name: string): Promise<void> {
		await this.#get(name).start();
	}

	/** Stops a server; resolves when nothing of it is left. Its tools stay known, and a call starts it again. */
	async stop(name: string): Promise<void> {
		await this.#stop(this.#get(name));
	}

	async restart(name: string): Promise<void> {
		const server = this.#get(name);
		// The state is "starting" at once, so that a stop in between still works.
		void server.stop();
		await server.start();
	}

	/**
	 * Calls a tool, starting its server first if necessary. Rejects with a {@link ServerError} if there is no answer, and with the reason of
	 * `signal` as soon as that aborts. A call is never repeated: nobody knows what a server did before it crashed.
	 */
	async callTool(
		server: string,
		tool: string,
		args: Readonly<Record<string, unknown>>,
		options: CallOptions = {},
	): Promise<ToolResult> {
		return this.#get(server).callTool(tool, args, options);
	}

	/** Uses what a server has besides tools, starting it first if necessary. Rejects like {@link callTool}. */
	async withClient<T>(
		server: string,
		work: (client: ServerFeatures, options: CallOptions & { readonly signal: AbortSignal }) => Promise<T>,
		options: CallOptions = {},
	): Promise<T> {
		return this.#get(server).use(({ features }, signal) => work(features, { ...options, signal }), options);
	}

	/** Whether results of a server have contained or linked to resources. */
	hasLinks(server: string): boolean {
		return (this.#servers.get(server)?.connector.linkedUris.size ?? 0) > 0;
	}

	/** Fetches all lists again. Servers that do not run are started for it, unless the user has stopped them or they fail. */
	async refresh(): Promise<void> {
		await Promise.all([...this.#servers.values()].map((server) => server.refresh()));
	}

	/** Fetches the lists of running servers that are older than the time to live. Callers share one fetch per server. */
	async refreshIfStale(): Promise<void> {
		if (this.#toolCacheTtlSeconds <= 0) return;
		const maxAgeMs = this.#toolCacheTtlSeconds * 1000;
		await Promise.all([...this.#servers.values()].map((server) => server.refreshIfOlderThan(maxAgeMs)));
	}

	/** Resolves when none of these servers is starting any more, or after `timeoutMs`; {@link servers} tells the outcome. */
	async whenReady(
		names: readonly string[],
		options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
	): Promise<void> {
		options.signal?.throwIfAborted();
		const settled = () => names.every((name) => this.#servers.get(name)?.state.kind !== 'starting');
		if (settled()) return;
		const waits = new DisposableStore();
		const ready = new Promise<void>((resolve) => {
			waits.add(this.#context.clock.after(options.timeoutMs, resolve));
			waits.add(
				this.onDidChange(() => {
					if (settled()) resolve();
				}),
			);
		});
		await abortable(ready, options.signal).finally(() => waits.dispose());
	}

	/** Stops all servers at once; resolves when no process is left and their lists are on disk. */
	async dispose(): Promise<void> {
		this.#disposed = true;
		this.#maintenanceTimer?.dispose();
		for (const server of this.#servers.values()) void this.#stop(server);
		// A cache that cannot be written only slows down the next start.
		await Promise.all([...this.#stopping.values(), this.#context.store.flush().catch(() => {})]);
		this.#reaper.dispose();
		this.#changed.dispose();
		this.#logged.dispose();
	}

	#maintain(): void {
		const { clock, limits } = this.#context;
		for (const server of this.#servers.values()) server.maintain(this.#toolCacheTtlSeconds <= 0);
		this.#maintenanceTimer = clock.after(limits.maintenanceMs, () => this.#maintain());
	}

	#get(name: string): PooledServer {
		const server = this.#servers.get(name);
		if (server && !this.#disposed) return server;
		// Do not list the others: the chat's toolset may exclude them.
		throw new ServerError(
			name,
			'unknown-server',
			sentence`There is no server "${name}" in the configuration.`,
		);
	}

	#create(name: string, launch: ServerLaunch, barred: PooledServer['barred']): PooledServer {
		const events: PooledServerEvents = {
			onChange: () => {
				if (this.#servers.get(name) === server) this.#changed.fire();
			},
			barred: () =>
				this.#disposed || this.#servers.get(name) !== server ? 'gone' : this.#barred(name, launch),
			isNeeded: (tools) => this.#mustRun(tools),
			onLog: (entry) => this.#logged.fire({ server: name, ...entry }),
		};
		const previousClosed = this.#stopping.get(name) ?? Promise.resolve();
		const server = new PooledServer(name, launch, barred, this.#context, events, previousClosed);
		return server;
	}

	#stop(server: PooledServer): Promise<void> {
		const { name } = server;
		const ending = Promise.all([this.#stopping.get(name), server.stop()]).then(() => {
			if (this.#stopping.get(name) === ending) this.#stopping.delete(name);
		});
		this.#stopping.set(name, ending);
		return ending;
	}
}
