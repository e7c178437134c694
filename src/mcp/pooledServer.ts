import type { ServerLaunch } from '../config/launch.ts';
import { assertNever } from '../discovery/assertNever.ts';
import { abortable } from '../discovery/cancellation.ts';
import type { Disposable } from '../discovery/event.ts';
import type { ToolResult } from '../discovery/toolResult.ts';
import { restartDelayMs } from './backoff.ts';
import type { CallOptions, McpConnection } from './connection.ts';
import { fetchTools, type KnownTools } from './knownTools.ts';
import type { PoolContext } from './poolContext.ts';
import { redactorOf } from './redaction.ts';
import { RefreshQueue } from './refreshQueue.ts';
import { toToolResult } from './results.ts';
import { exitError, isWorthRetrying, ServerError } from './serverError.ts';
import { type LogLine, ServerLog } from './serverLog.ts';
import type { ServerState } from './serverState.ts';

export interface PooledServerEvents {
	/** The state or what is known of the tools has changed. */
	readonly onChange: () => void;
	readonly onLog: (entry: LogLine) => void;
}

/** A state together with what is held in it. */
type Phase =
	| { readonly kind: 'stopped'; readonly byUser: boolean }
	| { readonly kind: 'starting'; readonly attempt: AbortController; readonly done: Promise<McpConnection> }
	| { readonly kind: 'ready'; readonly connection: McpConnection; readonly since: number }
	| { readonly kind: 'failed'; readonly error: ServerError; readonly retry: Retry | undefined };

interface Retry extends Disposable {
	readonly at: number;
}

/** One server of the pool: its state, its connection while it has one, and what is known of its tools. */
export class PooledServer {
	readonly name: string;
	readonly launch: ServerLaunch;
	readonly #context: PoolContext;
	readonly #events: PooledServerEvents;
	readonly #log: ServerLog;
	readonly #refreshes: RefreshQueue;
	#phase: Phase = { kind: 'stopped', byUser: false };
	/** Starts in a row that did not lead to a healthy run. */
	#failures = 0;
	#known: KnownTools | undefined;
	#listError: ServerError | undefined;
	/** Resolves when nothing is left of the connection before. */
	#cleared: Promise<void>;

	/** @param cleared resolves when the way is free: no server of this name is left from before */
	constructor(
		name: string,
		launch: ServerLaunch,
		context: PoolContext,
		events: PooledServerEvents,
		cleared: Promise<void>,
	) {
		this.#cleared = cleared;
		this.name = name;
		this.launch = launch;
		this.#context = context;
		this.#events = events;
		const { limits, clock } = context;
		this.#log = new ServerLog({ limits, clock, redact: redactorOf(launch), onLine: events.onLog });
		this.#refreshes = new RefreshQueue(() => this.#relist(), context.clock, context.limits);
		this.#known = context.store.get(name, launch);
	}

	get state(): ServerState {
		const phase = this.#phase;
		switch (phase.kind) {
			case 'stopped':
			case 'starting':
				return { kind: phase.kind };
			case 'ready':
				return { kind: 'ready', since: phase.since };
			case 'failed':
				return {
					kind: 'failed',
					error: phase.error,
					...(phase.retry ? { nextAttemptAt: phase.retry.at } : {}),
				};
			default:
				return assertNever(phase);
		}
	}

	/** What is known of its tools; `undefined`: it has never been listed. */
	get known(): KnownTools | undefined {
		return this.#known;
	}

	/** Why the last listing failed, while what an earlier one brought is still shown. */
	get listError(): ServerError | undefined {
		return this.#listError;
	}

	get logLines(): readonly LogLine[] {
		return this.#log.lines;
	}

	/** Starts the server unless it runs; the user's own start gives it its restarts back. */
	start(): Promise<McpConnection> {
		this.#failures = 0;
		return this.#start();
	}

