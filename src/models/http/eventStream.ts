import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { exactJson } from '../../common/exactJson.ts';
import { isRecord, type JsonRecord, parsedJson, recordOf } from '../../common/json.ts';
import { looseJson } from '../../common/looseJson.ts';
import { ModelError } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import type { AnswerReader } from './answerReader.ts';
import { explanationOf } from './explanation.ts';
import { errorAbout, failureOf } from './failure.ts';
import { lateEndMs, lateUsageMs } from './limits.ts';

/**
 * Reads an answer as a stream of events with JSON data. Resolves to a `ModelError` for everything that is not a complete stream: a broken
 * connection, half an event, an error in place of an answer or in the middle of it, a web page. Servers label their answers wrongly, so only the
 * content decides.
 */
export async function readEvents(
	endpoint: Endpoint,
	pendingResponse: PromiseLike<Response>,
	answer: Pick<AnswerReader, 'readsLines' | 'isOver' | 'isLast' | 'isWhole' | 'read'>,
): Promise<unknown> {
	const pendingEvents: Pick<EventSourceMessage, 'event' | 'data'>[] = [];
	/** Lines that belong to no event: an object of its own, a JSON body, or a web page. */
	const otherLines: string[] = [];
	const parser = createParser({
		onEvent: (event) => void pendingEvents.push(event),
		onError: ({ line = '' }) => {
			// Before September 2025, llama.cpp wrote `error` in place of `data`.
			const [, errorText] = /^error:(.*)/.exec(line) ?? [];
			if (errorText !== undefined) pendingEvents.push({ event: 'error', data: errorText });
			else if (answer.readsLines && isRecord(parsedJson(line))) pendingEvents.push({ data: line });
			else if (line.trim() !== '') otherLines.push(line);
		},
	});
	const decoder = new TextDecoder();
	let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
	const throwCut = (cause: unknown) => {
		throw cause instanceof ModelError ? cause : errorAbout(endpoint, 'cut', { cause });
	};
	const cancel = () => void reader?.cancel().catch(() => undefined);
	let hasBegun = false;
	let isComplete = false;
	/** An error in the stream. After it, only what the answer cost is read. */
	let failure: ModelError | undefined;
	/** Ends the reading some time after only counts and marks may follow: some servers never close their streams. */
	let closing: NodeJS.Timeout | undefined;
	try {
		const response = await pendingResponse;
		reader = response.body?.getReader();
		for (let isOpen = reader !== undefined; isOpen; ) {
			const { done = true, value } = (await reader?.read().catch(throwCut)) ?? {};
			isOpen = !done;
			// Some servers leave out the blank line that ends the last event.
			parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
			for (const { event, data } of pendingEvents.splice(0)) {
				isComplete = data.startsWith('[DONE]');
				if (isComplete) {
					if (failure) throw failure;
					// Some servers end a JSON body like a stream.
					isOpen = false;
					if (!hasBegun && otherLines.length > 0) break;
					answer.read('done');
					return undefined;
				}
				if (event === 'ping' || data === '') continue;
				const parsed = looseJson(data);
				// Some servers write the words of an error without JSON.
				const isErrorText = event === 'error' || /^error\b/i.test(data);
				if (parsed === undefined && !isErrorText)
					throw failure ?? errorAbout(endpoint, done || hasBegun ? 'cut' : 'malformed');
				if (isErrorText || (isRecord(parsed) && isError(parsed)))
					failure ??= failureOf(endpoint, explanationOf(parsed ?? data.replace(/^error:\s*/i, '')));
				if (!isRecord(parsed)) continue;
				hasBegun = true;
				isComplete = answer.isLast(parsed);
				if (!failure || data.includes('"usage"')) answer.read(parsed);
				if (isComplete && !failure) return undefined;
			}
			if (failure || answer.isOver) closing ??= setTimeout(cancel, failure ? lateUsageMs : lateEndMs);
		}
		if (failure) throw failure;
		const rest = otherLines.join('\n').trim();
		const body = /^[[{]/.test(rest) ? exactJson(rest) : undefined;
		const message: unknown = Array.isArray(body) ? body[0] : body;
		if (isRecord(message) && isError(message)) throw failureOf(endpoint, explanationOf(message));
		if (isRecord(message) && answer.isWhole(message)) {
			answer.read(message);
			answer.read('done');
		} else if (!hasBegun) {
			const isStream = /event-stream|ndjson/i.test(response.headers.get('content-type') ?? '');
			const isCut = rest === '' ? isStream : answer.readsLines && body === undefined && /^\{\s*"/.test(rest);
			throw isCut ? errorAbout(endpoint, 'cut') : errorAbout(endpoint, 'malformed', { detail: rest });
		}
		return undefined;
	} catch (error) {
		return error;
	} finally {
		clearTimeout(closing);
		// A connection serves the next request only after its answer was read to the end.
		if (isComplete && reader) void drain(reader);
		else cancel();
	}
}

const errorKey = /^(detail|message|errors|fault|error\s.*)$/i;

/** As providers write it, and as older vLLM (`object`) and FastAPI (`detail`) do. */
function isError({ error, object, type, base_resp: response, ...others }: JsonRecord): boolean {
	if (error || object === 'error' || type === 'error') return true;
	// MiniMax adds it to every answer, with 0 for success.
	if (Number(recordOf(response).status_code) > 0) return true;
	const { choices, content, output, message } = others;
	// Ollama's `message` is an object, the words of an error are not.
	const isAnswer =
		isRecord(message) || [type, choices, content, output].some((member) => member !== undefined);
	return !isAnswer && Object.entries(others).some(([key, value]) => errorKey.test(key) && value);
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
	try {
		while (!(await reader.read()).done);
	} catch {
		// The answer was complete, so it does not matter how its connection ends.
	}
}
