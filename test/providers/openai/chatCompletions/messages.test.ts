import { expect, test } from 'vitest';
import type { ChatMessage, ToolCall } from '../../../../src/discovery/catalog/message.ts';
import type { ImageContent } from '../../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../../src/models/answerParts.ts';
import { chatMessages } from '../../../../src/models/openai/chatCompletions/messages.ts';
import { results, succeeded, user } from '../../conversation.ts';

const picture: ImageContent = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
const call = (id: string, name = 'files__read', input = {}): ToolCall => ({ id, name, input });
const calling = (...toolCalls: ToolCall[]): ChatMessage => plainAnswer('', toolCalls);

function sent(messages: readonly ChatMessage[], { system = '', images = false } = {}) {
	return chatMessages({ system, messages }, { images });
}

test('no message is empty', () => {
	const messages = sent([user(' '), plainAnswer('\n'), calling(call('c1')), results(succeeded('c1', ''))], {
		system: '\n',
	});

	expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool']);
	expect(messages[1]).toMatchObject({ content: 'The tool returned nothing.' });
});

test('pictures of results follow all results of a turn in one message, with the call they belong to', () => {
	const messages = sent(
		[
			calling(call('c1', 'screen__shot'), call('c2'), call('c3', 'camera__photo')),
			results(
				{ callId: 'c1', result: { content: [{ type: 'text', text: 'Here:' }, picture], isError: false } },
				succeeded('c2', 'two'),
				{ callId: 'c3', result: { content: [picture, picture], isError: false } },
			),
		],
		{ images: true },
	);

	const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
	expect(messages.slice(2)).toEqual([
		{ role: 'tool', tool_call_id: 'c1', content: 'Here:\n[image image/png]' },
		{ role: 'tool', tool_call_id: 'c2', content: 'two' },
		{ role: 'tool', tool_call_id: 'c3', content: '[image image/png]\n[image image/png]' },
		{ role: 'assistant', content: '(No answer.)' },
		{
			role: 'user',
			content: [
				{ type: 'text', text: 'From the result of screen__shot (call c1):' },
				image,
				{ type: 'text', text: 'From the result of camera__photo (call c3):' },
				image,
				image,
			],
		},
	]);
});

test("a user's pictures follow the words", () => {
	const [both, , alone] = sent(
		[user('what is this?', { ...picture, data: '/9j/', mimeType: 'image/JPG' }), user('', picture)],
		{ images: true },
	);

	expect(both?.content).toEqual([
		{ type: 'text', text: 'what is this?' },
		{ type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/' } },
	]);
	expect(alone?.content).toHaveLength(1);
});
