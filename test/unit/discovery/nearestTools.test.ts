import { describe, expect, test } from 'vitest';
import { nearestTools } from '../../../src/discovery/searchTools/nearestTools.ts';
import { searchResultText } from '../../../src/discovery/searchTools/resultText.ts';
import { ids, office, search, servers, sessionOf, surfaceOf } from './fixtures.ts';

async function nearestTo(query: string, server?: string, surface = surfaceOf()) {
	return nearestTools(surface, await surface.index(), query, server);
}

/** What a model reads where a search has found nothing, and this is nearest. */
async function textFor(query: string, server?: string, surface = surfaceOf()): Promise<string> {
	const nearest = await nearestTo(query, server, surface);
	const rest = { hits: [], further: [], more: 0, missing: [], evicted: [] };
	return searchResultText({ ok: true, kind: 'keyword', query, searched: 6, nearest, ...rest });
}

describe('given words that some tools have, though none fits', () => {
	test('then the servers of the nearest are named with their tools, nearest first', async () => {
		expect(await nearestTo('a calendar for my parrot')).toMatchObject({
			kind: 'resembling',
			servers: [{ name: 'calendar', tools: 3 }],
		});
	});

	test('then the text names them, three tools that can be asked for, and how to ask better', async () => {
		const text = await textFor('a calendar for my parrot');
		expect(text).toMatch(
			/^No tools found matching 'a calendar for my parrot'\.\n\nNo matching tools found; try /,
		);
		expect(text).toContain('Nearest servers: calendar (3 tools). Say what the tool would do');
		expect(text.match(/^ {2}calendar__\w+: .*$/gm)).toHaveLength(3);
		expect(text).not.toContain('now loaded');
	});
});

describe('given a word that no tool has', () => {
	test('when a name is spelled much like it, then that tool is named', async () => {
		const surface = surfaceOf(servers({ s: ['zzyzxqq', 'other'] }));
		const nearest = await nearestTo('zyzxxqq', undefined, surface);
		expect(ids(nearest.tools)).toEqual(['s:zzyzxqq']);
	});

	test('when none is, then the text says no more', async () => {
		expect((await textFor('xylophone')).split('\n\n')).toHaveLength(2);
	});
});

describe('given a server that was searched', () => {
	test('when it is small, then its tools are named', async () => {
		const { text, newlyLoaded } = await search(sessionOf(), { server_name: 'slack', query: 'xylophone' });
		expect(newlyLoaded).toEqual([]);
		expect(text).toContain(
			"Server 'slack' has 3 tools; load one by its exact name with tool_names:\n  slack__",
		);
		expect(text).not.toContain('calendar__');
	});

	test('when it is large, then they are only counted', async () => {
		const large = servers({ large: Array.from({ length: 11 }, (_, i) => `tool_${i}`) });
		const text = await textFor('xylophone', 'large', surfaceOf(large));
		expect(text.endsWith("Server 'large' has 11 tools.")).toBe(true);
	});
});

test('given a toolset, then nothing outside it is named', async () => {
	const surface = surfaceOf(office, {}, { name: 'talk', servers: new Map([['slack', ['search']]]) });
	expect(ids((await nearestTo('xylophone', 'slack', surface)).tools)).toEqual(['slack:search']);
	expect(ids((await nearestTo('delete event calendar', undefined, surface)).tools)).toEqual([]);
});
