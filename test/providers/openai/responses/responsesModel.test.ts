import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ChatMessage } from '../../../../src/discovery/catalog/message.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';
import { callsOf } from '../../../../src/models/answerParts.ts';
import type { ChatModelEvent } from '../../../../src/models/chatModel.ts';
import { asGiven, messageOf } from '../../asGiven.ts';
import { asking, eventsOf, modelAt, outcomeOf, textOf } from './asking.ts';
import {
	type Answer,
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
				results: callsOf(message.parts).map(({ id }) => ({ callId: id, result: textResult('dry') })),
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

describe('calls of one answer', () => {
	const item = (id: string, call: string, path: string) => ({
		type: 'response.output_item.done',
		item: {
			type: 'function_call',
			id,
			call_id: call,
			name: 'files__read',
			arguments: JSON.stringify({ path }),
		},
	});
	const endpointOf = async (...stream: readonly object[]) => {
		const written = stream.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
		const server = createServer((request, response) => {
			request.resume();
			response.writeHead(200, { 'content-type': 'text/event-stream' }).end(written);
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		onTestFinished(() => void server.close());
		return endpointAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	};
	const pathsIn = (events: readonly ChatModelEvent[]) =>
		events.flatMap((event) => (event.type === 'toolCall' ? [event.call.input.path] : []));

	it('are all made where a gateway gives them the id of one item', async () => {
		const url = await endpointOf(item('fc', 'c1', 'a'), item('fc', 'c2', 'b'), item('fc', 'c2', 'b'), {
			type: 'response.completed',
			response: { status: 'completed' },
		});
		expect(pathsIn(await eventsOf(modelAt(url), asking('Read both')))).toEqual(['a', 'b']);
	});

	it('are made if they came whole before the limit of output', async () => {
		const details = { reason: 'max_output_tokens' };
		const url = await endpointOf(item('fc', 'c1', 'a'), {
			type: 'response.incomplete',
			response: { status: 'incomplete', incomplete_details: details },
		});
		expect(pathsIn(await eventsOf(modelAt(url), asking('Read it')))).toEqual(['a']);
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

describe('an address that is not OpenAI’s API', () => {
	it('that answers with a page is told apart from an answer that was cut', async () => {
		const page: Answer = (response) =>
			response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
		const { error, requests } = await outcomeOf([page]);
		expect(error?.reason).toBe('malformed');
		expect(error?.message).toMatch(/base_url/);
		expect(requests).toBe(1);
	});

	it('that streams without saying so is understood', async () => {
		const unlabelled: Answer = (response) => {
			response.setHeader('content-type', 'application/octet-stream');
			response.end(`data: ${JSON.stringify(completed())}\n\n`);
		};
		const { error, events } = await outcomeOf([unlabelled]);
		expect(error).toBeUndefined();
		expect(events.map(({ type }) => type)).toEqual(['usage']);
	});

	it('that streams without saying so can be cut, too', async () => {
		const [begun] = itemEvents([]);
		const unlabelled: Answer = (response) => response.end(`data: ${JSON.stringify(begun)}\n\n`);
		const { events } = await outcomeOf([unlabelled]);
		expect(events).toEqual([expect.objectContaining({ type: 'retrying' })]);
	});

	it('that streams something else than JSON is told so', async () => {
		const noise: Answer = (response) =>
			response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: hello\n\n');
		expect((await outcomeOf([noise])).error?.reason).toBe('malformed');
	});
});
