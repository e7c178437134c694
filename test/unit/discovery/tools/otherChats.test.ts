import { describe, expect, test } from 'vitest';
import { everythingDeferred } from '../../../../src/discovery/catalog/policy.ts';
import { errorResult, resultText, type ToolResult } from '../../../../src/discovery/catalog/tool.ts';
import type { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import { parseRequest, type SearchRequest } from '../../../../src/discovery/search/searchRequest.ts';
import { findTools } from '../../../../src/discovery/tools/findTools.ts';
import {
	listToolsAnswer,
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
	test('and gets the matches as it is to call them, with their schemas', async () => {
		const found = read(await searchToolsAnswer(surfaceOf(), { query: 'create a calendar event' }));
		expect(found).toMatchObject({
			query: 'create a calendar event',
			query_kind: 'keyword',
			total_deferred_tools: 6,
			matches: expect.arrayContaining([
				{
					name: 'calendar:create_event',
					score: expect.any(Number),
					confidence: expect.any(Number),
					description: 'Create an event in a calendar',
					parameters: office[1]?.tools[0]?.inputSchema,
				},
			]),
		});
		expect(found).not.toHaveProperty('missing');
	});

	test.each(['create a calendar event', 'select:slack:search,fly', 'xylophone', 'search'])(
		'for %j, and is answered as /find --json answers, but for the names',
		async (query) => {
			const surface = surfaceOf();
			const findings = await findTools(surface, readRequest(query));
			const json = searchResultJson(query, findings, 6, ({ id }) => id);
			expect(read(await searchToolsAnswer(surface, { query }))).toMatchObject(
				JSON.parse(JSON.stringify(json)),
			);
		},
	);

	test('one server', async () => {
		const found = read(await searchToolsAnswer(surfaceOf(), { query: 'search', server: 'slack' }));
		expect(found).toMatchObject({ query: 'search', matches: [{ name: 'slack:search' }] });
	});

	test('for what is not there, and gets what is nearest', async () => {
		const found = read(await searchToolsAnswer(surfaceOf(), { query: 'select:slack:send_mesage' }));
		expect(found).toMatchObject({ matches: [], nearest: expect.arrayContaining(['slack:send_message']) });
	});

	test.each([
		[{}, "Provide 'query'"],
		[{ query: ' ' }, "Provide 'query'"],
		[{ query: 7 }, "Provide 'query'"],
		[{ query: 'send', server: 'slak' }, "Did you mean 'slack'?"],
	])('with %j, and is told what to give', async (input, message) => {
		expect(fault(await searchToolsAnswer(surfaceOf(), input))).toContain(message);
	});

	test('among large schemas, and gets as many as there is room for', async () => {
		const large = Array.from({ length: 5 }, (_, i) => ({
			...tool('files', `copy_file_${i}`, 'Copy a file'),
			inputSchema: { type: 'object', description: 'x'.repeat(8_000) },
		}));
		const surface = surfaceOf([{ name: 'files', tools: large }]);
		const text = resultText(await searchToolsAnswer(surface, { query: 'copy a file' }));
		expect(text.length).toBeLessThan(25_000);
		expect(text.match(/Too large to show here/g)).toHaveLength(3);
	});

	test('and a name that two could mean is told by the name for models', async () => {
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

describe('another chat lists', () => {
	test('all tools, or one server, or those that say some words', () => {
		const names = (input: object) =>
			(read(listToolsAnswer(surfaceOf(), { ...input })) as { tools: { tool: string }[] }).tools.map(
				({ tool: name }) => name,
			);
		expect(names({})).toHaveLength(6);
		expect(names({ server: 'calendar', search: 'delete' })).toEqual(['calendar:delete_event']);
		expect(names({ search: 'telescope' })).toEqual([]);
	});

	test('many tools page by page, and each is on one of them', () => {
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

describe('another chat asks for details', () => {
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
	])('by the name %j, and is told what there is', (name, message) => {
		expect(fault(toolDetailsAnswer(surfaceOf(), { tool: name }))).toMatch(message);
	});
});

test('everything can be searched for: what is pinned, what is loaded, and while discovery is off', () => {
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
