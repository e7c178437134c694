import { expect, test } from 'vitest';
import { nothingActive, planLoading, withActivity } from '../../../../src/discovery/session/activations.ts';
import type { ChatEvent } from '../../../../src/discovery/session/logEntry.ts';
import { call, keptLog, office, search, sessionOf } from '../fixtures.ts';

test('a second activation marks a tool as recently used and keeps its original reason', () => {
	const turn: ChatEvent = { kind: 'turn', model: 'm', loading: 'append', prompt: '' };
	const tools = ['a', 'b'].map((name) => ({ wireName: name, server: 's', name }));
	const log: readonly ChatEvent[] = [
		{ kind: 'load', tools, renewed: [], reason: 'search' },
		turn,
		{ kind: 'load', tools: [], renewed: ['a'], reason: 'user' },
		turn,
	];
	const active = log.reduce(withActivity, nothingActive);
	const capped = { size: 2, counts: () => true, isProtected: () => false };
	expect(planLoading(active, ['c'], [capped]).evicted).toEqual(['b']);
	expect([...active.tools.values()][0]).toMatchObject({ wireName: 'a', reason: 'search' });
});

test('a tool that a search named, and that the model then asks for by its name, keeps the words of that search', async () => {
	const session = sessionOf(office, { maxSearchResults: 1 });
	await search(session, { query: 'delete event' });
	await search(session, { tool_names: ['calendar__create_event'] });
	await search(session, { tool_names: ['slack__list_channels'] });
	expect(
		session.activatedByUse.map(({ tool, activation: { reason, words } }) => [tool.name, reason, words]),
	).toEqual([
		['list_channels', 'name', undefined],
		['create_event', 'name', 'delete event'],
		['delete_event', 'search', 'delete event'],
	]);
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
