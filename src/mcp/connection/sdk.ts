import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { abortable, JoinedSignal } from '../../common/cancellation.ts';
import type { Disposable } from '../../common/event.ts';
import { cut, sentence, visible } from '../../common/text.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { McpLimits } from '../limits.ts';
import { connectTimeout, listTimeout, ServerError, stoppedError } from '../serverError.ts';
import { logLevelOf } from '../serverLog.ts';
import { type Channel, newMessageReader, remoteChannel, stdioChannel } from './channel.ts';
import type { CallOptions, ConnectOptions, McpConnection, ServerInfo, ToolsPage } from './connection.ts';
import { boundAnswers, PendingRequests } from './jsonRpc.ts';

/**
 * The only file that knows the SDK: everything else sees `connection.ts`. It is loaded by the first connection.
 *
 * Requests go through the SDK's `request` with schemas that accept anything. Its `callTool` and `listTools` would
 * validate results against the server's own schemas on this thread, where a hostile `pattern` blocks for minutes, and
 * would reject a whole list for one malformed tool.
 */

/** The largest a timer takes: the SDK insists on a limit of its own, and ours decide. */
const neverMs = 2 ** 31 - 1;
/** Longest complaint of the SDK's that is logged, in characters. */
const longestComplaint = 300;
/** Members of a tool, a schema or a report of progress that are for readers, and those that say what an argument may be. */
const texts: ReadonlySet<string> = new Set([
	'title',
	'description',
	'message',
	'default',
	'examples',
	'$comment',
]);

const anything = z.unknown();
const toolsPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

/** Connects and shakes hands; see {@link ConnectOptions} for what it rejects with. */
export async function connect(launch: ServerLaunch, options: ConnectOptions): Promise<McpConnection> {
	const unanswered = new PendingRequests();
	const reader = newMessageReader(
		options,
		unanswered,
		(value) => JSONRPCMessageSchema.safeParse(value).success,
	);
	const channel: Channel<unknown> =
		launch.kind === 'stdio' ? stdioChannel(launch, options, reader) : remoteChannel(launch, options, reader);
	// The SDK types messages more closely than we look at them; it parses each one itself.
	const transport = channel.transport as Transport;
	unanswered.watch(transport);
	boundAnswers(transport);
	const connection = new SdkConnection(channel, transport, options);
	const { server, limits, signal } = options;
	const timeout = AbortSignal.timeout(limits.connectMs);
	try {
		// What was given up while the code was being loaded starts nothing.
		signal.throwIfAborted();
		await abortable(connection.open(), AbortSignal.any([signal, timeout]));
		return connection;
	} catch (error) {
		// Asked before closing, which ends the process and so changes the answer.
		const explained = connection.lostBy ?? channel.explain(error, 'starting');
		await connection.close();
		if (signal.aborted) throw signal.reason;
		throw timeout.aborted ? connectTimeout(server, limits.connectMs, channel.stderrTail()) : explained;
	}
}

class SdkConnection implements McpConnection {
	readonly #client: Client;
	readonly #channel: Channel<unknown>;
	readonly #transport: Transport;
	readonly #options: ConnectOptions;
	#phase: 'opening' | 'open' | 'lost' | 'closed' = 'opening';
	#lostBy: ServerError | undefined;
	#complaints = 0;

