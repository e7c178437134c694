import { describe, expect, test } from 'vitest';
import { office, servers, tool } from '../fixtures.ts';
import { advised, asks, shown } from './evaluating.ts';

describe('given a query in words that its tool does not have', () => {
	test('then the smallest hint that brings it is proposed', async () => {
		const { advice, helpless } = await advised(office, [
			asks('sprocket frobnication', 'slack:list_channels'),
		]);
		expect(advice).toMatchObject([{ kind: 'hint', server: 'slack', tool: 'list_channels' }]);
		expect(shown(advice)[0]?.split(' ')).toHaveLength(2);
		expect(helpless).toEqual([]);
	});

	test('when two queries of a tool fail, then it gets one hint for both', async () => {
		const queries = [asks('gubbins', 'slack:list_channels'), asks('sprockets', 'slack:list_channels')];
		const { advice } = await advised(office, queries);
		expect(shown(advice)).toEqual(['slack:list_channels: gubbins sprockets']);
		expect(advice[0]?.mends.map(({ labelled }) => labelled.query)).toEqual(['gubbins', 'sprockets']);
	});

	test('when the hint would bring the tool where nothing should be found, then it is not proposed', async () => {
		const queries = [asks('gubbins', 'slack:list_channels'), asks('gubbins')];
		const { advice, helpless } = await advised(office, queries);
		expect(advice).toEqual([]);
		expect(helpless.map(({ labelled }) => labelled.query)).toEqual(['gubbins']);
	});

	test('when a query needs two tools, then each gets its hint', async () => {
		const { advice } = await advised(office, [
			asks('gubbins sprockets', 'slack:list_channels', 'calendar:delete_event'),
		]);
		expect(advice.map((one) => one.kind === 'hint' && one.tool)).toEqual(['list_channels', 'delete_event']);
	});
});

describe('given several queries with a word that none of their tools has', () => {
	const incidents = servers({
		ops: [tool('ops', 'open_incident'), tool('ops', 'close_incident'), tool('ops', 'list_incidents'), 'ping'],
	});
	const queries = [asks('new fracas', 'ops:open_incident'), asks('fracas', 'ops:list_incidents')];

	test('then one line of synonyms is proposed for all', async () => {
		const { advice } = await advised(incidents, queries);
		expect(shown(advice)).toEqual([expect.stringMatching(/^fracas => incidents?$/)]);
		expect(advice[0]?.mends).toHaveLength(2);
	});

	test('when the ranking knows no synonyms, then hints are', async () => {
		const { advice } = await advised(incidents, queries, { ranking: 'name-parts' });
		expect(new Set(advice.map(({ kind }) => kind))).toEqual(new Set(['hint']));
	});

	test('when the ranking reads no hints, then nothing helps', async () => {
		const { advice, helpless } = await advised(incidents, queries, { ranking: 'okapi' });
		expect(advice).toEqual([]);
		expect(helpless).toHaveLength(2);
	});
});
