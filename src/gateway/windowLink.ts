import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { errorMessage } from '../common/errors.ts';
import { isRecord, type JsonRecord, parsedJson } from '../common/json.ts';
import { gatewayDefinitions, gatewayInstructions } from './gatewayTools.ts';
import { type GatewayWindow, mcpPath, sessionHeader } from './windows.ts';

interface LinkParts {
	/** The window that has the client's folder open now. */
	readonly findWindow: () => Promise<GatewayWindow | undefined>;
	/** Path of that folder, to tell the user. */
	readonly folder: string;
	/** Gets what the window writes to the client. */
	readonly send: (message: JsonRecord) => void;
}

/** How long to wait for a window that reloads, in milliseconds. It is back after a few seconds. */
const maxReloadMs = 15_000;
const pollMs = 500;
/** Marks requests of the protocol's newer revision, in which each carries everything and there are no sessions. */
const envelopeVersion = 'io.modelcontextprotocol/protocolVersion';

/**
 * Passes the messages of a client to the window that has its folder open. A window that has been reloaded gets the client's first message again. Without a
 * window it answers itself, so that the client keeps the server and can go on once the window is there.
 */
export class WindowLink {
	readonly #parts: LinkParts;
	/** The client's first message of the older protocol, for the next window. */
	#initialize: JsonRecord | undefined;
	#window: GatewayWindow | undefined;
	#session: Promise<string | undefined> | undefined;
	readonly #running = new Map<unknown, AbortController>();

	constructor(parts: LinkParts) {
		this.#parts = parts;
	}

	/** Answers one message. Never rejects. */
	async take(message: JsonRecord): Promise<void> {
		if (message.method === 'initialize') this.#initialize = message;
		if (message.method === 'notifications/cancelled' && isRecord(message.params))
			this.#running.get(message.params.requestId)?.abort();
		const stop = new AbortController();
		if (message.id !== undefined) this.#running.set(message.id, stop);
		try {
			await this.#pass(message, stop.signal);
		} catch (error) {
			if (!stop.signal.aborted) this.#fail(message, error);
		} finally {
			if (this.#running.get(message.id) === stop) this.#running.delete(message.id);
		}
	}

	async #pass(message: JsonRecord, signal: AbortSignal): Promise<void> {
		for (let isSecond = false; ; isSecond = true) {
			const window = await this.#reach();
			if (!window) return this.#answerAlone(message);
			const response = await this.#post(window, message, signal);
			// A session that the window has forgotten: it was reloaded. The message was not read.
			if (response.status === 404 && !isSecond) {
				this.#session = undefined;
				continue;
			}
			return this.#relay(response, message);
		}
	}

