import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { AnswerSettings } from '../../src/common/answerSettings.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../../src/models/chatModel.ts';
import { createModel, type ModelSettings } from '../../src/models/createModel.ts';
import type { Endpoint } from '../../src/models/provider.ts';
import { provider, standsAt } from './http/provider.ts';
import { eventsOf, key } from './loopback.ts';
import { protocols } from './protocols.ts';

type Body = Readonly<Record<string, unknown>>;
type Kind = 'chat' | 'responses' | 'anthropic' | 'ollama';

const names = {
	chat: 'Chat Completions',
	responses: 'Responses',
	anthropic: 'Anthropic',
	ollama: 'Ollama',
} as const;

/** A provider on loopback that refuses what `refuse` has a word against, as OpenAI words it. */
async function providerOf(
	kind: Kind,
	refuse: (body: Body) => string | { readonly message: string; readonly param: string } | undefined = () =>
		undefined,
) {
	const bodies: Body[] = [];
	const headers: IncomingHttpHeaders[] = [];
	const isOpenAi = kind === 'chat' || kind === 'responses';
	const answer = protocols[names[kind]]?.late('ok');
	const { endpoint: given } = await provider(async (request, response) => {
		const body: Body = JSON.parse(await text(request));
		if (request.url?.endsWith('/show')) return response.writeHead(404).end();
		bodies.push(body);
		headers.push(request.headers);
		const refusal = refuse(body);
		if (!refusal) return response.end(answer);
		const { message, param } = typeof refusal === 'string' ? { message: refusal } : refusal;
		const said =
			kind === 'ollama'
				? { error: message }
				: { error: { message, type: 'invalid_request_error', ...(param && { param }) } };
		return response.writeHead(400).end(JSON.stringify(said));
	});
	const { origin } = new URL(given.baseUrl);
	const endpoint: Endpoint = {
		...given,
		provider: isOpenAi ? 'openai' : kind,
		baseUrl: isOpenAi ? given.baseUrl : origin,
	};
	const model = (settings: Partial<ModelSettings> = {}, about: Partial<Endpoint> = {}) =>
		createModel(
			{ id: 'm', name: 'M', model: 'm', ...(isOpenAi && { api: kind }), ...settings },
			{ ...endpoint, ...about },
		);
	/** The same provider as if it stood at another address. */
	const at = (baseUrl: string): Partial<Endpoint> => {
		standsAt(baseUrl, origin);
		return { baseUrl };
	};
	return { bodies, headers, model, at };
}

const echo = { name: 'echo', description: 'Echoes.', inputSchema: { type: 'object', properties: {} } };
const request = (more: Partial<ChatRequest> = {}): ChatRequest => ({
	system: '',
	messages: [{ role: 'user', text: 'Hello' }],
	tools: [echo],
	...more,
});

function answered(model: ChatModel, asked: ChatRequest = request()) {
	return eventsOf(model, asked);
}

