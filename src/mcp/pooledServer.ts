import { abortable } from '../common/cancellation.ts';
import type { Disposable } from '../common/event.ts';
import { englishToolCount, sentence } from '../common/text.ts';
import type { ServerLaunch } from '../config/servers/launch.ts';
import type { ToolResult } from '../discovery/catalog/tool.ts';
import type { McpConnection } from './connection/connection.ts';
import type { CallOptions } from './connection/connectOptions.ts';
import type { Offers } from './connection/offerTypes.ts';
import { ListedTools } from './listing/listedTools.ts';
import type { PoolContext, PooledServerEvents } from './poolContext.ts';
import { ServerConnector } from './serverConnector.ts';
import {
	barredStartError,
	disabledError,
	ServerError,
	type StartBarrier,
	signedOutDuringCallError,
	signedOutError,
	startError,
	stoppedError,
	toolChangedError,
	toolGoneError,
	wantsSignIn,
} from './serverError.ts';
import { ServerLog } from './serverLog.ts';
import { type ServerPhase, type ServerState, StartAttempt, stateOf } from './serverState.ts';
import type { SignInChange } from './signIn/signIn.ts';
import { restartDelay } from './starts.ts';

/** How many times one call waits for the user to sign in. */
const maxSignInsPerCall = 3;

/** Not running, and a call starts it. */
const stoppedPhase = { kind: 'stopped' } as const;

type Work<T> = (connection: McpConnection, signal: AbortSignal) => Promise<T>;

/** One server of the pool: its state, its connection if it has one, and what is known of its tools. */
export class PooledServer {
	readonly name: string;
	readonly launch: ServerLaunch;
	readonly log: ServerLog;
	readonly list: ListedTools;
	readonly #context: PoolContext;
	readonly #events: PooledServerEvents;
	readonly connector: ServerConnector;
	#phase: ServerPhase;
	/** The user or a call has started it; otherwise it runs only to list its tools. */
	#isInUse = false;
	/** When an old list was last fetched again in the background, whether or not that worked. */
	#relistedAt = Number.NEGATIVE_INFINITY;
	/** Starts in a row that did not lead to a healthy run. */
	#failures = 0;
	/** The restart that follows a failure. */
	#retry: Disposable | undefined;
	/** What is being done with the connection. */
	readonly #uses = new Set<Promise<unknown>>();
	#wantsRights: ServerError | undefined;
	/** Resolves when nothing is left of the previous connection. */
	#previousClosed: Promise<void>;

	/** @param previousClosed resolves when nothing is left of an earlier server with this name */
	constructor(
		name: string,
		launch: ServerLaunch,
		barred: StartBarrier | undefined,
		context: PoolContext,
		events: PooledServerEvents,
		previousClosed: Promise<void>,
	) {
		this.name = name;
		this.launch = launch;
		this.#context = context;
		this.#events = events;
		this.#previousClosed = previousClosed;
		const { limits, clock, store } = context;
		const redact = (text: string) => this.connector.redactor.hide(text);
		this.log = new ServerLog({ limits, clock, redact, onLine: events.onLog });
		// A barred server does not offer what it listed earlier.
		const known = barred === undefined ? store.get(name, launch) : undefined;
		const shared = { ...context, name, launch, log: this.log };
		this.list = new ListedTools({
			...shared,
			known,
			connection: () => this.#readyConnection,
			onChange: events.onChange,
		});
		this.connector = new ServerConnector({
			...shared,
			isKnown: known !== undefined,
			onSignIn: (kind) => this.#onSignIn(kind),
			onLost: (attempt, error) => this.#onLost(attempt, error),
			onToolsChanged: () => this.list.refreshes.announce(),
		});
		this.#phase = barred ?? stoppedPhase;
	}

	/** Why it cannot start; `undefined`: it can. */
	get barred(): StartBarrier | undefined {
		const phase = this.#phase;
		const { kind } = phase;
		return kind === 'unapproved' || kind === 'disabled' || kind === 'forbidden' ? phase : undefined;
	}

