import type { OpenAI } from 'openai';
import { isRecord, type JsonRecord } from '../../../discovery/record.ts';
import type { Endpoint } from '../../endpoint.ts';
import { cutOff, malformed } from '../../http/brokenAnswer.ts';
import { DoneMark } from './doneMark.ts';
import { chatFailure, failureInStream } from './failure.ts';
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
