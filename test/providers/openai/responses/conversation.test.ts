import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { textResult } from '../../../../src/discovery/toolResult.ts';
import type { ChatMessage } from '../../../../src/models/chatModel.ts';
import { asGiven, messageOf } from '../../asGiven.ts';
import { asking, eventsOf, modelAt, outcomeOf, textOf } from './asking.ts';
import {
	answer,
	completed,
	endpointAt,
	itemEvents,
	ResponsesEndpoint,
	said,
	unfinished,
} from './endpoint.ts';

const provider = new LLMock({ port: 0, logLevel: 'silent' });
beforeAll(async () => void (await provider.start()));
beforeEach(() => void provider.reset());
afterAll(() => provider.stop());

const weather = {
	name: 'weather__forecast',
	description: 'Forecast of a city.',
	inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
};

function model(name = 'gpt-4.1') {
	return modelAt(endpointAt(`${provider.url}/v1`), { model: name });
}

describe('a conversation through the Responses API', () => {
	it('streams what the model says piece by piece, then what it cost', async () => {
		provider.onMessage(
			'hello',
			{
				content: 'Good morning to you.',
				usage: { input_tokens: 12, output_tokens: 5 },
			},
			{ chunkSize: 6 },
		);
		const events = await eventsOf(model(), asking('hello'));
		expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(2);
		expect(textOf(events)).toBe('Good morning to you.');
		expect(events.at(-1)).toEqual({ type: 'usage', usage: { inputTokens: 12, outputTokens: 5 } });
	});

	it('hands a call out with its arguments, and takes its result with the next request', async () => {
		provider.on(
			{ userMessage: 'rain', hasToolResult: false },
			{
				toolCalls: [{ id: 'call_1', name: weather.name, arguments: '{"city":"Ulm"}' }],
			},
		);
		provider.on({ toolCallId: 'call_1', toolResultContains: 'dry' }, { content: 'No rain.' });
		const asked = model();
		const request = asking('Will it rain?', { tools: [weather] });
		const first = await eventsOf(asked, request);
		expect(asGiven(first)[0]).toEqual({
			type: 'toolCall',
			call: { id: 'call_1', name: weather.name, input: { city: 'Ulm' } },
		});
		const message = messageOf(first);
		const messages: ChatMessage[] = [
			...request.messages,
			message,
			{
				role: 'tool',
				results: message.toolCalls.map(({ id }) => ({ callId: id, result: textResult('dry') })),
			},
		];
		expect(textOf(await eventsOf(asked, { ...request, messages }))).toBe('No rain.');
	});

	it('keeps parallel calls apart, and the text before them', async () => {
		provider.onMessage(
			'both',
			{
				content: 'Looking at both.',
				toolCalls: ['Ulm', 'Bonn'].map((city, index) => ({
					id: `call_${index}`,
					name: weather.name,
					arguments: JSON.stringify({ city }),
				})),
			},
			{ chunkSize: 3 },
		);
		const events = await eventsOf(model(), asking('both', { tools: [weather] }));
		expect(textOf(events)).toBe('Looking at both.');
		expect(events.flatMap((event) => (event.type === 'toolCall' ? [event.call.input.city] : []))).toEqual([
			'Ulm',
			'Bonn',
		]);
	});

	it('goes on after reasoning that the model asks to have back', async () => {
		provider.on(
			{ userMessage: 'think', hasToolResult: false },
			{
				reasoning: 'They want the weather.',
				toolCalls: [{ id: 'call_1', name: weather.name, arguments: '{}' }],
			},
		);
		const events = await eventsOf(model('gpt-5'), asking('think', { tools: [weather] }));
		expect(asGiven(events).map(({ type }) => type)).toEqual(
			expect.arrayContaining(['thinking', 'toolCall', 'usage']),
		);
	});

	it('leaves the connection to the next request: the stream is read to where the provider ends it', async () => {
		const closed = Promise.withResolvers<boolean>();
		await using endpoint = new ResponsesEndpoint((response) => {
			response.on('close', () => closed.resolve(response.writableFinished));
			unfinished(...itemEvents([said('one')]), completed())(response);
			setTimeout(() => response.end(), 20);
		});
		const events = await eventsOf(modelAt(await endpoint.start()), asking('hello'));
		expect(textOf(events)).toBe('one');
		expect(await closed.promise).toBe(true);
	});
});

describe('what a model refuses, and what it cost', () => {
	it('says a refusal as text', async () => {
		const refusal = { ...said(''), content: [{ type: 'refusal' as const, refusal: 'I will not.' }] };
		expect(textOf((await outcomeOf([answer([refusal])])).events)).toBe('I will not.');
	});

	it('counts what came from the cache and went to it, and what was thought', async () => {
		const details = { cached_tokens: 1_024, cache_write_tokens: 512 };
		const { events } = await outcomeOf([
			answer([said('ok')], {
				input_tokens: 2_000,
				output_tokens: 3,
				input_tokens_details: details,
				output_tokens_details: { reasoning_tokens: 2 },
			}),
		]);
		expect(events.at(-1)).toEqual({
			type: 'usage',
			usage: {
				inputTokens: 2_000,
				outputTokens: 3,
				cachedInputTokens: 1_024,
				cacheWriteTokens: 512,
				thoughtTokens: 2,
			},
		});
	});
});
