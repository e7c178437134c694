import { assertNever } from '../common/assertNever.ts';
import { abortable } from '../common/cancellation.ts';
import { isRecord } from '../common/json.ts';
import { Redactor } from '../common/secrets/redactor.ts';
import { sentence, toolCount, visible } from '../common/text.ts';
import type { ServerLaunch } from '../config/servers/launch.ts';
import { launchSecrets } from '../config/servers/launch.ts';
import type { Tool } from '../discovery/catalog/tool.ts';
import type { McpConnection } from './connection/connection.ts';
import type { CallOptions, KnownEra } from './connection/connectOptions.ts';
import type { Offers } from './connection/offerTypes.ts';
import { ListedTools } from './listing/listedTools.ts';
import type { FetchedTools } from './listing/toolListing.ts';
import type { PoolContext } from './poolContext.ts';
import type { Barred } from './serverError.ts';
import {
	barredError,
	changedToolError,
	disabledError,
	goneToolError,
	ServerError,
	signedOutError,
	startError,
	stoppedError,
} from './serverError.ts';
import { type LogLine, ServerLog } from './serverLog.ts';
import type { ServerState } from './serverState.ts';
import { type ServerPhase, StartAttempt, stateOf } from './serverState.ts';
import { ServerSignIn, wantsSignIn } from './signIn/serverSignIn.ts';
import type { SignInChange } from './signIn/signIn.ts';
import { afterFailure, listDueAt } from './starts.ts';

/** How often one call waits for the user. */
const mostSignInsOfCall = 3;

export interface PooledServerEvents {
	/** The state or what is known of the tools has changed. */
	readonly onChange: () => void;
	readonly onLog: (entry: LogLine) => void;
	readonly onOffersChanged: (what: 'resources' | 'prompts') => void;
	/**
	 * Why the server may not run at this moment; `undefined`: it may. The pool owns servers and knows which of them are still its own and
	 * approved, so it is asked before every start, and again after everything that a start has waited for.
	 */
	readonly refusal: () => ServerError | undefined;
	/** What keeps it from starting at this moment. */
	readonly barred: () => Barred | undefined;
	/** Whether a server with these tools is to run even while nobody calls it. */
	readonly isNeeded: (tools: readonly Tool[]) => boolean;
	/** Whether lists never grow old, as the configuration is now. */
	readonly keepsLists: () => boolean;
}

/** One server of the pool: its state, its connection while it has one, and what is known of its tools. */
export class PooledServer {
	readonly name: string;
	readonly launch: ServerLaunch;
	readonly #context: PoolContext;
	readonly #events: PooledServerEvents;
	readonly #log: ServerLog;
	readonly #list: ListedTools;
	readonly #hidden: Set<string>;
	#redactor: Redactor;
	#phase: ServerPhase;
	/** Whether the user or a call has started it; otherwise it may run for its list of tools only. */
	#wanted = false;
	/** Its list is not asked for anew before this time, however old it is. */
	#nextLook: number;
	/** Addresses of resources that its results have linked to. */
	readonly #linked = new Set<string>();
	/** Starts in a row that did not lead to a healthy run. */
	#failures = 0;
	readonly #signIn: ServerSignIn;
	/** Under way. */
	readonly #uses = new Set<Promise<unknown>>();
	#wantsRights: ServerError | undefined;
	/** Whether it has ever answered: since we started, or in an earlier window. */
	#hasAnswered: boolean;
	/** Which protocol it speaks, once that is known. */
	#era: KnownEra | undefined;
	/** Resolves when nothing is left of the connection before. */
	#cleared: Promise<void>;

