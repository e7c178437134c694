import { describe, expect, test } from 'vitest';
import { serverEntries, subjectAt } from '../../../../src/config/assist/cursorPlace.ts';

/** What is at the bar. */
function subject(textWithBar: string): unknown {
	const found = subjectAt(textWithBar.replace('|', ''), textWithBar.indexOf('|'));
	if (!found) return undefined;
	return found.kind === 'tool' ? `${found.server}:${found.tool}` : found.server;
}

describe('the name at the cursor resolves to its server or tool', () => {
	test.each([
		['{ "servers": { "fi|les": {} } }', 'files'],
		['{ "mcpServers": { "fi|les": {} } }', 'files'],
		['{ "servers": { "files": { "tools": { "re|ad": {} } } } }', 'files:read'],
		['{ "servers": { "files": { "pinned": ["a", "re|ad"] } } }', 'files:read'],
		['{ "tool_sets": { "t": { "servers": { "fi|les": true } } } }', 'files'],
		['{ "tool_sets": { "t": { "servers": { "files": ["re|ad"] } } } }', 'files:read'],
		['{ "tool_sets": { "t": { "servers": { "files": { "exclude": ["re|ad"] } } } } }', 'files:read'],
		['{ "servers": { "files": { "com|mand": "x" } } }', undefined],
		['{ "servers": { "files": { "command": "fi|les" } } }', undefined],
		['{ "clients": { "fi|les": {} } }', undefined],
		['{ | "servers": {} }', undefined],
	])('%s', (text, expected) => {
		expect(subject(text)).toBe(expected);
	});
});

describe('the servers of a file', () => {
	test('are listed once each, with the offset of the definition that wins', () => {
		const text =
			'{ "mcpServers": { "a": {}, "b": {} }, "servers": { "a": {} }, // all\n"tool_discovery": {} }';
		expect(
			serverEntries(text).map(({ name, offset }) => [name, text.slice(offset, offset + 3), offset > 40]),
		).toEqual([
			['a', '"a"', true],
			['b', '"b"', false],
		]);
	});

	test('include complete names of an unfinished file', () => {
		expect(serverEntries('{ "servers": { "a": { "command": ').map(({ name }) => name)).toEqual(['a']);
		expect(serverEntries('')).toEqual([]);
	});
});
