import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ChatModelEvent, ChatRequest } from '../../../../src/models/chatModel.ts';
import type { AnswerLimits } from '../../../../src/models/http/limits.ts';
import { ChatCompletionsModel } from '../../../../src/models/openai/chatCompletions/chatCompletionsModel.ts';
import type { Endpoint } from '../../../../src/models/provider.ts';

/** A request as it arrived. */
export interface Received {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly rawHeaders: readonly string[];
	readonly body: string;
}

/** Answers one request. What it leaves open stays open. */
export type Answer = (response: ServerResponse) => void | Promise<void>;

/** An HTTP server on loopback that says byte for byte what a test wants, for what no well-behaved endpoint ever says. */
export class ChatServer implements AsyncDisposable {
	readonly received: Received[] = [];
	/** Settles once a client has hung up on an answer that was not at its end. */
	readonly hungUp = Promise.withResolvers<void>();
	readonly #server = createServer();
	#port = 0;

	/** The first answer is for the first request; the last one for all that follow. */
	static async start(...answers: readonly [Answer, ...Answer[]]): Promise<ChatServer> {
		const server = new ChatServer();
		server.#server.on('request', async (request, response) => {
			const { url: path = '', headers, rawHeaders } = request;
			response.on('close', () => {
				if (!response.writableEnded) server.hungUp.resolve();
			});
			server.received.push({ path, headers, rawHeaders, body: await text(request) });
			await (answers[server.received.length - 1] ?? answers.at(-1))?.(response);
		});
		server.#server.listen(0, '127.0.0.1');
		await once(server.#server, 'listening');
		server.#port = (server.#server.address() as AddressInfo).port;
		return server;
	}

	get url(): string {
		return `http://127.0.0.1:${this.#port}`;
	}

	/** The body of a request, the first one unless told. */
	sent(index = 0): Record<string, unknown> {
		return JSON.parse(this.received[index]?.body ?? 'null');
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, 'close');
	}
}

/** A stream of events, each a chunk or bytes as they are, and then its end, `[DONE]` unless told. */
export function events(chunks: readonly (object | string)[], end = 'data: [DONE]\n\n'): Answer {
	return (response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		for (const chunk of chunks) response.write(typeof chunk === 'string' ? chunk : event(chunk));
		response.end(end);
	};
}

export function event(chunk: object): string {
	return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** An answer as a whole, mostly a failing one. */
export function whole(status: number, body: string | object, headers: Record<string, string> = {}): Answer {
	return (response) => {
		const [type, written] =
			typeof body === 'string' ? ['text/html', body] : ['application/json', JSON.stringify(body)];
		response.writeHead(status, { 'content-type': type, ...headers });
		response.end(written);
	};
}

/** One chunk of an answer. */
export function chunk(delta: object, finishReason: string | null = null, more: object = {}): object {
	return {
		id: 'chatcmpl-1',
		object: 'chat.completion.chunk',
		choices: [{ index: 0, delta, finish_reason: finishReason }],
		...more,
	};
}

export function endpointAt(url: string, key: string | undefined = 'sk-real-key'): Endpoint {
	return { name: 'local', provider: 'openai', baseUrl: `${url}/v1`, key: async () => key };
}

/** Limits that no test waits for. */
export const roomy: AnswerLimits = { firstByteMs: 20_000, gapMs: 20_000, bytes: 1024 * 1024 };

export function modelAt(
	url: string,
	settings: Partial<ConstructorParameters<typeof ChatCompletionsModel>[0]> = {},
	limits: AnswerLimits = roomy,
): ChatCompletionsModel {
	return new ChatCompletionsModel(
		{ id: 'config/gpt', name: 'gpt', model: 'gpt-4.1', ...settings },
		endpointAt(url),
		limits,
	);
}

export function ask(request: Partial<ChatRequest> = {}): ChatRequest {
	return { system: '', messages: [{ role: 'user', text: 'hi' }], tools: [], ...request };
}

/** All that a model says, and the error it ends with. */
export async function answerOf(
	model: ChatCompletionsModel,
	request: ChatRequest = ask(),
	signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly events: readonly ChatModelEvent[]; readonly error: unknown }> {
	const events: ChatModelEvent[] = [];
	try {
		for await (const event of model.stream(request, signal)) events.push(event);
		return { events, error: undefined };
	} catch (error) {
		return { events, error };
	}
}

/** The texts among events as one. */
export function textOf(events: readonly ChatModelEvent[]): string {
	return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

/** The calls among events. */
export function callsOf(events: readonly ChatModelEvent[]) {
	return events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []));
}
