import { setTimeout as timer } from 'node:timers/promises';
import type { ChatModelEvent } from '../chatModel.ts';
import { ModelError, type ModelErrorReason } from '../modelError.ts';
import { attempts, firstRetryMs, longestRetryMs, retryJitter, shortestRetryMs } from './limits.ts';

/** Failures that pass by themselves. */
const passing: readonly ModelErrorReason[] = ['rateLimited', 'overloaded', 'server', 'cut'];

/** What a test may want to have in its hands. */
interface RetryTiming {
	/** From 0 to 1. */
	readonly random: () => number;
	/** Ends after so many milliseconds, or rejects at once when the signal aborts. */
	readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const realTiming: RetryTiming = {
	random: Math.random,
	wait: (ms, signal) => timer(ms, undefined, { signal }),
};

/**
 * Asks again while a provider fails in a way that passes and nothing of an answer has arrived: what the user has read, and a call
 * that may have been made, must not come twice. The SDKs retry too, but silently and not for every provider; here the
 * chat can say what it waits for.
 */
export async function* withRetries(
	ask: () => AsyncIterable<ChatModelEvent>,
	signal: AbortSignal,
	{ random, wait }: RetryTiming = realTiming,
): AsyncGenerator<ChatModelEvent> {
	for (let attempt = 1; ; attempt++) {
		let answered = false;
		try {
			for await (const event of ask()) {
				answered ||= !['toolDropped', 'notice', 'thinking'].includes(event.type);
				yield event;
			}
			return;
		} catch (error) {
			const failure = modelErrorOf(error);
			const afterMs = failure && !answered ? retryDelay(failure, attempt, random) : undefined;
			if (failure === undefined || afterMs === undefined || signal.aborted) throw failure ?? error;
			yield { type: 'retrying', afterMs, reason: failure.happened };
			await wait(afterMs, signal);
		}
	}
}

/** How long to wait before the next attempt, in milliseconds; `undefined`: there is none. `attempt`: how many were made. */
export function retryDelay(failure: ModelError, attempt: number, random: () => number): number | undefined {
	if (attempt >= attempts || !passing.includes(failure.reason)) return undefined;
	const { retryAfterMs } = failure;
	if (retryAfterMs !== undefined) {
		return retryAfterMs <= longestRetryMs ? Math.max(shortestRetryMs, retryAfterMs) : undefined;
	}
	const jitter = 1 + retryJitter * (2 * random() - 1);
	return Math.min(longestRetryMs, firstRetryMs * 2 ** (attempt - 1) * jitter);
}

/** Our own error inside whatever an SDK has wrapped it in. */
export function modelErrorOf(error: unknown): ModelError | undefined {
	for (let inner = error; inner instanceof Error; inner = inner.cause) {
		if (inner instanceof ModelError) return inner;
	}
	return undefined;
}
