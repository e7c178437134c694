import { queryObjects } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { type ChatSession, ChatSessions, type SavedChat } from '../../../src/chat/sessions.ts';
import { defaultPolicy, defaultServerPolicy } from '../../../src/discovery/catalog/policy.ts';
import { ToolSurface } from '../../../src/discovery/catalog/toolSurface.ts';
import type { LogEntry } from '../../../src/discovery/session/logEntry.ts';
import { keptLog, said } from '../discovery/fixtures.ts';

const files = {
	name: 'files',
	tools: ['read', 'write', 'move'].map((name) => ({
		server: 'files',
		name,
		inputSchema: { type: 'object' },
	})),
};
const policy = {
	...defaultPolicy,
	enabled: true,
	servers: new Map([['files', { ...defaultServerPolicy, deferLoading: true }]]),
};
const reading = { name: 'reading', servers: new Map([['files', ['read']]]) };

function sessionsWithFiles(): ChatSessions {
	const sessions = new ChatSessions();
	sessions.setPolicy(policy, new Map([['reading', reading]]));
	sessions.setCatalog([files]);
	return sessions;
}

function load(sessions: ChatSessions, wireName: string): void {
	const { discovery } = sessions.currentOrNext();
	const tool = discovery.surface.get(wireName);
	if (tool) discovery.load([tool]);
}

/** What is kept of the current chat for another window: where it stands, and its log. */
function keptOf({ saved, current }: ChatSessions): readonly [SavedChat, readonly LogEntry[]] {
	if (!saved || !current) throw new Error('there is a chat');
	return [saved, keptLog(current.discovery)];
}

function activated(sessions: ChatSessions): readonly string[] {
	return (sessions.current?.discovery.activated ?? []).map(({ name }) => name);
}

/** A chat of two answers, each of which has loaded a tool, and one that was loaded by hand: what the history has of it, and what is stored. */
function windowWithTwoAnswers(): {
	answers: readonly SavedChat[];
	kept: ReturnType<typeof keptOf>;
} {
	const sessions = sessionsWithFiles();
	const chat = sessions.open(undefined);
	const answers = ['files__read', 'files__write'].map((wireName) => {
		load(sessions, wireName);
		return sessions.endAnswer(chat);
	});
	load(sessions, 'files__move');
	return { answers, kept: keptOf(sessions) };
}

