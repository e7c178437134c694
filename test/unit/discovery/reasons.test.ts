import { expect, test } from 'vitest';
import { search, sessionOf } from './fixtures.ts';

test('each loaded tool knows why it was loaded, and the last one used stands first', async () => {
	const session = sessionOf();
	session.load(session.surface.deferred.slice(2, 3));
	await search(session, { tool_names: ['delete_event'] });
	await search(session, { query: `send a message ${'to everybody '.repeat(30)}` });
	session.resolve('calendar__delete_event');

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