	constructor(channel: Channel<unknown>, transport: Transport, options: ConnectOptions) {
		this.#channel = channel;
		this.#transport = transport;
		this.#options = options;
		this.#client = new Client(options.client, {
			capabilities: {},
			// In place of Ajv, which each client would make anew: nothing here asks for validation.
			jsonSchemaValidator: {
				getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
			},
		});
		this.#client.onclose = () => {
			// The client gives up a handshake by closing the channel, whose end is then no news.
			if (this.#phase === 'opening') this.#phase = 'closed';
			else this.#lose(this.#channel.explain(undefined, 'running'));
		};
		this.#client.onerror = (error) => this.#complain(error);
		this.#client.fallbackNotificationHandler = async ({ method, params }) => this.#notice(method, params);
		channel.onLost = (error) => this.#breakOff(error);
	}

	/** What ended the connection, if that was not our own doing. */
	get lostBy(): ServerError | undefined {
		return this.#lostBy;
	}

	get serverInfo(): ServerInfo | undefined {
		const info = this.#client.getServerVersion();
		if (!info) return undefined;
		const { name, version, title, description } = info as ServerInfo;
		return { name, version, ...(title ? { title } : {}), ...(description ? { description } : {}) };
	}

	get instructions(): string | undefined {
		const instructions = this.#client.getInstructions();
		return instructions === undefined ? undefined : this.#options.redactor().hideKnown(instructions);
	}

	get hasTools(): boolean {
		return this.#client.getServerCapabilities()?.tools !== undefined;
	}

	async open(): Promise<void> {
		await this.#client.connect(this.#transport, { timeout: neverMs });
		this.#phase = 'open';
	}

	async listToolsPage(cursor: string | undefined, signal: AbortSignal): Promise<ToolsPage> {
		this.#insistOpen();
		const timeout = AbortSignal.timeout(this.#options.limits.listPageMs);
		const request = { method: 'tools/list' as const, params: cursor === undefined ? {} : { cursor } };
		// The SDK listens for ever: a signal that aborted later would have it cancel what was answered long before.
		const ending = new JoinedSignal(signal, timeout);
		try {
			const page = await this.#client.request(request, toolsPage, {
				signal: ending.signal,
				timeout: neverMs,
			});
			return {
				tools: page.tools.map((tool) => this.#withoutSecrets(tool)),
				...(typeof page.nextCursor === 'string' ? { nextCursor: page.nextCursor } : {}),
			};
		} catch (error) {
			if (signal.aborted) throw signal.reason;
			throw timeout.aborted
				? listTimeout(this.#options.server, this.#options.limits.listPageMs)
				: this.#failure(error);
		} finally {
			ending.dispose();
		}
	}

	async callTool(
		name: string,
		args: Readonly<Record<string, unknown>>,
		{ signal, onProgress }: CallOptions,
	): Promise<unknown> {
		signal?.throwIfAborted();
		this.#insistOpen();
		const deadline = new CallDeadline(this.#options.server, name, this.#options.limits);
		const ending = new JoinedSignal(deadline.signal, ...(signal ? [signal] : []));
		const onprogress = (progress: Parameters<NonNullable<typeof onProgress>>[0]) => {
			deadline.touch();
			onProgress?.(this.#withoutSecrets(progress));
		};
		const request = { method: 'tools/call' as const, params: { name, arguments: { ...args } } };
		try {
			// Aborting sends `notifications/cancelled` and rejects at once.
			const result = await this.#client.request(request, anything, {
				signal: ending.signal,
				timeout: neverMs,
				onprogress: onprogress as (progress: { progress: number }) => void,
			});
			return this.#options.redactor().hideKnownIn(result);
		} catch (error) {
			throw ending.signal.aborted ? ending.signal.reason : this.#failure(error);
		} finally {
			ending.dispose();
			deadline.dispose();
		}
	}

	async close(): Promise<void> {
		if (this.#phase !== 'lost') this.#phase = 'closed';
		await this.#channel.close();
	}

	/** Nothing is sent to a server that is being left. */
	#insistOpen(): void {
		if (this.#phase !== 'open') throw this.#lostBy ?? stoppedError(this.#options.server);
	}

	/** What a failed request rejects with; an error that ends the connection ends it here. */
	#failure(error: unknown): ServerError {
		if (this.#lostBy) return this.#lostBy;
		const { server } = this.#options;
		if (this.#phase === 'closed') return stoppedError(server);
		const explained = this.#channel.explain(error, 'running');
		if (this.#channel.isLost(explained)) this.#lose(explained);
		return explained;
	}

	#lose(error: ServerError): void {
		if (this.#phase !== 'open') return;
		this.#phase = 'lost';
		this.#lostBy = error;
		this.#options.onLost(error);
	}

	/** The channel is lost, which the client does not see by itself: in the handshake it would wait on. */
	#breakOff(error: ServerError): void {
		if (this.#phase === 'open') this.#lose(error);
		if (this.#phase !== 'opening') return;
		this.#lostBy = error;
		void this.#client.close();
	}

	#notice(method: string, params: Readonly<Record<string, unknown>> | undefined): void {
		if (method === 'notifications/tools/list_changed') this.#options.onToolsChanged();
		if (method !== 'notifications/message') return;
		const data = typeof params?.data === 'string' ? params.data : JSON.stringify(params?.data);
		this.#options.onLog(
			logLevelOf(params?.level),
			this.#cutLine(data ?? '', this.#options.limits.logLineBytes),
		);
	}

	/** Cut only where no secret is left that could be cut in two. */
	#cutLine(text: string, limit: number): string {
		if (text.length <= limit) return text;
		const read = visible(text.slice(0, 2 * limit));
		return cut(this.#options.redactor().hideCut(read, 'end'), limit);
	}

	/** Descriptions and titles, those of a schema, too, and texts of progress; names and rules stay, or no call could be made by them. */
	#withoutSecrets<T>(said: T): T {
		return this.#options.redactor().hideKnownIn(said, texts) as T;
	}

	#complain(error: Error): void {
		this.#complaints += 1;
		if (this.#complaints > this.#options.limits.garbageLogLines) return;
		this.#options.onLog('debug', this.#cutLine(error.message, longestComplaint));
	}
}

/** Watches over one call: it ends after too long a silence, or after too long a time in all. */
export class CallDeadline implements Disposable {
	readonly #controller = new AbortController();
	readonly #onIdle: () => void;
	readonly #idleMs: number;
	readonly #total: ReturnType<typeof setTimeout>;
	#idle: ReturnType<typeof setTimeout>;

	constructor(server: string, tool: string, limits: Pick<McpLimits, 'callIdleMs' | 'callTotalMs'>) {
		const end = (reason: 'call-idle' | 'call-too-long', what: string) => () =>
			this.#controller.abort(
				new ServerError(
					server,
					reason,
					sentence`Tool "${tool}" of server "${server}" ${what}; the call was ended. Try again, or restart the server.`,
				),
			);
		this.#idleMs = limits.callIdleMs;
		this.#onIdle = end('call-idle', `gave no sign of life for ${limits.callIdleMs / 1000} s`);
		this.#idle = setTimeout(this.#onIdle, this.#idleMs);
		this.#total = setTimeout(
			end('call-too-long', `took longer than ${limits.callTotalMs / 1000} s`),
			limits.callTotalMs,
		);
	}

	/** Aborts with a {@link ServerError} when the time is up. */
	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/** The server gave a sign of life. */
	touch(): void {
		clearTimeout(this.#idle);
		this.#idle = setTimeout(this.#onIdle, this.#idleMs);
	}

	dispose(): void {
		clearTimeout(this.#idle);
		clearTimeout(this.#total);
	}
}
