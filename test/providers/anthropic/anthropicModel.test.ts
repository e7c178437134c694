import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { AnthropicModel, anthropicLoadings } from '../../../src/models/anthropic/anthropicModel.ts';
import { answerOf, whole } from '../loopback.ts';
import { claude } from './asking.ts';
import { endpointAt, failsWith, messagesServer, says, started, streams } from './messagesEndpoint.ts';

test.each([
	'claude-sonnet-4-20250514',
	'claude-sonnet-4-5',
	'claude-opus-4-1-20250805',
	'claude-opus-4-8',
	'claude-haiku-4-5',
	'claude-haiku-4-5-20251001',
	'claude-haiku-5-5',
	'claude-sonnet-5',
	'claude-fable-5-2',
	'claude-mythos-preview',
	'claude-somethingnew-12',
])('%s defers tools by itself', (model) => {
	expect(anthropicLoadings(model, true)).toEqual(['native', 'append', 'call']);
});

test.each([
	'claude-3-opus-20240229',
	'claude-3-5-haiku-latest',
	'claude-3-7-sonnet-20250219',
	'claude-2.1',
	'claude-instant-1.2',
	'claude-haiku-4',
	'claude-sonnet-3-7',
	'llama3',
	'',
])('%s is given tools at the end of the array', (model) => {
	expect(anthropicLoadings(model, true)).toEqual(['append', 'native', 'call']);
});

test('an endpoint that only speaks the protocol is not asked to defer, unless the user insists', () => {
	expect(anthropicLoadings('claude-opus-5', false)).toEqual(['append', 'native', 'call']);

	const settings = { id: 'a', name: 'A', model: 'claude-opus-5' };
	expect(new AnthropicModel(settings, endpointAt('http://127.0.0.1:1')).loadings[0]).toBe('append');
	expect(new AnthropicModel(settings, endpointAt('https://api.anthropic.com')).loadings[0]).toBe('native');
});

test('given a server’s own words that mention a time-out, then the failure is told as it was, not as the SDK’s', async () => {
	await using server = await messagesServer(failsWith(400, 'invalid_request_error', 'The tool timed out.'));

	const { error } = await answerOf(claude(server));

	expect(error).toMatchObject({ reason: 'invalidRequest', message: expect.stringContaining('timed out') });
});

const failure = (type: string, message: string) => ({ type: 'error', error: { type, message } });

test.each([
	['a 429 without a time', failsWith(429, 'rate_limit_error', 'Slow down'), /has reached its rate limit/],
	[
		'a 500 with a page',
		whole(500, '<!DOCTYPE html><html><body><h1>Internal Server Error</h1></body></html>'),
		/^127\.0\.0\.1:\d+ failed \(500\)\.$/,
	],
	['a 529', failsWith(529, 'overloaded_error', 'Overloaded'), /is overloaded \(529\): Overloaded/],
	['a 503', failsWith(503, 'api_error', 'Busy'), /is overloaded/],
	[
		'an error in the stream',
		streams(started(), failure('overloaded_error', 'Overloaded')),
		/is overloaded: Overloaded/,
	],
	['an api_error in the stream', streams(started(), failure('api_error', 'Internal')), /failed: Internal/],
	['an answer that ends before it begins', streams(started()), /ended in the middle/],
])(
	'given %s before anything was said, then it is asked again after about a second',
	async (_, answer, reason) => {
		await using server = await messagesServer(answer);

		const [first] = (await answerOf(claude(server))).events;

		expect(first).toMatchObject({ type: 'retrying', reason: expect.stringMatching(reason) });
		expect(first).toHaveProperty(
			'afterMs',
			expect.toSatisfy((ms: number) => ms >= 800 && ms <= 1200),
		);
		expect(JSON.stringify(first)).not.toContain('<');
	},
);

test('given a length of the answer that was guessed too long, then it is asked again with the one that the API names, and from then on', async () => {
	// https://github.com/anthropics/claude-code/issues/24451
	const named =
		'max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-5-20251101';
	await using server = await messagesServer(
		failsWith(400, 'invalid_request_error', named),
		says('Hello.'),
		says('Again.'),
	);
	const model = claude(server, { maxOutputTokens: 128_000 });

	expect((await answerOf(model)).error).toBeUndefined();
	await answerOf(model);

	expect([0, 1, 2].map((n) => server.sent<Anthropic.MessageCreateParams>(n).max_tokens)).toEqual([
		128_000, 64_000, 64_000,
	]);
});
