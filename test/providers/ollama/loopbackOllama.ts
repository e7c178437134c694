import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ChatModelEvent, ChatRequest } from '../../../src/models/chatModel.ts';
import type { AnswerLimits } from '../../../src/models/http/limits.ts';
import type { WireRequest } from '../../../src/models/ollama/chatBody.ts';
import type { OllamaSettings } from '../../../src/models/ollama/contextWindow.ts';
import { OllamaModel } from '../../../src/models/ollama/ollamaModel.ts';
import type { Endpoint } from '../../../src/models/provider.ts';

/** Answers one request. What it leaves open stays open. */
export type Answer = (response: ServerResponse) => void | Promise<void>;

/** A request as it arrived. */
interface Received {
	readonly path: string | undefined;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/**
 * An Ollama on loopback that says byte for byte what a test wants: what aimock lacks of its API (`/api/show`, the request as it was
 * sent, token counts) and what no well-behaved Ollama says.
 */
export class LoopbackOllama implements AsyncDisposable {
	/** All requests to `/api/chat`. */
	readonly chats: Received[] = [];
	/** All requests to `/api/show`. */
	readonly shows: Received[] = [];
	/** Settles once a client has hung up on an answer that was not at its end. */
	readonly hungUp = Promise.withResolvers<void>();
	readonly #server = createServer();

	/** The first of `chat` answers the first request, the last one all that follow. */
	static async start({ chat, show = shown({}) }: { chat: readonly Answer[]; show?: Answer }) {
		const ollama = new LoopbackOllama();
		ollama.#server.on('request', async (request, response) => {
			response.on('close', () => {
				if (!response.writableEnded) ollama.hungUp.resolve();
			});
			const { url: path, headers } = request;
			const isShow = path === '/api/show';
			const requests = isShow ? ollama.shows : ollama.chats;
			requests.push({ path, headers, body: await text(request) });
			await (isShow ? show : (chat[requests.length - 1] ?? chat.at(-1)))?.(response);
		});
		ollama.#server.listen(0, '127.0.0.1');
		await once(ollama.#server, 'listening');
		return ollama;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	/** What the n-th chat request asked for. */
	sent(index = 0): WireRequest {
		return JSON.parse(this.chats[index]?.body ?? 'null');
	}

	/** The lengths of context that were asked for, in order. */
	get contexts(): number[] {
		return this.chats.map((_, index) => this.sent(index).options.num_ctx);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, 'close');
	}
}

/** Lines of an answer; a string is sent as it is. */
export function lines(...said: readonly (object | string)[]): Answer {
	return (response) => {
		response.writeHead(200, { 'content-type': 'application/x-ndjson' });
		response.end(said.map((line) => (typeof line === 'string' ? line : ndjson(line))).join(''));
	};
}

export function ndjson(line: object): string {
	return `${JSON.stringify(line)}\n`;
}

/** A piece of an answer. */
export function piece(message: object): object {
	return { model: 'qwen3:8b', message: { role: 'assistant', content: '', ...message }, done: false };
}

/** The last line of an answer. */
export function done(more: object = {}): object {
	const counts = { prompt_eval_count: 100, eval_count: 10 };
	return { ...piece({}), done: true, done_reason: 'stop', ...counts, ...more };
}

/** An answer of one text. */
export function says(content: string, more: object = {}): Answer {
	return lines(piece({ content }), done(more));
}

/** A failing answer, as Ollama words it. */
export function fails(status: number, error: string, headers: Record<string, string> = {}): Answer {
	return (response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(JSON.stringify({ error }));
	};
}

/** What Ollama knows of a model. */
export function shown(known: {
	contextTokens?: number;
	capabilities?: readonly string[];
	parameters?: string;
}): Answer {
	const { contextTokens = 131_072, capabilities = ['completion', 'tools'], parameters } = known;
	return (response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(
			JSON.stringify({
				parameters,
				model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': contextTokens },
				capabilities,
			}),
		);
	};
}

/** Limits that no test meets, however busy the machine is, but the one of size. */
export const roomyLimits: AnswerLimits = { firstByteMs: 30_000, gapMs: 30_000, bytes: 64 * 1024 };

export function endpointAt(baseUrl: string, key?: string): Endpoint {
	return { name: 'local', provider: 'ollama', baseUrl, key: async () => key };
}

export function modelAt(
	baseUrl: string,
	settings: Partial<OllamaSettings> = {},
	limits?: AnswerLimits,
): OllamaModel {
	const whole: OllamaSettings = { id: 'qwen', name: 'Qwen', model: 'qwen3:8b', ...settings };
	return new OllamaModel(whole, endpointAt(baseUrl), limits);
}

/** A request with one question in it. */
export function asking(text: string, more: Partial<ChatRequest> = {}): ChatRequest {
	return { system: 'Be brief.', messages: [{ role: 'user', text }], tools: [], ...more };
}

/** All that a model says. */
export async function answered(
	model: OllamaModel,
	request: ChatRequest,
	signal: AbortSignal = new AbortController().signal,
): Promise<ChatModelEvent[]> {
	return Array.fromAsync(model.stream(request, signal));
}

export function textOf(events: readonly ChatModelEvent[]): string {
	return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}
