import { expect, test } from 'vitest';
import { ModelError } from '../../../src/models/modelError.ts';
import { messageOf } from '../asGiven.ts';
import { answerOf, type HttpAnswer } from '../loopback.ts';
import { claude } from './asking.ts';
import {
	block,
	callBlock,
	ended,
	messagesServer,
	started,
	streams,
	textBlock,
	type WireEvent,
} from './messagesEndpoint.ts';

const ping: WireEvent = { type: 'ping' };

test('given text in pieces among pings and unknown events, then the pieces come as they are, and the usage once at the end', async () => {
	const { events } = await answered(
		streams(started(), ping, ...textBlock(0, 'Hello.'), { type: 'invented_later' }, ...ended('end_turn')),
	);

	expect(events).toEqual([
		{ type: 'text', text: 'Hel' },
		{ type: 'text', text: 'lo.' },
		{ type: 'usage', usage: { inputTokens: 10, outputTokens: 5 } },
	]);
});

test.each<[string, object, object, object]>([
	[
		'the cache and thoughts',
		{ input_tokens: 7, cache_creation_input_tokens: 20, cache_read_input_tokens: 300, output_tokens: 1 },
		{ output_tokens: 5, output_tokens_details: { thinking_tokens: 3 } },
		{ inputTokens: 327, outputTokens: 5, cachedInputTokens: 300, cacheWriteTokens: 20, thoughtTokens: 3 },
	],
	[
		'corrected counts, some of them null',
		{ input_tokens: 7, cache_read_input_tokens: 0, output_tokens: 1 },
		{ input_tokens: 9, cache_creation_input_tokens: null, cache_read_input_tokens: null, output_tokens: 40 },
		{ inputTokens: 9, outputTokens: 40, cachedInputTokens: 0 },
	],
	[
		'the cache for an hour',
		{
			input_tokens: 7,
			cache_creation_input_tokens: 20,
			cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 15 },
		},
		{ output_tokens: 5 },
		{ inputTokens: 27, outputTokens: 5, cacheWriteTokens: 20, hourCacheWriteTokens: 15 },
	],
])('the usage has %s', async (_, first, last, usage) => {
	const { events } = await answered(streams(started(first), ...ended('end_turn', last)));

	expect(events).toEqual([{ type: 'usage', usage }]);
});

test('given a thought between two calls, then the parts keep the order of the blocks', async () => {
	const { parts } = await answered(
		streams(
			started(),
			...callBlock(0, 'a', 'files__list'),
			...block(
				1,
				{ type: 'thinking', thinking: '', signature: '' },
				{ type: 'thinking_delta', thinking: 'Now.' },
				{ type: 'signature_delta', signature: 's' },
			),
			...callBlock(2, 'b', 'files__read', '{}'),
			...ended('tool_use'),
		),
	);

	expect(messageOf(parts).parts.map(({ type }) => type)).toEqual(['toolCall', 'thinking', 'toolCall']);
});

test('given an endpoint that tells no usage, then none is made up', async () => {
	const { events, error } = await answered(
		streams({ type: 'message_start' }, ...textBlock(0, 'hi'), { type: 'message_stop' }),
	);

	expect(error).toBeUndefined();
	expect(events.map(({ type }) => type)).toEqual(['text', 'text']);
});

test('given thinking, then it is told apart from the answer, and kept as it was, sealed or not', async () => {
	const { events, parts } = await answered(
		streams(
			started(),
			...block(
				0,
				{ type: 'thinking', thinking: '', signature: '' },
				{ type: 'thinking_delta', thinking: 'hm' },
				{ type: 'thinking_delta', thinking: 'm' },
				{ type: 'signature_delta', signature: 'x' },
			),
			...block(1, { type: 'redacted_thinking', data: 'zzz' }),
			...textBlock(2, 'ok'),
			...ended('end_turn'),
		),
	);

	expect(events).toMatchObject([
		{ type: 'thinking', text: 'hm' },
		{ type: 'thinking', text: 'm' },
		{ type: 'text', text: 'o' },
		{ type: 'text', text: 'k' },
		{ type: 'usage' },
	]);
	expect(messageOf(parts).parts).toMatchObject([
		{ type: 'thinking', text: 'hmm', origin: { data: { signature: 'x' } } },
		{ type: 'thinking', text: '', origin: { data: { redacted: 'zzz' } } },
		{ type: 'text', text: 'ok' },
	]);
});

test.each([
	['stop_sequence', 'usage', undefined],
	['invented_later', 'notice', undefined],
	['pause_turn', 'usage', { reason: 'paused' }],
])('an answer that stops with %s ends with a %s', async (reason, last, failure) => {
	const { events, error } = await answered(streams(started(), ...textBlock(0, 'ok'), ...ended(reason)));

	if (failure) expect(error).toMatchObject(failure);
	else expect(error).toBeUndefined();
	expect(events.at(-1)?.type).toBe(last);
});

test('given text that reaches the output limit, then it is told, counted, and said to be cut, and not asked again', async () => {
	await using server = await messagesServer(
		streams(started(), ...textBlock(0, 'Long'), ...ended('max_tokens')),
	);

	const { events, error } = await answerOf(claude(server, { maxOutputTokens: 50 }));

	expect(events.map(({ type }) => type)).toEqual(['text', 'text', 'usage']);
	expect(error).toBeInstanceOf(ModelError);
	expect(error).toMatchObject({
		reason: 'outputLimit',
		message: expect.stringContaining('output limit of 50 tokens'),
	});
	expect(server.received).toHaveLength(1);
});

test('given a full context window, then the conversation is said to be too long', async () => {
	const { error } = await answered(streams(started(), ...ended('model_context_window_exceeded')));

	expect(error).toMatchObject({ reason: 'contextTooLong' });
});

test('given a refusal, then it says so with the reason, and calls begun before are not made', async () => {
	const details = { type: 'refusal', category: 'cyber', explanation: 'This could\nharm.' };
	const { events, error } = await answered(
		streams(
			started(),
			...textBlock(0, 'I'),
			...callBlock(1, 'a', 'files__read', '{}'),
			...ended('refusal', { output_tokens: 1 }, details),
		),
	);

	expect(events.map(({ type }) => type)).toEqual(['text', 'usage']);
	expect(error).toMatchObject({
		reason: 'refused',
		message: expect.stringContaining(': This could harm. Try other words'),
	});
});

async function answered(answer: HttpAnswer) {
	await using server = await messagesServer(answer);
	return await answerOf(claude(server, {}, { firstByteMs: 10_000, gapMs: 2_000, bytes: 1024 * 1024 }));
}
