import type { APIError, OpenAI } from 'openai';
import { isRecord, type JsonRecord } from '../../../common/json.ts';
import { cutOff, malformed } from '../../http/answerErrors.ts';
import { explanationOf } from '../../http/explanation.ts';
import { failureOf } from '../../http/failure.ts';
import { modelErrorOf } from '../../http/retries.ts';
import type { ModelError } from '../../modelError.ts';
import type { Endpoint } from '../../provider.ts';
import { type ChatBody, requestChat } from './request.ts';

/** A piece of an answer as the provider sends it, or its word that the answer is complete. */
export type ChatChunk = JsonRecord | 'done';

/**
 * Asks for a chat completion and yields what comes, the whole answer of a server that does not stream as well. Throws a
 * `ModelError`, or ends, when `signal` aborts; else it throws one for what went wrong.
 */
export async function* chatChunks(
	client: OpenAI,
	endpoint: Endpoint,
	body: ChatBody,
	signal: AbortSignal,
): AsyncGenerator<ChatChunk> {
	// The SDK ends the request with it as soon as nobody reads on.
	const reading = new AbortController();
	let hasBegun = false;
	try {
		const ended = AbortSignal.any([signal, reading.signal]);
		const response = await requestChat(client, endpoint, body, ended);
		const chunks = isJson(response)
			? wholeAnswer(endpoint, response)
			: streamed(client, endpoint, response, reading);
		for await (const chunk of chunks) {
			hasBegun = true;
			yield chunk;
		}
		if (!hasBegun && !isEventStream(response)) throw malformed(endpoint);
	} catch (error) {
		// Half of an event: the stream ended within it.
		throw hasBegun && error instanceof SyntaxError ? cutOff(endpoint, error) : chatFailure(endpoint, error);
	}
}

/** The SDK's own stream, and the `[DONE]` that it keeps to itself. */
async function* streamed(
	client: OpenAI,
	endpoint: Endpoint,
	response: Response,
	reading: AbortController,
): AsyncGenerator<ChatChunk> {
	const { Stream } = await import('openai/core/streaming');
	const mark = new DoneMark();
	const watched = new Response(response.body?.pipeThrough(mark.watch()) ?? '', response);
	for await (const chunk of Stream.fromSSEResponse(watched, reading, client)) {
		if (!isRecord(chunk)) continue;
		// As older vLLM says it; the SDK knows `{ "error": … }` only.
		if (chunk.object === 'error') throw failureInStream(endpoint, chunk);
		yield chunk;
	}
	if (mark.isSeen) yield 'done';
}

/** The answer of a server that does not stream, as the one chunk of a stream. */
async function* wholeAnswer(endpoint: Endpoint, response: Response): AsyncGenerator<ChatChunk> {
	const answer: unknown = await response.json();
	if (!isRecord(answer)) throw malformed(endpoint);
	const choices = Array.isArray(answer.choices) ? answer.choices.filter(isRecord) : [];
	if (choices.length === 0) throw malformed(endpoint);
	yield answer;
	yield 'done';
}

function isJson(response: Response): boolean {
	return mediaType(response).endsWith('json');
}

function isEventStream(response: Response): boolean {
	return mediaType(response) === 'text/event-stream';
}

function mediaType({ headers }: Response): string {
	return (headers.get('content-type') ?? '').split(';', 1).join('').trim().toLowerCase();
}

/** A line of its own; inside of an event's JSON there are no line ends. */
const mark = /(?:^|[\r\n])data: ?\[DONE\]/;
/** Bytes of one piece of a stream that may belong to a mark which the next piece completes. */
const overlap = '\ndata: [DONE]'.length;

/** Looks for the `data: [DONE]` that ends a stream of Chat Completions; the SDK stops there without saying so. */
export class DoneMark {
	#isSeen = false;
	#tail = '';

	get isSeen(): boolean {
		return this.#isSeen;
	}

	/** What a stream is piped through, unchanged. */
	watch(): TransformStream<Uint8Array, Uint8Array> {
		return new TransformStream({
			transform: (bytes, controller) => {
				this.#look(bytes);
				controller.enqueue(bytes);
			},
		});
	}

	#look(bytes: Uint8Array): void {
		const text = this.#tail + Buffer.from(bytes).toString('latin1');
		this.#isSeen ||= mark.test(text);
		this.#tail = text.slice(-overlap);
	}
}

/** What went wrong, from whatever the SDK throws while a request is sent and its answer read. */
export function chatFailure(endpoint: Endpoint, error: unknown): ModelError {
	const known = modelErrorOf(error);
	if (known) return known;
	if (isProvidersWord(error)) return failureInStream(endpoint, error.error, error);
	return error instanceof SyntaxError ? malformed(endpoint, error) : cutOff(endpoint, error);
}

/** The error for what a provider says of itself under `error`, in the middle of a stream or instead of an answer. */
export function failureInStream(endpoint: Endpoint, said: unknown, cause?: unknown): ModelError {
	return failureOf(endpoint, { ...explanationOf(JSON.stringify({ error: said })), cause });
}

/** The SDK's error for an `error` in the stream: the only one with the provider's words and no status. */
function isProvidersWord(error: unknown): error is APIError {
	return error instanceof Error && 'error' in error && error.error !== undefined;
}