describe('what is set of a model’s answers stands in each request, as its protocol has it', () => {
	const settings = { temperature: 0.5, topP: 0.9, parallelToolCalls: false, serviceTier: 'auto' } as const;

	test.each<[Kind, Partial<ModelSettings>, Body]>([
		[
			'chat',
			{ answers: { ...settings, reasoningEffort: 'low' } },
			{
				temperature: 0.5,
				top_p: 0.9,
				parallel_tool_calls: false,
				service_tier: 'auto',
				reasoning_effort: 'low',
			},
		],
		[
			'responses',
			{ answers: { ...settings, reasoningEffort: 'low' } },
			{
				temperature: 0.5,
				top_p: 0.9,
				parallel_tool_calls: false,
				service_tier: 'auto',
				reasoning: { effort: 'low' },
			},
		],
		[
			'anthropic',
			{
				answers: { temperature: 0.5, parallelToolCalls: false, serviceTier: 'auto', reasoningEffort: 'low' },
			},
			{
				temperature: 0.5,
				tool_choice: { type: 'auto', disable_parallel_tool_use: true },
				service_tier: 'auto',
				output_config: { effort: 'low' },
			},
		],
		[
			'anthropic',
			{ answers: { thinking: { mode: 'tokens', tokens: 2000, display: 'omitted' } }, maxOutputTokens: 4000 },
			{ thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' }, max_tokens: 4000 },
		],
		// Thoughts count as output: “Must be ≥1024 and less than max_tokens”.
		[
			'anthropic',
			{ answers: { thinking: { mode: 'tokens', tokens: 9000 } }, maxOutputTokens: 4000 },
			{ thinking: { type: 'enabled', budget_tokens: 3999 }, max_tokens: 4000 },
		],
		[
			'anthropic',
			{ answers: { thinking: { mode: 'tokens', tokens: 9000 } }, maxOutputTokens: 1000 },
			{ thinking: { type: 'disabled' }, max_tokens: 1000 },
		],
		['anthropic', { answers: { thinking: { mode: 'adaptive' } } }, { thinking: { type: 'adaptive' } }],
		['anthropic', { answers: { thinking: { mode: 'off' } } }, { thinking: { type: 'disabled' } }],
		['ollama', { answers: { reasoningEffort: 'high' } }, { think: 'high' }],
		['ollama', { answers: { reasoningEffort: 'none' } }, { think: false }],
		['ollama', { answers: { thinking: { mode: 'adaptive' } } }, { think: true }],
		['ollama', { answers: { temperature: 0.5, topP: 0.9 } }, { options: { temperature: 0.5, top_p: 0.9 } }],
		['chat', { extraBody: { seed: 1 } }, { seed: 1 }],
		[
			'ollama',
			{ extraBody: { keep_alive: '1h', options: { num_gpu: 1 } } },
			{ keep_alive: '1h', options: { num_gpu: 1, num_ctx: 8192 } },
		],
	])('%s %j', async (kind, set, sent) => {
		const { model, bodies } = await providerOf(kind);
		await answered(await model(set));
		expect(bodies[0]).toMatchObject(sent);
	});

	test.each<[Kind]>([['chat'], ['responses'], ['anthropic'], ['ollama']])(
		'what one request of %s asks for goes before that, as far as it is taken',
		async (kind) => {
			const { model, bodies } = await providerOf(kind);
			const wished = { temperature: 0.25, maxOutputTokens: 64 };
			await answered(await model({ answers: { temperature: 0.5 } }), request({ answers: wished }));
			const [body = {}] = bodies;
			const options = (body.options ?? {}) as Body;
			expect(body.temperature ?? options.temperature).toBe(0.25);
			expect(body.max_tokens ?? body.max_output_tokens ?? options.num_predict).toBe(64);
		},
	);

	test('without tools nothing is said of parallel calls, which is refused then', async () => {
		const { model, bodies } = await providerOf('chat');
		await answered(await model({ answers: { parallelToolCalls: false } }), request({ tools: [] }));
		expect(bodies[0]).not.toHaveProperty('parallel_tool_calls');
	});

	// https://openrouter.ai/docs/use-cases/reasoning-tokens
	test.each<[NonNullable<ModelSettings['answers']>['thinking'] & object, Body]>([
		[{ mode: 'off' }, { enabled: false }],
		[{ mode: 'adaptive' }, { enabled: true }],
		[
			{ mode: 'tokens', tokens: 2000, display: 'omitted' },
			{ max_tokens: 2000, exclude: true },
		],
	])('at OpenRouter thinking %j has a field of its own', async (thinking, reasoning) => {
		const { model, bodies, at } = await providerOf('chat');
		await answered(await model({ answers: { thinking } }, at('https://openrouter.ai/api/v1')));
		expect(bodies[0]).toMatchObject({ reasoning });
	});
});

describe('what a model turns out to refuse is left out from then on', () => {
	const unsupported = (field: string) =>
		`Unsupported parameter: '${field}' is not supported with this model.`;
	const notices = (events: readonly ChatModelEvent[]) =>
		events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));

	test.each<[Kind, string, Partial<ModelSettings>]>([
		['chat', 'temperature', { answers: { temperature: 0.5, topP: 0.9 } }],
		['chat', 'reasoning_effort', { answers: { reasoningEffort: 'low' } }],
		['responses', 'temperature', { answers: { temperature: 0.5 } }],
		['responses', 'reasoning', { answers: { reasoningEffort: 'low' } }],
		['anthropic', 'thinking', { answers: { thinking: { mode: 'adaptive' } } }],
		['anthropic', 'output_config', { answers: { reasoningEffort: 'low' } }],
		['ollama', 'think', { answers: { thinking: { mode: 'adaptive' } } }],
	])('%s: %s, and the user is told once', async (kind, field, set) => {
		const { model, bodies } = await providerOf(kind, (body) =>
			field in body ? unsupported(field) : undefined,
		);
		const made = await model(set);
		const first = await answered(made);
		const second = await answered(made);
		expect(notices(first)).toEqual([`“M” does not accept "${field}" with this value, so it was left out.`]);
		expect(notices(second)).toEqual([]);
		expect(bodies.map((body) => field in body)).toEqual([true, false, false]);
		expect(first.at(-1)).toMatchObject({ type: 'text', text: 'ok' });
	});

	test.each<[string, Kind, AnswerSettings, readonly string[], string, string]>([
		[
			'johny-b/llmcomp#69',
			'chat',
			{ temperature: 0.5, reasoningEffort: 'low' },
			['temperature'],
			"Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
			'reasoning_effort',
		],
		[
			'mnfst/modelparams.dev#214',
			'anthropic',
			{ temperature: 0.5, thinking: { mode: 'adaptive' } },
			['temperature', 'thinking'],
			'`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our documentation at https://platform.claude.com/docs/en/build-with-claude/extended-thinking',
			'thinking',
		],
		[
			'infiniflow/ragflow#11815',
			'anthropic',
			{ temperature: 0.5, topP: 0.9 },
			['temperature', 'top_p'],
			'`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
			'top_p',
		],
		[
			'NousResearch/hermes-agent#11145',
			'anthropic',
			{ thinking: { mode: 'tokens', tokens: 2_000 }, reasoningEffort: 'high' },
			['thinking'],
			'"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
			'output_config',
		],
	])('%s: one refusal is enough', async (_, kind, answers, together, message, kept) => {
		const { model, bodies } = await providerOf(kind, (body) =>
			together.every((field) => field in body) ? message : undefined,
		);
		const made = await model({ answers, maxOutputTokens: 4_000 });
		const events = await answered(made);
		await answered(made);
		expect(notices(events)).toHaveLength(1);
		expect(bodies.map((body) => together.every((field) => field in body))).toEqual([true, false, false]);
		expect(bodies[1]).toHaveProperty(kept);
	});

	// “Use 'max_completion_tokens' instead.” https://platform.openai.com/docs/api-reference/chat/create, `max_tokens`.
	test.each([
		['max_tokens', 'max_completion_tokens', undefined],
		['max_completion_tokens', 'max_tokens', 'https://api.openai.com/v1'],
	])('%s is put as %s', async (refused, instead, baseUrl) => {
		const said = `${unsupported(refused)} Use '${instead}' instead.`;
		const { model, bodies, at } = await providerOf('chat', (body) => (refused in body ? said : undefined));
		const events = await answered(await model({ maxOutputTokens: 100 }, baseUrl ? at(baseUrl) : {}));
		expect(events).toEqual([{ type: 'text', text: 'ok' }]);
		expect(bodies.at(-1)).toMatchObject({ [instead]: 100 });
		expect(bodies.at(-1)).not.toHaveProperty(refused);
	});

	// https://community.openai.com: “Unsupported value: 'minimal' is not supported with this model.”, `param: reasoning.effort`.
	test.each<[Kind, string, Body]>([
		['responses', 'reasoning.effort', { reasoningEffort: 'minimal' }],
		['chat', 'reasoning_effort', { reasoningEffort: 'minimal' }],
	])('%s: a value that is named in `param` alone', async (kind, param, answers) => {
		const [field = ''] = param.split('.');
		const message = "Unsupported value: 'minimal' is not supported with this model.";
		const { model, bodies } = await providerOf(kind, (body) =>
			field in body ? { message, param } : undefined,
		);
		const events = await answered(await model({ answers }));
		expect(bodies.map((body) => field in body)).toEqual([true, false]);
		expect(events.at(-1)).toMatchObject({ type: 'text', text: 'ok' });
	});

	test('a field that is named behind thousands of characters', async () => {
		const said = `${'Your request could not be processed. '.repeat(100)}${unsupported('temperature')}`;
		const { model, bodies } = await providerOf('chat', (body) => ('temperature' in body ? said : undefined));
		await answered(await model({ answers: { temperature: 0.5 } }));
		expect(bodies.map((body) => 'temperature' in body)).toEqual([true, false]);
	});

	test.each([
		["Invalid schema for function 'oven__set': 'temperature' must have a type.", undefined],
		["Unknown keyword in 'temperature'.", 'tools[0].function.parameters'],
		['tools.0.custom.input_schema.properties.temperature: Input should be a valid dictionary', undefined],
	])('a property of a tool is no field of the request: %s', async (message, param) => {
		const { model, bodies } = await providerOf('chat', () => (param ? { message, param } : message));
		const tools = [{ name: 'oven__set', description: 'Sets it.', inputSchema: { type: 'object' } }];
		await expect(
			answered(await model({ answers: { temperature: 0.5 } }), request({ tools })),
		).rejects.toMatchObject({
			reason: 'invalidRequest',
		});
		expect(bodies.every((body) => 'temperature' in body)).toBe(true);
	});

	test('what is refused for something else is refused', async () => {
		const { model, bodies } = await providerOf('chat', () => 'This is no valid conversation.');
		const made = await model({ answers: { temperature: 0.5 } });
		await expect(answered(made)).rejects.toMatchObject({ reason: 'invalidRequest' });
		expect(bodies).toHaveLength(1);
	});
});

