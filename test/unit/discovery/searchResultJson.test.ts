import { expect, test } from 'vitest';
import { findTools } from '../../../src/discovery/searchTools/findTools.ts';
import { parseRequest } from '../../../src/discovery/searchTools/request.ts';
import { searchResultJson } from '../../../src/discovery/searchTools/resultJson.ts';
import { office, surfaceOf } from './fixtures.ts';

async function json(query: string) {
	const surface = surfaceOf(office);
	const parsed = parseRequest({ query });
	return searchResultJson(
		query,
		parsed.ok ? await findTools(surface, parsed.request) : parsed,
		surface.deferred.length,
	);
}

test('a keyword search: scored matches with their schemas, nothing missing', async () => {
	const result = await json('create event');
	expect(result).toMatchObject({ query: 'create event', query_kind: 'keyword', total_deferred_tools: 6 });
	expect(result).not.toHaveProperty('missing');
	expect(result.matches[0]).toEqual({
		name: 'calendar__create_event',
		score: expect.any(Number),
		confidence: expect.any(Number),
		description: 'Create an event in a calendar',
		parameters: {
			type: 'object',
			properties: { title: { type: 'string' }, start: { type: 'string' } },
			required: ['title', 'start'],
		},
	});
});

test('a selection: no scores, and the names that led to none', async () => {
	const result = await json('select:send_message,fly');
	expect(result.query_kind).toBe('select');
	expect(result.matches.map(({ name }) => name)).toEqual(['slack__send_message']);
	expect(result.matches[0]).not.toHaveProperty('score');
	expect(result.matches[0]).not.toHaveProperty('confidence');
	expect(result.missing).toEqual(['fly']);
});

test('nothing found: an empty list', async () => {
	expect(await json('xylophone')).toEqual({
		query: 'xylophone',
		query_kind: 'keyword',
		total_deferred_tools: 6,
		matches: [],
	});
});

test('a query that cannot be searched for says why', async () => {
	expect(await json('---')).toMatchObject({ matches: [], error: expect.stringContaining('no words') });
});
