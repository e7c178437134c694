import { setTimeout as timer } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isRecord, type JsonRecord, parsedJson, recordOf } from '../../common/json.ts';
import type { ModelError } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import { cutOff, malformed } from './answerErrors.ts';
import { explanationOf } from './explanation.ts';
import { failureOf } from './failure.ts';
import { lateUsageMs } from './limits.ts';
import { modelErrorOf } from './retries.ts';

/** What one protocol's streams look like. */
export interface StreamForm {
	/** Whether the answer is complete with this event, so that the rest of the stream does not matter. */
	readonly isLast?: (event: JsonRecord) => boolean;
	/** Whether a JSON body without any event is a complete answer, from a server that does not stream. */
	readonly isWhole?: (body: JsonRecord) => boolean;
}

/** An event of a stream; `done` stands for the `[DONE]` of OpenAI's protocols. */
export type StreamEvent = JsonRecord | 'done';

/**
 * Reads an answer as a stream of events with JSON data. Rejects with a `ModelError` for everything that is not a complete stream: a broken
 * connection, half an event, an error in place of an answer or in the middle of it, a web page. Servers label their answers wrongly, so only the
 * content decides.
 */
export async function readEvents(
	endpoint: Endpoint,
	sent: PromiseLike<Response>,
	{ isLast = () => false, isWhole = () => false }: StreamForm,
	onEvent: (event: StreamEvent) => void,
): Promise<void> {
	const response = await Promise.resolve(sent).catch((error: unknown) => {
		throw modelErrorOf(error) ?? cutOff(endpoint, error);
	});
	const arrived: EventSourceMessage[] = [];
	/** Lines that belong to no event: a JSON body, or a web page. */
	const stray: string[] = [];
	const parser = createParser({
		onEvent: (event) => void arrived.push(event),
		onError: ({ line }) => void stray.push(line ?? ''),
	});
	const reader = response.body?.getReader();
	const decoder = new TextDecoder();
	let hasBegun = false;
	let isComplete = false;
	/** An error in the stream. After it, only what the answer cost is read. */
	let failure: ModelError | undefined;
	try {
		for (let isOpen = reader !== undefined; isOpen; ) {
			const arriving = reader?.read();
			const { done = true, value } =
				(await (failure ? Promise.race([arriving, timer(lateUsageMs)]) : arriving)) ?? {};
			isOpen = !done;
			// Some servers leave out the blank line that ends the last event.
			parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
			for (const { event, data } of arrived.splice(0)) {
				isComplete = data.startsWith('[DONE]');
				if (isComplete) {
					if (failure) throw failure;
					// Some servers end a JSON body like a stream.
					isOpen = false;
					if (!hasBegun && stray.length > 0) break;
					onEvent('done');
					return;
				}
				if (event === 'ping') continue;
				const parsed = parsedJson(data);
				if (parsed === undefined)
					throw failure ?? (done || hasBegun ? cutOff(endpoint) : malformed(endpoint));
				if (!isRecord(parsed)) continue;
				if (event === 'error' || isError(parsed)) failure ??= failureIn(endpoint, parsed);
				hasBegun = true;
				isComplete = isLast(parsed);
				if (!failure || data.includes('"usage"')) onEvent(parsed);
				if (isComplete && !failure) return;
			}
		}
		if (failure) throw failure;
		const rest = stray.join('\n').trim();
		const body = /^[[{]/.test(rest) ? parsedJson(rest) : undefined;
		const said: unknown = Array.isArray(body) ? body[0] : body;
		if (isRecord(said) && isError(said)) throw failureIn(endpoint, said);
		if (isRecord(said) && isWhole(said)) {
			onEvent(said);
			onEvent('done');
		} else if (!hasBegun) {
			const isStream = rest === '' && /event-stream/i.test(response.headers.get('content-type') ?? '');
			throw isStream ? cutOff(endpoint) : malformed(endpoint);
		}
	} finally {
		// A connection serves the next request only after its answer was read to the end.
		if (isComplete && reader) void drain(reader);
		else void reader?.cancel().catch(() => undefined);
	}
}

/** As providers write it, and as older vLLM (`object`) and FastAPI (`detail`) do. */
function isError({ error, object, type, base_resp: response, ...others }: JsonRecord): boolean {
	if (error || object === 'error' || type === 'error') return true;
	// MiniMax adds it to every answer, with 0 for success.
	if (Number(recordOf(response).status_code) > 0) return true;
	const { choices, content, output, detail, message, errors, fault } = others;
	const isAnswer = [type, choices, content, output].some((member) => member !== undefined);
	return !isAnswer && [detail, message, errors, fault].some(Boolean);
}

function failureIn(endpoint: Endpoint, said: JsonRecord) {
	return failureOf(endpoint, explanationOf(said));
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
	try {
		while (!(await reader.read()).done);
	} catch {
		// The answer was complete, so it does not matter how its connection ends.
	}
}
