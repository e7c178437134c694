import { hostOf } from '../../common/hosts.ts';
import type { AnswerLimits, Endpoint } from '../provider.ts';

/** For providers on the internet. */
export const answerLimits: AnswerLimits = {
	firstByteMs: 60_000,
	gapMs: 45_000,
	bytes: 64 * 1024 * 1024,
	totalMs: 60 * 60_000,
};

/**
 * For models on this machine, which may have to be loaded from disk, and read a long prompt slowly. Ollama sends a call only when it is
 * complete.
 */
export const localAnswerLimits: AnswerLimits = { ...answerLimits, firstByteMs: 300_000, gapMs: 300_000 };

/** How long it takes to read what came while the process was busy, in milliseconds. */
export const unreadMs = 250;

/** Bytes of a failure response that are read, for its reason. */
export const failureBytes = 64 * 1024;
/** How long to wait for them, in milliseconds; the status alone says most. */
export const failureBodyMs = 5_000;

/** How long to read on after an error in a stream, in milliseconds: what the failed answer cost may follow it. */
export const lateUsageMs = 250;

/** The same after the reason for the end of an answer, in milliseconds: what it cost, and the end of the stream. */
export const lateEndMs = 2_000;

/** How often a request is sent, including the first time. */
export const attempts = 5;
/** Wait before the second attempt; it doubles each time. */
export const firstRetryMs = 1_000;
/** Shortest wait, even if a provider asks for less: with 0 all attempts would be used up at once. */
export const minRetryMs = 500;
/** If a provider asks for a longer wait, the request fails. */
export const maxRetryMs = 60_000;
/** Random part of a wait, either way, so that several windows do not retry at the same time. */
export const retryJitter = 0.2;

/** Names and addresses of this machine and of the network around it (RFC 1918, RFC 6761, RFC 6762). */
const nearby =
	/^(?:(?:.+\.)?localhost|.+\.local|\[::1\]|(?:127|10)(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})$/;

/** The limits of an endpoint's answers: llama.cpp, LM Studio and the like are slower than a provider. */
export function limitsOf({ baseUrl, provider, limits }: Omit<Endpoint, 'key' | 'name'>): AnswerLimits {
	const isNear = provider === 'ollama' || nearby.test(hostOf(baseUrl) ?? '');
	return limits ?? (isNear ? localAnswerLimits : answerLimits);
}
