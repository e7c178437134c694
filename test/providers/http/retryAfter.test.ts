import { expect, test } from 'vitest';
import { retryAfterOf } from '../../../src/models/http/retryAfter.ts';
import { failureIn, provider } from './provider.ts';

const now = Date.parse('2026-10-21T07:28:00Z');

test.each([
	[{ 'retry-after': '20' }, 20_000],
	[{ 'retry-after': ' 1.5 ' }, 1_500],
	[{ 'retry-after': '0' }, 0],
	[{ 'retry-after': '-3' }, 0],
	[{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }, 30_000],
	[{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
	[{ 'retry-after-ms': '250', 'retry-after': '20' }, 250],
	[{ 'retry-after-ms': '', 'retry-after': '20' }, 20_000],
	[{ 'retry-after': 'soon' }, undefined],
	[{ 'retry-after': '' }, undefined],
	[{}, undefined],
])('%j asks for %s ms', (headers, ms) => {
	expect(retryAfterOf(new Headers(Object.entries(headers)), now)).toBe(ms);
});

test.each([
	['20', 'Try again in 20 s'],
	['300', 'Try again in 5 min'],
	['86400', 'Try again in 24 h'],
])('who has to wait %s seconds is told', async (seconds, words) => {
	const { ask } = await provider((_request, response) =>
		response.writeHead(429, { 'retry-after': seconds }).end(),
	);
	const failure = await failureIn(ask());
	expect(failure.retryAfterMs).toBe(Number(seconds) * 1000);
	expect(failure.message).toContain(words);
});
