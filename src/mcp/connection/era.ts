import type { ServerErrorReason } from '../serverError.ts';
import type { KnownEra } from './connectOptions.ts';
import { AnswerError, HttpStatusError } from './requestError.ts';

/**
 * The protocol has two generations. Since the revision 2026-07-28, a client asks `server/discover` and each request is self-contained;
 * before that, a session begins with `initialize`. To find out which one a server speaks, we ask the newer question, the probe.
 */

/** How long a server counts as speaking the older protocol before it is probed again: it may have been updated. */
const legacyKeptMs = 7 * 86_400_000;

/** Whether a start need not ask, because an earlier one has found an older server. */
export function isKnownLegacy(known: KnownEra | undefined, now: number): boolean {
	return known?.kind === 'legacy' && now - known.since < legacyKeptMs;
}

/** Statuses that concern credentials or the rate of requests, not the protocol. */
const notAboutTheProbe = new Set([401, 403, 407, 429]);

/**
 * Whether a failed probe means that the server does not know the newer protocol. Such servers answer with any error status, with nothing,
 * or with a web page. Network errors and missing credentials mean nothing.
 */
export function failsLikeLegacy(error: unknown): boolean {
	if (error instanceof HttpStatusError) return error.code >= 400 && !notAboutTheProbe.has(error.code);
	return error instanceof AnswerError;
}

/**
 * Whether a failure comes from speaking the wrong protocol, rather than from the network, credentials, or a crash.
 *
 * @param reason what the failure was explained as
 */
export function contradictsEra(error: unknown, reason: ServerErrorReason): boolean {
	if (error instanceof HttpStatusError) return failsLikeLegacy(error) && error.code < 500;
	return reason === 'protocol' || reason === 'request-refused';
}
