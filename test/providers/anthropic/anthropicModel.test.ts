import { setTimeout as wait } from 'node:timers/promises';
import { LLMock } from '@copilotkit/aimock';
import { expect, test } from 'vitest';
import type { ChatMessage } from '../../../src/discovery/catalog/message.ts';
import { callsOf as callsIn } from '../../../src/models/answerParts.ts';
import { AnthropicModel, anthropicLoadings } from '../../../src/models/anthropic/anthropicModel.ts';
import type { ChatModelEvent } from '../../../src/models/chatModel.ts';
import { messageOf } from '../asGiven.ts';
import { answerOf, asks, calls, claude, results, shortLimits, succeeded, tool, user } from './asking.ts';
import {
	type Answer,
	begins,
	endpointAt,
	failsWith,
	MessagesEndpoint,
	says,
	started,
	streams,
	textBlock,
} from './messagesEndpoint.ts';

test('given a conversation of question, calls, results and answer, then every turn of it is understood', async () => {
	await using provider = await startedMock((mock) =>
		mock
			.on(
				{ userMessage: 'Read both', hasToolResult: false },
				{
					content: 'Reading.',
					toolCalls: [
						{ id: 'toolu_1', name: 'files__read', arguments: '{"path":"a.txt"}' },
						{ id: 'toolu_2', name: 'files__read', arguments: '{"path":"b.txt"}' },
					],
					usage: { input_tokens: 100, output_tokens: 20 },
				},
				{ chunkSize: 3 },
			)
			.on({ toolCallId: 'toolu_2', toolResultContains: 'two' }, { content: 'They say one and two.' }),
	);
	const request = asks('Read both', { tools: [tool('files__read')] });

	const first = await answerOf(provider.model, request);
	const message = messageOf(first.events);
	const toolCalls = callsIn(message.parts);
	const [one = '', two = ''] = toolCalls.map(({ id }) => id);
	const messages: ChatMessage[] = [
		...request.messages,
		message,
		results(succeeded(one, 'one'), succeeded(two, 'two')),
	];
	const second = await answerOf(provider.model, { ...request, messages });

	expect(textOf(first.events)).toBe('Reading.');
	expect(toolCalls.map(({ input }) => input)).toEqual([{ path: 'a.txt' }, { path: 'b.txt' }]);
	expect(first.events.at(-1)).toEqual({ type: 'usage', usage: { inputTokens: 100, outputTokens: 20 } });
	expect(textOf(second.events)).toBe('They say one and two.');
});

test('given recorded thinking, then only the answer is told', async () => {
	await using provider = await startedMock((mock) =>
		mock.onMessage('think', { content: 'Forty-two.', reasoning: 'Let me see.', redactedThinking: ['zzz'] }),
	);

	const { events } = await answerOf(provider.model, asks('think'));

	expect(textOf(events)).toBe('Forty-two.');
});

test('given a stream that is cut after some pieces, then what came is told, and it is said to be cut', async () => {
	await using provider = await startedMock((mock) =>
		mock.onMessage(
			'tell',
			{ content: 'A long story.' },
			{ chunkSize: 2, truncateAfterChunks: 5, latency: 2 },
		),
	);

	const { events, error } = await answerOf(provider.model, asks('tell'));

	expect('A long story.'.startsWith(textOf(events))).toBe(true);
	expect(textOf(events).length).toBeGreaterThan(2);
	expect(error).toMatchObject({ reason: 'cut' });
});

