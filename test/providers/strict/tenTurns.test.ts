import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { followHistory, type PastTurn } from '../../../src/chat/chatHistory.ts';
import { KeptChats } from '../../../src/chat/keptChats.ts';
import type { LoopEvent } from '../../../src/chat/loopEvent.ts';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import type { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import type { LogEntry } from '../../../src/discovery/session/logEntry.ts';
import type { ChatModel } from '../../../src/models/chatModel.ts';
import { createModel } from '../../../src/models/createModel.ts';
import type { Endpoint } from '../../../src/models/provider.ts';
import { withNumberedIds } from '../../servers/loop/providers/wireTranscript.ts';
import { turn } from '../../unit/chat/conversation.ts';
import { office, sessionOf } from '../../unit/discovery/fixtures.ts';
import { chatCompletions } from './chatCompletions.ts';
import { messages } from './messages.ts';
import { ollama } from './ollama.ts';
import { responses } from './responses.ts';
import { type Protocol, type Said, StrictEndpoint } from './strictEndpoint.ts';

/** Ten turns: searches, calls one after the other and side by side, with words and without, thoughts with and without calls. */
const script: readonly (readonly Said[])[] = [
	[
		{ thought: 'I need a tool.', calls: [search('slack:send_message')] },
		{ thought: 'Found it.', text: 'Sending.', calls: [send('#a', 'one')] },
		{ thought: 'Done.', text: 'Sent.' },
	],
	[{ thought: 'Easy.', text: 'Yes.' }],
	[{ thought: 'Both at once.', calls: [send('#a', 'two'), send('#b', 'three')] }, { text: 'Sent both.' }],
	[{ text: 'You are welcome.' }],
	[
		{ thought: 'The calendar.', text: 'Let me look.', calls: [search('calendar:create_event')] },
		{ thought: 'Now create it.', calls: [event('Review')] },
		{ thought: 'And tell them.', text: 'Created; telling them.', calls: [send('#a', 'review')] },
		{ thought: 'All done.', text: 'It is in your calendar.' },
	],
	[{ thought: 'A question.', text: 'On Monday.' }],
	[{ calls: [event('Lunch')] }, { thought: 'Good.', text: 'Lunch is set.' }],
	[{ thought: 'Again.', calls: [event('Lunch'), send('#b', 'lunch')] }, { text: 'Set again.' }],
	[{ thought: 'No more.', text: 'That is all.' }],
	[
		{ thought: 'Last one.', calls: [send('#a', 'bye')] },
		{ thought: 'Bye.', text: 'Bye.' },
	],
];

function search(name: string) {
	return { name: 'search_tools', input: { tool_names: [name] } };
}

function send(channel: string, text: string) {
	return { name: 'slack__send_message', input: { channel, text } };
}

function event(title: string) {
	return { name: 'calendar__create_event', input: { title, start: '10:00' } };
}

/** A protocol of whatever body, with the model that is asked in it. */
interface Case {
	// biome-ignore lint/suspicious/noExplicitAny: each protocol has a body and answers of its own.
	readonly protocol: Protocol<any, any>;
	readonly model: string;
	readonly api?: 'chat' | 'responses';
}

const cases: Readonly<Record<string, Case>> = {
	openai: { protocol: chatCompletions('openai'), model: 'gpt-4.1', api: 'chat' },
	deepseek: { protocol: chatCompletions('deepseek'), model: 'deepseek-v4-pro' },
	kimi: { protocol: chatCompletions('kimi'), model: 'kimi-k2.6' },
	openrouter: { protocol: chatCompletions('openrouter'), model: 'anthropic/claude-sonnet-5' },
	gemini: { protocol: chatCompletions('gemini'), model: 'gemini-3-pro' },
	local: { protocol: chatCompletions('local'), model: 'qwen3-8b' },
	responses: { protocol: responses, model: 'gpt-5.4', api: 'responses' },
	messages: { protocol: messages, model: 'claude-sonnet-5' },
	ollama: { protocol: ollama, model: 'qwen3:8b' },
};

/** The model of a case, at an endpoint. */
function modelOf({ model, api }: Case, endpoint: Endpoint): Promise<ChatModel> {
	return createModel({ id: model, name: model, model, images: false, ...(api && { api }) }, endpoint);
}

/** One turn in a chat; the last of `history` is the one that goes on. */
async function say(
	model: ChatModel,
	chat: { readonly session: DiscoverySession; readonly history: PastTurn[] },
	prompt: string,
): Promise<LoopEvent[]> {
	const { session, history } = chat;
	followHistory(session, history);
	const { events, end } = await turn(model, {
		session,
		messages: [...session.log.messages, { role: 'user', text: prompt }],
		runTool: async (tool, { input }) => textResult(`${tool.id} took ${JSON.stringify(input)}`),
	});
	expect(end).toEqual({ type: 'end', reason: 'answered' });
	const answer = events.map((one) => (one.type === 'text' ? one.text : '')).join('');
	history.push({ prompt, answer });
	return events;
}

function newChat(log?: readonly LogEntry[]) {
	const session = sessionOf(office, { loading: 'append', prefetch: 0 }, log);
	return { session, history: [] as PastTurn[] };
}

describe('ten turns with a model that thinks', () => {
	test.each(Object.entries(cases))('%s refuses nothing', async (name, one) => {
		await using strict = await StrictEndpoint.start(one.protocol, script.flat());
		const model = await modelOf(one, strict.endpoint);
		const chat = newChat();
		const events: LoopEvent[] = [];
		for (const i of script.keys()) events.push(...(await say(model, chat, `Question ${i + 1}?`)));

		expect(strict.refused).toEqual([]);
		const heard = (type: 'text' | 'thinking') =>
			events.map((each) => (each.type === type ? each.text : '')).join('');
		const said = script.flat();
		expect(heard('text')).toBe(said.map(({ text = '' }) => text).join(''));
		// Between tags, thoughts have lines of their own.
		if (name !== 'openai') {
			expect(heard('thinking').replaceAll('\n', '')).toBe(said.map(({ thought = '' }) => thought).join(''));
		}
		const lists = strict.requests.map(({ body }) => entriesOf(body));
		for (const [i, list] of lists.entries()) {
			if (i > 0) expect(list.slice(0, lists[i - 1]?.length)).toEqual(lists[i - 1]);
		}
		await expect(conversationText(lists)).toMatchFileSnapshot(`transcripts/${name}.txt`);
	});
});

describe('a window that is opened again', () => {
	const folder = mkdtempSync(join(tmpdir(), 'chats-'));
	afterAll(() => rmSync(folder, { recursive: true }));

	test.each(Object.entries(cases))(
		'%s: the next request begins with what the last one was',
		async (name, one) => {
			await using strict = await StrictEndpoint.start(one.protocol, script.flat());
			let model = await modelOf(one, strict.endpoint);
			let chat = newChat();
			const [before, after] = [script.slice(0, 5), script.slice(5)];
			const id = `chat-${name}`;
			for (const i of before.keys()) await say(model, chat, `Question ${i + 1}?`);
			const last = strict.requests.at(-1)?.body;
			await new KeptChats(folder).keep({ id, discovery: chat.session });

			// Nothing is left of the first window but what is kept, and what the editor knows.
			model = await modelOf(one, { ...strict.endpoint });
			chat = { ...newChat(await new KeptChats(folder).read(id)), history: chat.history };
			for (const i of after.keys()) await say(model, chat, `Question ${i + 6}?`);

			expect(strict.refused).toEqual([]);
			const next = strict.requests[before.flat().length]?.body;
			expect(entriesOf(next).slice(0, entriesOf(last).length)).toEqual(entriesOf(last));
			expect(next.tools).toEqual(last.tools);
		},
	);
});

describe('a change of models in the middle of a chat', () => {
	/** What somebody else has thought, signed or called its calls is found in nothing that is sent. */
	const foreign = /signed-|sealed-|signature-|Hidden/;
	const first: readonly Said[] = [
		{ thought: 'Hidden.', calls: [search('slack:send_message')] },
		{ thought: 'Hidden.', text: 'Sending.', calls: [send('#a', 'one'), send('#b', 'one')] },
		{ thought: 'Hidden.', text: 'Sent.' },
	];
	const second: readonly Said[] = [
		{ thought: 'Mine.', calls: [send('#a', 'two')] },
		{ thought: 'Mine.', text: 'Sent again.' },
	];
	const pairs = Object.keys(cases).flatMap((from) =>
		Object.keys(cases)
			.filter((to) => to !== from)
			.map((to) => [from, to] as const),
	);

	test.each(pairs)('from %s to %s', async (from, to) => {
		const [one, other] = [cases[from], cases[to]];
		if (!one || !other) throw new Error('There is no such case.');
		await using before = await StrictEndpoint.start(one.protocol, first);
		await using after = await StrictEndpoint.start(other.protocol, second);
		const chat = newChat();
		await say(await modelOf(one, before.endpoint), chat, 'Tell both.');
		await say(await modelOf(other, after.endpoint), chat, 'Again.');

		const [taken] = after.requests.slice(-2);
		expect(JSON.stringify(taken?.body)).not.toMatch(foreign);
		// DeepSeek and Moonshot say what they miss, and are asked once more; nobody else refuses anything.
		expect(after.refused.length).toBe(['deepseek', 'kimi'].includes(to) ? 1 : 0);
	});
});

describe('ids of calls', () => {
	const strange: readonly Said[] = [
		{ thought: 'Hm.', calls: [search('slack:send_message')] },
		// Two under one id, one that is sent twice, one that is longer than OpenAI takes.
		{
			calls: [
				{ ...send('#a', 'one'), id: 'same' },
				{ ...send('#b', 'two'), id: 'same' },
				{ ...send('#c', 'three'), id: 'twice' },
				{ ...send('#c', 'three'), id: 'twice' },
				{ ...send('#d', 'four'), id: 'x'.repeat(60) },
			],
		},
		// The same ids once more.
		{ calls: [{ ...send('#e', 'five'), id: 'same' }] },
		{ text: 'Sent.' },
	];

	test.each(Object.entries(cases))(
		'%s: each call is made once, and has its own result',
		async (name, one) => {
			await using strict = await StrictEndpoint.start(one.protocol, strange);
			const chat = newChat();
			const events = await say(await modelOf(one, strict.endpoint), chat, 'Tell all.');

			const made = events.flatMap((each) => (each.type === 'toolStarted' ? [each.call] : []));
			expect(made.map(({ input }) => input.channel)).toEqual(['#a', '#b', '#c', '#d', '#e']);
			expect(strict.refused).toEqual([]);
			const sent = entriesOf(strict.requests.at(-1)?.body).filter((entry) => /took|tool_result/.test(entry));
			for (const [i, { input }] of made.entries()) {
				const text = JSON.stringify(JSON.stringify(input)).slice(1, -1);
				expect(sent.join('\n').split(text).length, `${name}: result ${i + 1}`).toBe(2);
			}
			expect(sent.join('\n')).not.toContain('x'.repeat(60));
		},
	);
});

describe('what a server does not take', () => {
	const strange = 'messages.1.assistant.reasoning_content: property is unsupported';

	test('is left out from then on', async () => {
		const { rules, ...deepseek } = chatCompletions('deepseek');
		const fussy: typeof deepseek & { rules: typeof rules } = {
			...deepseek,
			rules: [
				{
					source: 'https://github.com/CherryHQ/cherry-studio/issues/16790 (Cerebras)',
					broken: ({ messages: all }) =>
						all.some((one) => 'reasoning_content' in one) ? strange : undefined,
				},
			],
		};
		await using strict = await StrictEndpoint.start(fussy, script.flat());
		const model = await modelOf({ protocol: fussy, model: 'llama' }, strict.endpoint);
		const chat = newChat();
		for (const i of script.keys()) await say(model, chat, `Question ${i + 1}?`);

		expect(strict.refused).toEqual([strange]);
	});
});

describe('an answer that is only thought', () => {
	test.each(Object.keys(cases).filter((name) => name !== 'openai'))(
		'of %s says so, and goes on once',
		async (name) => {
			const one = cases[name];
			if (!one) throw new Error('There is no such case.');
			await using strict = await StrictEndpoint.start(one.protocol, [
				{ thought: 'Hm.' },
				{ thought: 'Well.', text: 'Yes.' },
				{ thought: 'Hm.' },
				{ thought: 'Hm.' },
			]);
			const model = await modelOf(one, strict.endpoint);
			const chat = newChat();

			const events = await say(model, chat, 'Is it?');
			expect(events.filter(({ type }) => type === 'nothingToSee')).toEqual([
				{ type: 'nothingToSee', why: 'onlyThoughts', goesOn: true },
			]);
			expect(events.some((event) => event.type === 'text' && event.text.includes('Y'))).toBe(true);
			const again = await say(model, chat, 'And now?');
			expect(again.filter(({ type }) => type === 'nothingToSee')).toEqual([
				{ type: 'nothingToSee', why: 'onlyThoughts', goesOn: true },
				{ type: 'nothingToSee', why: 'onlyThoughts', goesOn: false },
			]);
			expect(strict.refused).toEqual([]);
		},
	);
});

/** The messages or items of a request, a line each, without the marks of the cache, which move. */
function entriesOf(body: { readonly messages?: unknown; readonly input?: unknown }): string[] {
	const entries = (body.messages ?? body.input) as readonly unknown[];
	return entries.map((entry) =>
		JSON.stringify(entry, (key, value) => (key === 'cache_control' ? undefined : value)),
	);
}

/** What each request adds to the one before. */
function conversationText(lists: readonly (readonly string[])[]): string {
	const requests = lists.map((list, i) => {
		const before = lists[i - 1]?.length ?? 0;
		return [`=== ${i + 1}: ${before} as before`, ...list.slice(before)].join('\n');
	});
	return withNumberedIds(`${requests.join('\n')}\n`);
}
