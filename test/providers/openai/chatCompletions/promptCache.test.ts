import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import type { ChatMessage } from '../../../../src/discovery/catalog/message.ts';
import { plainAnswer } from '../../../../src/models/answerParts.ts';
import type { ChatRequest } from '../../../../src/models/chatModel.ts';
import { ChatCompletionsModel } from '../../../../src/models/openai/chatCompletions/chatCompletionsModel.ts';
import { PromptCache } from '../../anthropic/promptCache.ts';
import { calls, results, succeeded, tool } from '../../conversation.ts';
import { standsAt } from '../../http/provider.ts';
import { answerOf, endpointAt, Loopback } from '../../loopback.ts';
import { ask, chunk, events } from './server.ts';

type Marked = { readonly cache_control?: { readonly type: string; readonly ttl?: string } };
type Part = Marked & { readonly type: string; readonly text?: string };
interface Message {
	readonly role: string;
	readonly content: string | readonly Part[] | null;
	readonly tool_calls?: readonly object[];
}
interface Body {
	readonly tools?: readonly (Marked & object)[];
	readonly messages: readonly Message[];
	readonly [field: string]: unknown;
}

/** The body that a model sends to a server at this address, reached on loopback. */
async function sentBy(model: string, baseUrl: string, request: ChatRequest): Promise<Body> {
	await using server = await Loopback.start(events([chunk({ content: 'ok' }, 'stop')]));
	standsAt(baseUrl, server.url);
	const { error } = await answerOf(
		new ChatCompletionsModel({ id: 'm', name: 'M', model }, endpointAt(baseUrl)),
		request,
	);
	if (error) throw error;
	return server.sent<Body>();
}

const router = 'https://openrouter.ai/api/v1';
const claude = 'anthropic/claude-opus-4.6';

/** As OpenRouter hands it on to Anthropic: results are blocks of a user's message. */
function asAnthropic({ tools = [], messages }: Body): Anthropic.MessageCreateParamsStreaming {
	const blocks = ({ content, tool_calls: calls = [] }: Message) => [
		...(typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])),
		...calls,
	];
	const [system, ...rest] = messages;
	return {
		tools,
		system: system ? blocks(system) : [],
		messages: rest.map((message) => ({
			role: message.role === 'assistant' ? 'assistant' : 'user',
			content: blocks(message),
		})),
	} as unknown as Anthropic.MessageCreateParamsStreaming;
}

function marks({ tools = [], messages }: Body): number {
	return JSON.stringify([tools, messages]).split('"cache_control"').length - 1;
}

test('given Claude behind OpenRouter, when each answer makes many calls, then the whole former request is read', async () => {
	const cache = new PromptCache();
	const messages: ChatMessage[] = [{ role: 'user', text: 'read them all' }];
	const request = { ...ask({ system: 'Be brief.', tools: [tool('a'), tool('b')] }), messages };
	let former = cache.ask(asAnthropic(await sentBy(claude, router, request))).blocks;
	for (const round of [1, 2, 3]) {
		const ids = Array.from({ length: 12 }, (_, n) => `call_${round}_${n}`);
		messages.push(calls('Reading.', ...ids), results(...ids.map((id) => succeeded(id, 'text'))));
		const body = await sentBy(claude, router, request);
		expect(marks(body)).toBeLessThanOrEqual(4);
		const { blocks, read } = cache.ask(asAnthropic(body));
		expect(read).toBe(former);
		former = blocks;
	}
});

test('given another chat with the same tools, then tools and system prompt are read', async () => {
	const cache = new PromptCache();
	const request = (text: string): ChatRequest => ({
		...ask({ system: 'Be brief.', tools: [tool('a'), tool('b')] }),
		messages: [{ role: 'user', text }],
	});
	cache.ask(asAnthropic(await sentBy(claude, router, request('one'))));
	expect(cache.ask(asAnthropic(await sentBy(claude, router, request('another')))).read).toBe(3);
});

test.each([
	['another model behind OpenRouter', 'openai/gpt-5', router],
	['a Claude behind another gateway', claude, 'https://gateway.example.com/v1'],
])('%s is sent no breakpoints', async (_, model, baseUrl) => {
	const body = await sentBy(model, baseUrl, ask({ system: 'Be brief.', tools: [tool('a')] }));
	expect(marks(body)).toBe(0);
	expect(typeof body.messages[0]?.content).toBe('string');
});

test.each([
	['https://api.openai.com/v1', 'prompt_cache_key'],
	['https://acme.openai.azure.com/openai/v1', 'prompt_cache_key'],
	['https://api.moonshot.ai/v1', 'prompt_cache_key'],
	[router, 'session_id'],
])(
	'%s is told the conversation as %s, the same while it lasts and another for another',
	async (baseUrl, field) => {
		const first = ask({ messages: [{ role: 'user', text: 'one' }] });
		const later: ChatRequest = {
			...first,
			messages: [...first.messages, plainAnswer('Yes.'), { role: 'user', text: 'two' }],
		};
		const keys = [];
		const alike = { ...first, conversation: 'another' };
		for (const request of [first, later, ask({ messages: [{ role: 'user', text: 'other' }] }), alike])
			keys.push((await sentBy('gpt-4.1', baseUrl, request))[field]);
		expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
		expect(keys[1]).toBe(keys[0]);
		expect(new Set(keys).size).toBe(3);
	},
);

test('nobody else is told of conversations', async () => {
	const body = await sentBy('x', 'http://localhost:8000/v1', ask());
	expect(Object.keys(body)).toEqual(['model', 'messages', 'stream', 'stream_options']);
});
