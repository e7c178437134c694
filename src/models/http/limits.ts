import type { Endpoint } from '../provider.ts';

/** Bounds of one answer of a provider. Times in milliseconds, sizes in bytes. */
export interface AnswerLimits {
	/** From sending the request to the first byte of the answer's body. */
	readonly firstByteMs: number;
	/** Between two pieces of the body; a provider's keep-alive comments count as pieces. */
	readonly gapMs: number;
	/** The whole body, unpacked. */
	readonly bytes: number;
	/** From sending the request to the end of the body, however lively it is; without it, there is no end. */
	readonly totalMs?: number;
}

/** What holds for providers on the network. */
export const answerLimits: AnswerLimits = {
	firstByteMs: 60_000,
	gapMs: 45_000,
	bytes: 64 * 1024 * 1024,
	totalMs: 60 * 60_000,
};

/**
 * A model on this machine may have to be read from disk, and reads a long prompt slowly, before it says anything; and Ollama sends a
 * call only once it has all of it.
 */
export const localAnswerLimits: AnswerLimits = { ...answerLimits, firstByteMs: 300_000, gapMs: 300_000 };

/** Given to SDKs for their own timeout, the longest that a timer waits: {@link AnswerLimits} end a request long before, and say why. */
export const noTimeoutMs = 2 ** 31 - 1;

/** Bytes of a failing answer that are read, for the reason that it gives. */
export const failureBytes = 64 * 1024;
/** How long they are waited for, in milliseconds; the status alone says most. */
export const failureBodyMs = 5_000;

/** Times a request is sent, the first one counted. */
export const attempts = 5;
/** Wait before the second attempt; it doubles each time. */
export const firstRetryMs = 1_000;
/** Shortest wait, however little a provider asks for: one that says 0 and goes on refusing would have used up all attempts at once. */
export const shortestRetryMs = 500;
/** A provider that asks for more patience than this is not waited for. */
export const longestRetryMs = 60_000;
/** Part by which a wait is varied either way, so that several windows do not retry in step. */
export const retryJitter = 0.2;

/** Names and addresses of this machine and of the network around it (RFC 1918, RFC 6761, RFC 6762). */
const nearby =
	/^(?:(?:.+\.)?localhost|.+\.local|\[::1\]|(?:127|10)(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})$/;

/** The limits of an endpoint of which nothing else is said: llama.cpp, LM Studio and the like are slower than a provider. */
export function usualLimits({ baseUrl }: Pick<Endpoint, 'baseUrl'>): AnswerLimits {
	return URL.canParse(baseUrl) && nearby.test(new URL(baseUrl).hostname) ? localAnswerLimits : answerLimits;
}
