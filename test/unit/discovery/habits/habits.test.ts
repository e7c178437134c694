import { describe, expect, test } from 'vitest';
import type { CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import { defaultServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import {
	clearedHabits,
	keptChats,
	noHabits,
	restoredHabits,
	withChat,
} from '../../../../src/discovery/habits/habits.ts';
import { ChatLog } from '../../../../src/discovery/session/chatLog.ts';
import { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { ended, office, search, surfaceOf } from '../fixtures.ts';
import { called, chat } from './chats.ts';

/** A chat at a clock that each thing that happens moves on by one. */
function chatAt(time: number): DiscoverySession {
	let now = time;
	return new DiscoverySession(surfaceOf(), new ChatLog([], () => now++));
}

function ask(session: DiscoverySession, ...tools: readonly string[]): void {
	session.beginTurn({ loading: 'append', model: 'any' }, { role: 'user', text: 'do it' });
	session.nextRequest();
	for (const name of tools) {
		ended(session, session.surface.get(name) as CatalogTool, 10);
	}
}

describe('given a chat', () => {
	test('when it sent no request to a model, then nothing is stored', () => {
		const session = chatAt(1000);
		session.load([session.surface.get('slack__search') as CatalogTool]);
		expect(withChat(noHabits, 'a', session)).toBe(noHabits);
	});

	test('when it called and searched for tools, then that is stored without any messages', async () => {
		const session = chatAt(1000);
		ask(session, 'slack__search', 'slack__search', 'calendar__search');
		await search(session, { query: 'bake a cake' });
		await search(session, { query: 'create event' });
		await search(session, { query: 'no such server', server_name: 'nowhere' });
		const [kept] = withChat(noHabits, 'a', session).chats;
		expect(kept).toEqual({
			id: 'a',
			at: session.log.timeline.find(({ kind }) => kind === 'request')?.at,
			requests: 1,
			calls: [
				{ server: 'slack', tool: 'search', calls: 2, failures: 0, totalMs: 20, lastMs: 10 },
				{ server: 'calendar', tool: 'search', calls: 1, failures: 0, totalMs: 10, lastMs: 10 },
			],
			missed: ['bake a cake'],
			servers: ['slack', 'calendar'],
			always: [],
			pinned: [],
		});
	});

	test('when it continues, then its stored entry is replaced; an unchanged chat changes nothing', () => {
		const [first, second] = [chatAt(1000), chatAt(2000)];
		ask(first, 'slack__search');
		ask(second);
		const both = withChat(withChat(noHabits, 'first', first), 'second', second);
		expect(withChat(both, 'first', first)).toBe(both);
		ask(first, 'slack__search');
		const later = withChat(both, 'first', first);
		expect(later.chats.map(({ id, requests }) => [id, requests])).toEqual([
			['first', 2],
			['second', 1],
		]);
		expect(later.chats[0]?.calls).toMatchObject([{ calls: 2 }]);
	});

	test('when the configuration changes after its last request, then its entry keeps the old configuration', () => {
		const session = chatAt(1000);
		ask(session);
		const before = withChat(noHabits, 'a', session);
		const slack = { ...defaultServerPolicy, deferLoading: true, pinned: ['search'] };
		session.surface = surfaceOf(office, { servers: new Map([['slack', slack]]) });
		expect(withChat(before, 'a', session)).toBe(before);
		ask(session);
		// A server that the configuration does not name is always loaded.
		expect(withChat(before, 'a', session).chats[0]).toMatchObject({
			always: ['calendar', 'slack'],
			pinned: ['slack:search'],
		});
	});

	test('when the history is cleared, then the chat stays forgotten, but later chats are stored', () => {
		const old = chatAt(1000);
		ask(old, 'slack__search');
		const cleared = clearedHabits(2000);
		ask(old);
		expect(withChat(cleared, 'old', old)).toBe(cleared);
		const next = chatAt(2000);
		ask(next);
		expect(withChat(cleared, 'next', next)).toMatchObject({ chats: [{ id: 'next' }], since: 2000 });
	});
});

test('given more chats than the limit, then those with the oldest last request are dropped for good', () => {
	const sessions = Array.from({ length: keptChats + 2 }, (_, n) => chatAt(1000 * (n + 1)));
	for (const session of sessions) ask(session);
	const keep = (habits = noHabits) =>
		sessions.reduce((all, session, n) => withChat(all, `${n}`, session), habits);
	const habits = keep();
	expect(habits.chats.map(({ id }) => id)).toEqual(sessions.slice(2).map((_, n) => `${n + 2}`));
	expect(keep(habits)).toEqual(habits);
});

describe('given stored habits', () => {
	test('then they are restored unchanged', () => {
		const habits = { chats: [chat(1, { calls: [called('files', 'read', 2, 1)] }), chat(2)], since: 5 };
		expect(restoredHabits(JSON.parse(JSON.stringify(habits)))).toEqual(habits);
	});

	test.each([[undefined], [null], [[]], ['habits'], [{}]])(
		'when the stored value is %j, then there are no habits',
		(kept) => {
			expect(restoredHabits(kept)).toEqual(noHabits);
		},
	);
});
