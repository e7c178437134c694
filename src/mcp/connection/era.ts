import type { JsonRecord } from '../../common/json.ts';
import type { ServerErrorReason } from '../serverError.ts';
import type { Era, KnownEra } from './connectOptions.ts';
import { AnswerError, HttpStatusError } from './requestError.ts';

/**
 * The protocol has two generations. Since the revision 2026-07-28, a client asks `server/discover` and each request is self-contained;
 * before that, a session begins with `initialize`. To find out which one a server speaks, we ask the newer question, the probe.
 */

/** How long a server counts as speaking the older protocol before it is probed again: it may have been updated. */
const legacyKeptMs = 7 * 86_400_000;
/** Longest time for which an answer to the probe is reused, whatever the server allows. */
const longestDiscoverMs = 86_400_000;
/** Longest answer to keep, in characters of JSON. */
const longestKeptDiscover = 65_536;

/** What a start need not ask because an earlier one has found it out: the SDK's `prior`. */
export function priorEra(known: KnownEra | undefined, now: number): Era | undefined {
	if (!known) return undefined;
	const age = now - known.since;
	if (known.kind === 'legacy') return age < legacyKeptMs ? { kind: 'legacy' } : undefined;
	const { discover } = known;
	const ttl = typeof discover?.ttlMs === 'number' ? discover.ttlMs : 0;
	return discover && age < Math.min(ttl, longestDiscoverMs) ? { kind: 'modern', discover } : undefined;
}

/** A modern server, identified by its answer to the probe. */
export function modernEra(discover: object): Era {
	const isKept = JSON.stringify(discover).length <= longestKeptDiscover;
	return { kind: 'modern', ...(isKept ? { discover: discover as JsonRecord } : {}) };
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