describe('a call that is demanded', () => {
	const demand = request({ mustCall: true });
	const words = /Answer with a call of one of the tools/;

	test.each<[Kind, unknown]>([
		['chat', 'required'],
		['responses', 'required'],
		['anthropic', { type: 'any' }],
	])('is told by the protocol of %s', async (kind, choice) => {
		const { model, bodies } = await providerOf(kind);
		await answered(await model(), demand);
		expect(bodies[0]).toMatchObject({ tool_choice: choice });
		expect(JSON.stringify(bodies[0])).not.toMatch(words);
	});

	// https://platform.claude.com/docs/en/build-with-claude/extended-thinking, “Thinking with tool use”, and the guide to Sonnet 5.5.
	test.each<[Kind, Partial<ModelSettings>]>([
		['anthropic', { answers: { thinking: { mode: 'adaptive' } } }],
		['anthropic', { model: 'claude-sonnet-5-5' }],
		['ollama', {}],
	])('is asked for in words where the model cannot be forced: %s %j', async (kind, set) => {
		const { model, bodies } = await providerOf(kind);
		await answered(await model(set), demand);
		expect(bodies[0]).not.toHaveProperty('tool_choice');
		expect(JSON.stringify(bodies[0]?.messages)).toMatch(words);
	});

	// https://api-docs.deepseek.com/guides/thinking_mode: “deepseek-reasoner does not support this tool_choice”.
	const unforced = 'This model does not support this tool_choice.';
	// https://github.com/zed-industries/zed/issues/36094
	const routed = "No endpoints found that support the provided 'tool_choice' value.";
	test.each<[Kind, string]>([
		['chat', unforced],
		['responses', unforced],
		['anthropic', unforced],
		['chat', routed],
	])('is asked for in words once %s has refused to be forced: %s', async (kind, refusal) => {
		const { model, bodies } = await providerOf(kind, (body) => ('tool_choice' in body ? refusal : undefined));
		const events = await answered(await model(), demand);
		expect(events.map(({ type }) => type)).toEqual(['text']);
		expect(JSON.stringify(bodies[1])).toMatch(words);
		expect(bodies).toHaveLength(2);
	});

	test('needs tools', async () => {
		const { model, bodies } = await providerOf('ollama');
		await answered(await model(), request({ mustCall: true, tools: [] }));
		expect(JSON.stringify(bodies)).not.toMatch(words);
	});
});

