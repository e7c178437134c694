import { describe, expect, test } from 'vitest';
import { chatCompletions } from './chatCompletions.ts';
import type { ChatBody, WireMessage } from './chatRules.ts';
import { type MessagesBody, messages } from './messages.ts';
import { type OllamaBody, ollama } from './ollama.ts';
import { type ResponsesBody, responses, type WireItem } from './responses.ts';
import { brokenRule, type Protocol, type Said } from './strictEndpoint.ts';

const said: Said = { thought: 'Hm.', text: 'Looking.', calls: [{ name: 'read', input: { path: 'a' } }] };

/** What a protocol says of a request, having answered once; `request` is made from that answer. */
function told<Body, Issued>(protocol: Protocol<Body, Issued>, request: (issued: Issued) => Body) {
	const { issued } = protocol.answer(said, 1);
	return brokenRule(protocol.rules, request(issued), [issued]);
}

function chat(change: (answer: WireMessage) => WireMessage = (answer) => answer) {
	return (issued: WireMessage): ChatBody => {
		const answer = change(issued);
		const results = (answer.tool_calls ?? []).map(({ id }) => ({
			role: 'tool',
			tool_call_id: id,
			content: 'A',
		}));
		return { model: 'm', messages: [{ role: 'user', content: 'So?' }, answer, ...results] };
	};
}

function without(...fields: readonly string[]) {
	return (answer: WireMessage) =>
		Object.fromEntries(
			Object.entries(answer).filter(([key]) => !fields.includes(key)),
		) as unknown as WireMessage;
}

function renamed(id: string) {
	return (answer: WireMessage): WireMessage => ({
		...answer,
		tool_calls: (answer.tool_calls ?? []).map((call) => ({ ...call, id })),
	});
}

describe('the strict stub of Chat Completions', () => {
	test.each([
		['deepseek', without('reasoning_content'), /must be passed back/],
		['deepseek', (one: WireMessage) => ({ ...one, reasoning_content: 'Else.' }), /must be passed back/],
		['kimi', without('reasoning_content'), /reasoning_content is missing .* at index 1/],
		['kimi', (one: WireMessage) => ({ ...one, reasoning_content: '' }), /reasoning_content is missing/],
		['openrouter', without('reasoning_details'), /unmodified/],
		['openrouter', renamed('other'), /names a tool call/],
		['openai', renamed('x'.repeat(41)), /maximum length 40/],
		['openai', (one: WireMessage) => ({ ...one, reasoning_content: 'Hm.' }), /Unknown parameter/],
		['local', (one: WireMessage) => ({ ...one, reasoning_details: [] }), /Unknown parameter/],
	] as const)('of %s refuses another one (%#)', (dialect, change, message) => {
		expect(told(chatCompletions(dialect), chat(change))).toMatch(message);
	});

	test.each([
		['azure', { max_tokens: 1 }, /Use 'max_completion_tokens' instead/],
		['azure', { temperature: 0.5 }, /Unsupported parameter: 'temperature'/],
		['github', { reasoning_effort: 'low' }, /Unrecognized request argument supplied: reasoning_effort/],
		['github', { model: 'gpt-4.1' }, /Unknown model/],
		['gemini', { prompt_cache_key: 'x' }, /Unknown name "prompt_cache_key"/],
		['vllm', { tool_choice: 'required' }, /`tools` must be set/],
		['vllm', { tools: [] }, /must not be an empty array/],
		['lmstudio', { tool_choice: { type: 'function' } }, /Invalid tool_choice type/],
		['llamacpp', { messages: [{ role: 'user', content: 1 }] }, /a string or an array/],
	] as const)('of %s refuses %j', (dialect, fields, message) => {
		const request = (issued: WireMessage): ChatBody => ({ ...chat()(issued), model: 'a/b', ...fields });
		expect(told(chatCompletions(dialect), request)).toMatch(message);
	});

	test('of Gemini refuses calls without their signatures, or with others', () => {
		const sign = (extra_content?: object) => (answer: WireMessage) => ({
			...answer,
			tool_calls: (answer.tool_calls ?? []).map(({ extra_content: _, ...call }) => ({
				...call,
				...(extra_content && { extra_content }),
			})),
		});
		expect(told(chatCompletions('gemini'), chat(sign()))).toMatch(/missing a thought_signature/);
		const other = { google: { thought_signature: 'other' } };
		expect(told(chatCompletions('gemini'), chat(sign(other)))).toMatch(/Corrupted/);
	});

	test('refuses calls without results, results without calls, and two calls of one id', () => {
		const protocol = chatCompletions('openai');
		const unanswered = (issued: WireMessage): ChatBody => ({ model: 'm', messages: [issued] });
		const unasked = (): ChatBody => ({
			model: 'm',
			messages: [{ role: 'tool', tool_call_id: 'a', content: 'A' }],
		});
		const twice = (issued: WireMessage) => {
			const { messages: all } = chat()(issued);
			return { model: 'm', messages: [...all, ...all] };
		};
		expect(told(protocol, unanswered)).toMatch(/did not have response messages/);
		expect(told(protocol, unasked)).toMatch(/must be a response/);
		expect(told(protocol, twice)).toMatch(/Duplicate value/);
	});
});

