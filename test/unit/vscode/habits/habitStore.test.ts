import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ChatSession, ChatSessions } from '../../../../src/chat/sessions.ts';
import type { CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import { keptChats } from '../../../../src/discovery/habits/habits.ts';
import type { ObservedTimeline } from '../../../../src/discovery/habits/learnedUse.ts';
import type { Proposal } from '../../../../src/discovery/habits/rules.ts';
import { HabitStore, keepEveryMs } from '../../../../src/vscode/habits/habitStore.ts';
import { UseStore } from '../../../../src/vscode/habits/useStore.ts';
import { ended, policyFor, servers } from '../../discovery/fixtures.ts';
import { storage } from '../fixtures.ts';

const all = servers({ files: ['read', 'write'] });

type Storage = ReturnType<typeof storage>;

/** One window on a workspace. */
class Window {
	readonly sessions = new ChatSessions();
	readonly taken: Proposal[] = [];
	/** Chats that were learned from, by their ids. */
	readonly learnedFrom: string[][] = [];
	readonly store: HabitStore;

	constructor(memento: Storage) {
		const take = async (suggestion: Proposal) => this.taken.push(suggestion);
		const learn = async (chats: readonly ObservedTimeline[]) =>
			void this.learnedFrom.push(chats.map(({ id }) => id));
		this.store = new HabitStore({ sessions: this.sessions, memento, learn, take, now: Date.now });
		this.sessions.setPolicy(policyFor(all), new Map());
		this.sessions.setCatalog(all);
	}

	/** A chat that calls the tool. */
	chat(name = 'files__read'): ChatSession {
		const chat = this.sessions.open(undefined);
		this.call(chat, name);
		return chat;
	}

	call({ discovery }: ChatSession, name: string): void {
		discovery.beginTurn({ loading: 'append', model: 'any' }, { role: 'user', text: 'do it' });
		discovery.nextRequest();
		ended(discovery, discovery.surface.get(name) as CatalogTool, 10);
	}

	/** So many chats that call the same tool, written down. */
	chats(count: number): void {
		for (let n = 0; n < count; n++) {
			this.chat();
			vi.advanceTimersByTime(keepEveryMs);
		}
	}
}

describe('given a workspace with a history of tool calls', () => {
	let kept: Storage;
	let window: Window;
	beforeEach(() => {
		vi.useFakeTimers({ now: 1_000_000 });
		kept = storage();
		window = new Window(kept);
		return () => vi.useRealTimers();
	});

	test('when chats have called a tool, then another window suggests pinning it', () => {
		window.chats(5);
		const { store } = new Window(storage(kept.text()));
		expect(store.habits).toEqual(window.store.habits);
		expect(store.suggestions()).toMatchObject([{ id: 'pin files:read', why: { used: 5, chats: 5 } }]);
	});

	test('when the window closes right after a call, then the call is stored', () => {
		window.chat();
		window.store.dispose();
		expect(new Window(storage(kept.text())).store.habits.chats).toHaveLength(1);
	});

	test('when a chat continues in the background, then its later calls are stored, too', () => {
		const behind = window.chat();
		vi.advanceTimersByTime(keepEveryMs);
		window.chat();
		window.call(behind, 'files__write');
		vi.advanceTimersByTime(keepEveryMs);
		const found = window.store.habits.chats.find(({ id }) => id === behind.id);
		expect(found?.calls.map(({ tool }) => tool)).toEqual(['read', 'write']);
	});

	test('when another window reopens a chat, then the chat counts only once', () => {
		window.chat();
		vi.advanceTimersByTime(keepEveryMs);
		const again = new Window(storage(kept.text()));
		const { saved, current } = window.sessions;
		again.sessions.open(saved, current?.discovery.log.entries);
		vi.advanceTimersByTime(keepEveryMs);
		expect(again.store.habits).toEqual(window.store.habits);
		expect(again.store.habits.chats).toHaveLength(1);
	});

	test('when the user accepts a suggestion, then it is applied', async () => {
		window.chats(5);
		for (const { id } of window.store.suggestions()) await window.store.take(id);
		await expect(window.store.take('pin files:gone')).rejects.toThrow('no longer applies');
		expect(window.taken).toMatchObject([{ kind: 'pin', server: 'files', tool: 'read' }]);
	});

	test('when the configuration already pins a tool, then pinning it is not suggested', () => {
		window.chats(5);
		const [files] = policyFor(all).servers.values();
		if (!files) throw new Error('there is no policy');
		const pinned = new Map([['files', { ...files, pinned: ['read'] }]]);
		window.sessions.setPolicy(policyFor(all, { servers: pinned }), new Map());
		expect(window.store.suggestions()).toEqual([]);
	});

	test('when the user dismisses a suggestion, then no window shows it again, and an event fires', async () => {
		window.chats(5);
		const heard = vi.fn();
		window.store.onDidChange(heard);
		for (const { id } of window.store.suggestions()) await window.store.dismiss(id);
		expect(heard).toHaveBeenCalledTimes(1);
		expect(window.store.suggestions()).toEqual([]);
		expect(new Window(storage(kept.text())).store.suggestions()).toEqual([]);
	});

	test('when the history is cleared, then it is empty, and the open chat is not recorded again', async () => {
		window.chats(5);
		const open = window.chat();
		vi.advanceTimersByTime(1);
		await window.store.clear();
		window.call(open, 'files__read');
		vi.advanceTimersByTime(keepEveryMs);
		expect(window.store.habits).toMatchObject({ chats: [] });
		expect(kept.text()).not.toContain('read');
		window.chats(1);
		expect(window.store.habits.chats).toHaveLength(1);
	});

	test('when the stored data is broken, then the history is empty', () => {
		void kept.update('habits', 'broken');
		void kept.update('dismissedSuggestions', { a: 1 });
		const { store } = new Window(storage(kept.text()));
		expect(store.habits.chats).toEqual([]);
		expect(store.suggestions()).toEqual([]);
	});

	test('when there are too many chats, then only the newest stay stored', () => {
		window.chats(keptChats + 3);
		expect(window.store.habits.chats).toHaveLength(keptChats);
		expect(window.store.suggestions()).toMatchObject([{ why: { used: 10, chats: 10 } }]);
	});
});

describe('given chats that search learns from', () => {
	test('then search learns from them periodically, and when the window closes', () => {
		vi.useFakeTimers({ now: 1_000_000 });
		const window = new Window(storage());
		const [first, second] = [window.chat(), window.chat()];
		vi.advanceTimersByTime(keepEveryMs);
		window.call(second, 'files__write');
		window.store.dispose();
		vi.useRealTimers();
		const both = [first.id, second.id];
		expect(window.learnedFrom).toEqual([both, both]);
	});

	const searched = (id: string, from: number): ObservedTimeline => ({
		id,
		timeline: [
			{ at: from, turn: 1, kind: 'turn', model: 'm', message: 'do it' },
			{
				at: from + 1,
				turn: 1,
				kind: 'search',
				words: 'jot down remarks',
				found: { names: ['files:write'], count: 1 },
			},
			{ at: from + 2, turn: 1, kind: 'call', tool: 'files:write', ms: 1, failed: false },
		],
	});
	const speaksFor = (store: UseStore) => {
		const evidence = store.evidence();
		return evidence && [...evidence.speaksFor('jot down remarks', () => 1).keys()];
	};
	let kept: Storage;
	let isOn: boolean;
	let now: number;
	const storeOf = () => new UseStore({ memento: kept, isOn: () => isOn, now: () => now });
	beforeEach(() => {
		kept = storage();
		isOn = true;
		now = 100;
	});

	test('then search uses what it learned at once and in the next window, but stores no messages', async () => {
		const store = storeOf();
		await store.learn([searched('a', 1), searched('b', 10)]);
		expect(speaksFor(store)).toEqual(['files:write']);
		const next = storeOf();
		expect(next.count).toBe(2);
		expect(speaksFor(next)).toEqual(['files:write']);
		expect(JSON.stringify(kept.get('learnedUse'))).not.toContain('do it');
	});

	test('when the learned data is cleared, then search learns only from later messages', async () => {
		const store = storeOf();
		await store.learn([searched('a', 1)]);
		await store.clear();
		expect(store.count).toBe(0);
		await storeOf().learn([searched('a', 1)]);
		expect(storeOf().count).toBe(0);
		await storeOf().learn([searched('a', 101)]);
		expect(storeOf().count).toBe(1);
	});

	test('when the user turns learning off, then its data is deleted, and chats meanwhile are never learned', async () => {
		const store = storeOf();
		await store.learn([searched('a', 1)]);
		isOn = false;
		expect(speaksFor(store)).toBeUndefined();
		await store.applySetting();
		expect(kept.get('learnedUse')).toEqual({ turns: [], since: 100 });
		now = 200;
		await store.learn([searched('b', 150)]);
		isOn = true;
		await store.learn([searched('b', 150)]);
		expect(store.count).toBe(0);
	});

	test('when the data is cleared and learning is then turned off, then undo does not restore the data', async () => {
		const store = storeOf();
		await store.learn([searched('a', 1)]);
		const restore = await store.clear();
		isOn = false;
		await store.applySetting();
		await restore();
		expect(kept.get('learnedUse')).toEqual({ turns: [], since: 100 });
	});

	test('when learning was turned off while no window was open, then the next window deletes the data', async () => {
		await storeOf().learn([searched('a', 1)]);
		isOn = false;
		storeOf();
		expect(kept.get('learnedUse')).toEqual({ turns: [], since: 100 });
	});
});
