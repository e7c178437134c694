import { describe, expect, test } from 'vitest';
import { ActivationSet } from '../../../../src/discovery/session/activationSet.ts';
import { call, search, sessionOf } from '../fixtures.ts';

function names(set: ActivationSet): string[] {
	return set.activations.map(({ wireName }) => wireName);
}

test('holds each tool once, in the order in which they came', () => {
	const set = new ActivationSet(24);
	expect(set.activate(['b', 'a', 'b'], 'search')).toEqual({
		added: ['b', 'a'],
		renewed: [],
		evicted: [],
		refused: [],
		crowded: [],
	});
	expect(set.activate(['c', 'b'], 'name')).toMatchObject({ added: ['c'], renewed: ['b'] });
	expect(names(set)).toEqual(['b', 'a', 'c']);
});

test('a second activation renews a tool, and keeps why it was loaded first', () => {
	const set = new ActivationSet(2);
	set.activate(['a'], 'search');
	set.activate(['b'], 'search');
	set.beginTurn();
	set.activate(['a'], 'user');
	set.beginTurn();
	expect(set.activate(['c'], 'search').evicted).toEqual(['b']);
	expect(set.activations[0]).toMatchObject({ wireName: 'a', reason: 'search' });
});

test('calling a tool keeps it; the one not used for longest goes', () => {
	const set = new ActivationSet(3);
	set.activate(['a', 'b', 'c'], 'search');
	set.beginTurn();
	set.touch('a');
	set.beginTurn();
	expect(set.byUse).toEqual(['b', 'c', 'a']);
	expect(set.activate(['d'], 'search').evicted).toEqual(['b']);
});

test('for what a person loads by hand, what the turn has loaded may make room; the turn stays the same', () => {
	const set = new ActivationSet(2);
	set.beginTurn();
	set.activate(['a', 'b'], 'search');
	expect(set.activate(['c'], 'user').refused).toEqual(['c']);
	set.release();
	expect(set.activate(['c'], 'user').evicted).toEqual(['a']);
	expect(set.activations.map(({ lastTurn }) => lastTurn)).toEqual([1, 1]);
});

test('what a caller was given does not change with the set', () => {
	const set = new ActivationSet(2);
	set.activate(['a'], 'search');
	const snapshot = set.activations;
	set.activate(['b'], 'search');
	set.remove('a');
	expect(snapshot.map(({ wireName }) => wireName)).toEqual(['a']);
});

test('without a cap nothing is refused or evicted', () => {
	const set = new ActivationSet(null);
	const many = Array.from({ length: 1000 }, (_, i) => `t${i}`);
	expect(set.activate(many, 'server')).toMatchObject({ added: many, refused: [], evicted: [] });
});

describe('taken up again', () => {
	test('it holds what it held, in order, and none of it counts as this turn’s', () => {
		const before = new ActivationSet(2);
		before.activate(['a', 'b'], 'search');
		const set = new ActivationSet(2, JSON.parse(JSON.stringify(before.activations)));
		expect(set.activations).toEqual(before.activations);
		set.beginTurn();
		expect(set.activate(['c'], 'search').evicted).toHaveLength(1);
	});

	test('of tools of one turn, the one that was used last stays', () => {
		const before = new ActivationSet(3);
		before.activate(['a', 'b', 'c'], 'search');
		before.touch('a');
		const set = new ActivationSet(3, JSON.parse(JSON.stringify(before.activations)));
		set.beginTurn();
		expect(set.activate(['d', 'e'], 'search').evicted).toEqual(['b', 'c']);
	});

	test('what an earlier version kept, without the order within a turn, is taken up by turns', () => {
		const kept = Object.entries({ a: 2, b: 1, c: 2, d: 1 }).map(([wireName, lastTurn]) => ({
			wireName,
			reason: 'search' as const,
			lastTurn,
		}));
		expect(new ActivationSet(4, kept).byUse).toEqual(['b', 'd', 'a', 'c']);
	});

	test('under a lower cap, what was used last stays', () => {
		const before = new ActivationSet(3);
		before.activate(['a', 'b', 'c'], 'search');
		before.beginTurn();
		before.touch('a');
		expect(names(new ActivationSet(1, before.activations))).toEqual(['a']);
	});
});

test('a tool that becomes always loaded neither counts nor goes, and does both again once it is not', () => {
	const set = new ActivationSet(2);
	set.activate(['a', 'b'], 'search');
	set.bound(2, new Set(['a']));
	set.beginTurn();
	expect(set.activate(['c', 'd'], 'search')).toMatchObject({ added: ['c', 'd'], evicted: ['b'] });
	expect(set.bound(2)).toEqual(['a']);
});

test('a lower cap takes the least recently used at once; a higher one leaves room', () => {
	const set = new ActivationSet(3);
	set.activate(['a', 'b', 'c'], 'search');
	set.touch('a');
	expect(set.bound(2)).toEqual(['b']);
	expect(names(set)).toEqual(['a', 'c']);
	set.bound(null);
	expect(set.activate(['d', 'e'], 'search').added).toEqual(['d', 'e']);
});

test('turns in which nothing was used count as well, before and after it was kept', () => {
	const set = new ActivationSet(null);
	for (let turn = 0; turn < 4; turn++) set.beginTurn();
	const restored = new ActivationSet(null, set.activations, new Set(), set.turn);
	restored.beginTurn();
	restored.activate(['a'], 'search');
	expect(restored.activations[0]?.lastTurn).toBe(5);
});

test('each loaded tool knows why it was loaded, and the last one used stands first', async () => {
	const session = sessionOf();
	session.load(session.surface.deferred.slice(2, 3));
	await search(session, { tool_names: ['delete_event'] });
	await search(session, { query: `send a message ${'to everybody '.repeat(30)}` });
	call(session, 'calendar__delete_event');

	const [first, ...others] = session.activatedByUse.map(({ tool, activation }) => ({
		id: tool.id,
		reason: activation.reason,
		words: activation.words,
	}));
	expect(first).toEqual({ id: 'calendar:delete_event', reason: 'name', words: undefined });
	const found = others.find(({ id }) => id === 'slack:send_message');
	expect(found?.reason).toBe('search');
	expect(found?.words).toMatch(/^send a message to everybody.*\.\.\.$/);
	expect(found?.words?.length).toBeLessThanOrEqual(100);
	expect(others.at(-1)).toEqual({ id: 'slack:search', reason: 'user', words: undefined });
	const again = sessionOf(undefined, undefined, JSON.parse(JSON.stringify(session.state)));
	expect(again.activatedByUse.find(({ tool }) => tool.name === 'send_message')?.activation.words).toBe(
		found?.words,
	);
});
