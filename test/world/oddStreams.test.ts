import { expect, test } from 'vitest';
import { createModel, type ModelSettings } from '../../src/models/createModel.ts';
import { endpointAt, Loopback, sse } from '../providers/loopback.ts';
import { turn } from '../unit/chat/conversation.ts';
import { sessionOf } from '../unit/discovery/fixtures.ts';
import { delta, type Json, shownText } from './chatEndpoint.ts';

const done = 'data: [DONE]\n\n';
const chat = (...chunks: readonly Json[]) => sse(...chunks) + done;
const choice = (index: number, piece: Json, finish?: string) => ({
	choices: [{ index, delta: piece, ...(finish && { finish_reason: finish }) }],
});
const called = (name: string, input: Json) => ({
	tool_calls: [
		{ index: 0, id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(input) } },
	],
});
/** A call whose arguments come in pieces; only the first has its id and its name. */
const callInPieces = (pieces: readonly string[]) =>
	pieces.map((json, i) => {
		const own =
			i === 0
				? { id: 'c', function: { name: 'slack__search', arguments: json } }
				: { function: { arguments: json } };
		return delta({ tool_calls: [{ index: 0, ...own }] });
	});
const stopped = [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }];
const started = (id: string) => ({ type: 'message_start', message: { id } });
const block = (index: number, content_block: Json) => ({ type: 'content_block_start', index, content_block });
const text = (index: number, words: string) => ({
	type: 'content_block_delta',
	index,
	delta: { type: 'text_delta', text: words },
});
const responded = (output: readonly Json[]) => ({ object: 'response', status: 'completed', output });
const uses = (name: string) => ({
	tool_uses: [
		{ recipient_name: `functions.${name}`, parameters: { query: 'a' } },
		{ recipient_name: `functions.${name}`, parameters: { query: 'b' } },
	],
});

type Protocol = 'chat' | 'responses' | 'anthropic' | 'ollama';
const ends: Readonly<Record<Protocol, string>> = {
	chat: chat(delta({ content: 'done' }, 'stop')),
	responses: JSON.stringify(
		responded([{ type: 'message', content: [{ type: 'output_text', text: 'done' }] }]),
	),
	anthropic: sse(started('z'), block(0, { type: 'text', text: 'done' }), ...stopped),
	ollama: JSON.stringify({ message: { content: 'done' }, done: true }),
};

