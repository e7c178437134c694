import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRequest } from '../../../../src/discovery/search/searchRequest.ts';

test.each([
	[{ query: 'create an event' }, { query: 'create an event' }],
	[{ query: ' padded ' }, { query: 'padded' }],
	[{ server_name: 'slack' }, { serverName: 'slack' }],
	[{ tool_names: ['a', 'b', 'a', ' ', 'c '] }, { toolNames: ['a', 'b', 'c'] }],
	[{ tool_names: 'a, b' }, { toolNames: ['a', 'b'] }],
	[{ tool_names: '["a", "b"]' }, { toolNames: ['a', 'b'] }],
	[{ query: 'select:Read,Edit, Grep' }, { toolNames: ['Read', 'Edit', 'Grep'] }],
	[{ query: 'SELECT: Read' }, { toolNames: ['Read'] }],
	[{ query: 'select:a', tool_names: ['b'] }, { toolNames: ['b', 'a'] }],
	[
		{ query: 'send', server_name: 'slack', tool_names: ['a'] },
		{ query: 'send', serverName: 'slack', toolNames: ['a'] },
	],
	[{ query: '', server_name: 'slack', tool_names: [] }, { serverName: 'slack' }],
	[{ query: 'send', server_name: ' ', tool_names: null }, { query: 'send' }],
	[
		{ query: 'send', max_results: 12 },
		{ query: 'send', maxResults: 12 },
	],
	[
		{ query: 'send', max_results: '3' },
		{ query: 'send', maxResults: 3 },
	],
	[{ query: 'send', max_results: null }, { query: 'send' }],
])('the request %j is parsed', (input, request) => {
	expect(parseRequest(input)).toEqual({ ok: true, request });
});

describe('an invalid request gives an error instead of an exception', () => {
	test.each([
		{},
		{ query: '' },
		{ query: '  ' },
		{ tool_names: [] },
		{ tool_names: [''] },
		{ server_name: '' },
		{ what: 'x' },
	])('when the request is empty: %j', (input) => {
		expect(parseRequest(input)).toEqual({
			ok: false,
			message: 'Give at least one of query, server_name or tool_names.',
		});
	});

	test.each(['---', '+', '+ +', '...', '🚀', 'select:', 'select: , '])(
		'when the query has only delimiters: %j',
		(query) => {
			expect(parseRequest({ query })).toEqual({
				ok: false,
				message: expect.stringContaining('contains no words to search for'),
			});
		},
	);

	test.each([
		{ query: 5 },
		{ query: ['a'] },
		{ server_name: {} },
		{ tool_names: 7 },
		{ tool_names: [1] },
		{ tool_names: { a: 1 } },
		{ query: 'send', max_results: 0 },
		{ query: 'send', max_results: 2.5 },
		{ query: 'send', max_results: 'all' },
	])('when a parameter has the wrong type: %j', (input) => {
		expect(parseRequest(input)).toEqual({ ok: false, message: expect.stringContaining('must be') });
	});

	test('parsing never throws, whatever the model writes', () => {
		const input = fc.record(
			{ query: fc.anything(), server_name: fc.anything(), tool_names: fc.anything() },
			{ requiredKeys: [] },
		);
		fc.assert(fc.property(input, (written) => typeof parseRequest(written).ok === 'boolean'));
	});
});