	/**
	 * @param barred why the launch may not be started at all
	 * @param cleared resolves when the way is free: no server of this name is left from before
	 */
	constructor(
		name: string,
		launch: ServerLaunch,
		barred: Barred | undefined,
		context: PoolContext,
		events: PooledServerEvents,
		cleared: Promise<void>,
	) {
		this.#cleared = cleared;
		this.#hidden = new Set(launchSecrets(launch));
		this.#redactor = new Redactor(this.#hidden);
		this.name = name;
		this.launch = launch;
		this.#context = context;
		this.#events = events;
		const { limits, clock } = context;
		this.#log = new ServerLog({
			limits,
			clock,
			redact: (text) => this.#redactor.hide(text),
			onLine: events.onLog,
		});
		this.#nextLook = clock.now() + limits.sleepingFirstLookMs;
		// What it listed when it was allowed to is not offered while it is not.
		const known = barred === undefined ? context.store.get(name, launch) : undefined;
		this.#hasAnswered = known !== undefined;
		this.#era = known?.era;
		this.#list = new ListedTools(name, launch, context, {
			known,
			log: this.#log,
			connection: () => (this.#phase.kind === 'ready' ? this.#phase.connection : undefined),
			era: () => this.#era,
			onChange: events.onChange,
		});
		this.#signIn = new ServerSignIn(name, launch, context.signIns, {
			onToken: (token) => this.hideAlso([token]),
			onChange: (kind) => this.#onSignIn(kind),
		});
		this.#phase = barred ?? this.#asleep();
	}

	/** Why nothing starts it; `undefined`: it may start. */
	get barred(): Barred | undefined {
		const phase = this.#phase;
		const { kind } = phase;
		return kind === 'unapproved' || kind === 'disabled' || kind === 'forbidden' ? phase : undefined;
	}

	get state(): ServerState {
		return stateOf(this.#phase, (line) => this.#redactor.hide(visible(line)));
	}

	/** What is known of its tools; `undefined`: it has never been listed. */
	get known(): FetchedTools | undefined {
		return this.#list.known;
	}

	/** Why the last listing failed, while what an earlier one brought is still shown. */
	get listError(): ServerError | undefined {
		return this.#list.error;
	}

	get isSignedIn(): boolean {
		return this.#signIn.isSignedIn;
	}

	/** What the user is to sign in again for, while all else goes on as it is. */
	get wantsRights(): ServerError | undefined {
		return this.#wantsRights;
	}

	/** What it has beside tools, while it runs. */
	get offers(): Offers | undefined {
		return this.#phase.kind === 'ready' ? this.#phase.connection.offers : undefined;
	}

	/** Whether its results have linked to resources. */
	get hasLinks(): boolean {
		return this.#linked.size > 0;
	}

	get logLines(): readonly LogLine[] {
		return this.#log.lines;
	}

	/** Hides secrets that other servers are given from this one's log and errors, too; what is hidden once stays hidden. */
	hideAlso(secrets: readonly string[]): void {
		const known = this.#hidden.size;
		for (const secret of secrets) this.#hidden.add(secret);
		if (this.#hidden.size > known) this.#redactor = new Redactor(this.#hidden);
	}

	/** Starts the server unless it runs; the user's own start gives it its restarts back. */
	start(): Promise<McpConnection> {
		this.#failures = 0;
		this.#wanted = true;
		return this.#start();
	}

	/** Ends the server and starts it once nothing of it is left. It counts as starting at once, so that a stop meanwhile takes that back. */
	restart(): Promise<McpConnection> {
		void this.stop();
		return this.start();
	}

	/** Starts a server that was never started; one that the user has stopped stays so. */
	startUnlessStopped(): void {
		if (this.#phase.kind === 'stopped' && !this.#phase.byUser) this.#startUnasked();
	}

	/** Ends the server; resolves when nothing of it is left. */
	async stop(): Promise<void> {
		const phase = this.#phase;
		this.#wanted = false;
		this.#list.refreshes.dispose();
		this.#signIn.dispose();
		switch (phase.kind) {
			case 'starting':
				phase.attempt.abort(stoppedError(this.name));
				// The attempt may itself have waited for what was there before.
				this.#cleared = Promise.allSettled([this.#cleared, phase.done]).then(() => {});
				break;
			case 'ready':
				this.#close(phase);
				break;
			case 'failed':
				phase.retry?.dispose();
				break;
			case 'unapproved':
			case 'disabled':
			case 'forbidden':
				return this.#cleared;
			case 'stopped':
			case 'signed-out':
				break;
			default:
				assertNever(phase);
		}
		if (phase.kind !== 'stopped') this.#log.write('info', 'stopped');
		this.#enter({ kind: 'stopped', byUser: true });
		await this.#cleared;
	}

	/** Calls a tool, starting the server first unless it is given up; resolves to the result as the server sent it. */
	callTool(tool: string, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown> {
		const call = (connection: McpConnection) => {
			// Only now: a server that started for the call has just listed what its tools have become.
			if (this.#context.isDisabled(this.name, tool)) throw disabledError(this.name, tool);
			if (this.#context.isHeld(this.name, tool)) throw changedToolError(this.name, tool);
			if (this.#list.lacks(tool)) throw goneToolError(this.name, tool);
			return this.#logged(tool, connection.callTool(tool, args, options));
		};
		return this.use(call, options.signal, options.onSignIn);
	}

	/**
	 * Does something with the server, which is started first unless it is given up. With `onSignIn` it waits where the user has to sign in;
	 * what the server has refused for that reason it has not begun, so that it can be done again.
	 */
	async use<T>(
		work: (connection: McpConnection, signal: AbortSignal) => Promise<T>,
		signal: AbortSignal = new AbortController().signal,
		onSignIn?: CallOptions['onSignIn'],
	): Promise<T> {
		for (let waited = 0; ; waited += 1) {
			try {
				return await this.#useOnce(work, signal);
			} catch (error) {
				if (!wantsSignIn(error)) throw error;
				this.#needSignIn(error);
				if (!onSignIn || waited === mostSignInsOfCall) throw error;
				await this.#signIn.untilSignedIn(error, onSignIn, signal);
			}
		}
	}

	async #useOnce<T>(
		work: (connection: McpConnection, signal: AbortSignal) => Promise<T>,
		signal: AbortSignal,
	): Promise<T> {
		signal.throwIfAborted();
		this.#wanted = true;
		const connection = await abortable(this.#usableConnection(), signal);
		const ended = this.#events.refusal() ?? this.#endOf(connection);
		if (ended) throw ended;
		const doing = work(connection, signal);
		this.#uses.add(doing);
		return doing.finally(() => this.#uses.delete(doing));
	}

	/** A call needs the user. While only rights are lacking, others can still go on. */
	#needSignIn(error: ServerError): void {
		const phase = this.#phase;
		if (phase.kind !== 'ready') return;
		if (error.reason === 'more-rights') {
			this.#wantsRights = error;
			this.#events.onChange();
			return;
		}
		// Other calls may still be answered.
		phase.unneeded.dispose();
		this.#list.refreshes.dispose();
		void Promise.allSettled(this.#uses).then(() => phase.connection.close().catch(() => {}));
		this.#enterSignedOut(error);
	}

	#onSignIn(kind: SignInChange['kind']): void {
		const phase = this.#phase;
		if (kind === 'signed-in') {
			this.#wantsRights = undefined;
			this.#log.write('info', 'signed in');
			if (phase.kind === 'signed-out') this.#startUnasked();
			else this.#events.onChange();
		}
		if (kind !== 'signed-out') return;
		this.#wantsRights = undefined;
		this.#log.write('info', 'signed out');
		if (phase.kind !== 'ready') return;
		this.#close(phase);
		this.#enterSignedOut(signedOutError(this.name));
	}

	#enterSignedOut(error: ServerError): void {
		this.#log.write('warn', error.message);
		this.#enter({ kind: 'signed-out', error });
	}

	/** Writes how a call ended. What was asked and answered is the chat's, and stays out of the log. */
	async #logged(tool: string, call: Promise<unknown>): Promise<unknown> {
		const { clock } = this.#context;
		const started = clock.now();
		const write = (outcome: string) =>
			this.#log.write('info', sentence`call of ${tool}: ${outcome} after ${clock.now() - started} ms`);
		try {
			const result = await call;
			write(isRecord(result) && result.isError === true ? 'the tool reports an error' : 'done');
			return result;
		} catch (error) {
			write(error instanceof ServerError ? `failed (${error.reason})` : 'given up');
			throw error;
		}
	}

	/** Fetches the list anew; a server that does not run starts for it, unless the user has stopped it or it fails. */
	async refresh(): Promise<void> {
		const phase = this.#phase;
		if (phase.kind === 'ready') await this.#list.refreshes.refresh();
		// A failure is seen as the state, and what was listed before stays.
		if (phase.kind === 'stopped' && !phase.byUser) await this.#start().catch(() => {});
	}

	/**
	 * Fetches a running server's list anew once it is older than `maxAgeMs`, or than the server itself has said that it is good for; callers
	 * at the same time share one fetch.
	 */
	async refreshIfOlderThan(maxAgeMs: number): Promise<void> {
		const { clock, limits } = this.#context;
		const { listedAt = 0, ttlMs = 0 } = this.#list.known ?? {};
		const own = Math.min(Math.max(ttlMs, limits.listChangedIntervalMs), limits.longestListTtlMs);
		const isOld = clock.now() - listedAt > (ttlMs > 0 ? own : maxAgeMs);
		if (this.#phase.kind === 'ready' && isOld) await this.#list.refreshes.join();
	}

	async #usableConnection(): Promise<McpConnection> {
		const phase = this.#phase;
		if (phase.kind === 'failed' && !phase.retry) throw phase.error;
		return this.#start();
	}

	/** Why a connection that was there a moment ago is not to be used any more. */
	#endOf(connection: McpConnection): ServerError | undefined {
		const phase = this.#phase;
		if (phase.kind === 'ready' && phase.connection === connection) return undefined;
		return phase.kind === 'failed' ? phase.error : stoppedError(this.name);
	}

	#start(): Promise<McpConnection> {
		const phase = this.#phase;
		const refusal = this.#events.refusal();
		if (refusal) return Promise.reject(refusal);
		if (this.barred) return Promise.reject(barredError(this.name, this.barred));
		if (phase.kind === 'starting') return phase.done;
		if (phase.kind === 'ready') return Promise.resolve(phase.connection);
		if (phase.kind === 'failed') phase.retry?.dispose();
		const attempt = new StartAttempt();
		const { launch } = this;
		if (launch.kind === 'stdio' && !this.#hasAnswered) attempt.firstOf = launch;
		const done = this.#attempt(attempt);
		// Whoever does not wait for it sees the failure as the state.
		done.catch(() => {});
		this.#enter({ kind: 'starting', attempt, done });
		return done;
	}

	/** Starts where nobody waits for it: how it ends is seen as the state. */
	#startUnasked(): void {
		this.#start().catch(() => {});
	}

	/** One attempt to get from nothing to a connection with a list of tools. */
	async #attempt(attempt: StartAttempt): Promise<McpConnection> {
		const { signal } = attempt;
		const { clock, slots } = this.#context;
		let release = () => {};
		try {
			await abortable(this.#cleared, signal);
			release = await slots.acquire(signal);
			this.#mayGoOn(signal);
			attempt.since = clock.now();
			this.#log.write('info', 'starting');
			const connection = await this.#open(attempt);
			this.#log.write('info', `ready, ${toolCount(this.#list.known?.server.tools.length ?? 0)}`);
			this.#enterReady(connection, attempt);
			return connection;
		} catch (error) {
			if (signal.aborted) throw signal.reason;
			const refusal = this.#events.refusal();
			if (refusal) {
				this.#enter(this.#events.barred() ?? { kind: 'unapproved' });
				throw refusal;
			}
			const failure = startError(this.name, error, this.#redactor);
			if (wantsSignIn(failure)) this.#enterSignedOut(failure);
			else this.#fail(failure);
			throw failure;
		} finally {
			release();
		}
	}

	#mayGoOn(signal: AbortSignal): void {
		signal.throwIfAborted();
		const refusal = this.#events.refusal();
		if (refusal) throw refusal;
	}

	/**
	 * A connection whose tools are listed. Where the attempt has shown that the server speaks the other generation of the protocol, it is
	 * started once more for that one, which counts as a start like any other.
	 */
	async #open(attempt: StartAttempt, isSecond = false): Promise<McpConnection> {
		const { signal } = attempt;
		const era = this.#era;
		let connection: McpConnection | undefined;
		try {
			connection = await this.#connect(attempt, !this.#hasAnswered && !isSecond);
			this.#hasAnswered = true;
			attempt.firstOf = undefined;
			this.#mayGoOn(signal);
			await this.#list.fetch(connection, signal);
			this.#mayGoOn(signal);
			if (attempt.lostBy) throw attempt.lostBy;
			return connection;
		} catch (error) {
			await connection?.close().catch(() => {});
			const reason = error instanceof ServerError && error.reason;
			if (isSecond || reason === 'connect-timeout' || this.#era?.kind === era?.kind) throw error;
			this.#mayGoOn(signal);
			this.#failures += 1;
			attempt.lostBy = undefined;
			const again = this.#open(attempt, true);
			// The probe may have left it speechless. If that was not the reason, its first start has failed, and that is what counts.
			return reason === 'never-answered' ? again.catch(() => Promise.reject(error)) : again;
		}
	}

	#connect(attempt: StartAttempt, isFirst: boolean): Promise<McpConnection> {
		const { connect, client, groups, limits, editorProxy } = this.#context;
		const authorizer = this.#signIn.authorizer();
		return connect(this.launch, {
			server: this.name,
			client,
			groups,
			redactor: () => this.#redactor,
			hide: (secrets) => this.hideAlso(secrets),
			editorProxy,
			limits,
			isFirst,
			era: this.#era,
			onEra: (era) => {
				this.#era = era;
			},
			signal: attempt.signal,
			onLost: (error) => this.#onLost(attempt, error),
			onToolsChanged: () => this.#list.refreshes.announce(),
			onOffersChanged: this.#events.onOffersChanged,
			linked: this.#linked,
			ask: this.#context.ask,
			onLog: (level, line) => {
				this.#log.write(level, line);
				attempt.lastLine = line;
			},
			...(authorizer && { authorizer }),
		});
	}

	#onLost(attempt: StartAttempt, error: ServerError): void {
		attempt.lostBy = error;
		const phase = this.#phase;
		// The attempt itself tells of a connection that is still being opened, and one that was replaced matters to nobody.
		if (phase.kind !== 'ready' || phase.attempt !== attempt) return;
		this.#close(phase);
		if (this.#context.clock.now() - phase.since >= this.#context.limits.healthyMs) this.#failures = 0;
		this.#fail(error);
	}

	#fail(error: ServerError): void {
		const { clock, limits, random } = this.#context;
		const isForListOnly = this.#isForListOnly;
		if (!isForListOnly) this.#failures += 1;
		const next = afterFailure(error, { failures: this.#failures, isForListOnly }, limits, random());
		switch (next.kind) {
			case 'sleep':
				this.#log.write('warn', `${error.describe()} (its tools are known from before; a call starts it)`);
				this.#list.fail(error);
				this.#enter(this.#asleep());
				break;
			case 'giveUp':
				this.#log.write('error', `${error.describe()} (not restarted)`);
				this.#enter({ kind: 'failed', error, retry: undefined });
				break;
			case 'restart': {
				this.#log.write('error', `${error.describe()} (restart in ${next.afterMs} ms)`);
				const timer = clock.after(next.afterMs, () => this.#startUnasked());
				const retry = { at: clock.now() + next.afterMs, dispose: () => timer.dispose() };
				this.#enter({ kind: 'failed', error, retry });
				break;
			}
			default:
				assertNever(next);
		}
	}

	#enterReady(connection: McpConnection, attempt: StartAttempt): void {
		const { clock, limits } = this.#context;
		const unneeded = clock.after(limits.unneededMs, () => this.#endIfUnneeded());
		this.#enter({ kind: 'ready', connection, attempt, since: clock.now(), unneeded });
	}

	/** What was started only to be listed goes again. What was called once may hold what the chat goes on with, and stays. */
	#endIfUnneeded(): void {
		const phase = this.#phase;
		if (phase.kind !== 'ready' || !this.#isForListOnly) return;
		this.#log.write('info', 'stopped: listed, and none of its tools was called; a call starts it again');
		this.#close(phase);
		this.#enter(this.#asleep());
	}

	/** Whether its tools are known and nobody has needed it to run, so that it runs for a newer list at most. */
	get #isForListOnly(): boolean {
		const { known } = this.#list;
		return known !== undefined && !this.#wanted && !this.#events.isNeeded(known.server.tools);
	}

	/** Stopped until it is needed; its list is asked for anew when it has grown old. */
	#asleep(): ServerPhase & { readonly kind: 'stopped' } {
		const { clock, limits } = this.#context;
		const due = listDueAt(this.#list.known?.listedAt, this.#nextLook, limits);
		if (due === undefined) return { kind: 'stopped', byUser: false };
		const wait = Math.min(Math.max(0, due - clock.now()), limits.sleepingLookMs);
		return { kind: 'stopped', byUser: false, look: clock.after(wait, () => this.#look(due)) };
	}

	/** Starts for a newer list once it is due: a listing ends it again, where nobody has called it by then. */
	#look(due: number): void {
		const { clock, limits } = this.#context;
		const isDue = clock.now() >= due;
		if (isDue) this.#nextLook = clock.now() + limits.sleepingLookMs;
		if (!isDue || this.#events.keepsLists()) {
			this.#phase = this.#asleep();
			return;
		}
		this.#log.write('info', 'its list of tools has grown old');
		this.#startUnasked();
	}

	#close({ connection, unneeded }: ServerPhase & { readonly kind: 'ready' }): void {
		unneeded.dispose();
		this.#list.refreshes.dispose();
		// What cannot be closed properly must not keep the server from ever starting again.
		this.#cleared = connection.close().catch(() => {});
	}

	#enter(phase: ServerPhase): void {
		if (this.#phase.kind === 'stopped') this.#phase.look?.dispose();
		this.#phase = phase;
		this.#events.onChange();
	}
}