describe('headers of the configuration', () => {
	const secret = 'gw-0123456789abcdef';

	test.each<[Kind, string]>([
		['chat', 'authorization'],
		['responses', 'authorization'],
		['anthropic', 'x-api-key'],
		['ollama', 'authorization'],
	])('go along with %s, and stand for nothing that the key or the protocol is', async (kind, keyHeader) => {
		const { model, headers } = await providerOf(kind);
		const made = await model(
			{},
			{
				headers: async () => [
					{ name: 'X-Team', value: 'blue', isSecret: false },
					{ name: keyHeader, value: 'stray', isSecret: false },
				],
			},
		);
		await answered(made);
		expect(headers[0]).toMatchObject({ 'x-team': 'blue', 'content-type': 'application/json' });
		expect(headers[0]?.[keyHeader]).toContain(key);
		expect(JSON.stringify(headers)).not.toContain('stray');
	});

	test('stand for no key where there is none', async () => {
		const { model, headers } = await providerOf('chat');
		const header = { name: 'Authorization', value: 'Bearer stray', isSecret: false };
		await answered(await model({}, { key: async () => undefined, headers: async () => [header] }));
		expect(headers[0]).not.toHaveProperty('authorization');
	});

	test('a secret in them is hidden where the endpoint repeats it', async () => {
		const { model } = await providerOf('chat', () => `The token ${secret} is not valid.`);
		const header = { name: 'X-Gateway', value: `Bearer ${secret}`, isSecret: true };
		const made = await model({}, { headers: async () => [header] });
		await expect(answered(made)).rejects.toMatchObject({ message: expect.stringContaining('The token ***') });
		await expect(answered(made)).rejects.not.toMatchObject({ message: expect.stringContaining(secret) });
	});
});