test('given a provider out of order once, then it is asked again and answers', async () => {
	await using provider = await startedMock((mock) => mock.onMessage('hi', { content: 'Hello.' }));
	provider.mock.prependFixture({
		match: { userMessage: 'hi', sequenceIndex: 0 },
		response: { error: { message: 'Slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 0 },
	});

	const { events } = await answerOf(provider.model, asks('hi'));

	expect(events[0]).toMatchObject({ type: 'retrying', afterMs: 500 });
	expect(textOf(events)).toBe('Hello.');
});

test('given a search and a tool loaded natively, then the conversation goes on', async () => {
	await using provider = await startedMock((mock) =>
		mock.onMessage('Loaded weather__now.', { toolCalls: [{ name: 'weather__now', arguments: '{}' }] }),
	);
	const messages = [
		user('weather?'),
		calls('', 'search'),
		results({ ...succeeded('search', 'Loaded weather__now.'), loaded: [tool('weather__now')] }),
	];
	const request = asks('', { messages, tools: [tool('search_tools')], searchTool: 'search_tools' });

	const { events } = await answerOf(provider.model, request);

	expect(events[0]).toMatchObject({ type: 'toolCall', call: { name: 'weather__now', input: {} } });
});

function textOf(events: Awaited<ReturnType<typeof answerOf>>['events']): string {
	return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

async function startedMock(
	prepare: (mock: LLMock) => unknown,
): Promise<{ mock: LLMock; model: AnthropicModel } & AsyncDisposable> {
	const mock = new LLMock();
	prepare(mock);
	const url = await mock.start();
	return {
		mock,
		model: claude(endpointAt(url)),
		[Symbol.asyncDispose]: () => mock.stop(),
	};
}

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
	await using server = new MessagesEndpoint(failsWith(400, 'invalid_request_error', 'The tool timed out.'));

	const { error } = await answerOf(claude(await server.start()));

	expect(error).toMatchObject({ reason: 'invalidRequest', message: expect.stringContaining('timed out') });
});

test.each([
	['a 429 without a time', failsWith(429, 'rate_limit_error', 'Slow down'), /has reached its rate limit/],
	['a 500 with a page', html(500), /^127\.0\.0\.1:\d+ failed \(500\)\.$/],
	['a 529', failsWith(529, 'overloaded_error', 'Overloaded'), /is overloaded \(529\): Overloaded/],
	['a 503', failsWith(503, 'api_error', 'Busy'), /is overloaded/],
	['an error in the stream', fails('overloaded_error', 'Overloaded'), /is overloaded: Overloaded/],
	['an api_error in the stream', fails('api_error', 'Internal'), /failed: Internal/],
	['an answer that ends before it begins', streams(started()), /ended in the middle/],
])(
	'given %s before anything was said, then it is asked again after about a second',
	async (_, answer, reason) => {
		await using server = new MessagesEndpoint(answer);

		const [first] = await firstEvents(1, claude(await server.start()));

		expect(first).toMatchObject({ type: 'retrying', reason: expect.stringMatching(reason) });
		expect(first).toHaveProperty(
			'afterMs',
			expect.toSatisfy((ms: number) => ms >= 800 && ms <= 1200),
		);
		expect(JSON.stringify(first)).not.toContain('<');
	},
);

test('given an error in the middle of a text, then it is not asked again', async () => {
	await using server = new MessagesEndpoint(fails('overloaded_error', 'Overloaded', 'Half'));

	const { events, error } = await answerOf(claude(await server.start()));

	expect(events.map(({ type }) => type)).toEqual(['text', 'text']);
	expect(error).toMatchObject({ reason: 'overloaded' });
	expect(server.asked).toHaveLength(1);
});

test.each([
	['never begins', () => undefined],
	['begins and says nothing', begins()],
	['stops in the middle', begins(started(), ...textBlock(0, 'Half'))],
])(
	'given an answer that %s, then it is said to have stalled, and the connection is closed',
	async (_, answer: Answer) => {
		await using server = new MessagesEndpoint(answer);

		const { error } = await answerOf(claude(await server.start(), {}, shortLimits));

		expect(error).toMatchObject({ reason: 'stalled' });
		await server.closedByClient;
		expect(server.asked).toHaveLength(1);
	},
);

test('given pings, then an answer that takes its time does not stall', async () => {
	await using server = new MessagesEndpoint(async (response) => {
		begins(started())(response);
		for (let n = 0; n < 8; n++) {
			await wait(200);
			response.write('event: ping\ndata: {"type": "ping"}\n\n');
		}
		streamsOn(response);
	});

	const limits = { ...shortLimits, firstByteMs: 1_500, gapMs: 1_500 };
	expect((await answerOf(claude(await server.start(), {}, limits))).error).toBeUndefined();
});

test.each([
	[
		'a page',
		(response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
	],
	['an event that is no JSON', (response) => sse(response).end('event: message_start\ndata: {"type": \n\n')],
] satisfies [string, Answer][])(
	'given %s instead of an answer, then it is said to be malformed',
	async (_, answer) => {
		await using server = new MessagesEndpoint(answer);

		const { error } = await answerOf(claude(await server.start()));

		expect(error).toMatchObject({ reason: 'malformed', message: expect.stringContaining('“claude”') });
	},
);

/** So many events of an answer; then nobody reads on. */
async function firstEvents(count: number, model: ReturnType<typeof claude>): Promise<ChatModelEvent[]> {
	const events: ChatModelEvent[] = [];
	for await (const event of model.stream(asks(), new AbortController().signal)) {
		events.push(event);
		if (events.length === count) break;
	}
	return events;
}

/** A stream that says something, or nothing, and then fails. */
function fails(type: string, message: string, text?: string): Answer {
	const said = text === undefined ? [] : textBlock(0, text);
	return streams(started(), ...said, { type: 'error', error: { type, message } });
}

function html(status: number): Answer {
	return (response) =>
		response
			.writeHead(status, { 'content-type': 'text/html' })
			.end('<!DOCTYPE html><html><body><h1>Internal Server Error</h1></body></html>');
}

function sse(response: Parameters<Answer>[0]) {
	return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

function streamsOn(response: Parameters<Answer>[0]): void {
	response.end('event: message_stop\ndata: {"type": "message_stop"}\n\n');
}

test('given a length of the answer that was guessed too long, then it is asked again with the one that the API names, and from then on', async () => {
	// https://github.com/anthropics/claude-code/issues/24451
	const named =
		'max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-5-20251101';
	await using server = new MessagesEndpoint(
		failsWith(400, 'invalid_request_error', named),
		says('Hello.'),
		says('Again.'),
	);
	const model = claude(await server.start(), { maxOutputTokens: 128_000 });

	expect((await answerOf(model)).error).toBeUndefined();
	await answerOf(model);

	expect(server.asked.map(({ body }) => body.max_tokens)).toEqual([128_000, 64_000, 64_000]);
});
