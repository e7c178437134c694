import { expect, test } from 'vitest';
import { ActivationSet } from '../../../../src/discovery/session/activationSet.ts';
import { call, keptLog, search, sessionOf } from '../fixtures.ts';

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
	const again = sessionOf(undefined, undefined, keptLog(session));
	expect(again.activatedByUse.find(({ tool }) => tool.name === 'send_message')?.activation.words).toBe(
		found?.words,
	);
});
