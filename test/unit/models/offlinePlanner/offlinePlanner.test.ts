import { expect, test } from 'vitest';
import { textResult } from '../../../../src/discovery/toolResult.ts';
import type { ChatModelEvent, ChatRequest } from '../../../../src/models/chatModel.ts';
import { OfflinePlanner } from '../../../../src/models/offlinePlanner/offlinePlanner.ts';
import { Conversation, collect, rank } from './conversation.ts';

async function events(
	request: ChatRequest,
	signal = new AbortController().signal,
): Promise<ChatModelEvent[]> {
	return collect(new OfflinePlanner({ rank }).stream(request, signal));
}

test('it says in its name that it is no AI, and bills nothing', async () => {
	const planner = new OfflinePlanner({ rank });

	expect(planner.id).toBe('offline-planner');
	expect(planner.name).toContain('no AI');
	const all = await events({ system: '', messages: [{ role: 'user', text: 'hi' }], tools: [] });
	expect(all.every(({ type }) => type === 'text')).toBe(true);
	expect(all.length).toBeGreaterThan(1);
});

test('without any tool it says so, and what to do', async () => {
	const [first] = await events({ system: '', messages: [{ role: 'user', text: 'read a.txt' }], tools: [] });

	expect(first).toMatchObject({ type: 'text', text: expect.stringContaining('no MCP tools available') });
});

test.each(['', 'hi', 'Hello!', 'help', 'what can you do?', 'thanks', '???'])(
	'"%s" is answered with what it can do',
	async (prompt) => {
		const chat = new Conversation();

		const answer = await chat.say(prompt);

		expect(chat.calls).toEqual([]);
		expect(answer).toContain('no AI');
		expect(answer).toContain('Try for example');
	},
);

test('a conversation without a user message is answered too', async () => {
	const { session } = new Conversation();

	expect(await events({ system: '', messages: [], tools: session.definitions })).not.toEqual([]);
});

test('it stops when told to, before the first and between two pieces', async () => {
	const request: ChatRequest = { system: '', messages: [{ role: 'user', text: 'help' }], tools: [] };
	expect(await events(request, AbortSignal.abort())).toEqual([]);

	const controller = new AbortController();
	const seen: ChatModelEvent[] = [];
	for await (const event of new OfflinePlanner({ rank }).stream(request, controller.signal)) {
		seen.push(event);
		controller.abort();
	}
	expect(seen).toHaveLength(1);
});

test('the same conversation has the same answer every time', async () => {
	const one = new Conversation(() => textResult('x'));
	const two = new Conversation(() => textResult('x'));

	for (const chat of [one, two]) await chat.say('add 2 and 3 and then echo "done"');

	expect(one.messages).toEqual(two.messages);
});

test('ids of calls are unique within the conversation, whoever called before', async () => {
	const chat = new Conversation();
	chat.messages.push({ role: 'assistant', text: '', toolCalls: [{ id: 'planner-2', name: 'x', input: {} }] });

	await chat.say('echo hi');

	expect(chat.calls.map(({ id }) => id)).toEqual(['planner-3', 'planner-4']);
});
