import { expect, onTestFinished, test, vi } from 'vitest';
import type { ChatMessage } from '../../../src/discovery/catalog/message.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import type { ChatRequest } from '../../../src/models/chatModel.ts';
import { calls, results, succeeded, tool, user } from '../conversation.ts';
import { answerOf, asking } from '../loopback.ts';
import { bodyOf, claude } from './asking.ts';
import { brokenRules, messagesServer } from './messagesEndpoint.ts';
import { PromptCache } from './promptCache.ts';

test('given a conversation of many rounds, when each answer makes more calls than are looked back over, then the whole former request is read', () => {
	const tools = [tool('search_tools'), tool('files__read')];
	const cache = new PromptCache();
	const messages: ChatMessage[] = [user('read them all')];
	let former = ask(cache, { ...asking('What is new?'), tools, messages }).blocks;

	for (const round of [1, 2, 3]) {
		const ids = Array.from({ length: 15 }, (_, n) => `r${round}-${n}`);
		messages.push(calls('Reading.', ...ids), results(...ids.map((id) => succeeded(id, 'text'))));
		const { blocks, read } = ask(cache, { ...asking('What is new?'), tools, messages });

		expect(read).toBe(former);
		former = blocks;
	}
});

test('given a second question, then everything up to the first is read', () => {
	const cache = new PromptCache();
	const first = ask(cache, asking('one', { tools: [tool('a')] }));
	const messages: ChatMessage[] = [user('one'), plainAnswer('two'), user('three')];

	expect(ask(cache, asking('', { tools: [tool('a')], messages })).read).toBe(first.blocks);
});

test.each([1, 5, 19, 25, 39])(
	'given %i tools appended after a search, then every tool before them is read',
	(appended) => {
		const cache = new PromptCache();
		const before = [tool('search_tools'), tool('files__read')];
		const messages = [user('find'), calls('', 'a'), results(succeeded('a', 'found'))];
		ask(cache, { ...asking('What is new?'), tools: before, messages: messages.slice(0, 1) });
		const after = [...before, ...Array.from({ length: appended }, (_, n) => tool(`loaded__${n}`))];

		expect(ask(cache, { ...asking('What is new?'), tools: after, messages }).read).toBe(before.length);
		// And what is sent next finds all of this again.
		const longer = [...messages, calls('', 'b'), results(succeeded('b', 'done'))];
		const total = after.length + 1 + 3;
		expect(ask(cache, { ...asking('What is new?'), tools: after, messages: longer }).read).toBe(total);
	},
);

test('given tools loaded natively, then the whole former request is read', () => {
	const cache = new PromptCache();
	const tools = [tool('search_tools'), tool('files__read')];
	const request = { ...asking('What is new?'), tools, searchTool: 'search_tools' };
	const former = ask(cache, request);
	const loaded = Array.from({ length: 25 }, (_, n) => tool(`loaded__${n}`));
	const messages = [
		...request.messages,
		calls('', 'a'),
		results({ ...succeeded('a', 'Loaded 25 tools.'), loaded }),
	];

	expect(ask(cache, { ...request, messages }).read).toBe(former.blocks);
});

test('given a new chat with the same tools, then tools and system prompt are read', () => {
	const cache = new PromptCache();
	const tools = Array.from({ length: 40 }, (_, n) => tool(`files__${n}`));
	ask(cache, asking('one', { tools }));

	expect(ask(cache, asking('another', { tools })).read).toBe(41);
});

function ask(cache: PromptCache, request: ChatRequest) {
	const body = bodyOf(request);
	expect(brokenRules(body)).toEqual([]);
	return cache.ask(body);
}

// https://platform.claude.com/docs/en/build-with-claude/prompt-caching, “1-hour cache duration”.
test('given a question that waited for the user for longer than five minutes, then this conversation is kept for an hour', async () => {
	await using server = await messagesServer();
	const clock = vi.spyOn(performance, 'now');
	onTestFinished(() => clock.mockRestore());
	const model = claude(server, { model: 'claude-opus-4-6' });
	const minute = 60_000;
	const asked: [minutes: number, text: string, life: string | undefined][] = [
		[0, 'one', undefined],
		[4, 'one', undefined],
		[10, 'one', '1h'],
		[11, 'one', '1h'],
		[11, 'another', undefined],
		[15, 'another', undefined],
		[16, 'one', '1h'],
	];
	for (const [minutes, text] of asked) {
		clock.mockReturnValue(minutes * minute);
		await answerOf(model, asking(text, { tools: [tool('a')] }));
	}

	const lives = server.received.map(({ body }) => [...body.matchAll(/"cache_control":(\{[^}]*\})/g)]);
	expect(lives.every((marks) => marks.length >= 3)).toBe(true);
	expect(lives.map((marks) => [...new Set(marks.map(([, mark = '']) => JSON.parse(mark).ttl))])).toEqual(
		asked.map(([, , life]) => [life]),
	);
});
