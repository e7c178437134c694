import { describe, expect, test } from 'vitest';
import { lookingToolNames } from '../../../../src/discovery/catalog/syntheticTool.ts';
import type { ToolDefinition } from '../../../../src/discovery/catalog/tool.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../../src/models/answerParts.ts';
import type { ChatModelEvent, ChatRequest } from '../../../../src/models/chatModel.ts';
import { OfflinePlanner } from '../../../../src/models/planner/offlinePlanner.ts';
import { Conversation, collect, deferred, surroundings } from './conversation.ts';

async function events(
	request: ChatRequest,
	signal = new AbortController().signal,
): Promise<ChatModelEvent[]> {
	return collect(new OfflinePlanner(() => surroundings).stream(request, signal));
}

test('it says in its name that it is no AI, and bills nothing', async () => {
	const planner = new OfflinePlanner(() => surroundings);

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
	for await (const event of new OfflinePlanner(() => surroundings).stream(request, controller.signal)) {
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
	const { session } = new Conversation(undefined, deferred);
	const call = { id: 'planner-2', name: 'x', input: {} };
	const messages = [plainAnswer('', [call]), { role: 'user', text: 'echo hi' }] as const;

	const made = await events({ system: '', messages, tools: session.definitions });

	expect(made).toMatchObject([{ type: 'toolCall', call: { id: 'planner-3' } }]);
});

const looking: readonly ToolDefinition[] = [...lookingToolNames].map((name) => ({
	name,
	description: 'Lists tools, tells details of a tool, reads a page of a result, searches tools',
	inputSchema: { type: 'object', properties: { file: { type: 'string' } } },
}));

describe('tools that only a model has a use for', () => {
	test.each(['list the available tools', 'read the result', 'list_tool_details of files', 'search tools'])(
		'are none that the planner calls for "%s"',
		async (text) => {
			for (const tools of [looking, looking.filter(({ name }) => name !== 'search_tools')]) {
				const planner = new OfflinePlanner(() => surroundings);
				const request = { system: '', messages: [{ role: 'user', text } as const], tools };
				const events = await collect(planner.stream(request, new AbortController().signal));
				const called = events.flatMap((event) => (event.type === 'toolCall' ? [event.call.name] : []));
				expect(called.filter((name) => name !== 'search_tools')).toEqual([]);
			}
		},
	);
});