	/** Starts a server that was never started; one that the user has stopped stays so. */
	startUnlessStopped(): void {
		if (this.#phase.kind === 'stopped' && !this.#phase.byUser) void this.#start();
	}

	/** Ends the server; resolves when nothing of it is left. */
	async stop(): Promise<void> {
		const phase = this.#phase;
		this.#refreshes.dispose();
		switch (phase.kind) {
			case 'starting':
				phase.attempt.abort(new ServerError(this.name, 'stopped', `Server "${this.name}" was stopped.`));
				// The attempt may itself have waited for what was there before.
				this.#cleared = Promise.allSettled([this.#cleared, phase.done]).then(() => {});
				break;
			case 'ready':
				this.#cleared = phase.connection.close();
				break;
			case 'failed':
				phase.retry?.dispose();
				break;
			case 'stopped':
				break;
			default:
				assertNever(phase);
		}
		if (phase.kind !== 'stopped') this.#log.write('info', 'stopped');
		this.#enter({ kind: 'stopped', byUser: true });
		await this.#cleared;
	}

	/** Calls a tool, starting the server first if need be. A failed server is not started out of turn once it is given up. */
	async callTool(
		tool: string,
		args: Readonly<Record<string, unknown>>,
		options: CallOptions,
	): Promise<ToolResult> {
		options.signal?.throwIfAborted();
		const connection = await abortable(this.#usableConnection(), options.signal);
		return this.#logged(tool, connection.callTool(tool, args, options).then(toToolResult));
	}

	/** Writes how a call ended. What was asked and answered is the chat's, and stays out of the log. */
	async #logged(tool: string, call: Promise<ToolResult>): Promise<ToolResult> {
		const { clock } = this.#context;
		const started = clock.now();
		const write = (outcome: string) =>
			this.#log.write('info', `call of ${tool}: ${outcome} after ${clock.now() - started} ms`);
		try {
			const result = await call;
			write(result.isError ? 'the tool reports an error' : 'done');
			return result;
		} catch (error) {
			write(error instanceof ServerError ? `failed (${error.reason})` : 'given up');
			throw error;
		}
	}

	/** Fetches the list of a running server anew. */
	async refresh(): Promise<void> {
		if (this.#phase.kind === 'ready') await this.#refreshes.refresh();
	}

	/** The same for a list of before `time`; callers at the same time share one fetch. */
	async refreshIfOlderThan(time: number): Promise<void> {
		if (this.#phase.kind === 'ready' && (this.#known?.listedAt ?? 0) < time) await this.#refreshes.join();
	}

	async #usableConnection(): Promise<McpConnection> {
		const phase = this.#phase;
		if (phase.kind === 'failed' && !phase.retry) throw phase.error;
		return this.#start();
	}

	#start(): Promise<McpConnection> {
		const phase = this.#phase;
		if (phase.kind === 'starting') return phase.done;
		if (phase.kind === 'ready') return Promise.resolve(phase.connection);
		if (phase.kind === 'failed') phase.retry?.dispose();
		const attempt = new AbortController();
		const done = this.#attempt(attempt.signal);
		// Whoever does not wait for it sees the failure as the state.
		done.catch(() => {});
		this.#enter({ kind: 'starting', attempt, done });
		return done;
	}

	/** One attempt to get from nothing to a connection with a list of tools. */
	async #attempt(signal: AbortSignal): Promise<McpConnection> {
		let release = () => {};
		let connection: McpConnection | undefined;
		try {
			await abortable(this.#cleared, signal);
			release = await this.#context.slots.acquire(signal);
			this.#log.write('info', 'starting');
			connection = await this.#connect(signal);
			await this.#list(connection, signal);
			signal.throwIfAborted();
			const count = this.#known?.content.tools.length ?? 0;
			this.#log.write('info', `ready, ${count} ${count === 1 ? 'tool' : 'tools'}`);
			this.#enter({ kind: 'ready', connection, since: this.#context.clock.now() });
			return connection;
		} catch (error) {
			await connection?.close();
			if (signal.aborted) throw signal.reason;
			const failure = this.#asStartFailure(error);
			this.#fail(failure);
			throw failure;
		} finally {
			release();
		}
	}

	#connect(signal: AbortSignal): Promise<McpConnection> {
		const { connect, client, groups, limits } = this.#context;
		return connect(this.launch, {
			server: this.name,
			client,
			groups,
			limits,
			signal,
			onLost: (error) => this.#onLost(error),
			onToolsChanged: () => this.#refreshes.announce(),
			onLog: (level, line) => this.#log.write(level, line),
		});
	}

	/** To the pool a server starts until its tools are listed; what ends it before then is no crash. */
	#asStartFailure(error: unknown): ServerError {
		if (!(error instanceof ServerError)) {
			const message = `Server "${this.name}" cannot start: ${error instanceof Error ? error.message : error}`;
			return new ServerError(this.name, 'protocol', message, { cause: error });
		}
		if (error.reason !== 'crashed') return error;
		const { exitedAtOnceMs } = this.#context.limits;
		return exitError(this.name, error.exit, error.stderr, { phase: 'starting', exitedAtOnceMs });
	}

	#onLost(error: ServerError): void {
		const phase = this.#phase;
		if (phase.kind !== 'ready') return;
		this.#refreshes.dispose();
		this.#cleared = phase.connection.close();
		if (this.#context.clock.now() - phase.since >= this.#context.limits.healthyMs) this.#failures = 0;
		this.#fail(error);
	}

	#fail(error: ServerError): void {
		const { clock, limits, random } = this.#context;
		this.#failures += 1;
		const delay = isWorthRetrying(error) ? restartDelayMs(this.#failures, random(), limits) : undefined;
		const later = delay === undefined ? 'not restarted' : `restart in ${delay} ms`;
		this.#log.write('error', `${error.describe()} (${later})`);
		if (delay === undefined) {
			this.#enter({ kind: 'failed', error, retry: undefined });
			return;
		}
		const timer = clock.after(delay, () => void this.#start());
		this.#enter({
			kind: 'failed',
			error,
			retry: { at: clock.now() + delay, dispose: () => timer.dispose() },
		});
	}

	async #relist(): Promise<void> {
		const phase = this.#phase;
		if (phase.kind !== 'ready') return;
		try {
			await this.#list(phase.connection, new AbortController().signal);
		} catch (error) {
			// A list that fails is not an empty list: what was known stays.
			if (!(error instanceof ServerError)) throw error;
			if (this.#phase !== phase) return;
			this.#listError = error;
			this.#log.write('warn', error.message);
			this.#events.onChange();
		}
	}

	async #list(connection: McpConnection, signal: AbortSignal): Promise<void> {
		const { clock, limits, store } = this.#context;
		const known = await fetchTools(this.name, connection, { signal, limits, before: this.#known, clock });
		for (const { name, reason } of known.dropped)
			this.#log.write('warn', `tool "${name}" dropped: ${reason}`);
		if (known.cutShort) this.#log.write('warn', `not all tools are known: ${known.cutShort}`);
		this.#listError = undefined;
		this.#known = known;
		store.set(this.launch, known);
		this.#events.onChange();
	}

	#enter(phase: Phase): void {
		this.#phase = phase;
		this.#events.onChange();
	}
}
