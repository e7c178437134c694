import type Anthropic from '@anthropic-ai/sdk';
import type { Endpoint } from '../endpoint.ts';
import { cutOff, malformed } from '../http/brokenAnswer.ts';
import { explanationOf } from '../http/explanation.ts';
import { failureOf } from '../http/failure.ts';
import { modelErrorOf } from '../http/retries.ts';
import type { ModelError } from '../modelError.ts';

type Events = AsyncIterable<Anthropic.RawMessageStreamEvent>;

/**
 * The events of an answer, with every way in which reading them can fail as a `ModelError`. `contentType` is the answer's: what neither
 * claims to be a stream of events nor holds any comes from another kind of server.
 */
export async function* readableEvents(
	events: Events,
	contentType: string,
	endpoint: Endpoint,
): AsyncGenerator<Anthropic.RawMessageStreamEvent> {
	let isSilent = true;
	let isComplete = false;
	try {
		for await (const event of events) {
			isSilent = false;
			isComplete ||= event.type === 'message_stop';
			yield event;
		}
	} catch (error) {
		// How the connection ends once all is said is of no matter.
		if (!isComplete) throw readingFailure(error, endpoint);
	}
	if (isSilent && !/event-stream/i.test(contentType)) throw malformed(endpoint);
}

function readingFailure(error: unknown, endpoint: Endpoint): ModelError {
	const ours = modelErrorOf(error);
	if (ours) return ours;
	// An `error` event in the stream, which the SDK throws with the event's data as `error`.
	if (error instanceof Error && 'error' in error && error.error !== undefined) {
		const said = typeof error.error === 'string' ? error.error : JSON.stringify(error.error);
		return failureOf(endpoint, { ...explanationOf(said), cause: error });
	}
	if (error instanceof SyntaxError) return malformed(endpoint, error);
	return cutOff(endpoint, error);
}