describe('the strict stub of the Responses API', () => {
	const output = (item: WireItem): WireItem[] =>
		item.type === 'function_call'
			? [{ type: 'function_call_output', call_id: String(item.call_id), output: 'A' }]
			: [];
	const request =
		(change: (items: readonly WireItem[]) => readonly WireItem[]) =>
		(issued: readonly WireItem[]): ResponsesBody => ({ model: 'm', input: change(issued) });

	test.each<readonly [RegExp, (items: readonly WireItem[]) => readonly WireItem[]]>([
		[/No tool call found/, (items) => items.flatMap(output)],
		[/No tool output found/, (items) => items],
		[/without its required following item/, (items) => items.slice(0, 1)],
		[/without its required 'reasoning' item/, (items) => [...items.slice(1), ...items.flatMap(output)]],
		[
			/could not be verified/,
			(items) => [
				...items.map((item) => (item.type === 'reasoning' ? { ...item, encrypted_content: 'x' } : item)),
				...items.flatMap(output),
			],
		],
		[/Duplicate item/, (items) => [...items, ...items.flatMap(output), ...items, ...items.flatMap(output)]],
		[
			/maximum length 64/,
			(items) => [...items, ...items.flatMap(output)].map((item) => ({ ...item, call_id: 'x'.repeat(65) })),
		],
	])('refuses %s', (message, change) => {
		expect(told(responses, request(change))).toMatch(message);
	});
});

describe('the strict stub of the Messages API', () => {
	type Blocks = readonly Record<string, unknown>[];
	const request =
		(change: (blocks: Blocks) => Blocks) =>
		(issued: readonly object[]): MessagesBody => {
			const content = change(issued as Blocks);
			const results = content
				.filter(({ type }) => type === 'tool_use')
				.map(({ id }) => ({
					type: 'tool_result',
					tool_use_id: id,
					content: [{ type: 'text', text: 'A' }],
				}));
			const all = [
				{ role: 'user', content: [{ type: 'text', text: 'So?' }] },
				{ role: 'assistant', content },
				...(results.length > 0 ? [{ role: 'user', content: results }] : []),
			];
			return { model: 'm', max_tokens: 1, stream: true, messages: all } as unknown as MessagesBody;
		};

	test.each<readonly [RegExp, (blocks: Blocks) => Blocks]>([
		[/Expected `thinking`/, (blocks) => blocks.slice(1)],
		[/cannot be modified/, ([first, ...rest]) => [...rest.slice(0, 1), first ?? {}, ...rest.slice(1)]],
		[/Invalid `signature`/, ([first, ...rest]) => [{ ...first, signature: 'x' }, ...rest]],
		[/cannot be `thinking`/, (blocks) => blocks.slice(0, 1)],
		[/ids and names are legal/, (blocks) => blocks.map((one) => (one.id ? { ...one, id: 'a.b' } : one))],
		[/ids are unique/, (blocks) => [...blocks, ...blocks.slice(-1)]],
	])('refuses %s', (message, change) => {
		expect(told(messages, request(change))).toMatch(message);
	});
});

describe('the strict stub of Ollama', () => {
	test('refuses arguments as text, and text as a list', () => {
		const request = (message: OllamaBody['messages'][number]): OllamaBody => ({
			model: 'm',
			messages: [message],
		});
		const asText = { role: 'assistant', tool_calls: [{ function: { name: 'read', arguments: '{}' } }] };
		expect(told(ollama, () => request(asText))).toMatch(/cannot unmarshal string/);
		expect(told(ollama, () => request({ role: 'user', content: ['a'] }))).toMatch(/cannot unmarshal array/);
	});
});
