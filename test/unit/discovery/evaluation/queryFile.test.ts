import { describe, expect, test } from 'vitest';
import type { LabelledQuery } from '../../../../src/discovery/evaluation/queryFile.ts';
import { readQueryFile } from '../../../../src/discovery/evaluation/queryFile.ts';

/** What the same two queries and one that nothing answers look like in each format. */
const expected = [
	['send a note', [['slack:send_message']]],
	['plan a "big" meeting, then tell', [['calendar:create_event'], ['slack:send_message', 'slack:search']]],
	['order a pizza', []],
];

const formats: Readonly<Record<string, string>> = {
	'a.queries.json': `[
		{ "query": "send a note", "tools": ["slack:send_message"] }, // with a comment
		{ "query": "plan a \\"big\\" meeting, then tell", "tools": ["calendar:create_event", ["slack:send_message", "slack:search"]] },
		{ "query": "order a pizza", "none": true },
	]`,
	'object.json': `{ "queries": [
		{ "query": "send a note", "tools": ["slack:send_message"] },
		{ "query": "plan a \\"big\\" meeting, then tell", "tools": [["calendar:create_event"], ["slack:send_message", "slack:search"]] },
		{ "query": "order a pizza", "tools": [] } ] }`,
	'lines.jsonl': `{ "query": "send a note", "tools": ["slack:send_message"] }

		// a comment
		{ "query": "plan a \\"big\\" meeting, then tell", "tools": ["calendar:create_event", ["slack:send_message", "slack:search"]] }\r
		{ "query": "order a pizza", "none": true }`,
};

const shown = ({ query, needs }: LabelledQuery) => [query, needs];

describe('reading labelled queries', () => {
	test.for(Object.entries(formats))('reads the queries from %s', ([name, text]) => {
		const { queries, faults } = readQueryFile(name, text);
		expect(faults).toEqual([]);
		expect(queries.map(shown)).toEqual(expected);
	});

	test('reads the line number of each query', () => {
		const lines = (name: string) => readQueryFile(name, formats[name] ?? '').queries.map(({ line }) => line);
		expect(lines('a.queries.json')).toEqual([2, 3, 4]);
		expect(lines('lines.jsonl')).toEqual([1, 4, 5]);
	});
});

describe('a malformed entry is reported with its line, and the other entries are kept', () => {
	const good = '{ "query": "a", "tools": ["t"] }';
	test.for([
		['no object', `[${good},\n"words"]`, 2, /Not an object/],
		['no query', `[${good},\n\n{ "tools": ["t"] }]`, 3, /"query" is missing/],
		['an empty query', `[${good}, { "query": " ", "tools": ["t"] }]`, 1, /"query" is missing/],
		['no tools', `[${good},\n{ "query": "b" }]`, 2, /"tools" is missing/],
		['tools that are no names', `[${good},\n{ "query": "b", "tools": [1] }]`, 2, /"tools" must hold names/],
		['an empty text', `[${good},\n{ "query": "b", "tools": "" }]`, 2, /"tools" must hold names/],
		['an empty name', `[${good},\n{ "query": "b", "tools": [""] }]`, 2, /"tools" must hold names/],
		[
			'tools and none',
			`[${good},\n{ "query": "b", "tools": ["t"], "none": true }]`,
			2,
			/both "tools" and "none"/,
		],
		[
			'keys of a prototype',
			`[${good},\n{ "__proto__": { "query": "b", "tools": ["t"] } }]`,
			2,
			/"query" is missing/,
		],
	] as const)('%s', ([, text, line, message]) => {
		const { queries, faults } = readQueryFile('x.json', text);
		expect(queries.map(({ query }) => query)).toEqual(['a']);
		expect(faults).toEqual([{ line, message: expect.stringMatching(message) }]);
	});

	test('a line of a JSON Lines file that is not JSON', () => {
		const { queries, faults } = readQueryFile('x.jsonl', `${good}\n{ "query": \n${good}`);
		expect(queries).toHaveLength(2);
		expect(faults).toEqual([{ line: 2, message: expect.stringMatching(/not JSON/) }]);
	});
});

describe('an unreadable file is reported with the reason', () => {
	test.for([
		['x.json', '[\n{ "query": "a", }, }\n', 2, /not JSON/],
		['x.json', '', 1, /not JSON|empty/],
		['x.json', '"words"', 1, /list of queries/],
		['x.json', '{ "tools": [] }', 1, /list of queries/],
		['x.json', '[]', 1, /no queries/],
		['x.json', '['.repeat(100_000), 1, /deeply|not JSON/],
		['x.json', ' '.repeat(4_000_001), 1, /at most/],
		['x.csv', 'query,tool\nsend a note,slack:send_message', 1, /not JSON/],
		['x.jsonl', '', 1, /no queries/],
	] as const)('%s %.20s', ([name, text, line, message]) => {
		const { queries, faults } = readQueryFile(name, text);
		expect(queries).toEqual([]);
		expect(faults).toEqual([{ line, message: expect.stringMatching(message) }]);
	});
});

test('a file with more than 2000 queries is truncated, and that is reported', () => {
	const lines = Array.from(
		{ length: 2001 },
		(_, i) => `{ "query": "query ${i}", "tools": ["slack:search"] }`,
	);
	const { queries, faults } = readQueryFile('x.jsonl', lines.join('\n'));
	expect(queries).toHaveLength(2000);
	expect(faults).toEqual([{ line: 2001, message: 'Only the first 2000 queries are used.' }]);
});
