import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ChatSession, ChatSessions } from '../../../../src/chat/sessions.ts';
import { Catalog, type CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import { keptChats } from '../../../../src/discovery/habits/habits.ts';
import { HabitStore, keepEveryMs } from '../../../../src/vscode/habits/habitStore.ts';
import { commands } from '../../../../src/vscode/ui/ids.ts';
import { policyFor, servers } from '../../discovery/fixtures.ts';

const all = servers({ files: ['read', 'write'] });

/** What VS Code keeps for a workspace: JSON, from one window to the next. */
class KeptState {
	readonly #values = new Map<string, string>();
	keys = (): readonly string[] => [...this.#values.keys()];
	get<T>(key: string): T | undefined;
	get<T>(key: string, otherwise?: T): T | undefined {
		const value = this.#values.get(key);
		return value === undefined ? otherwise : JSON.parse(value);
	}
	async update(key: string, value: unknown): Promise<void> {
		if (value === undefined) this.#values.delete(key);
		else this.#values.set(key, JSON.stringify(value));
	}
}

/** One window on a workspace. */
class Window {
	readonly sessions = new ChatSessions();
	readonly commands: [string, unknown][] = [];
	readonly store: HabitStore;

	constructor(memento: KeptState) {
		const execute = async (command: string, argument: unknown) => this.commands.push([command, argument]);
		this.store = new HabitStore({ sessions: this.sessions, memento, execute, now: Date.now });
		this.sessions.setPolicy(policyFor(all), new Map());
		this.sessions.setCatalog(new Catalog(all, 1));
	}

	/** A chat that calls the tool. */
	chat(name = 'files__read'): ChatSession {
		const chat = this.sessions.open(undefined);
		this.call(chat, name);
		return chat;
	}

	call({ discovery }: ChatSession, name: string): void {
		discovery.beginTurn({ loading: 'append', model: 'any' }, 'do it');
		discovery.nextPrompt();
		discovery.journal.call(discovery.surface.get(name) as CatalogTool, { ms: 10, failed: false });
	}

	/** So many chats that call the same tool, written down. */
	chats(count: number): void {
		for (let n = 0; n < count; n++) {
			this.chat();
			vi.advanceTimersByTime(keepEveryMs);
		}
	}
}

describe('given a workspace', () => {
	let kept: KeptState;
	let window: Window;
	beforeEach(() => {
		vi.useFakeTimers({ now: 1_000_000 });
		kept = new KeptState();
		window = new Window(kept);
		return () => vi.useRealTimers();
	});

	test('when chats have called a tool, then another window knows, and suggests to pin it', () => {
		window.chats(5);
		const { store } = new Window(kept);
		expect(store.habits).toEqual(window.store.habits);
		expect(store.suggestions()).toMatchObject([{ id: 'pin files:read', why: 'Used in 5 of 5 chats.' }]);
	});

	test('when the window closes right after a call, then another one knows of it', () => {
		window.chat();
		window.store.dispose();
		expect(new Window(kept).store.habits.chats).toHaveLength(1);
	});

	test('when a chat goes on behind another one, then what it does is kept as well', () => {
		const behind = window.chat();
		vi.advanceTimersByTime(keepEveryMs);
		window.chat();
		window.call(behind, 'files__write');
		vi.advanceTimersByTime(keepEveryMs);
		const found = window.store.habits.chats.find(({ id }) => id === behind.id);
		expect(found?.calls.map(({ tool }) => tool)).toEqual(['read', 'write']);
	});

	test('when a window comes back to a chat, then it counts once', () => {
		window.chat();
		vi.advanceTimersByTime(keepEveryMs);
		const again = new Window(kept);
		again.sessions.open(window.sessions.saved);
		vi.advanceTimersByTime(keepEveryMs);
		expect(again.store.habits).toEqual(window.store.habits);
		expect(again.store.habits.chats).toHaveLength(1);
	});

	test('when a suggestion is taken, then the tool is pinned as in the Servers view', async () => {
		window.chats(5);
		for (const suggestion of window.store.suggestions()) await window.store.take(suggestion);
		expect(window.commands).toMatchObject([
			[commands.pinTool, { kind: 'tool', tool: { id: 'files:read' }, state: 'deferred' }],
		]);
	});

	test('when its tool has gone meanwhile, then taking it says so', async () => {
		window.chats(5);
		const [suggestion] = window.store.suggestions();
		window.sessions.setCatalog(new Catalog(servers({ files: ['write'] }), 2));
		expect(window.store.suggestions()).toEqual([]);
		if (suggestion) await expect(window.store.take(suggestion)).rejects.toThrow(/does not have that tool/);
		expect(window.commands).toEqual([]);
	});

	test('when the configuration says it, then it is suggested no more', () => {
		window.chats(5);
		const [files] = policyFor(all).servers.values();
		if (!files) throw new Error('there is no policy');
		const pinned = new Map([['files', { ...files, pinned: ['read'] }]]);
		window.sessions.setPolicy(policyFor(all, { servers: pinned }), new Map());
		expect(window.store.suggestions()).toEqual([]);
	});

	test('when it is dismissed, then it is not made again, not in another window either, and listeners hear of it', async () => {
		window.chats(5);
		const heard = vi.fn();
		window.store.onDidChange(heard);
		for (const suggestion of window.store.suggestions()) await window.store.dismiss(suggestion);
		expect(heard).toHaveBeenCalledTimes(1);
		expect(window.store.suggestions()).toEqual([]);
		expect(new Window(kept).store.suggestions()).toEqual([]);
	});

	test('when the history is cleared, then nothing is kept, and the open chat does not come back', async () => {
		window.chats(5);
		const open = window.chat();
		vi.advanceTimersByTime(1);
		await window.store.clear();
		window.call(open, 'files__read');
		vi.advanceTimersByTime(keepEveryMs);
		expect(window.store.habits).toMatchObject({ chats: [] });
		expect(JSON.stringify(kept.keys().map((key) => kept.get(key)))).not.toContain('read');
		window.chats(1);
		expect(window.store.habits.chats).toHaveLength(1);
	});

	test('when what was kept is nothing that it could be, then it begins with nothing', () => {
		void kept.update('habits', 'broken');
		void kept.update('dismissedSuggestions', { a: 1 });
		const { store } = new Window(kept);
		expect(store.habits.chats).toEqual([]);
		expect(store.suggestions()).toEqual([]);
	});

	test('when there are many chats, then the newest are kept', () => {
		window.chats(keptChats + 3);
		expect(window.store.habits.chats).toHaveLength(keptChats);
		expect(window.store.suggestions()).toMatchObject([{ why: 'Used in 10 of 10 chats.' }]);
	});
});
