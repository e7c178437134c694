import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Provider } from '../../src/common/providers.ts';
import type { AnswerPart } from '../../src/discovery/catalog/message.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../../src/models/chatModel.ts';
import type { AnswerLimits, Endpoint } from '../../src/models/provider.ts';
import { listen } from '../servers/loopback.ts';

/** A request as it arrived. */
export interface Received {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** Answers one request. What it leaves open stays open. */
export type HttpAnswer = (response: ServerResponse, request: Received) => unknown;

/** An HTTP server on loopback that answers byte for byte as a test wants, and keeps what it was sent. */
export class Loopback implements AsyncDisposable {
	readonly received: Received[] = [];
	/** Settles once a client has hung up on an unfinished answer. */
	readonly hungUp = Promise.withResolvers<void>();
	/** Connections that were opened. */
	connections = 0;
	url = '';
	readonly #server = createServer();

	/** The first answer is for the first request; the last one for all that follow. */
	static start(...answers: readonly HttpAnswer[]): Promise<Loopback> {
		return Loopback.routed(() => answers);
	}

	/** The same with answers for each path. */
	static async routed(answersAt: (path: string) => readonly HttpAnswer[]): Promise<Loopback> {
		const loopback = new Loopback();
		const server = loopback.#server;
		server.on('connection', () => void loopback.connections++);
		server.on('request', async (request, response) => {
			response.on('close', () => {
				if (!response.writableEnded) loopback.hungUp.resolve();
			});
			const { url: path = '', headers } = request;
			const received = { path, headers, body: await text(request) };
			const answers = answersAt(path);
			const answer = answers[loopback.at(path).length] ?? answers.at(-1);
			loopback.received.push(received);
			await answer?.(response, received);
		});
		loopback.url = await listen(server);
		return loopback;
	}

	/** The requests to a path. */
	at(path: string): readonly Received[] {
		return this.received.filter((request) => request.path === path);
	}

	/** The body of a request, by default of the first one, in the type of its protocol. */
	sent<Body>(index = 0): Body {
		return JSON.parse(this.received[index]?.body ?? 'null');
	}

	async [Symbol.asyncDispose](): Promise<void> {
		if (!this.#server.listening) return;
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, 'close');
	}
}

export const key = 'sk-test-0123456789abcdef';

/** An endpoint of its own for each test: what is learned of one is kept with it. */
export function endpointAt(baseUrl: string, provider: Provider = 'openai', limits?: AnswerLimits): Endpoint {
	return { name: 'router', provider, baseUrl, key: async () => key, ...(limits && { limits }) };
}

/** Limits that no test waits for. */
export const roomy: AnswerLimits = { firstByteMs: 20_000, gapMs: 20_000, bytes: 1024 * 1024 };

/** A request with one question. */
export function asking(text: string, more: Partial<ChatRequest> = {}): ChatRequest {
	return { system: 'Be brief.', messages: [{ role: 'user', text }], tools: [], ...more };
}

/** What a model tells while it answers, its answer, and the error that it ends with. A retry that would have to be waited for ends it as well. */
export async function answerOf(
	model: ChatModel,
	request: ChatRequest = asking('What is new?'),
	signal: AbortSignal = new AbortController().signal,
	onEvent: (event: ChatModelEvent) => unknown = () => undefined,
): Promise<Outcome> {
	const events: ChatModelEvent[] = [];
	const impatient = new AbortController();
	const stop = AbortSignal.any([signal, impatient.signal]);
	try {
		const parts = await model.answer(request, stop, (event) => {
			events.push(event);
			onEvent(event);
			if (event.type === 'retrying' && event.afterMs > 500) impatient.abort();
		});
		return { events, parts, error: undefined };
	} catch (error) {
		return { events, parts: [], error: error === stop.reason ? undefined : error };
	}
}

interface Outcome {
	readonly events: readonly ChatModelEvent[];
	readonly parts: readonly AnswerPart[];
	readonly error: unknown;
}

/** The same of an answer that succeeds. */
export async function succeedingAnswer(
	model: ChatModel,
	request: ChatRequest,
): Promise<Pick<Outcome, 'events' | 'parts'>> {
	const { error, ...outcome } = await answerOf(model, request);
	if (error) throw error;
	return outcome;
}

/** All that a model tells during an answer that succeeds. */
export async function eventsOf(model: ChatModel, request: ChatRequest): Promise<readonly ChatModelEvent[]> {
	return (await succeedingAnswer(model, request)).events;
}

/** The text that came. */
export function textOf(events: readonly ChatModelEvent[]): string {
	return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

/** A whole response. */
export function whole(status: number, body: string | object, headers: Record<string, string> = {}) {
	return (response: ServerResponse) => {
		const [type, written] =
			typeof body === 'string' ? ['text/html', body] : ['application/json', JSON.stringify(body)];
		response.writeHead(status, { 'content-type': type, ...headers }).end(written);
	};
}

/** Server-sent events, each with its name if it has a type. */
export function sse(...events: readonly object[]): string {
	return events
		.map((event) => `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
		.join('');
}

/** A text in two pieces, as it may come over the wire. */
export function halves(whole: string): string[] {
	const middle = Math.ceil(whole.length / 2);
	return [whole.slice(0, middle), whole.slice(middle)].filter((half) => half !== '');
}
