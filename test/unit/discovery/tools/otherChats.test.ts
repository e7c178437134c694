import { describe, expect, test } from 'vitest';
import { everythingDeferred } from '../../../../src/discovery/catalog/policy.ts';
import { errorResult, resultText, type ToolResult } from '../../../../src/discovery/catalog/tool.ts';
import type { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import { parseRequest, type SearchRequest } from '../../../../src/discovery/search/searchRequest.ts';
import { findTools } from '../../../../src/discovery/tools/findTools.ts';
import {
	listToolsAnswer,
	SearchMemory,
	searchResultJson,
	searchToolsAnswer,
	toolDetailsAnswer,
} from '../../../../src/discovery/tools/otherChats.ts';
import { office, policyFor, servers, surfaceOf, tool } from '../fixtures.ts';

async function json(query: string) {
	const surface = surfaceOf(office);
	const parsed = parseRequest({ query });
	return searchResultJson(
		query,
		parsed.ok ? await findTools(surface, parsed.request) : { ...parsed, query },
		surface.deferred.length,
	);
}

test('the JSON of a keyword search has scored matches with their schemas and no missing names', async () => {
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

test('the JSON of a selection by name has no scores and lists the missing names', async () => {
	const result = await json('select:send_message,fly');
	expect(result.query_kind).toBe('select');
	expect(result.matches.map(({ name }) => name)).toEqual(['slack__send_message']);
	expect(result.matches[0]).not.toHaveProperty('score');
	expect(result.matches[0]).not.toHaveProperty('confidence');
	expect(result.missing).toEqual(['fly']);
});

test('the JSON of a search without a hit has an empty list', async () => {
	expect(await json('xylophone')).toEqual({
		query: 'xylophone',
		query_kind: 'keyword',
		total_deferred_tools: 6,
		matches: [],
	});
});

test('the JSON of an invalid query has an error', async () => {
	expect(await json('---')).toMatchObject({ matches: [], error: expect.stringContaining('no words') });
});

function readRequest(query: string): SearchRequest {
	const parsed = parseRequest({ query });
	if (!parsed.ok) throw new Error(parsed.message);
	return parsed.request;
}

function read(answer: ToolResult): unknown {
	expect(answer.isError).toBe(false);
	return JSON.parse(resultText(answer));
}

/** The message of a request that failed. */
function fault(answer: ToolResult): string {
	expect(answer.isError).toBe(true);
	return resultText(answer);
}

describe('another chat searches', () => {
	test.each(['create a calendar event', 'select:slack:search,fly', 'xylophone', 'search'])(
		'for %j, and gets the same answer as from /find --json, apart from the names',
		async (query) => {
			const surface = surfaceOf();
			const findings = await findTools(surface, readRequest(query));
			const json = searchResultJson(query, findings, 6, ({ id }) => id);
			expect(read(await searchToolsAnswer(surface, { query }))).toMatchObject(
				JSON.parse(JSON.stringify(json)),
			);
		},
	);

	test('within one server', async () => {
		const found = read(await searchToolsAnswer(surfaceOf(), { query: 'search', server: 'slack' }));
		expect(found).toMatchObject({ query: 'search', matches: [{ name: 'slack:search' }] });
	});

	test('for an unknown name, and gets the closest ones', async () => {
		const found = read(await searchToolsAnswer(surfaceOf(), { query: 'select:slack:send_mesage' }));
		expect(found).toMatchObject({ matches: [], nearest: expect.arrayContaining(['slack:send_message']) });
	});

	test.each([
		[{}, "Provide 'query'"],
		[{ query: ' ' }, "Provide 'query'"],
		[{ query: 7 }, "Provide 'query'"],
		[{ query: 'send', server: 'slak' }, "Did you mean 'slack'?"],
	])('with %j, and gets an error that says what to provide', async (input, message) => {
		expect(fault(await searchToolsAnswer(surfaceOf(), input))).toContain(message);
	});

	test('among large schemas, and gets only as many schemas as fit', async () => {
		const large = Array.from({ length: 5 }, (_, i) => ({
			...tool('files', `copy_file_${i}`, 'Copy a file'),
			inputSchema: { type: 'object', description: 'x'.repeat(8_000) },
		}));
		const surface = surfaceOf([{ name: 'files', tools: large }]);
		const text = resultText(await searchToolsAnswer(surface, { query: 'copy a file' }));
		expect(text.length).toBeLessThan(25_000);
		expect(text.match(/Too large to show here/g)).toHaveLength(3);
	});

	test('again, and gets each schema once, while another chat gets it too', async () => {
		const surface = surfaceOf();
		const [mine, other] = [new SearchMemory(), new SearchMemory()];
		const search = async (memory: SearchMemory) =>
			resultText(await searchToolsAnswer(surface, { query: 'select:slack:search' }, memory));
		expect(await search(mine)).toContain('"type":"object"');
		const again = await search(mine);
		expect(again).toContain('slack:search');
		expect(again).toContain('As shown before.');
		expect(again).not.toContain('"type":"object"');
		expect(await search(other)).toContain('"type":"object"');
	});

	test('and gets the wire name of a tool whose `server:tool` is ambiguous', async () => {
		const all = servers({ a: ['b:c'], 'a:b': ['c'] });
		const found = read(await searchToolsAnswer(surfaceOf(all), { query: 'select:c' }));
		const { matches } = found as { matches: { name: string }[] };
		for (const { name } of matches) {
			expect(toolDetailsAnswer(surfaceOf(all), { tool: name }).isError).toBe(false);
		}
		expect(matches).toHaveLength(1);
		expect(matches[0]?.name).not.toBe('a:b:c');
	});
});

describe('another chat lists tools', () => {
	test('and can filter them by server and words', () => {
		const names = (input: object) =>
			(read(listToolsAnswer(surfaceOf(), { ...input })) as { tools: { tool: string }[] }).tools.map(
				({ tool: name }) => name,
			);
		expect(names({})).toHaveLength(6);
		expect(names({ server: 'calendar', search: 'delete' })).toEqual(['calendar:delete_event']);
		expect(names({ search: 'telescope' })).toEqual([]);
	});

	test('in pages, and each tool is on exactly one page', () => {
		const many = servers({
			big: Array.from({ length: 300 }, (_, i) => tool('big', `tool_${i}`, 'Does something. '.repeat(30))),
		});
		const surface = surfaceOf(many);
		const first = read(listToolsAnswer(surface, {})) as { pages: number };
		expect(first.pages).toBeGreaterThan(5);
		const seen = Array.from({ length: first.pages }, (_, i) => {
			const text = resultText(listToolsAnswer(surface, { page: i + 1 }));
			expect(text.length).toBeLessThan(9_000);
			return (JSON.parse(text) as { tools: { tool: string }[] }).tools.map(({ tool: name }) => name);
		}).flat();
		expect(seen).toEqual(surface.tools.map(({ id }) => id));
		expect(listToolsAnswer(surface, { page: first.pages + 1 })).toEqual(
			errorResult(`There are pages 1 to ${first.pages}.`),
		);
	});
});

describe('another chat asks for the details of a tool', () => {
	test.each(['slack:send_message', 'slack__send_message', 'send_message'])('by the name %s', (name) => {
		expect(read(toolDetailsAnswer(surfaceOf(), { tool: name }))).toEqual({
			tool: 'slack:send_message',
			description: 'Send a message to a Slack channel',
			inputSchema: office[0]?.tools[0]?.inputSchema,
		});
	});

	test.each([
		['search', /^More than one tool is called 'search': slack:search, calendar:search\.$/],
		['slack:send_mesage', /^There is no tool 'slack:send_mesage'\. Closest: slack:send_message/],
		['', /^Provide the name of a tool/],
		[undefined, /^Provide the name of a tool/],
	])('by the name %j, and gets an error with advice', (name, message) => {
		expect(fault(toolDetailsAnswer(surfaceOf(), { tool: name }))).toMatch(message);
	});
});

test('all tools can be searched, even pinned or loaded ones and when discovery is off', () => {
	const policy = policyFor(office);
	const slack = {
		deferLoading: false,
		pinned: ['search'],
		searchHint: 'chat',
		tools: new Map([['send_message', { deferLoading: false, searchHint: 'post' }]]),
	};
	const now = { ...policy, enabled: false, servers: new Map([['slack', slack]]) };
	const names = office.map(({ name }) => name);
	const surface: ToolSurface = surfaceOf(office, everythingDeferred(now, names));
	expect(surface.loaded).toEqual([]);
	expect(surface.deferred).toHaveLength(6);
	expect(surface.get('slack__send_message')?.searchHint).toBe('post chat');
});
