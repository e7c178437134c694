import { describe, expect, it } from 'vitest';
import { textResult } from '../../../../src/discovery/toolResult.ts';
import type { ChatMessage, ChatRequest } from '../../../../src/models/chatModel.ts';
import type { ResponsesModel } from '../../../../src/models/openai/responses/responsesModel.ts';
import { messageOf } from '../../asGiven.ts';
import { asking, eventsOf, modelAt } from './asking.ts';
import { answer, called, ResponsesEndpoint, said, thought } from './endpoint.ts';

const request = asking('Will it rain?', {
	tools: [{ name: 'weather__now', description: 'Weather.', inputSchema: { type: 'object' } }],
});

/** The conversation after one more answer, whose calls all came to the same. */
async function goOn(model: ResponsesModel, before: ChatRequest): Promise<ChatRequest> {
	const events = await eventsOf(model, before);
	const message = messageOf(events);
	const results = message.toolCalls.map(({ id }) => ({ callId: id, result: textResult('dry') }));
	const added: ChatMessage[] = [message, { role: 'tool', results }];
	return { ...before, messages: [...before.messages, ...added] };
}

describe('what a model thought before its calls', () => {
	it('comes back with their results, where it stood', async () => {
		await using endpoint = new ResponsesEndpoint(
			answer([
				thought('rs_1', 'secret'),
				said('Looking.', 'commentary'),
				thought('rs_2', 'more'),
				called('call_1', 'weather__now', '{}'),
			]),
			answer([said('No.')]),
		);
		const model = modelAt(await endpoint.start(), { model: 'gpt-5.4' });
		await eventsOf(model, await goOn(model, request));
		expect(JSON.parse(endpoint.asked[1]?.body ?? '').input.slice(1)).toEqual([
			{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'secret' },
			{ type: 'message', role: 'assistant', content: 'Looking.', phase: 'commentary' },
			{ type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'more' },
			{ type: 'function_call', call_id: 'call_1', name: 'weather__now', arguments: '{}' },
			{ type: 'function_call_output', call_id: 'call_1', output: 'dry' },
		]);
	});

	it('is sent again, byte for byte, in every request that follows', async () => {
		await using endpoint = new ResponsesEndpoint(
			...['call_1', 'call_2'].map((id) =>
				answer([thought(`rs_${id}`, id), called(id, 'weather__now', '{ "city": "Ulm" }')]),
			),
			answer([said('No.')]),
		);
		const model = modelAt(await endpoint.start(), { model: 'gpt-5' });
		await eventsOf(model, await goOn(model, await goOn(model, request)));
		const [, second = '', third = ''] = endpoint.asked.map(({ body }) => body);
		const input = second.slice(0, second.indexOf('],"include"'));
		expect(input).toContain('"encrypted_content":"call_1"');
		expect(third.startsWith(`${input},`)).toBe(true);
	});

	it('is left out where it could not be read without OpenAI’s store', async () => {
		await using endpoint = new ResponsesEndpoint(
			answer([thought('rs_1'), called('call_1', 'weather__now', '{}')]),
			answer([said('No.')]),
		);
		const model = modelAt(await endpoint.start(), { model: 'gpt-5' });
		await eventsOf(model, await goOn(model, request));
		expect(endpoint.asked[1]?.body).not.toContain('rs_1');
	});

	it('is not told to another model, which could not read it', async () => {
		await using endpoint = new ResponsesEndpoint(
			answer([thought('rs_1', 'secret'), called('call_1', 'weather__now', '{}')]),
			answer([said('No.')]),
		);
		const reached = await endpoint.start();
		const after = await goOn(modelAt(reached, { model: 'gpt-5' }), request);
		await eventsOf(modelAt(reached, { model: 'o3' }), after);
		expect(endpoint.asked[1]?.body).not.toContain('secret');
		// Another model need not be told what the first one called its calls.
		const { id } = after.messages[1]?.role === 'assistant' ? (after.messages[1].toolCalls[0] ?? {}) : {};
		expect(endpoint.asked[1]?.body).toContain(`"call_id":"${id}"`);
	});

	it('keeps two messages of one answer apart, for the reader and for the model', async () => {
		await using endpoint = new ResponsesEndpoint(
			answer([
				said('Looking.', 'commentary'),
				said('Still looking.', 'commentary'),
				called('call_1', 'weather__now', '{}'),
			]),
			answer([said('No.')]),
		);
		const model = modelAt(await endpoint.start(), { model: 'gpt-5.4' });
		const after = await goOn(model, request);
		expect(after.messages[1]).toMatchObject({ text: 'Looking.\n\nStill looking.' });
		await eventsOf(model, after);
		const { input } = JSON.parse(endpoint.asked[1]?.body ?? '');
		expect(input.slice(1, 3).map(({ content }: { content: string }) => content)).toEqual([
			'Looking.',
			'Still looking.',
		]);
	});
});
