import { describe, expect, test } from 'vitest';
import { defaultServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import { findTools } from '../../../../src/discovery/tools/findTools.ts';
import { searchResultText } from '../../../../src/discovery/tools/resultText.ts';
import { ids, offered, office, policyFor, search, servers, sessionOf, surfaceOf, tool } from '../fixtures.ts';

async function nearestTo(query: string, server?: string, surface = surfaceOf()) {
	const found = await findTools(surface, { query, ...(server !== undefined && { serverName: server }) });
	return found.ok && found.nearest ? found.nearest : { kind: 'spelling' as const, tools: [] };
}

/** What a model reads where a search has found nothing, and this is nearest. */
async function textFor(query: string, server?: string, surface = surfaceOf()): Promise<string> {
	const nearest = await nearestTo(query, server, surface);
	const rest = { hits: [], further: [], more: 0, missing: [] };
	return searchResultText({ ok: true, kind: 'keyword', query, searched: 6, nearest, ...rest });
}

describe('given a query with only uncertain matches', () => {
	test('then the text names the closest tools, and none is loaded', async () => {
		const { text, newlyLoaded } = await search(sessionOf(), { query: 'a calendar for my parrot' });
		expect(text).toMatch(/^No sure match\. The closest tools, not loaded; /);
		expect(text.match(/^ {2}calendar__\w+: .*$/gm)).toHaveLength(3);
		expect(newlyLoaded).toEqual([]);
	});
});

test('given a query that an always-loaded tool answers, then the text names it and nothing else is loaded', async () => {
	const slack = { ...defaultServerPolicy, deferLoading: true, pinned: ['send_message'] };
	const session = sessionOf(office, { servers: new Map([...policyFor(office).servers, ['slack', slack]]) });
	const { text, newlyLoaded } = await search(session, { query: 'send a message to a Slack channel' });
	expect(text).toContain('- slack:send_message (slack__send_message) [Already loaded]');
	expect(newlyLoaded).toEqual([]);
});

describe('given a query that matches no tool', () => {
	test('when a tool has a similar name, then that tool is suggested', async () => {
		const surface = surfaceOf(servers({ s: ['zzyzxqq', 'other'] }));
		const nearest = await nearestTo('zyzxxqq', undefined, surface);
		expect(ids(nearest.tools)).toEqual(['s:zzyzxqq']);
	});

	test('when no tool has a similar name, then the text suggests none', async () => {
		expect((await textFor('xylophone')).split('\n\n')).toHaveLength(2);
	});
});

describe('given a search of one server without a match', () => {
	test('when the server is small, then its tools are named', async () => {
		const { text, newlyLoaded } = await search(sessionOf(), { server_name: 'slack', query: 'xylophone' });
		expect(newlyLoaded).toEqual([]);
		expect(text).toContain(
			"Server 'slack' has 3 tools; load one by its exact name with tool_names:\n  slack__send_message: Send a message to a Slack channel\n",
		);
		expect(text).not.toContain('calendar__');
	});

	test('when the server is large, then its tools are only counted', async () => {
		const large = servers({ large: Array.from({ length: 11 }, (_, i) => `tool_${i}`) });
		const text = await textFor('xylophone', 'large', surfaceOf(large));
		expect(text.endsWith("Server 'large' has 11 tools.")).toBe(true);
	});
});

test('given a toolset, then no tool outside it is suggested', async () => {
	const surface = surfaceOf(office, {}, { name: 'talk', servers: new Map([['slack', ['search']]]) });
	expect(ids((await nearestTo('xylophone', 'slack', surface)).tools)).toEqual(['slack:search']);
	expect(ids((await nearestTo('delete event calendar', undefined, surface)).tools)).toEqual([]);
});

const words = ['red', 'green', 'blue', 'black', 'white', 'brown', 'pink'];
const painter = servers({
	paint: words.map((word) => tool('paint', `paint_wall_${word}`, `Paint a wall ${word} with a brush`)),
	kitchen: ['cook', 'bake', 'boil'].map((word) => tool('kitchen', word, `Let a robot ${word} something`)),
});

describe('given more matching tools than are loaded', () => {
	test('then the text names the next best matches without loading them', async () => {
		const session = sessionOf(painter, { maxSearchResults: 2 });
		const { text, newlyLoaded } = await search(session, { query: 'paint a wall' });
		expect(newlyLoaded).toHaveLength(2);
		expect(text).toContain(
			'5 more tools match less well. The next best, not loaded; load one by its exact name with tool_names:\n  paint__paint_wall_',
		);
		expect(offered(session)).toHaveLength(3);
		expect(text.endsWith('These tools are now loaded and available to call.')).toBe(true);
	});

	test('when the further matches are loaded already, then they are only counted', async () => {
		const session = sessionOf(painter, { maxSearchResults: 2 });
		await search(session, { tool_names: words.map((word) => `paint_wall_${word}`) });
		const { text } = await search(session, { query: 'paint a wall' });
		expect(text).toContain('5 more tools match less well; say more of what you need to find them.');
	});

	test('when the ranking has no confidence, then further matches are still listed', async () => {
		const session = sessionOf(painter, { maxSearchResults: 2, ranking: 'name-parts' });
		const { search: outcome } = await search(session, { query: 'paint wall brush' });
		expect(outcome?.ok && outcome.further).toHaveLength(5);
	});
});