	/** Finds the window that has the folder open. If that window is reloading, waits for it. */
	async #reach(): Promise<GatewayWindow | undefined> {
		const deadline = performance.now() + (this.#window ? maxReloadMs : 0);
		for (;;) {
			const window = await this.#parts.findWindow();
			if (window && (await isReachable(window))) {
				if (window.port !== this.#window?.port || window.token !== this.#window.token)
					this.#session = undefined;
				this.#window = window;
				return window;
			}
			if (performance.now() >= deadline) break;
			await pause(pollMs);
		}
		this.#window = undefined;
		this.#session = undefined;
		return undefined;
	}

	async #post(window: GatewayWindow, message: JsonRecord, signal: AbortSignal): Promise<Response> {
		const version = modernVersion(message);
		if (version !== undefined) return post(window, message, signal, modernHeaders(message, version));
		if (message.method === 'initialize') {
			const response = await post(window, message, signal);
			this.#session = Promise.resolve(sessionOf(response));
			return response;
		}
		this.#session ??= this.#openSession(window);
		return post(window, message, signal, sessionHeaders(await this.#session));
	}

	/** Introduces the client to a window that does not know it. */
	async #openSession(window: GatewayWindow): Promise<string | undefined> {
		if (!this.#initialize) return undefined;
		const response = await post(window, this.#initialize);
		const session = sessionOf(response);
		await response.body?.cancel();
		await post(
			window,
			{ jsonrpc: '2.0', method: 'notifications/initialized' },
			undefined,
			sessionHeaders(session),
		);
		return session;
	}

	async #relay(response: Response, message: JsonRecord): Promise<void> {
		const type = response.headers.get('content-type') ?? '';
		if (type.includes('text/event-stream') && response.body) {
			const events = response.body
				.pipeThrough(new TextDecoderStream())
				.pipeThrough(new EventSourceParserStream());
			for await (const { data } of events) this.#sendText(data);
			return;
		}
		const text = await response.text();
		if (this.#sendText(text) || response.ok || message.id === undefined) return;
		throw new Error(`it refused the request (${response.status}): ${text}`);
	}

	/** Whether it is a message of the protocol. */
	#sendText(text: string): boolean {
		const message = parsedJson(text);
		if (!isRecord(message) || message.jsonrpc !== '2.0') return false;
		this.#parts.send(message);
		return true;
	}

	#answerAlone({ id, method, params }: JsonRecord): void {
		if (id === undefined) return;
		const result = this.#resultWithoutWindow(method, params);
		this.#parts.send(
			result
				? { jsonrpc: '2.0', id, result }
				: { jsonrpc: '2.0', id, error: { code: -32_603, message: this.#noWindow } },
		);
	}

	#resultWithoutWindow(method: unknown, params: unknown): JsonRecord | undefined {
		switch (method) {
			case 'initialize':
				return {
					protocolVersion: isRecord(params) ? params.protocolVersion : undefined,
					capabilities: { tools: {} },
					serverInfo: { name: 'vscode-discovery', version: '0' },
					instructions: gatewayInstructions,
				};
			case 'ping':
				return {};
			case 'tools/list':
				return { tools: gatewayDefinitions([]) };
			case 'tools/call':
				return { content: [{ type: 'text', text: this.#noWindow }], isError: true };
			default:
				return undefined;
		}
	}

	get #noWindow(): string {
		return `No VS Code window that answers other agents has the folder ${this.#parts.folder} open. Ask the user to open it in VS Code and to run “Discovery: Connect Other Agents…” there, then try again.`;
	}

	#fail({ id, method }: JsonRecord, error: unknown): void {
		if (id === undefined) return;
		const reason = errorMessage(error);
		const mayHaveRun = method === 'tools/call' ? ' The call may have run.' : '';
		const message = `The connection to VS Code was lost: ${reason}.${mayHaveRun}`;
		this.#parts.send({ jsonrpc: '2.0', id, error: { code: -32_603, message } });
	}
}

function modernVersion({ params }: JsonRecord): string | undefined {
	const meta = isRecord(params) ? params._meta : undefined;
	const version = isRecord(meta) ? meta[envelopeVersion] : undefined;
	return typeof version === 'string' ? version : undefined;
}

function modernHeaders({ method, params }: JsonRecord, version: string): Record<string, string> {
	const name = isRecord(params) ? params.name : undefined;
	return {
		'mcp-protocol-version': version,
		'mcp-method': String(method),
		...(typeof name === 'string' && /^[\x21-\x7e]+$/.test(name) && { 'mcp-name': name }),
	};
}

function sessionOf(response: Response): string | undefined {
	return response.headers.get('mcp-session-id') ?? undefined;
}

function sessionHeaders(session: string | undefined): Record<string, string> {
	return session === undefined ? {} : { 'mcp-session-id': session };
}

const runId = randomUUID();

function post(
	{ port, token }: GatewayWindow,
	message: JsonRecord,
	signal?: AbortSignal,
	headers: Record<string, string> = {},
): Promise<Response> {
	return fetch(`http://127.0.0.1:${port}${mcpPath}`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
			authorization: `Bearer ${token}`,
			[sessionHeader]: runId,
			...headers,
		},
		body: JSON.stringify(message),
		redirect: 'error',
		...(signal && { signal }),
	});
}

/** Whether something answers at its port, without sending it the token. */
async function isReachable({ port }: GatewayWindow): Promise<boolean> {
	try {
		const { body } = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'error' });
		await body?.cancel();
		return true;
	} catch {
		return false;
	}
}
