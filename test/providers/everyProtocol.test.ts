import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../src/discovery/catalog/message.ts';
import { type ImageContent, textResult } from '../../src/discovery/catalog/tool.ts';
import { callsOf, plainAnswer } from '../../src/models/answerParts.ts';
import { AnthropicModel } from '../../src/models/anthropic/anthropicModel.ts';
import type { ChatModelEvent, ChatRequest } from '../../src/models/chatModel.ts';
import type { AnswerLimits } from '../../src/models/http/limits.ts';
import { OllamaModel } from '../../src/models/ollama/ollamaModel.ts';
import { ChatCompletionsModel } from '../../src/models/openai/chatCompletions/chatCompletionsModel.ts';
import { ResponsesModel } from '../../src/models/openai/responses/responsesModel.ts';
import type { Endpoint, ProviderModelSettings } from '../../src/models/provider.ts';
import { unsendableSchema } from '../unsendableSchema.ts';
import { messageOf } from './asGiven.ts';
import { type Answer, ChatServer, chunk, roomy, textOf, whole } from './openai/chatCompletions/server.ts';

/** What the adapters of all protocols have in common, shown with each of them. */
interface Protocol {
	readonly model: (url: string, settings: Partial<ProviderModelSettings>, limits: AnswerLimits) => Adapter;
	/** Pieces of an answer as they come over the wire; a comment keeps a connection alive. */
	readonly begin?: string;
	readonly text: (text: string) => string;
	readonly call: (id: string, name: string, json: string, index: number) => string;
	readonly failure: string;
	readonly end: string;
	/** The path of requests to the model. */
	readonly path: string;
}

type Adapter = ChatCompletionsModel | ResponsesModel | AnthropicModel | OllamaModel;

const data = (...events: readonly object[]) =>
	events
		.map((event) => `event: ${'type' in event ? event.type : 'message'}\ndata: ${JSON.stringify(event)}\n\n`)
		.join('');
