import { expect, test } from 'vitest';
import { retryAfterOf } from '../../../src/common/retryAfter.ts';
import { explanationOf } from '../../../src/models/http/explanation.ts';
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
])('a wait of %s seconds is reported in readable units', async (seconds, words) => {
	const { ask } = await provider((_request, response) =>
		response.writeHead(429, { 'retry-after': seconds }).end(),
	);
	const failure = await failureIn(ask());
	expect(failure.retryAfterMs).toBe(Number(seconds) * 1000);
	expect(failure.message).toContain(words);
});

const retryInfo = (retryDelay: unknown) => ({
	'@type': 'type.googleapis.com/google.rpc.RetryInfo',
	retryDelay,
});

test.each([
	[[{ '@type': 'type.googleapis.com/google.rpc.Help' }, retryInfo('34s')], 34_000],
	[[retryInfo('0.5s')], 500],
	[[retryInfo(34)], undefined],
	[[null, 'RetryInfo'], undefined],
	['RetryInfo', undefined],
	[undefined, undefined],
])('the details %j ask for %s ms', (details, ms) => {
	expect(explanationOf({ error: { details } }).retryAfterMs).toBe(ms);
});

const quota = {
	error: {
		code: 429,
		message: 'You exceeded the rate.',
		status: 'RESOURCE_EXHAUSTED',
		details: [retryInfo('34s')],
	},
};

test.each<[string, object, object, number | undefined]>([
	['what Google says in a refusal', {}, [quota], 34_000],
	['the header before it', { 'retry-after': '2' }, [quota], 2_000],
	['nothing, if nothing is said', {}, {}, undefined],
])('the wait after a refusal is %s', async (_, headers, body, ms) => {
	const { ask } = await provider((_request, response) =>
		response.writeHead(429, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body)),
	);
	expect((await failureIn(ask())).retryAfterMs).toBe(ms);
});