	get state(): ServerState {
		return stateOf(this.#phase, (line) => this.connector.redactor.hide(line));
	}

	/** Why the user should sign in again, for more permissions; everything else keeps working. */
	get wantsRights(): ServerError | undefined {
		return this.#wantsRights;
	}

	/** What it has besides tools, while it runs. */
	get offers(): Offers | undefined {
		return this.#readyConnection?.offers;
	}

	get #readyConnection(): McpConnection | undefined {
		return this.#phase.kind === 'ready' ? this.#phase.connection : undefined;
	}

	/** Starts the server unless it runs. A start by the user resets the restart budget. */
	start(): Promise<McpConnection> {
		this.#failures = 0;
		this.#isInUse = true;
		return this.#start();
	}

	/** Stops the server; resolves when nothing of it is left. */
	async stop(): Promise<void> {
		const phase = this.#phase;
		this.#isInUse = false;
		this.list.refreshes.dispose();
		this.connector.dispose();
		if (this.barred) return this.#previousClosed;
		if (phase.kind === 'starting') {
			phase.attempt.abort(stoppedError(this.name));
			// The attempt may itself have been waiting for the previous connection.
			this.#previousClosed = Promise.allSettled([this.#previousClosed, phase.done]).then(() => {});
		}
		if (phase.kind === 'ready') this.#close(phase.connection);
		this.#retry?.dispose();
		if (phase.kind !== 'stopped') this.log.write('info', 'stopped');
		this.#enter({ kind: 'stopped', byUser: true });
		await this.#previousClosed;
	}

	/** Calls a tool, after starting the server if necessary. */
	callTool(tool: string, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<ToolResult> {
		const { clock, isDisabled, isQuarantined } = this.#context;
		const call = async (connection: McpConnection) => {
			// Not earlier: a server that was started for the call has only now listed its tools.
			if (isDisabled(this.name, tool)) throw disabledError(this.name, tool);
			if (isQuarantined(this.name, tool)) throw toolChangedError(this.name, tool);
			const listed = this.list.named(tool);
			if (!listed) throw toolGoneError(this.name, tool);
			const started = clock.now();
			let outcome = 'cancelled';
			try {
				const result = await connection.callTool(listed, args, options);
				outcome = result.isError ? 'the tool reported an error' : 'done';
				return result;
			} catch (error) {
				if (error instanceof ServerError) outcome = `failed (${error.reason})`;
				throw error;
			} finally {
				// Never arguments or results: they belong to the chat.
				this.log.write('info', sentence`call of ${tool}: ${outcome} after ${clock.now() - started} ms`);
			}
		};
		return this.use(call, options);
	}

	/**
	 * Does something with the server, after starting it if necessary. Does it once more if the server has forgotten the session and refused it
	 * for that reason. With `onSignIn`, waits for the user to sign in where that is needed, and then does it again. What the server refused for
	 * either reason, it has not begun.
	 */
	async use<T>(work: Work<T>, { signal = new AbortController().signal, onSignIn }: CallOptions): Promise<T> {
		let [waited, isRepeated] = [0, false];
		for (;;) {
			try {
				return await this.#useOnce(work, signal);
			} catch (error) {
				if (error instanceof ServerError && error.details.isNotRun && !isRepeated) {
					isRepeated = true;
					continue;
				}
				if (!wantsSignIn(error)) throw error;
				this.#needSignIn(error);
				if (!onSignIn || waited === maxSignInsPerCall) throw error;
				waited += 1;
				await this.connector.untilSignedIn(error, onSignIn, signal);
			}
		}
	}

	async #useOnce<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
		signal.throwIfAborted();
		this.#isInUse = true;
		if (this.#phase.kind === 'failed' && this.#phase.nextAttemptAt === undefined) throw this.#phase.error;
		const connection = this.#readyConnection ?? (await abortable(this.#start(), signal));
		const doing = work(connection, signal);
		this.#uses.add(doing);
		try {
			return await doing;
		} catch (error) {
			const isSignedOut = this.#phase.kind === 'signed-out' && error instanceof ServerError;
			throw isSignedOut && error.reason === 'stopped' ? signedOutDuringCallError(this.name) : error;
		} finally {
			this.#uses.delete(doing);
		}
	}

	/** A call needs the user to sign in. If only rights are missing, other calls still work. */
	#needSignIn(error: ServerError): void {
		const phase = this.#phase;
		if (phase.kind !== 'ready') return;
		if (error.reason === 'more-rights') {
			this.#wantsRights = error;
			this.#events.onChange();
			return;
		}
		this.list.refreshes.dispose();
		// Other calls may still be answered.
		void Promise.allSettled(this.#uses).then(() => phase.connection.close().catch(() => {}));
		this.#enter({ kind: 'signed-out', error });
	}

	#onSignIn(kind: SignInChange['kind']): void {
		if (kind === 'failed') return;
		const phase = this.#phase;
		this.#wantsRights = undefined;
		this.log.write('info', kind === 'signed-in' ? 'signed in' : 'signed out');
		if (kind === 'signed-in') {
			if (phase.kind === 'signed-out') this.#start().catch(() => {});
			else this.#events.onChange();
		} else if (phase.kind === 'ready') {
			this.#close(phase.connection);
			this.#enter({ kind: 'signed-out', error: signedOutError(this.name) });
		}
	}

