import { expect, test } from 'vitest';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import { calls, failed, picture, results, succeeded, tool, user } from '../conversation.ts';
import { asking } from '../loopback.ts';
import { sent, sentMessages } from './asking.ts';

test('given a question, when it is sent, then the body holds everything in the order of the cache', async () => {
	const body = await sent(asking('hi', { tools: [tool('files__read')] }));

	expect(Object.keys(body)).toEqual(['model', 'max_tokens', 'tools', 'system', 'messages', 'stream']);
	expect(body).toMatchObject({
		model: 'claude-sonnet-5',
		max_tokens: 8192,
		tools: [
			{
				name: 'files__read',
				description: 'Does files__read.',
				input_schema: { type: 'object', properties: { path: { type: 'string' } } },
			},
		],
		system: [{ type: 'text', text: 'Be brief.' }],
		messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
		stream: true,
	});
});

test('given no tools and no system prompt, then neither is in the body', async () => {
	const body = await sent(asking('hi', { system: ' \n' }), { maxOutputTokens: 100 });

	expect(Object.keys(body)).toEqual(['model', 'max_tokens', 'messages', 'stream']);
	expect(body.max_tokens).toBe(100);
});

test('given three calls in one answer, when their results come in another order, then one message answers all in the order of the calls', async () => {
	const messages = await sentMessages([
		user('read'),
		calls('On it. \n', 'a', 'b', 'c'),
		results(succeeded('c', 'third'), failed('a', 'no such file'), succeeded('b', '')),
	]);

	expect(messages).toEqual([
		{ role: 'user', content: [{ type: 'text', text: 'read' }] },
		{
			role: 'assistant',
			content: [
				{ type: 'text', text: 'On it.' },
				{ type: 'tool_use', id: 'a', name: 'files__read', input: { path: 'a.txt' } },
				{ type: 'tool_use', id: 'b', name: 'files__read', input: { path: 'b.txt' } },
				{ type: 'tool_use', id: 'c', name: 'files__read', input: { path: 'c.txt' } },
			],
		},
		{
			role: 'user',
			content: [
				{
					type: 'tool_result',
					tool_use_id: 'a',
					content: [{ type: 'text', text: 'no such file' }],
					is_error: true,
				},
				{
					type: 'tool_result',
					tool_use_id: 'b',
					content: [{ type: 'text', text: 'The tool returned nothing.' }],
				},
				{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'third' }] },
			],
		},
	]);
});

test('given neighbours of one role and an empty answer between, then they are one message', async () => {
	const messages = await sentMessages([
		user('one'),
		plainAnswer(' \n'),
		user('two'),
		plainAnswer('three'),
		calls('four', 'a'),
		results(succeeded('a', 'five')),
	]);

	expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
	expect(messages[0]?.content).toEqual([
		{ type: 'text', text: 'one' },
		{ type: 'text', text: 'two' },
	]);
	expect(messages[1]?.content).toMatchObject([{ text: 'three' }, { text: 'four' }, { type: 'tool_use' }]);
});

test('given a conversation whose beginning was trimmed away, then it begins with a user all the same', async () => {
	const messages = await sentMessages([calls('Reading.', 'a'), results(succeeded('a', 'one')), user('so?')]);

	expect(messages[0]).toEqual({
		role: 'user',
		content: [{ type: 'text', text: '(What came before is left out.)' }],
	});
});

test('given an empty question, then something is said', async () => {
	expect(await sentMessages([user(' ')])).toEqual([
		{ role: 'user', content: [{ type: 'text', text: '(empty message)' }] },
	]);
});

test('given pictures of kinds that the model takes, then they go before the text, named as what they are', async () => {
	const [message] = await sentMessages([
		user('look', picture('png'), picture('jpeg', 'image/png'), picture('gif'), picture('webp', 'image/x')),
	]);

	expect(message?.content).toMatchObject([
		{ type: 'image', source: { type: 'base64', media_type: 'image/png' } },
		{ type: 'image', source: { media_type: 'image/jpeg' } },
		{ type: 'image', source: { media_type: 'image/gif' } },
		{ type: 'image', source: { media_type: 'image/webp' } },
		{ type: 'text', text: 'look' },
	]);
});

test('given a result of text, picture and sound, then the picture is in the result and the sound is named', async () => {
	const content = [
		{ type: 'text', text: 'Here:' },
		picture('png'),
		{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
	] as const;
	const messages = await sentMessages([
		user('look'),
		calls('', 'a'),
		results({ callId: 'a', result: { content, isError: false } }),
	]);

	expect(messages[2]?.content).toMatchObject([
		{ content: [{ text: 'Here:' }, { type: 'image' }, { text: '[audio audio/wav]' }] },
	]);
});

test('given a failure with a picture, then the result is text, and the picture follows all results', async () => {
	const messages = await sentMessages([
		user('look'),
		calls('', 'a', 'b'),
		results(
			{
				callId: 'a',
				result: { content: [{ type: 'text', text: 'Timeout' }, picture('png')], isError: true },
			},
			{ callId: 'b', result: textResult('fine') },
		),
	]);

	expect(messages[2]?.content).toMatchObject([
		{ tool_use_id: 'a', is_error: true, content: [{ text: 'Timeout\n[image image/png]' }] },
		{ tool_use_id: 'b' },
		{ type: 'image' },
	]);
});