/** What an endpoint sends, and the text and the arguments of calls that it means. */
const rows: readonly (readonly [
	what: string,
	protocol: Protocol,
	body: string,
	text: string,
	calls: readonly Json[],
	from: string,
])[] = [
	[
		'several calls as one',
		'chat',
		chat(delta(called('multi_tool_use.parallel', uses('slack__search'))), delta({}, 'tool_calls')),
		'',
		[{ query: 'a' }, { query: 'b' }],
		'vercel/ai#2786',
	],
	[
		'several calls as one',
		'responses',
		JSON.stringify(
			responded([
				{
					type: 'function_call',
					call_id: 'c',
					name: 'parallel',
					arguments: JSON.stringify(uses('slack__search')),
				},
			]),
		),
		'',
		[{ query: 'a' }, { query: 'b' }],
		'vercel/ai#19067',
	],
	[
		'a tab within a text of an event',
		'chat',
		chat(delta({ content: 'a\tb' }), delta({}, 'stop')).replace('\\t', '\t'),
		'a\tb',
		[],
		'earendil-works/pi#3637',
	],
	[
		'a name in pieces',
		'chat',
		chat(
			delta({
				tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'slack__se', arguments: '' } }],
			}),
			delta({ tool_calls: [{ index: 0, function: { name: 'arch', arguments: '{"query":"x"}' } }] }),
			delta({}, 'tool_calls'),
		),
		'',
		[{ query: 'x' }],
		'continuedev/continue#5849',
	],
	[
		'a name in every piece',
		'chat',
		chat(
			...['', '{"query":', '"x"}'].map((json) =>
				delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'slack__search', arguments: json } }] }),
			),
			delta({}, 'tool_calls'),
		),
		'',
		[{ query: 'x' }],
		'NousResearch/hermes-agent#11984',
	],
	[
		'a name and another id in every piece',
		'chat',
		chat(
			...['{"query":', '"x', ' y"}'].map((json, i) =>
				delta({
					tool_calls: [{ index: 0, id: `c${i}`, function: { name: 'slack__search', arguments: json } }],
				}),
			),
			delta({}, 'tool_calls'),
		),
		'',
		[{ query: 'x y' }],
		'vllm-project/vllm#23522',
	],
	[
		'the name only within the arguments',
		'chat',
		chat(delta(called('', { name: 'slack__search', arguments: { query: 'x' } })), delta({}, 'tool_calls')),
		'',
		[{ query: 'x' }],
		'BerriAI/litellm#3333',
	],
	[
		'a call within its arguments',
		'ollama',
		JSON.stringify({
			message: {
				tool_calls: [
					{
						function: {
							name: 'slack__search',
							arguments: { name: 'slack__search', arguments: { query: 'x' } },
						},
					},
				],
			},
			done: true,
		}),
		'',
		[{ query: 'x' }],
		'ollama/ollama#11805',
	],
	[
		'two answers side by side',
		'chat',
		chat(
			choice(0, { content: 'AAA' }),
			choice(1, { content: 'BBB' }),
			choice(0, { content: ' aaa' }),
			choice(1, { content: ' bbb' }),
			choice(0, {}, 'stop'),
			choice(1, {}, 'stop'),
		),
		'AAA aaa',
		[],
		'BerriAI/litellm#35793',
	],
	[
		'calls in a second choice',
		'chat',
		chat(
			choice(0, { content: 'Looking.' }),
			choice(1, called('slack__search', { query: 'x' })),
			choice(0, {}, 'tool_calls'),
		),
		'Looking.',
		[{ query: 'x' }],
		'ericc-ch/copilot-api#81',
	],
	[
		'a second generation after a call that was torn off',
		'anthropic',
		sse(
			started('msg_1'),
			block(0, { type: 'tool_use', id: 't1', name: 'slack__search', input: {} }),
			{ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"que' } },
			started('msg_2'),
			block(0, { type: 'text', text: '' }),
			text(0, 'Whole.'),
			...stopped,
		),
		'Whole.',
		[],
		'vercel/ai#18332',
	],
	[
		'one beginning sent twice',
		'anthropic',
		sse(
			started('msg_1'),
			started('msg_1'),
			block(0, { type: 'text', text: '' }),
			text(0, 'Once.'),
			...stopped,
		),
		'Once.',
		[],
		'maximhq/bifrost#4556',
	],
	[
		'a whole message',
		'anthropic',
		JSON.stringify({ type: 'message', content: [{ type: 'text', text: 'Hi.' }], stop_reason: 'end_turn' }),
		'Hi.',
		[],
		'Alishahryar1/free-claude-code#486',
	],
	[
		'a whole message with a call',
		'anthropic',
		JSON.stringify({
			type: 'message',
			content: [{ type: 'tool_use', id: 't1', name: 'slack__search', input: { query: 'x' } }],
			stop_reason: 'tool_use',
		}),
		'',
		[{ query: 'x' }],
		'Alishahryar1/free-claude-code#486',
	],
	[
		'a whole completion and the end of a stream',
		'chat',
		`${JSON.stringify({ choices: [{ index: 0, message: { content: 'OK' }, finish_reason: 'stop' }] })}\n\n${done}`,
		'OK',
		[],
		'decolua/9router#3492',
	],
	[
		'arguments in a piece, and again as a whole',
		'chat',
		chat(...callInPieces(['', '{"query":"x"}', '{"query":"x"}']), delta({}, 'tool_calls')),
		'',
		[{ query: 'x' }],
		'lidge-jun/opencodex#361',
	],
	[
		'arguments three times',
		'chat',
		JSON.stringify({
			choices: [
				{
					message: {
						tool_calls: [
							{ id: 'c', function: { name: 'slack__search', arguments: '{"query":"x"}'.repeat(3) } },
						],
					},
					finish_reason: 'tool_calls',
				},
			],
		}),
		'',
		[{ query: 'x' }],
		'Soju06/codex-lb#284',
	],
	[
		'all arguments so far in each piece',
		'chat',
		chat(...callInPieces(['{"qu', '{"query":', '{"query":"x"}', '{"query":"x"}']), delta({}, 'tool_calls')),
		'',
		[{ query: 'x' }],
		'NousResearch/hermes-agent#35718',
	],
	[
		'arguments that only seem to repeat what has come',
		'chat',
		chat(...callInPieces(['{"query":', '{"query":"x"}}']), delta({}, 'tool_calls')),
		'',
		[{ query: { query: 'x' } }],
		'vercel/ai#15888',
	],
	[
		'arguments with the end of the answer only',
		'responses',
		sse(
			{
				type: 'response.output_item.added',
				output_index: 0,
				item: { type: 'function_call', id: 'f', call_id: 'c', name: 'slack__search' },
			},
			{ type: 'response.function_call_arguments.done', output_index: 0, item_id: 'f', arguments: '' },
			{
				type: 'response.output_item.done',
				output_index: 0,
				item: { type: 'function_call', id: 'f', call_id: 'c', name: 'slack__search', arguments: '' },
			},
			{
				type: 'response.completed',
				response: responded([
					{ type: 'function_call', id: 'f', call_id: 'c', name: 'slack__search', arguments: '{"query":"x"}' },
				]),
			},
		),
		'',
		[{ query: 'x' }],
		'OpenRouterTeam/ai-sdk-provider#336',
	],
	[
		'a call with the end of the answer only, after text',
		'responses',
		sse(
			{ type: 'response.output_text.delta', output_index: 0, delta: 'Looking.' },
			{
				type: 'response.completed',
				response: responded([
					{ type: 'message', content: [{ type: 'output_text', text: 'Looking.' }] },
					{ type: 'function_call', id: 'f', call_id: 'c', name: 'slack__search', arguments: '{"query":"x"}' },
				]),
			},
		),
		'Looking.',
		[{ query: 'x' }],
		'maximhq/bifrost#2120',
	],
	[
		'a message that ends with the reason for its end',
		'anthropic',
		sse(started('msg_1'), block(0, { type: 'text', text: 'Whole.' }), ...stopped.slice(0, 1)),
		'Whole.',
		[],
		'tombii/better-ccflare#307',
	],
	[
		'an answer over several lines',
		'ollama',
		JSON.stringify({ message: { content: 'Hi.' }, done: true, done_reason: 'stop' }, undefined, 2),
		'Hi.',
		[],
		'https://docs.ollama.com/api/chat',
	],
];

