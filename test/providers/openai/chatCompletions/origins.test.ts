import { expect, test } from 'vitest';
import type { ChatMessage } from '../../../../src/discovery/catalog/message.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';
import { callsOf } from '../../../../src/models/answerParts.ts';
import { messageOf } from '../../asGiven.ts';
import { answerOf, Loopback } from '../../loopback.ts';
import { ask, chunk, events, modelAt } from './server.ts';

const calling = chunk(
	{ tool_calls: [{ index: 0, id: 'c1', function: { name: 'files__list', arguments: '{}' } }] },
	'tool_calls',
);

/** What the model gets back of an answer in these chunks, once its call has a result. */
async function sentBack(chunks: readonly object[]): Promise<Record<string, unknown>> {
	await using server = await Loopback.start(events(chunks), events([chunk({ content: 'ok' }, 'stop')]));
	const model = modelAt(server.url);
	const question: ChatMessage = { role: 'user', text: 'hi' };
	const { parts } = await answerOf(model, ask({ messages: [question] }));
	const answer = messageOf(parts);
	const results = callsOf(answer.parts).map(({ id }) => ({ callId: id, result: textResult('a.md') }));
	await answerOf(model, ask({ messages: [question, answer, { role: 'tool', results }] }));
	const { messages } = server.sent<{ messages: Record<string, unknown>[] }>(1);
	return messages[1] ?? {};
}

// https://docs.litellm.ai/docs/reasoning_content
test('Claude behind LiteLLM gets its signed thoughts back, block by block', async () => {
	const thinking = (text: string, signature: string | null = null) =>
		chunk({ reasoning_content: text, thinking_blocks: [{ type: 'thinking', thinking: text, signature }] });
	const redacted = (data: string) => chunk({ thinking_blocks: [{ type: 'redacted_thinking', data }] });

	const message = await sentBack([
		thinking('Let me '),
		thinking('look.'),
		thinking('', 'first'),
		redacted('zzz'),
		redacted('yyy'),
		thinking('Now.'),
		thinking('', 'second'),
		calling,
	]);

	expect(message).toMatchObject({
		reasoning_content: 'Let me look.Now.',
		thinking_blocks: [
			{ type: 'thinking', thinking: 'Let me look.', signature: 'first' },
			{ type: 'redacted_thinking', data: 'zzz' },
			{ type: 'redacted_thinking', data: 'yyy' },
			{ type: 'thinking', thinking: 'Now.', signature: 'second' },
		],
	});
});

// https://docs.mistral.ai/capabilities/reasoning
test('Magistral gets its thoughts back as a part of the content', async () => {
	const thinking = (text: string) =>
		chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] });

	const message = await sentBack([
		thinking('Let me '),
		thinking('look.'),
		chunk({ content: 'Looking.' }),
		calling,
	]);

	expect(message.content).toEqual([
		{ type: 'thinking', thinking: [{ type: 'text', text: 'Let me look.' }] },
		{ type: 'text', text: 'Looking.' },
	]);
});

test.each(['functions.files__list', 'default_api:files__list'])('%s means files__list', async (name) => {
	const call = { index: 0, id: 'c1', function: { name, arguments: '{}' } };
	await using server = await Loopback.start(events([chunk({ tool_calls: [call] }, 'tool_calls')]));

	const { parts } = await answerOf(modelAt(server.url));

	expect(callsOf(parts).map((one) => one.name)).toEqual(['files__list']);
});
