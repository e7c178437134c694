import { expect, test } from 'vitest';
import type { KnownEra } from '../../../../src/mcp/connection/connectOptions.ts';
import { contradictsEra, failsLikeLegacy, isKnownLegacy } from '../../../../src/mcp/connection/era.ts';
import { MALFORMED_CODE } from '../../../../src/mcp/connection/jsonRpc.ts';
import { AnswerError, HttpStatusError } from '../../../../src/mcp/connection/requestError.ts';

const day = 86_400_000;
const status = (code: number) => new HttpStatusError(new Response(null, { status: code }));

test('what an earlier start has found out of an old server is acted on for a week: it may have been updated since', () => {
	const known: KnownEra = { kind: 'legacy', since: 0 };
	expect([6, 8].map((days) => isKnownLegacy(known, days * day))).toEqual([true, false]);
	expect(isKnownLegacy({ kind: 'modern', since: 0 }, day)).toBe(false);
});

test.each([
	[status(400), true],
	[status(404), true],
	[status(405), true],
	[status(500), true],
	[new AnswerError(MALFORMED_CODE, 'nothing in it'), true],
	// Missing credentials, too many requests and the network tell nothing about the protocol.
	[status(401), false],
	[status(403), false],
	[status(429), false],
	[status(307), false],
	[new TypeError('fetch failed'), false],
])('a probe that fails with %s is one of an old server: %s', (error, expected) => {
	expect(failsLikeLegacy(error)).toBe(expected);
});

test('a server that is down, or wants credentials, does not contradict what is known of it', () => {
	expect(contradictsEra(status(400), 'http-error')).toBe(true);
	expect(contradictsEra(new Error('no such method'), 'request-refused')).toBe(true);
	for (const code of [503, 401, 429]) expect(contradictsEra(status(code), 'http-error')).toBe(false);
	expect(contradictsEra(new TypeError('fetch failed'), 'unreachable')).toBe(false);
	expect(contradictsEra(new Error('gone'), 'died-while-starting')).toBe(false);
});
