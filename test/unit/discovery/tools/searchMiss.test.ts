import { describe, expect, test } from 'vitest';
import type { SearchMiss, Unsearched } from '../../../../src/discovery/catalog/searchMiss.ts';
import { office, search, servers, sessionOf, surfaceOf, tool } from '../fixtures.ts';

const weather = servers({
	weather: [tool('weather', 'forecast', 'Weather forecast of a city', { city: 'string!' })],
});

/** What a search can do that misses; `onSettle`: while it waits. */
function missOf(unsearched: Unsearched | undefined, onSettle: () => void = () => undefined) {
	let waits = 0;
	const miss: SearchMiss = {
		settle: async () => {
			waits++;
			onSettle();
		},
		unsearched: () => unsearched,
	};
	return { miss, waits: () => waits };
}

const missing: Unsearched = {
	servers: [
		{ name: 'github', why: 'signed-out' },
		{ name: 'db', why: 'unapproved' },
		{ name: 'maps', why: 'failed' },
	],
};

describe('given servers whose tools are unknown', () => {
	test('when a search finds a likely match, then it neither waits nor mentions these servers', async () => {
		const { miss, waits } = missOf(missing);
		const input = { query: 'send a message to a channel' };
		const { text } = await search(sessionOf(), input, miss);
		expect(waits()).toBe(0);
		expect(text).toBe((await search(sessionOf(), input)).text);
	});

	test('when a search finds nothing, then the result ends with their names and the reasons', async () => {
		const { miss } = missOf(missing);
		const { text, search: outcome } = await search(sessionOf(), { query: 'weather forecast' }, miss);
		const without = await search(sessionOf(), { query: 'weather forecast' });
		expect(text.startsWith(without.text)).toBe(true);
		expect(text.slice(without.text.length)).toBe(
			"\n\nNot searched, because their tools are unknown: github (the user is not signed in to it), db (waits for the user's approval), maps (failed to start). They may have what you need. Tell the user, instead of concluding that there is no such tool.",
		);
		expect(outcome?.unsearched).toEqual(missing);
	});

	test('when a search names one of these servers, then the error says why it is unavailable', async () => {
		const { text, failed } = await search(sessionOf(), { server_name: 'github' }, missOf(missing).miss);
		expect(failed).toBe(true);
		expect(text).toContain("Unknown server 'github'");
		expect(text).toContain('github (the user is not signed in to it)');
	});

	test('when tools arrive while a search waits, then it runs again and still counts as one search', async () => {
		const session = sessionOf();
		const { miss } = missOf(undefined, () => {
			session.surface = surfaceOf([...office, ...weather]);
		});
		const { newlyLoaded, text } = await search(session, { query: 'weather forecast of a city' }, miss);
		expect(newlyLoaded).toEqual(['weather__forecast']);
		expect(text).not.toContain('Not searched');
		expect(session.log.statistics).toEqual({ search_calls: 1, tools_discovered: 1 });
	});

	test('when there are many or their names are long, then the list is truncated', async () => {
		const many = Array.from({ length: 500 }, (_, i) => ({
			name: `${i}${'x\n'.repeat(500)}`,
			why: 'failed' as const,
		}));
		const { miss } = missOf({ servers: many });
		const { text } = await search(sessionOf(), { query: 'weather forecast' }, miss);
		expect(text.slice(text.indexOf('Not searched')).length).toBeLessThan(1_500);
		expect(text).toContain('490 more');
	});

	test('when the chat has a toolset, then servers outside it are counted but not named', async () => {
		const { miss } = missOf({ servers: [], outside: { toolset: 'work', servers: 2 } });
		const { text } = await search(sessionOf(), { query: 'weather forecast' }, miss);
		expect(text).toMatch(
			/The toolset 'work' that the user chose for this chat leaves out 2 servers, which were not searched\.$/,
		);
	});
});

test('given an invalid request, then the search does not wait', async () => {
	const { miss, waits } = missOf(missing);
	const { text } = await search(sessionOf(), {}, miss);
	expect(text).toMatch(/^Error: /);
	expect(waits()).toBe(0);
});
