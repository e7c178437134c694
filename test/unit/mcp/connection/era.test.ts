import { describe, expect, test } from 'vitest';
import { type KnownEra, readKnownEra } from '../../../../src/mcp/connection/connectOptions.ts';
import { contradictsEra, failsLikeLegacy, modernEra, priorEra } from '../../../../src/mcp/connection/era.ts';
import { MALFORMED_CODE } from '../../../../src/mcp/connection/jsonRpc.ts';
import { AnswerError, HttpStatusError } from '../../../../src/mcp/connection/requestError.ts';

const day = 86_400_000;
const status = (code: number) => new HttpStatusError(new Response(null, { status: code }));

describe('what an earlier start has found out', () => {
	const discover = { supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 1_000 };

	test('of an old server is acted on for a week: it may have been brought up to date since', () => {
		const known: KnownEra = { kind: 'legacy', since: 0 };
		expect(priorEra(known, 6 * day)).toEqual({ kind: 'legacy' });
		expect(priorEra(known, 8 * day)).toBeUndefined();
	});

	test('of a modern one is acted on for as long as its answer is good, and a day at most', () => {
		expect(priorEra({ kind: 'modern', since: 0, discover }, 999)).toEqual({ kind: 'modern', discover });
		expect(priorEra({ kind: 'modern', since: 0, discover }, 1_001)).toBeUndefined();
		const endless = { ...discover, ttlMs: Number.MAX_SAFE_INTEGER };
		expect(priorEra({ kind: 'modern', since: 0, discover: endless }, day + 1)).toBeUndefined();
		expect(priorEra({ kind: 'modern', since: 0 }, 0)).toBeUndefined();
	});

	test('is read back as it was written, and else counts for nothing', () => {
		const known = { ...modernEra(discover), since: 7 };
		expect(readKnownEra(JSON.parse(JSON.stringify(known)))).toEqual(known);
		for (const other of [undefined, 'legacy', {}, { kind: 'legacy' }, { kind: 'ancient', since: 1 }])
			expect(readKnownEra(other)).toBeUndefined();
	});

	test('an answer that is too long is not kept', () => {
		expect(modernEra({ ...discover, instructions: 'x'.repeat(100_000) })).toEqual({ kind: 'modern' });
	});
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