	/** Fetches the list again. A server that does not run is started for it, unless the user has stopped it or it fails. */
	async refresh(): Promise<void> {
		if (this.#phase.kind === 'ready') await this.list.refreshes.refresh();
		else await this.startUnlessStopped();
	}

	/** Starts a server that does not run, unless the user has stopped it. A failure shows in the state, and an earlier list stays. */
	async startUnlessStopped(): Promise<void> {
		if (this.#phase.kind === 'stopped' && !this.#phase.byUser) await this.#start().catch(() => {});
	}

	/** Fetches the list of a running server if it is older than `maxAgeMs`, or than the server's own time to live. Callers share one fetch. */
	async refreshIfOlderThan(maxAgeMs: number): Promise<void> {
		if (this.#phase.kind === 'ready' && this.list.isOlderThan(maxAgeMs)) await this.list.refreshes.join();
	}

	/**
	 * The pool calls this regularly: stops a server that ran only to list its tools, and starts one that does not run once its list is old.
	 * A server that was called may hold what the chat needs next, and keeps running.
	 */
	maintain(keepsLists: boolean): void {
		const { clock, limits } = this.#context;
		const now = clock.now();
		const phase = this.#phase;
		if (phase.kind === 'ready' && this.#runsForListOnly && now - phase.since >= limits.idleAfterListingMs) {
			this.log.write('info', 'stopped: it has listed its tools, and none was called; a call starts it again');
			this.#close(phase.connection);
			this.#enter(stoppedPhase);
		}
		if (phase.kind !== 'stopped' || phase.byUser || keepsLists || limits.staleListMs <= 0) return;
		const { listedAt = Number.POSITIVE_INFINITY } = this.list.known ?? {};
		if (now - listedAt < limits.staleListMs || now - this.#relistedAt < limits.staleListRetryMs) return;
		this.#relistedAt = now;
		this.log.write('info', 'its tool list is stale');
		void this.startUnlessStopped();
	}

	/** Whether its tools are known and nobody needs it to run. */
	get #runsForListOnly(): boolean {
		const { known } = this.list;
		return known !== undefined && !this.#isInUse && !this.#events.isNeeded(known.server.tools);
	}

	/** Why the server may not run now. */
	get #startRefusal(): ServerError | undefined {
		const barred = this.#events.barred();
		return barred === 'gone' ? stoppedError(this.name) : barred && barredStartError(this.name, barred);
	}

	/** Throws if the attempt was aborted, or the server may not run any more. */
	#checkAllowed(signal: AbortSignal): void {
		signal.throwIfAborted();
		const refusal = this.#startRefusal;
		if (refusal) throw refusal;
	}

	#start(): Promise<McpConnection> {
		const phase = this.#phase;
		const refusal = this.#startRefusal ?? (this.barred && barredStartError(this.name, this.barred));
		if (refusal) return Promise.reject(refusal);
		if (phase.kind === 'starting') return phase.done;
		if (phase.kind === 'ready') return Promise.resolve(phase.connection);
		this.#retry?.dispose();
		const attempt = new StartAttempt();
		if (this.launch.kind === 'stdio' && !this.connector.hasAnswered) attempt.firstOf = this.launch;
		const done = this.#attempt(attempt);
		// Those who do not wait see a failure in the state.
		done.catch(() => {});
		this.#enter({ kind: 'starting', attempt, done });
		return done;
	}

