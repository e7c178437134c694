import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import type { ObservedTimeline } from '../../../../src/discovery/session/learnedUse.ts';
import { UseStore } from '../../../../src/vscode/core/useStore.ts';
import { learnEveryMs, learnFromChats } from '../../../../src/vscode/teaching/learnFromChats.ts';
import { storage } from '../fixtures.ts';

describe('given chats that search learns from', () => {
	test('then search learns from all of them periodically, and when the window closes', () => {
		vi.useFakeTimers();
		const sessions = new ChatSessions();
		const learned: (readonly string[])[] = [];
		const learning = learnFromChats(sessions, async (chats) => void learned.push(chats.map(({ id }) => id)));
		const [first, second] = [sessions.open(undefined), sessions.open(undefined)];
		expect(learned).toEqual([]);
		vi.advanceTimersByTime(learnEveryMs);
		second.discovery.beginTurn({ loading: 'append', model: 'any' }, { role: 'user', text: 'do it' });
		learning.dispose();
		vi.useRealTimers();
		const both = [first.id, second.id];
		expect(learned).toEqual([both, both]);
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
	let kept: ReturnType<typeof storage>;
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

	test.each([undefined, null, 7, 'x', [], {}, { turns: 'x' }, { turns: { length: 3 } }])(
		'when what is stored is %j, then nothing is learned, and later searches are',
		async (value) => {
			await kept.update('learnedUse', value);
			const store = storeOf();
			expect([store.count, speaksFor(store)]).toEqual([0, []]);
			await store.learn([searched('a', 1)]);
			expect(storeOf().count).toBe(1);
		},
	);

	test('when stored turns are odd, then only these are lost', async () => {
		await storeOf().learn([searched('a', 1)]);
		const { turns } = JSON.parse(JSON.stringify(kept.get('learnedUse')));
		const search = { words: ['jot'], found: ['files:write'], missed: [] };
		const odd = [
			null,
			'turn',
			{ chat: 'b' },
			{ chat: 'b', at: 'now', searches: [], calls: [] },
			{ chat: 'b', at: 2, searches: 'none', calls: [] },
			{ chat: 'b', at: 2, searches: [], calls: [7] },
			JSON.parse('{"__proto__":{"chat":"b"},"constructor":7}'),
		];
		const salvaged = { chat: 'c', at: 3, searches: [{ words: 7 }, search, null], calls: ['files:write'] };
		await kept.update('learnedUse', { turns: [...odd, ...turns, ...odd, salvaged], since: 'x' });
		const store = storeOf();
		expect([store.count, speaksFor(store)]).toEqual([2, ['files:write']]);
		await store.learn([searched('d', 10)]);
		expect(storeOf().count).toBe(3);
	});

	test('when learning was turned off while no window was open, then the next window deletes the data', async () => {
		await storeOf().learn([searched('a', 1)]);
		isOn = false;
		storeOf();
		expect(kept.get('learnedUse')).toEqual({ turns: [], since: 100 });
	});
});