async function modelAt(url: string, protocol: Protocol) {
	const settings: ModelSettings = {
		id: 'm',
		name: 'M',
		model: 'm',
		api: protocol === 'chat' ? 'chat' : 'responses',
	};
	const provider = protocol === 'chat' || protocol === 'responses' ? 'openai' : protocol;
	return createModel(settings, endpointAt(url, provider));
}

test.each(rows)('%s (%s) is read as it is meant: %#', async (_, protocol, body, shown, calls) => {
	let asked = 0;
	await using server = await Loopback.start((response, { path }) => {
		if (path.endsWith('/show')) response.writeHead(404).end();
		else response.end(asked++ === 0 ? body : ends[protocol]);
	});
	const ran: Json[] = [];
	const { events } = await turn(await modelAt(server.url, protocol), {
		session: sessionOf(undefined, { enabled: false }),
		runTool: async (_tool, { input }) => {
			ran.push(input);
			return { content: [{ type: 'text', text: 'found' }], isError: false };
		},
	});
	expect(ran).toEqual(calls);
	expect(shownText(events)).toBe(shown + (calls.length > 0 ? 'done' : ''));
});

test.each([
	['chat', chat(delta({ content: 'Whole.' }, 'stop')).replace(done, ''), ': keep-alive\n\n'],
	[
		'anthropic',
		sse(started('a'), block(0, { type: 'text', text: 'Whole.' }), ...stopped.slice(0, 1)),
		sse({ type: 'ping' }),
	],
] as const)(
	'an answer that is over ends, whatever the stream does (%s; tombii/better-ccflare#307)',
	async (protocol, body, ping) => {
		await using server = await Loopback.start((response) => {
			response.write(body);
			const timer = setInterval(() => response.write(ping), 500);
			response.on('close', () => clearInterval(timer));
		});
		const { events, end } = await turn(await modelAt(server.url, protocol));
		expect(end).toMatchObject({ reason: 'answered' });
		expect(shownText(events)).toBe('Whole.');
	},
);

