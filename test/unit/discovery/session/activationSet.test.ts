import { expect, test } from 'vitest';
import { ActivationSet } from '../../../../src/discovery/session/activationSet.ts';
import { call, keptLog, search, sessionOf } from '../fixtures.ts';

test('a second activation marks a tool as recently used and keeps its original reason', () => {
	const set = new ActivationSet(2);
	set.activate(['a'], 'search');
	set.activate(['b'], 'search');
	set.beginTurn();
	set.activate(['a'], 'user');
	set.beginTurn();
	expect(set.activate(['c'], 'search').evicted).toEqual(['b']);
	expect(set.activations[0]).toMatchObject({ wireName: 'a', reason: 'search' });
});

test('a list of activations does not change when the set changes later', () => {
	const set = new ActivationSet(2);
	set.activate(['a'], 'search');
	const snapshot = set.activations;
	set.activate(['b'], 'search');
	set.remove('a');
	expect(snapshot.map(({ wireName }) => wireName)).toEqual(['a']);
});

test('each loaded tool has the reason for loading, and the most recently used comes first', async () => {
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