const chunks = (...all: readonly object[]) => all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
const lines = (...all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('');

const endpoint = (provider: Endpoint['provider'], baseUrl: string): Endpoint => ({
	name: 'client',
	provider,
	baseUrl,
	key: async () => 'the-key',
});
const settings = { id: 'm', name: 'M', model: 'm' };

const protocols = {
	'Chat Completions': {
		model: (url, more, limits) =>
			new ChatCompletionsModel({ ...settings, ...more }, endpoint('openai', `${url}/v1`), limits),
		begin: ': OPENROUTER PROCESSING\n\n',
		text: (content) => chunks(chunk({ content })),
		call: (id, name, json, index) =>
			chunks(chunk({ tool_calls: [{ index, id, function: { name, arguments: json } }] })),
		failure: chunks({ error: { message: 'Sorry', type: 'server_error' } }),
		end: `${chunks(
			chunk({}, 'stop'),
			chunk({}, null, { choices: [], usage: { prompt_tokens: 12, completion_tokens: 5 } }),
		)}data: [DONE]\n\n`,
		path: '/v1/chat/completions',
	},
	Responses: {
		model: (url, more, limits) =>
			new ResponsesModel({ ...settings, ...more }, endpoint('openai', `${url}/v1`), limits),
		text: (delta) => data({ type: 'response.output_text.delta', item_id: 'msg', delta }),
		call: (id, name, json) =>
			data({
				type: 'response.output_item.done',
				item: { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: json },
			}),
		failure: data({ type: 'error', message: 'Sorry', code: 'server_error' }),
		end: data({
			type: 'response.completed',
			response: { status: 'completed', usage: { input_tokens: 12, output_tokens: 5 } },
		}),
		path: '/v1/responses',
	},
	Anthropic: {
		model: (url, more, limits) =>
			new AnthropicModel({ ...settings, ...more }, endpoint('anthropic', url), limits),
		begin: data({ type: 'message_start', message: { usage: { input_tokens: 12, output_tokens: 1 } } }),
		text: (text) => data({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
		call: (id, name, partial_json, index) =>
			data(
				{
					type: 'content_block_start',
					index: index + 1,
					content_block: { type: 'tool_use', id, name, input: {} },
				},
				{
					type: 'content_block_delta',
					index: index + 1,
					delta: { type: 'input_json_delta', partial_json },
				},
				{ type: 'content_block_stop', index: index + 1 },
			),
		failure: data({ type: 'error', error: { type: 'api_error', message: 'Sorry' } }),
		end: data(
			{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
			{ type: 'message_stop' },
		),
		path: '/v1/messages',
	},
	Ollama: {
		model: (url, more, limits) => new OllamaModel({ ...settings, ...more }, endpoint('ollama', url), limits),
		text: (content) => lines({ message: { content } }),
		call: (id, name, json) =>
			lines({ message: { content: '', tool_calls: [{ id, function: { name, arguments: json } }] } }),
		failure: lines({ error: 'Sorry' }),
		end: lines({ message: { content: '' }, done: true, prompt_eval_count: 12, eval_count: 5 }),
		path: '/api/chat',
	},
} satisfies Readonly<Record<string, Protocol>>;

const impatient: AnswerLimits = { ...roomy, firstByteMs: 250, gapMs: 250 };
const question: ChatRequest = { system: '', messages: [{ role: 'user', text: 'hi' }], tools: [] };
const tool = (name: string) => ({
	name,
	description: `Does ${name}.`,
	inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
});

describe.each(Object.entries<Protocol>(protocols))('%s', (_, protocol) => {
	const { begin = '', text, call, failure, end, path } = protocol;
	const says =
		(...pieces: readonly string[]): Answer =>
		(response) =>
			void response.end(begin + pieces.join(''));
	const begins =
		(...pieces: readonly string[]): Answer =>
		(response) =>
			void response.write(begin + pieces.join(''));

	/** A model whose provider answers so. It knows nothing about the model. */
	async function provider(answers: readonly [Answer, ...Answer[]], more = {}, limits = roomy) {
		const server = await ChatServer.start((response) => {
			const asked = server.received.filter((request) => request.path === path);
			if (server.received.at(-1)?.path !== path) return void response.writeHead(404).end();
			return (answers[asked.length - 1] ?? answers.at(-1))?.(response);
		});
		const model = protocol.model(server.url, more, limits);
		return {
			model,
			bodies: () => server.received.filter((request) => request.path === path).map(({ body }) => body),
			hungUp: server.hungUp.promise,
			[Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
		};
	}

	async function outcome(model: Adapter, request = question, stop?: (event: ChatModelEvent) => void) {
		const events: ChatModelEvent[] = [];
		const controller = new AbortController();
		try {
			for await (const event of model.stream(request, controller.signal)) {
				events.push(event);
				if (event.type === 'retrying' && event.afterMs > 500) break;
				if (stop) {
					stop(event);
					controller.abort();
				}
			}
			return { events, error: undefined };
		} catch (error) {
			return { events, error };
		}
	}

	test('streams what the model says piece by piece, then what it cost', async () => {
		await using one = await provider([says(text('Good '), text('morning.'), end)]);

		const { events, error } = await outcome(one.model);

		expect(error).toBeUndefined();
		expect(events.map(({ type }) => type)).toEqual(['text', 'text', 'usage']);
		expect(textOf(events)).toBe('Good morning.');
		expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 12, outputTokens: 5 } });
	});

	test('keeps parallel calls apart, and sends their results in their order', async () => {
		const answer = says(
			text('Looking.'),
			call('c1', 'files__read', '{"path":"a"}', 0),
			call('c2', 'files__read', '{"path":"b"}', 1),
			end,
		);
		await using one = await provider([answer, says(text('Both.'), end)]);

		const first = messageOf((await outcome(one.model)).events);
		const calls = callsOf(first.parts);
		const results = calls.toReversed().map(({ id, input }) => ({
			callId: id,
			result: { content: [{ type: 'text' as const, text: `what ${input.path} says` }], isError: false },
		}));
		const messages = [...question.messages, first, { role: 'tool' as const, results }];
		const second = await outcome(one.model, { ...question, messages });

		expect(calls.map(({ name, input }) => [name, input.path])).toEqual([
			['files__read', 'a'],
			['files__read', 'b'],
		]);
		expect(textOf(second.events)).toBe('Both.');
		expect(one.bodies()[1]).toMatch(/Looking\..*c1.*c2.*what a says.*what b says/);
	});

	test('says what is wrong with arguments that are no JSON', async () => {
		await using one = await provider([says(call('c1', 'files__read', '{"path":', 0), end)]);

		const [first] = (await outcome(one.model)).events;

		expect(first).toMatchObject({ type: 'toolCall', call: { input: {}, fault: expect.any(String) } });
	});

	test.each<[string, Answer]>([
		['never begins', () => undefined],
		['begins and says nothing', begins()],
		['stops in the middle', begins(text('Half'))],
	])('an answer that %s has stalled, and its connection is closed', async (_, answer) => {
		await using one = await provider([answer], {}, impatient);

		const { error } = await outcome(one.model);

		expect(error).toMatchObject({ reason: 'stalled' });
		await one.hungUp;
		expect(one.bodies()).toHaveLength(1);
	});

	test('an answer whose connection breaks is cut: what came stays, and it is not asked for again', async () => {
		const breaks: Answer = (response) =>
			void response.write(begin + text('Half'), () => response.socket?.end());
		await using one = await provider([breaks]);

		const { events, error } = await outcome(one.model);

		expect(textOf(events)).toBe('Half');
		expect(error).toMatchObject({ reason: 'cut', message: expect.stringContaining('continue') });
		expect(one.bodies()).toHaveLength(1);
	});

	test('an error in the middle ends the answer, and it is not asked for again', async () => {
		await using one = await provider([says(text('Half'), failure, text('x'), end)]);

		const { events, error } = await outcome(one.model);

		expect(textOf(events)).toBe('Half');
		expect(error).toMatchObject({ reason: 'server', message: expect.stringContaining('Sorry') });
		expect(one.bodies()).toHaveLength(1);
	});

	test('a user who stops gets no more of the answer, and no error', async () => {
		await using one = await provider([begins(text('Half') + call('c1', 'files__list', '{}', 0) + end)]);

		const { events, error } = await outcome(one.model, question, () => undefined);

		expect(events.map(({ type }) => type)).toEqual(['text']);
		expect(error).toBeUndefined();
	});

	test('a tool that the provider would refuse is named first and once, and not sent', async () => {
		const busy = whole(429, { error: { message: 'Slow down.' } }, { 'retry-after': '0' });
		await using one = await provider([busy, says(text('ok'), end)]);
		const tools = [{ ...tool('odd'), inputSchema: unsendableSchema }, tool('fine')];

		const { events } = await outcome(one.model, { ...question, tools });

		expect(events.map(({ type }) => type)).toEqual(['toolDropped', 'retrying', 'text', 'usage']);
		expect(events[0]).toMatchObject({ name: 'odd', reason: expect.stringMatching(/^[A-Z].*\.$/) });
		expect(one.bodies()[1]).toContain('"fine"');
		expect(one.bodies()[1]).not.toContain('"odd"');
	});

	test('a tool that is appended changes no byte before it', async () => {
		await using one = await provider([says(text('ok'), end)]);

		await outcome(one.model, { ...question, tools: [tool('a'), tool('b')] });
		await outcome(one.model, { ...question, tools: [tool('a'), tool('b'), tool('c')] });

		const [before = '', after = ''] = one
			.bodies()
			.map((body) => body.replace(/,"cache_control":\{[^}]*\}/g, ''));
		const prefix = before.slice(0, before.indexOf('"Does b."'));
		expect(prefix).toContain('"Does a."');
		expect(after.startsWith(prefix)).toBe(true);
	});

	test('each call is sent with one result, in the order of the calls, and a result without a call is left out', async () => {
		await using one = await provider([says(text('ok'), end)]);
		const calls = (...ids: readonly string[]): ChatMessage =>
			plainAnswer(
				'',
				ids.map((id) => ({ id, name: 'files__read', input: { path: id } })),
			);
		const results = (...all: readonly (readonly [string, string])[]): ChatMessage => ({
			role: 'tool',
			results: all.map(([callId, words]) => ({ callId, result: textResult(words) })),
		});
		const messages = [
			results(['gone', 'an orphan']),
			...question.messages,
			calls('a', 'b'),
			results(['b', 'two'], ['stray', 'an orphan'], ['b', 'an orphan']),
			results(['a', 'one']),
			calls('c'),
			{ role: 'user' as const, text: 'Well?' },
			results(['c', 'an orphan']),
		];

		await outcome(one.model, { ...question, messages });

		const [body = ''] = one.bodies();
		expect(body).toMatch(/"one".*"two".*There is no result.*Well/);
		expect(body).not.toContain('orphan');
	});

	describe('pictures', () => {
		const png: ImageContent = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/jpeg' };
		const drawing: ImageContent = { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' };
		const shows: ChatRequest = {
			...question,
			messages: [
				{ role: 'user', text: 'What is it?', images: [png, drawing] },
				{
					role: 'assistant',
					parts: [{ type: 'toolCall', call: { id: 'c', name: 'camera__shoot', input: {} } }],
				},
				{
					role: 'tool',
					results: [
						{ callId: 'c', result: { content: [{ type: 'text', text: 'here' }, png], isError: false } },
					],
				},
			],
		};

		test('are sent to a model that sees, under the type that they have; others are named', async () => {
			await using one = await provider([says(text('ok'), end)], { images: true });

			await outcome(one.model, shows);

			const [body = ''] = one.bodies();
			expect(body.split(png.data)).toHaveLength(3);
			expect(body).not.toMatch(/(?:data:|")image\/jpeg/);
			expect(body).toContain('[image image/svg+xml]');
		});

		test('are named to a model that does not see', async () => {
			await using one = await provider([says(text('ok'), end)], { images: false });

			await outcome(one.model, shows);

			const [body = ''] = one.bodies();
			expect(body).not.toContain(png.data);
			expect(body.split('[image image/jpeg]')).toHaveLength(3);
		});
	});
});
