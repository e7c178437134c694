import { setTimeout as timer } from 'node:timers/promises';
import type { Answer } from '../answer.ts';
import { ModelError, type ModelErrorReason } from '../modelError.ts';
import { attempts, firstRetryMs, maxRetryMs, minRetryMs, retryJitter } from './limits.ts';

/** Failures that may not happen again. */
const temporary: readonly ModelErrorReason[] = ['rateLimited', 'overloaded', 'server', 'cut'];

/** How a request is repeated. Tests replace the clock. */
interface RetryOptions {
	/** Changes the request so that it will not fail this way again; `undefined` if that is impossible. `notice`: what to tell the user. */
	readonly recover?: (failure: ModelError) => { readonly notice?: string | undefined } | undefined;
	/** From 0 to 1. */
	readonly random?: () => number;
	/** Resolves after this many milliseconds, or rejects at once when the signal aborts. */
	readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Repeats a request while the user has read nothing of its answer: at once if the request can be changed so that it succeeds, and after a wait if
 * the failure may pass. Each attempt has an answer of its own. Once something was read, a repeat would show it twice.
 * Here the chat can say what it waits for.
 */
export async function withRetries(
	begin: () => Answer,
	ask: (answer: Answer) => Promise<void>,
	signal: AbortSignal,
	{
		recover = () => undefined,
		random = Math.random,
		wait = (ms) => timer(ms, undefined, { signal }),
	}: RetryOptions = {},
): Promise<Answer> {
	for (let attempt = 1; ; ) {
		const answer = begin();
		try {
			await ask(answer);
			return answer;
		} catch (error) {
			if (!(error instanceof ModelError) || answer.isRead || signal.aborted) throw error;
			// A request is refused before an answer begins.
			const recovered = answer.isEmpty ? recover(error) : undefined;
			if (recovered) {
				if (recovered.notice) answer.emit({ type: 'notice', text: recovered.notice });
				continue;
			}
			const afterMs = retryDelay(error, attempt, random);
			if (afterMs === undefined) throw error;
			answer.emit({ type: 'retrying', afterMs, reason: error.happened });
			await wait(afterMs, signal);
			attempt++;
		}
	}
}

/** How long to wait before the next attempt, in milliseconds; `undefined` if there is none. `attempt`: how many were made. */
export function retryDelay(failure: ModelError, attempt: number, random: () => number): number | undefined {
	if (attempt >= attempts || !temporary.includes(failure.reason)) return undefined;
	const { retryAfterMs } = failure;
	if (retryAfterMs !== undefined) {
		return retryAfterMs <= maxRetryMs ? Math.max(minRetryMs, retryAfterMs) : undefined;
	}
	const jitter = 1 + retryJitter * (2 * random() - 1);
	return Math.min(maxRetryMs, firstRetryMs * 2 ** (attempt - 1) * jitter);
}
