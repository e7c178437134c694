import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { answerOf } from '../loopback.ts';
import { claude } from './asking.ts';
import { failsWith, messagesServer, says } from './messagesEndpoint.ts';

const native = ['native', 'append', 'call'];
const append = ['append', 'native', 'call'];

test.each([
	...['claude-sonnet-4-20250514', 'claude-sonnet-4-5', 'claude-opus-4-1-20250805', 'claude-opus-4-8'],
	...['claude-haiku-4-5', 'claude-haiku-4-5-20251001', 'claude-sonnet-5', 'claude-mythos-preview'],
])('%s defers tools by itself', (model) => {
	expect(claude({ url: 'https://api.anthropic.com' }, { model }).loadings).toEqual(native);
});

test.each(['claude-haiku-5-5', 'claude-fable-5-2', 'claude-somethingnew-12'])(
	'%s binds its thoughts to its tools, so loads rather change no tools',
	(model) => {
		expect(claude({ url: 'https://api.anthropic.com' }, { model }).loadings).toEqual([
			'native',
			'call',
			'append',
		]);
		expect(claude({ url: 'https://gateway.example' }, { model }).loadings[0]).toBe('call');
	},
);

test.each([
	...['claude-3-opus-20240229', 'claude-3-5-haiku-latest', 'claude-3-7-sonnet-20250219', 'claude-2.1'],
	...['claude-instant-1.2', 'llama3', ''],
])('%s is given tools at the end of the array', (model) => {
	expect(claude({ url: 'https://api.anthropic.com' }, { model }).loadings).toEqual(append);
});

test('an endpoint that only speaks the protocol is asked to defer for a model that knows it', () => {
	expect(claude({ url: 'http://127.0.0.1:1' }, { model: 'claude-opus-5' }).loadings).toEqual(native);
});

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