describe('given several chats', () => {
	test('when the catalog changes, then idle chats do not keep the index of the one before', () => {
		const inMemory = () => queryObjects(ToolSurface, { format: 'count' });
		const before = inMemory();
		const sessions = sessionsWithFiles();
		for (let i = 0; i < 10; i += 1) {
			sessions.open(undefined).discovery.nextRequest();
			sessions.setCatalog([{ ...files }]);
		}
		expect(inMemory() - before).toBe(1);
		expect(sessions.chats).toHaveLength(10);
	});

	test('what is loaded before any chat exists belongs to the first chat only', () => {
		const sessions = sessionsWithFiles();
		load(sessions, 'files__read');
		expect(sessions.open(undefined).discovery.activated.map((tool) => tool.name)).toEqual(['read']);
		expect(sessions.open(undefined).discovery.activated).toEqual([]);
	});

	test('a chat is found by its id, and restored from its stored log when it is no longer in memory', () => {
		const sessions = sessionsWithFiles();
		const first = sessions.open(undefined);
		load(sessions, 'files__write');
		const saved = sessions.endAnswer(first);
		sessions.open(undefined);
		expect(sessions.open(saved)).toBe(first);
		const elsewhere = sessionsWithFiles().open(saved, keptLog(first.discovery));
		expect(elsewhere.id).toBe(first.id);
		expect(elsewhere.discovery.activated.map((tool) => tool.name)).toEqual(['write']);
	});

	test('a chat whose log is no longer stored keeps its id and begins without loaded tools', () => {
		const chat = sessionsWithFiles().open({ id: 'chat-1', answers: 3 });
		expect(chat.id).toBe('chat-1');
		expect(chat.discovery.activated).toEqual([]);
	});

	test('a restored chat uses its stored log when the history ends with the same answer', () => {
		const { answers, kept } = windowWithTwoAnswers();
		const sessions = sessionsWithFiles();
		sessions.restore(...kept);
		expect(sessions.isRestored).toBe(true);
		// It was loaded by hand after the last answer.
		expect(activated(sessions)).toEqual(['read', 'write', 'move']);
		sessions.open(answers[1]);
		expect(sessions.isRestored).toBe(false);
		expect(activated(sessions)).toEqual(['read', 'write', 'move']);
	});

	test('a restored chat uses its history when the editor has lost later answers', () => {
		const { answers, kept } = windowWithTwoAnswers();
		const sessions = sessionsWithFiles();
		sessions.restore(...kept);
		const chat = sessions.open(answers[0], kept[1]);
		expect(activated(sessions)).toEqual(['read']);
		expect(sessions.endAnswer(chat)).toMatchObject({ id: kept[0].id, answers: 2 });
		expect(sessions.chats).toEqual([chat]);
	});

	test('what is loaded before any chat exists belongs to the first chat of the next window, too', () => {
		const before = sessionsWithFiles();
		load(before, 'files__read');
		const sessions = sessionsWithFiles();
		sessions.restore(...keptOf(before));
		sessions.open(undefined);
		expect(activated(sessions)).toEqual(['read']);
		sessions.open(undefined);
		expect(activated(sessions)).toEqual([]);
	});

	test('a chat that is only prepared or restored does not count as in use', () => {
		const before = sessionsWithFiles();
		before.open(undefined);
		const sessions = sessionsWithFiles();
		const inUse: boolean[] = [];
		sessions.onDidChange(() => inUse.push(sessions.isInUse));
		sessions.currentOrNext();
		const [saved, log] = keptOf(before);
		sessions.restore(saved, log);
		sessions.open(saved);
		expect(inUse).toEqual([false, false, true]);
	});

	test('a chat keeps its toolset and its loaded tools when servers list their tools again', () => {
		const sessions = sessionsWithFiles();
		const chat = sessions.open(undefined);
		sessions.chooseToolset(chat, 'reading');
		load(sessions, 'files__read');
		sessions.setCatalog([{ ...files, tools: [...files.tools].reverse() }]);
		const { surface } = chat.discovery;
		expect(surface.version).toBe(2);
		sessions.setCatalog([...sessions.catalog.servers]);
		expect(chat.discovery.surface).toBe(surface);
		expect(chat.discovery.surface.toolset?.name).toBe('reading');
		expect(chat.discovery.activated.map((tool) => tool.name)).toEqual(['read']);
		expect(chat.discovery.surface.get('files__write')).toBeUndefined();
	});

	test('views get one event for each change', () => {
		const sessions = sessionsWithFiles();
		sessions.open(undefined);
		let told = 0;
		sessions.onDidChange(() => told++);
		load(sessions, 'files__read');
		expect(told).toBe(1);
		const read = sessions.surface().get('files__read');
		expect(read && sessions.toolStates()(read)).toBe('activated');
		const write = sessions.surface().get('files__write');
		expect(write && sessions.toolStates()(write)).toBe('deferred');
	});

	test('a tool outside the toolset of the last used chat counts as outside, whatever its state', () => {
		const sessions = sessionsWithFiles();
		sessions.chooseToolset(sessions.open(undefined), 'reading');
		expect(sessions.catalog.tools.map(sessions.toolStates())).toEqual(['deferred', 'outside', 'outside']);
	});

	test('a chat whose toolset is missing keeps its last tools, and uses the toolset again when it is back', () => {
		const sessions = sessionsWithFiles();
		const chat = sessions.open(undefined);
		sessions.chooseToolset(chat, 'reading');
		chat.discovery.log.append({ kind: 'system', template: 'template', text: 'You can read.' });

		sessions.setPolicy(policy, new Map());

		const held = chat.discovery.surface;
		expect(held.tools.map(({ name }) => name)).toEqual(['read']);
		expect(held.toolset).toMatchObject({ name: 'reading', missing: true });
		expect(chat.discovery.log.state.systemPrompts.size).toBe(1);
		sessions.setCatalog([{ ...files, tools: [...files.tools].reverse() }]);
		expect(chat.discovery.surface.tools.map(({ name }) => name)).toEqual(['read']);

		const writing = { name: 'reading', servers: new Map([['files', ['write']]]) };
		sessions.setPolicy(policy, new Map([['reading', writing]]));
		expect(chat.discovery.surface.tools.map(({ name }) => name)).toEqual(['write']);
		expect(chat.discovery.surface.toolset?.missing).toBeUndefined();
		expect(chat.discovery.log.state.systemPrompts.size).toBe(0);
	});

	describe('given another file with a toolset of the same name, which permits more', () => {
		const users = { ...reading, file: 'user' };
		const workspaces = { name: 'reading', file: 'app', servers: new Map([['files', true as const]]) };
		const namesIn = ({ discovery }: ChatSession) => discovery.surface.tools.map(({ name }) => name);

		test('when it takes the place of the one that a chat has chosen, then the chat gets no more tools', () => {
			const sessions = sessionsWithFiles();
			sessions.setPolicy(policy, new Map([['reading', users]]));
			const chat = sessions.open(undefined);
			sessions.chooseToolset(chat, 'reading');
			sessions.setPolicy(policy, new Map([['reading', workspaces]]));
			expect(namesIn(chat)).toEqual(['read']);
			expect(chat.discovery.surface.toolset).toMatchObject({ file: 'user', missing: true });
			sessions.setPolicy(policy, new Map([['reading', users]]));
			expect(chat.discovery.surface.toolset).toBe(users);
		});

		test('when a chat is continued in a window that has only the other one, then it gets no more tools', () => {
			const before = sessionsWithFiles();
			before.setPolicy(policy, new Map([['reading', users]]));
			const chosen = before.open(undefined);
			before.chooseToolset(chosen, 'reading');
			const sessions = sessionsWithFiles();
			sessions.setPolicy(policy, new Map([['reading', workspaces]]));
			const chat = sessions.open(before.endAnswer(chosen), keptLog(chosen.discovery));
			expect(namesIn(chat)).toEqual(['read']);
		});

		test('when the user chooses it by its name, then the chat uses it', () => {
			const sessions = sessionsWithFiles();
			sessions.setPolicy(policy, new Map([['reading', users]]));
			const chat = sessions.open(undefined);
			sessions.chooseToolset(chat, 'reading');
			sessions.setPolicy(policy, new Map([['reading', workspaces]]));
			sessions.chooseToolset(chat, 'reading');
			expect(chat.discovery.surface.toolset).toBe(workspaces);
		});

		test('when the user chooses a name that no file has, then the chat gets no tool', () => {
			const sessions = sessionsWithFiles();
			const chat = sessions.open(undefined);
			sessions.chooseToolset(chat, 'nothing');
			expect(namesIn(chat)).toEqual([]);
		});
	});

	test('a chat keeps the tools of a missing toolset across several restarts', () => {
		const before = sessionsWithFiles();
		const chosen = before.open(undefined);
		before.chooseToolset(chosen, 'reading');
		const restarted = () => {
			const sessions = new ChatSessions();
			sessions.setCatalog([files]);
			return sessions;
		};
		const untrusted = restarted();
		const held = untrusted.open(before.endAnswer(chosen), keptLog(chosen.discovery));
		expect(untrusted.currentSurface.tools.map(({ name }) => name)).toEqual(['read']);

		const again = restarted();
		const chat = again.open(untrusted.endAnswer(held), keptLog(held.discovery));
		expect(again.currentSurface.tools.map(({ name }) => name)).toEqual(['read']);
		again.setPolicy(policy, new Map([['reading', reading]]));
		expect(chat.discovery.surface.toolset).toBe(reading);
	});

	test('chats with the same missing toolset share a surface, and leaving it restores all tools', () => {
		const sessions = sessionsWithFiles();
		const chats = [sessions.open(undefined), sessions.open(undefined)];
		for (const chat of chats) sessions.chooseToolset(chat, 'reading');
		sessions.setPolicy(policy, new Map());
		const [first, second] = chats.map(({ discovery }) => discovery.surface);
		expect(first).toBe(second);
		for (const chat of chats) sessions.chooseToolset(chat, undefined);
		expect(chats[0]?.discovery.surface).toBe(sessions.surface());
		expect(chats[0]?.discovery.log.state.toolset).toBeUndefined();
	});

	test('only the most recent chats stay in memory', () => {
		const sessions = sessionsWithFiles();
		const first = sessions.open(undefined);
		for (let i = 0; i < 50; i++) sessions.open(undefined);
		expect(sessions.open({ id: first.id, answers: 0 })).not.toBe(first);
	});

	test('very long chats are removed from memory earlier', () => {
		const sessions = sessionsWithFiles();
		const [oldest, middle] = [sessions.open(undefined), sessions.open(undefined)];
		const message = said('x'.repeat(40 * 1024 * 1024));
		for (const { discovery } of [oldest, middle]) discovery.log.append({ kind: 'message', message });
		sessions.open(undefined);
		expect(sessions.open({ id: middle.id, answers: 0 })).toBe(middle);
		expect(sessions.open({ id: oldest.id, answers: 0 })).not.toBe(oldest);
	});
});
