import { setTimeout as delay } from 'node:timers/promises';
import {
	Client,
	ProtocolError,
	ProtocolErrorCode,
	type RequestOptions,
	type Result,
	SdkError,
	type Transport,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import { JoinedSignal } from '../../common/cancellation.ts';
import { isRecord, type JsonRecord } from '../../common/json.ts';
import { cut, sentence, visible } from '../../common/text.ts';
import type { ToolResult } from '../../discovery/catalog/tool.ts';
import { toToolResult } from '../callResult.ts';
import { ServerError, type ServerErrorReason, stoppedError } from '../serverError.ts';
import { logLevelOf } from '../serverLog.ts';
import { listTimeout } from './connectErrors.ts';
import type { CalledTool, McpConnection, ServerInfo, ToolsPage } from './connection.ts';
import type { CallOptions, CallProgress, ConnectOptions } from './connectOptions.ts';
import { GuardedTransport, type ServerTransport, unchecked } from './guardedTransport.ts';
import { legacyRevisions, modernRevision } from './handshake.ts';
import { lostSession, type Refusal, refusalIn } from './lostSession.ts';
import { noteLinks, ServerFeatures, type ServerRequests } from './offers.ts';
import type { Offers } from './offerTypes.ts';
import { argumentHeaders, repeatedArguments } from './requestHeaders.ts';
import { notOffered, RunningCall } from './runningCall.ts';
import { ResumeBackoff } from './streamableTransport.ts';

/**
 * The only file that imports the SDK, loaded with the first connection.
 *
 * Requests use the SDK's `request` under our own method names, with schemas that accept anything. Its `callTool` and `listTools` would
 * validate results against the server's schemas on this thread, where a hostile `pattern` blocks for minutes, and would reject a whole list
 * for one malformed tool.
 */

/** The longest timer possible: the SDK insists on a timeout, and we have our own. */
const neverMs = 2 ** 31 - 1;
/** Longest SDK message that is logged, in characters. */
const maxComplaintCharacters = 300;
/** Members with text for readers, and those that suggest values for arguments. */
const texts: ReadonlySet<string> = new Set([
	'title',
	'description',
	'message',
	'default',
	'examples',
	'$comment',
]);

const anything = z.unknown();
/** After these, the server does not answer in this connection any more. */
const losesConnection: ReadonlySet<ServerErrorReason> = new Set(['crashed', 'unreachable', 'session-lost']);

/** A connection in one revision of the protocol. */
export class SdkConnection implements McpConnection, ServerRequests {
	readonly #client: Client;
	readonly #transport: ServerTransport;
	readonly #guarded: GuardedTransport;
	readonly #options: ConnectOptions;
	readonly #closing = new AbortController();
	/** Calls in progress, in the order in which they began. Only for these may the server ask questions. */
	readonly #running = new Set<RunningCall>();
	readonly features: ServerFeatures;
	#phase: 'opening' | 'open' | 'lost' | 'closed' = 'opening';
	/** What ended the connection, if we did not. */
	#lostBy: ServerError | undefined;
	/** Whether the server has answered anything but the handshake. */
	#isConfirmed = false;
	/** How the server refuses a list in a lost session. Kept for other calls that fail with the session. */
	#refusedList: Promise<Refusal | undefined> | undefined;

	constructor(transport: ServerTransport, revision: string, options: ConnectOptions) {
		this.#transport = transport;
		this.#guarded = new GuardedTransport(transport, options);
		this.#options = options;
		this.features = new ServerFeatures(options, this);
		this.#client = new Client(options.client, {
			capabilities: options.ask ? { elicitation: { form: { applyDefaults: true }, url: {} } } : {},
			...(revision === modernRevision
				? { versionNegotiation: { mode: { pin: revision }, probe: { timeoutMs: options.limits.probeMs } } }
				: { supportedProtocolVersions: [revision, ...legacyRevisions] }),
			// Instead of Ajv, which every client would create: nothing is validated here.
			jsonSchemaValidator: {
				getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
			},
		});
		this.#client.onclose = () => {
			// The handshake reports the reason itself.
			if (this.#phase === 'opening') this.#phase = 'closed';
			else this.#lose(this.#transport.explain(undefined));
		};
		this.#client.onerror = ({ message }) =>
			options.onLog('debug', this.#cutLine(message, maxComplaintCharacters));
		this.#client.fallbackNotificationHandler = async ({ method, params }) => this.#notice(method, params);
		// Not the SDK's own handlers, which reject forms that deviate from the schema in any way.
		this.#client.fallbackRequestHandler = ({ method, params }, { mcpReq }) =>
			this.#answerServer(method, params, mcpReq.signal);
	}

	get serverInfo(): ServerInfo | undefined {
		return this.#client.getServerVersion() as ServerInfo | undefined;
	}

	get instructions(): string | undefined {
		const instructions = this.#client.getInstructions();
		return instructions === undefined ? undefined : this.#options.redactor.hideKnown(instructions);
	}

	get #hasTools(): boolean {
		// Some servers with tools declare nothing.
		return this.#declaresTools || Object.keys(this.#client.getServerCapabilities() ?? {}).length === 0;
	}

	get #declaresTools(): boolean {
		return this.#client.getServerCapabilities()?.tools !== undefined;
	}

	get offers(): Offers {
		const { resources, prompts, completions } = this.#client.getServerCapabilities() ?? {};
		return {
			resources: resources !== undefined,
			prompts: prompts !== undefined,
			completions: completions !== undefined,
		};
	}

	async open(): Promise<void> {
		await this.#client.connect(this.#guarded as Transport, { timeout: neverMs }).catch((error: unknown) => {
			// The SDK wraps what stops it from finding out the revision.
			throw error instanceof SdkError ? (error.cause ?? error) : error;
		});
		this.#phase = 'open';
		if (this.#isModern) void this.#followChanges();
	}

	get #isModern(): boolean {
		return this.#client.getProtocolEra() === 'modern';
	}

	async listToolsPage(cursor: string | undefined, signal: AbortSignal): Promise<ToolsPage> {
		if (!this.#hasTools) return { tools: [] };
		// A server that declares nothing may have no tools.
		const noTools = (error: unknown): JsonRecord => {
			if (!this.#declaresTools && error instanceof ServerError && error.reason === 'request-refused')
				return { tools: [] };
			throw error;
		};
		const { nextCursor, ttlMs, tools } = await this.page('tools/list', cursor, signal).catch(noTools);
		if (!Array.isArray(tools))
			throw await this.#failure(new Error('a page of its tool list contains no list'));
		return { tools, nextCursor, ...(typeof ttlMs === 'number' && { ttlMs }) };
	}

	async page(method: string, cursor: string | undefined, signal: AbortSignal): Promise<JsonRecord> {
		const timeout = AbortSignal.timeout(this.#options.limits.listPageMs);
		// The SDK never removes its listener: a signal that aborts later would make it cancel requests that were answered long ago.
		const ending = new JoinedSignal(signal, timeout);
		try {
			const params = cursor === undefined ? {} : { cursor };
			const page = this.#withoutSecrets(await this.#request(method, params, { signal: ending.signal }));
			// Only since the revision 2026-07-28 does an empty cursor lead on. Before, servers end a list with it.
			return page.nextCursor === '' && !this.#isModern ? { ...page, nextCursor: undefined } : page;
		} catch (error) {
			if (signal.aborted) throw signal.reason;
			throw timeout.aborted
				? listTimeout(this.#options.server, this.#options.limits.listPageMs)
				: await this.#failure(error);
		} finally {
			ending.dispose();
		}
	}

	async callTool(
		{ name, inputSchema }: CalledTool,
		args: Readonly<Record<string, unknown>>,
		options: CallOptions,
	): Promise<ToolResult> {
		const hasHeaders = this.#guarded.hasPerRequestStream && this.#isModern;
		const headers = hasHeaders ? argumentHeaders(repeatedArguments(inputSchema) ?? [], args) : {};
		const params = { name, arguments: { ...args } };
		const read = (result: JsonRecord) => {
			noteLinks(this.#options.linkedUris, result);
			return toToolResult(result);
		};
		return this.call(sentence`Tool "${name}"`, 'tools/call', params, options, read, headers);
	}

	/**
	 * Secrets are hidden in what is made of the result: bytes of a text are texts by then.
	 *
	 * @param label how a sentence about it begins
	 */
	async call<T>(
		label: string,
		method: string,
		params: JsonRecord,
		options: CallOptions,
		read: (result: JsonRecord) => T,
		headers: Readonly<Record<string, string>> = {},
	): Promise<T> {
		const call = new RunningCall(label, this.#options, options);
		this.#running.add(call);
		const onprogress = (progress: CallProgress) => {
			call.touch();
			options.onProgress?.(this.#withoutSecrets(progress));
		};
		const how = { signal: call.signal, onprogress, headers };
		try {
			const result = await call.run((answers) => this.#request(method, { ...params, ...answers }, how));
			return this.#options.redactor.hideKnownIn(read(result)) as T;
		} catch (error) {
			throw call.signal.aborted ? call.signal.reason : await this.#failure(error);
		} finally {
			this.#running.delete(call);
			call.dispose();
		}
	}

	/** A request by the server, as in the older protocol. */
	async #answerServer(method: string, params: unknown, signal: AbortSignal): Promise<Result> {
		if (method !== 'elicitation/create' || !this.#options.ask)
			throw new ProtocolError(ProtocolErrorCode.MethodNotFound, notOffered(method));
		// It does not say which call it belongs to. The latest is the most likely; stop the clock of all.
		const running = [...this.#running];
		const call = running.at(-1);
		if (!call) return { action: 'cancel' };
		const resumes = running.map((one) => one.pause());
		try {
			return await call.ask(params, signal);
		} catch (error) {
			if (call.signal.aborted) return { action: 'cancel' };
			const why = error instanceof ServerError ? error.message : 'the call is over';
			throw new ProtocolError(ProtocolErrorCode.InvalidParams, why);
		} finally {
			for (const resume of resumes) resume();
		}
	}

	async #request(method: string, params: JsonRecord, options: RequestOptions): Promise<JsonRecord> {
		if (this.#phase !== 'open') throw this.#lostBy ?? stoppedError(this.#options.server);
		const request = { method: `${unchecked}${method}`, params };
		const result = await this.#client.request(request, anything, {
			timeout: neverMs,
			allowInputRequired: true,
			...options,
		});
		this.#isConfirmed = true;
		if (!isRecord(result)) throw new Error('its result is not an object');
		return result;
	}

	/** In the newer protocol, a server announces changes only to subscribers. Subscribes as long as the connection lasts. */
	async #followChanges(): Promise<void> {
		if (!this.#client.getServerCapabilities()?.tools?.listChanged) return;
		const { signal } = this.#closing;
		const { maxResumeMs, listPageMs: timeout } = this.#options.limits;
		const backoff = new ResumeBackoff(maxResumeMs);
		for (let round = 0; !signal.aborted && !backoff.isHopeless; round += 1) {
			// Changes between two subscriptions were announced to nobody.
			if (round > 0) this.#options.onListChanged();
			const listening = await this.#client
				.listen({ toolsListChanged: true }, { timeout, signal })
				.catch(() => {});
			const began = performance.now();
			await listening?.closed;
			const wait = backoff.next(performance.now() - began > maxResumeMs);
			await delay(wait, undefined, { signal }).catch(() => {});
		}
	}

	async close(): Promise<void> {
		if (this.#phase !== 'lost') this.#phase = 'closed';
		this.#closing.abort();
		await this.#transport.close();
	}

	/** Explains a failed request, and ends the connection if it is lost. */
	async #failure(error: unknown): Promise<ServerError> {
		const { server } = this.#options;
		const isInSession = this.#transport.hasSession === true && this.#isConfirmed;
		const call = isInSession ? refusalIn(error) : undefined;
		if (call) this.#refusedList ??= this.#askForList();
		const list = call && (await this.#refusedList);
		if (call && !list) this.#refusedList = undefined;
		const lost = call && list && lostSession(call, list, this.#options);
		if (lost) this.#lose(lost);
		const lostBy = lost ?? this.#lostBy;
		if (lostBy) return lostBy;
		if (this.#phase === 'closed') return stoppedError(server);
		const explained = this.#transport.explain(error);
		if (losesConnection.has(explained.reason)) this.#lose(explained);
		return explained;
	}

	/** Asks again for a list that the server has given in this session; resolves to how it is refused, if it is. */
	async #askForList(): Promise<Refusal | undefined> {
		const { resources, prompts } = this.offers;
		const list = this.#hasTools ? 'tools' : resources ? 'resources' : prompts ? 'prompts' : undefined;
		const signal = AbortSignal.timeout(this.#options.limits.listPageMs);
		return list && this.#request(`${list}/list`, {}, { signal }).then(() => undefined, refusalIn);
	}

	#lose(error: ServerError): void {
		if (this.#phase !== 'open') return;
		this.#phase = 'lost';
		this.#lostBy = error;
		this.#options.onLost(error);
	}

	#notice(method: string, params: Readonly<Record<string, unknown>> | undefined): void {
		const { limits, onLog, onListChanged } = this.#options;
		if (method === 'notifications/tools/list_changed') onListChanged();
		if (method !== 'notifications/message') return;
		const data = typeof params?.data === 'string' ? params.data : JSON.stringify(params?.data);
		onLog(logLevelOf(params?.level), this.#cutLine(data ?? '', limits.logLineBytes));
	}

	/** Hides secrets before cutting, so that none is cut in two. */
	#cutLine(text: string, limit: number): string {
		if (text.length <= limit) return text;
		return cut(this.#options.redactor.hideCut(visible(text.slice(0, 2 * limit))), limit);
	}

	/** Hides secrets in descriptions, titles and progress; names and rules stay, or calls would fail. */
	#withoutSecrets<T>(said: T): T {
		return this.#options.redactor.hideKnownIn(said, texts) as T;
	}
}
