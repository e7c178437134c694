import { describe, expect, test } from 'vitest';
import type { ImageContent } from '../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import type { ChatRequest } from '../../../src/models/chatModel.ts';
import { results, tool, user } from '../conversation.ts';
import { asking, eventsOf } from '../loopback.ts';
import { chatsOf, fails, modelAt, ollamaServer, says, shown } from './loopbackOllama.ts';

const picture: ImageContent = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };

const seeing: ChatRequest = asking('', {
	messages: [
		user('What is this?', picture),
		plainAnswer('', [{ id: 'call_1', name: 'camera__shoot', input: { zoom: 2 } }]),
		results({
			callId: 'call_1',
			result: { content: [{ type: 'text', text: 'Shot.' }, picture], isError: false },
		}),
	],
});

describe('What a request to Ollama says', () => {
	test('Tools and conversation as Ollama wants them, and never to drop a part of them silently', async () => {
		await using ollama = await ollamaServer([says('Done.')]);

		await eventsOf(modelAt(ollama), { ...seeing, tools: [tool('camera__shoot')] });

		expect(chatsOf(ollama)[0]).toEqual({
			model: 'qwen3:8b',
			tools: [
				{
					type: 'function',
					function: {
						name: 'camera__shoot',
						description: 'Does camera__shoot.',
						parameters: tool('').inputSchema,
					},
				},
			],
			messages: [
				{ role: 'system', content: 'Be brief.' },
				{ role: 'user', content: 'What is this?\n[image image/png]' },
				{
					role: 'assistant',
					content: '',
					tool_calls: [{ id: 'call_1', function: { name: 'camera__shoot', arguments: { zoom: 2 } } }],
				},
				{
					role: 'tool',
					content: 'Shot.\n[image image/png]',
					tool_name: 'camera__shoot',
					tool_call_id: 'call_1',
				},
			],
			stream: true,
			truncate: false,
			shift: false,
			options: { num_ctx: 8192 },
		});
	});

	test('A model that sees gets the images themselves', async () => {
		const show = shown({ capabilities: ['completion', 'tools', 'vision'] });
		await using ollama = await ollamaServer([says('A cat.')], show);

		await eventsOf(modelAt(ollama), seeing);

		const [, user, , result] = chatsOf(ollama)[0]?.messages ?? [];
		expect(user).toEqual({ role: 'user', content: 'What is this?', images: [picture.data] });
		expect(result).toMatchObject({ content: 'Shot.\n[image image/png]', images: [picture.data] });
	});

	test('A model of a family that sees gets images also where its server tells nothing of it', async () => {
		await using ollama = await ollamaServer([says('A cat.')], fails(404, 'not found'));

		await eventsOf(modelAt(ollama), seeing);

		expect(chatsOf(ollama)[0]?.messages[1]?.images).toEqual([picture.data]);
	});

	test('What Ollama knows of a model is asked once', async () => {
		await using ollama = await ollamaServer([says('Hi.')]);
		const model = modelAt(ollama);

		await eventsOf(model, asking('Hello'));
		await eventsOf(model, asking('Hello again'));

		expect(ollama.at('/api/show').map(({ body }) => JSON.parse(body))).toEqual([{ model: 'qwen3:8b' }]);
	});
});