test.each([
	['data: error: engine failed\n\n', 'lucasjinreal/Crane#121'],
	['event: error\ndata: engine failed\n\n', 'octos-org/octos#13'],
	['error: {"code":500,"message":"engine failed"}\n\n', 'ggml-org/llama.cpp#16104'],
])('%j in a stream is an error (%s)', async (failed) => {
	await using server = await Loopback.start(
		(response) => void response.end(chat(delta({ content: 'Half' })).replace(done, failed)),
	);
	const { end } = await turn(await modelAt(server.url, 'chat'));
	expect(end).toMatchObject({ error: { message: expect.stringContaining('engine failed') } });
});

test('an event without data is nothing (caozhiyuan/copilot-api#88)', async () => {
	await using server = await Loopback.start(
		(response) =>
			void response.end(`data: \n\n${sse(delta({ content: 'Hi' }))}data:\n\n${chat(delta({}, 'stop'))}`),
	);
	const { events } = await turn(await modelAt(server.url, 'chat'));
	expect(shownText(events)).toBe('Hi');
});

test('what an answer cost is counted after an error in its middle (damianvtran/local-operator#223)', async () => {
	const error = { error: { code: 400, message: 'Provider disconnected' }, choices: [] };
	const usage = { choices: [], usage: { prompt_tokens: 12, completion_tokens: 5 } };
	await using server = await Loopback.start(
		(response) => void response.end(chat(delta({ content: 'Half' }), error, usage)),
	);
	const { events, end } = await turn(await modelAt(server.url, 'chat'));
	expect(end).toMatchObject({
		reason: 'failed',
		error: { message: expect.stringContaining('disconnected') },
	});
	expect(events.filter(({ type }) => type === 'usage')).toEqual([
		{ type: 'usage', usage: { inputTokens: 12, outputTokens: 5 } },
	]);
});

test('a paused answer goes on (anthropics/anthropic-sdk-csharp#230)', async () => {
	const paused = sse(
		started('a'),
		block(0, { type: 'text', text: '' }),
		text(0, 'First'),
		{ type: 'message_delta', delta: { stop_reason: 'pause_turn' } },
		{ type: 'message_stop' },
	);
	let asked = 0;
	await using server = await Loopback.start(
		(response) => void response.end(asked++ === 0 ? paused : ends.anthropic),
	);
	const { events, end } = await turn(await modelAt(server.url, 'anthropic'));
	expect(end).toMatchObject({ reason: 'answered' });
	expect(shownText(events)).toBe('Firstdone');
	expect(events).toContainEqual({ type: 'nothingToSee', why: 'paused', goesOn: true });
});

/** Thoughts in the text, as models' templates mark them. */
const thoughts: readonly (readonly [text: string, answer: string, from: string])[] = [
	['◁think▷Hm.◁/think▷Yes.', 'Yes.', 'sgl-project/sglang: python/sglang/srt/parser/reasoning_parser.py'],
	['<think>Hm.</think>\n\nYes.', 'Yes.', 'sgl-project/sglang: python/sglang/srt/parser/reasoning_parser.py'],
	['[THINK]Hm.[/THINK]Yes.', 'Yes.', 'vllm-project/vllm#37081'],
	[
		'<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.',
		'Yes.',
		'lablup/mlxcel#654',
	],
];

test.each(thoughts)('%s is a thought, whatever the protocol (%s, %s)', async (written, answer) => {
	const pieces = written.match(/.{1,3}/gs) ?? [];
	const bodies: Readonly<Record<Protocol, string>> = {
		chat: chat(...pieces.map((content) => delta({ content })), delta({}, 'stop')),
		responses: sse(
			...pieces.map((piece) => ({ type: 'response.output_text.delta', output_index: 0, delta: piece })),
			{ type: 'response.completed', response: { status: 'completed' } },
		),
		anthropic: sse(
			started('a'),
			block(0, { type: 'text', text: '' }),
			...pieces.map((piece) => text(0, piece)),
			...stopped,
		),
		ollama: `${pieces.map((content) => JSON.stringify({ message: { content } })).join('\n')}\n{"done":true}`,
	};
	for (const protocol of Object.keys(bodies) as Protocol[]) {
		await using server = await Loopback.start((response, { path }) => {
			if (path.endsWith('/show')) response.writeHead(404).end();
			else response.end(bodies[protocol]);
		});
		const { events } = await turn(await modelAt(server.url, protocol));
		expect(shownText(events)).toBe(answer);
		const thought = events.map((event) => (event.type === 'thinking' ? event.text : '')).join('');
		expect(thought).toBe('Hm.');
	}
});