	/** One attempt to get from nothing to a connection with a list of tools. */
	async #attempt(attempt: StartAttempt): Promise<McpConnection> {
		const { signal } = attempt;
		const { clock, slots } = this.#context;
		let release = () => {};
		let connection: McpConnection | undefined;
		try {
			await abortable(this.#previousClosed, signal);
			release = await slots.acquire(signal);
			this.#checkAllowed(signal);
			attempt.since = clock.now();
			this.log.write('info', 'starting');
			connection = await this.connector.open(attempt);
			this.#checkAllowed(signal);
			await this.list.fetch(connection, signal);
			this.#checkAllowed(signal);
			if (attempt.lostBy) throw attempt.lostBy;
			this.log.write('info', `ready, ${englishToolCount(this.list.known?.server.tools.length ?? 0)}`);
			this.#enter({ kind: 'ready', connection, attempt, since: clock.now() });
			return connection;
		} catch (error) {
			await connection?.close().catch(() => {});
			if (signal.aborted) throw signal.reason;
			const barred = this.#events.barred();
			if (barred) {
				this.#enter(barred === 'gone' ? stoppedPhase : barred);
				throw this.#startRefusal ?? stoppedError(this.name);
			}
			const failure = startError(this.name, error, this.connector.redactor);
			if (wantsSignIn(failure)) this.#enter({ kind: 'signed-out', error: failure });
			else this.#fail(failure);
			throw failure;
		} finally {
			release();
		}
	}

	#onLost(attempt: StartAttempt, error: ServerError): void {
		attempt.lostBy = error;
		const phase = this.#phase;
		// While a connection is being opened, the attempt reports the loss. A connection that was replaced does not matter.
		if (phase.kind !== 'ready' || phase.attempt !== attempt) return;
		this.#close(phase.connection);
		if (error.reason === 'session-lost') {
			// The server runs, and only wants a new session. That is no failure, however often it happens.
			this.log.write('warn', error.message);
			this.#enter(stoppedPhase);
			this.#start().catch(() => {});
			return;
		}
		if (this.#context.clock.now() - phase.since >= this.#context.limits.healthyMs) this.#failures = 0;
		this.#fail(error);
	}

	#fail(error: ServerError): void {
		const { clock, limits } = this.#context;
		// It was started only for a newer list, and stays usable.
		if (this.#runsForListOnly) {
			this.log.write('warn', `${error.describe()} (its tools are known; a call starts it)`);
			this.list.fail(error);
			this.#enter(stoppedPhase);
			return;
		}
		this.#failures += 1;
		const wait = restartDelay(error, this.#failures, limits);
		const next = wait === undefined ? 'not restarted' : `restart in ${wait} ms`;
		this.log.write('error', `${error.describe()} (${next})`);
		if (wait !== undefined) this.#retry = clock.after(wait, () => this.#start().catch(() => {}));
		this.#enter({ kind: 'failed', error, ...(wait !== undefined && { nextAttemptAt: clock.now() + wait }) });
	}

	#close(connection: McpConnection): void {
		this.list.refreshes.dispose();
		// A connection that cannot be closed properly must not prevent later starts.
		this.#previousClosed = connection.close().catch(() => {});
	}

	#enter(phase: ServerPhase): void {
		if (phase.kind === 'signed-out') this.log.write('warn', phase.error.message);
		this.#phase = phase;
		this.#events.onChange();
	}
}
