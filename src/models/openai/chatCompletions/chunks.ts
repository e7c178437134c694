import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { OpenAI } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources';
import { isRecord, type JsonRecord } from '../../../common/json.ts';
import { cutOff, malformed } from '../../http/answerErrors.ts';
import { explanationOf } from '../../http/explanation.ts';
import { failureOf } from '../../http/failure.ts';
import { modelErrorOf } from '../../http/retries.ts';
import type { ModelError } from '../../modelError.ts';
import type { Endpoint } from '../../provider.ts';

/** A piece of an answer as the provider sends it, or its word that the answer is complete. */
export type ChatChunk = JsonRecord | 'done';

/**
 * Asks for a chat completion and yields what comes, the whole answer of a server that does not stream as well. Throws a
 * `ModelError`, or ends, when `signal` aborts; else it throws one for what went wrong.
 */
export async function* chatChunks(
	client: OpenAI,
	endpoint: Endpoint,
	body: ChatCompletionCreateParamsStreaming,
	signal: AbortSignal,
): AsyncGenerator<ChatChunk> {
	let hasBegun = false;
	try {
		const response = await client.chat.completions.create(body, { signal }).asResponse();
		const chunks = isJson(response) ? wholeAnswer(endpoint, response) : streamed(endpoint, response);
		for await (const chunk of chunks) {
			hasBegun = true;
			yield chunk;
		}
		if (!hasBegun && !isEventStream(response)) throw malformed(endpoint);
	} catch (error) {
		// Half of an event is no JSON: the stream ended within it.
		throw hasBegun && error instanceof SyntaxError ? cutOff(endpoint, error) : chatFailure(endpoint, error);
	}
}

/**
 * The events of a stream. The SDK would stop at the `[DONE]` that ends it without saying so; what comes behind it is read all the same,
 * so that the connection serves again.
 */
async function* streamed(endpoint: Endpoint, response: Response): AsyncGenerator<ChatChunk> {
	let arrived: EventSourceMessage[] = [];
	const parser = createParser({ onEvent: (event) => arrived.push(event) });
	let isDone = false;
	for await (const text of textOf(response)) {
		parser.feed(text);
		for (const { event, data } of arrived) {
			isDone ||= data.startsWith('[DONE]');
			if (isDone) continue;
			const chunk: unknown = JSON.parse(data);
			if (!isRecord(chunk)) continue;
			// An error as older vLLM sends it, as nearly all others do, or by the name of the event.
			if (chunk.object === 'error') throw failureInStream(endpoint, chunk);
			if (chunk.error || event === 'error') throw failureInStream(endpoint, chunk.error ?? chunk);
			yield chunk;
		}
		arrived = [];
	}
	if (isDone) yield 'done';
}

/** The text of a body, with the blank line that ends the last event: some servers leave it out. */
async function* textOf({ body }: Response): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	for await (const bytes of body ?? []) yield decoder.decode(bytes, { stream: true });
	yield `${decoder.decode()}\n\n`;
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

/** What went wrong, from whatever is thrown while a request is sent and its answer read. */
function chatFailure(endpoint: Endpoint, error: unknown): ModelError {
	const known = modelErrorOf(error);
	if (known) return known;
	return error instanceof SyntaxError ? malformed(endpoint, error) : cutOff(endpoint, error);
}

/** The error for what a provider says of itself under `error`, in the middle of a stream or instead of an answer. */
export function failureInStream(endpoint: Endpoint, said: unknown): ModelError {
	return failureOf(endpoint, explanationOf(JSON.stringify({ error: said })));
}
