import { describe, expect, test } from 'vitest';
import {
	type CompletionFacts,
	completionsAt,
	isInEmptySection,
} from '../../../../src/config/assist/completions.ts';
import { serverEntries } from '../../../../src/config/assist/cursorPlace.ts';
import { load } from '../fixtures.ts';

const facts: CompletionFacts = {
	tools: (server) =>
		server === 'files' ? [{ name: 'read', description: 'Reads a file' }, { name: 'write' }] : [],
	variables: ['HOME', 'TOKEN'],
};

/** What is offered at the bar, and the text after each was accepted, without the placeholders. */
function offered(textWithBar: string): Map<string, string> {
	const offset = textWithBar.indexOf('|');
	const text = textWithBar.replace('|', '');
	const found = completionsAt(text, offset, facts).map(({ label, insert, isSnippet, stretch }) => {
		const plain = isSnippet ? filled(insert) : insert;
		return [label, text.slice(0, stretch.start) + plain + text.slice(stretch.end)] as const;
	});
	return new Map(found);
}

/** The text of a snippet when the editor inserts it. */
function filled(snippet: string): string {
	return snippet.replaceAll(/(?<!\\)\$\d/g, '').replaceAll(/\\([$}\\])/g, '$1');
}

describe('completion of whole entries', () => {
	/** The file with the placeholders' examples. */
	const accepted = (textWithBar: string) =>
		completionsAt(textWithBar.replace('|', ''), textWithBar.indexOf('|'), facts).map(
			({ insert, stretch }) => {
				const text = textWithBar.replace('|', '');
				const plain = insert.replaceAll(/\$\{\d+:((?:[^}\\]|\\.)*)\}/g, '$1').replaceAll(/\\([$}\\])/g, '$1');
				return JSON.parse(text.slice(0, stretch.start) + plain + text.slice(stretch.end));
			},
		);

	test.each([
		'{ "servers": { | } }',
		'{ "servers": { "|" } }',
		'{ "servers": { "|',
		'{ "mcpServers": { |, "a": {} } }',
	])('offers a server on this machine and a remote one where a name is missing: %s', (text) => {
		const labels = [...offered(text).keys()];
		expect(labels).toContain('stdio server');
		expect(labels).toContain('remote server');
	});

	test.each([
		['{ "servers": { | } }', ['name']],
		['{ "servers": { "files|" } }', ['files']],
		['{ "servers": { "$ {x}\\"|" } }', ['$ {x}"']],
		['{ "servers": { | "a": {} } }', ['name', 'a']],
	])('inserts a valid entry with the name that was typed: %s', (text, names) => {
		for (const { servers } of accepted(text)) expect(Object.keys(servers)).toEqual(names);
	});

	test.each([
		['servers', ['stdio server', 'remote server', 'remote server with a key']],
		['mcp_servers', ['stdio server', 'remote server', 'remote server with a key']],
		['clients', ['OpenAI client', 'Anthropic client', 'Ollama client', 'OpenAI-compatible client']],
		['models', ['model']],
		['tool_sets', ['toolset']],
	])('offers the same behind a name, each of them valid: %s', (section, labels) => {
		const others = { clients: { openai: { provider: 'openai' } }, servers: { server: { command: 'x' } } };
		const before = JSON.stringify({ ...others, [section]: { new: 1 } });
		const found = accepted(before.replace(/"new":1/, '"new":|')).map((file) => JSON.stringify(file));
		expect([...offered(before.replace(/"new":1/, '"new":|')).keys()]).toEqual(labels);
		for (const text of found) {
			expect(JSON.parse(text)[section].new).toBeTypeOf('object');
			expect(load(text, { API_KEY: 'k' }).problems).toEqual([]);
		}
	});

	test('keeps the reference to a variable', () => {
		expect(accepted('{ "servers": { | } }')).toContainEqual({
			servers: {
				name: expect.objectContaining({ headers: { Authorization: `Bearer \${env:API_KEY}` } }),
			},
		});
	});

	test('offers nothing for a name that has a value, or in a section without entries of its own', () => {
		expect([...offered('{ "servers": { "|": {} } }')]).toEqual([]);
		expect([...offered('{ "tool_discovery": { | } }')]).toEqual([]);
	});

	test.each([
		['{ "servers": {\n|\n} }', true],
		['{ "models": {\n| } }', true],
		['{ "servers": { "a": {},\n| } }', false],
		['{ "servers": { "a": {\n| } } }', false],
		['{\n| }', false],
	])('suggests them on a new line only in an empty section: %j', (text, expected) => {
		expect(isInEmptySection(text.replace('|', ''), text.indexOf('|'))).toBe(expected);
	});
});

describe('completion of names that the JSON Schema does not know', () => {
	test('offers clients for a model', () => {
		const text = '{ "clients": { "a": {}, "b c": {} }, "models": { "m": { "client": "|" } } }';
		expect([...offered(text)]).toEqual([
			['a', text.replace('"|"', '"a"')],
			['b c', text.replace('"|"', '"b c"')],
		]);
	});

	test('adds missing quotes', () => {
		const text = '{ "clients": { "a": {} }, "models": { "m": { "client": | } } }';
		expect(offered(text).get('a')).toBe(text.replace('|', '"a"'));
	});

	test('offers a toolset the servers of all sections that it does not have yet', () => {
		const text =
			'{ "servers": { "files": {} }, "mcpServers": { "git": {} }, "tool_sets": { "t": { "servers": { "git": true, | } } } }';
		expect([...offered(text).keys()]).toEqual(['files']);
		expect(offered(text).get('files')).toBe(text.replace('|', '"files": true'));
	});

	test('offers a toolset’s list the tools of its server that it does not have yet', () => {
		const text = '{ "tool_sets": { "t": { "servers": { "files": ["read", "|"] } } } }';
		expect([...offered(text).keys()]).toEqual(['write']);
	});

	test('offers tools in exclusions', () => {
		const text = '{ "tool_sets": { "t": { "servers": { "files": { "exclude": [|] } } } } }';
		expect(offered(text).get('read')).toBe(text.replace('|', '"read"'));
	});

	test('offers the tools of a server in its pinned list and in its tool settings', () => {
		expect([...offered('{ "mcp_servers": { "files": { "pinned": ["|"] } } }').keys()]).toEqual([
			'read',
			'write',
		]);
		const text = '{ "servers": { "files": { "tools": { "|" } } } }';
		expect(offered(text).get('read')).toBe(text.replace('"|"', '"read": {  }'));
		expect([...offered('{ "servers": { "git": { "pinned": ["|"] } } }')]).toEqual([]);
	});

	test('renames a key that already has a value', () => {
		const text = '{ "servers": { "files": { "tools": { "r|": {} } } } }';
		expect(offered(text).get('read')).toBe(text.replace('"r|"', '"read"'));
	});

	test('adds a comma before another entry, even across comments', () => {
		const text = '{ "servers": { "files": { "pinned": ["|" /* and */ "x"] } } }';
		expect(offered(text).get('read')).toBe(text.replace('"|"', '"read",'));
	});

	test('offers variables inside a text, and replaces what was typed', () => {
		const begun = `\${env:H|OME}`;
		const name = `\${env:TOKEN}`;
		const text = `{ "servers": { "w": { "env": { "K": "a ${begun} b" } } } }`;
		expect(offered(text).get(name)).toBe(text.replace(begun, () => name));
		expect(offered('{ "servers": { "w": { "env": { "K": "$|" } } } }').size).toBe(5);
		expect(offered('{ "servers": { "w": { "env": { "$|": "" } } } }').size).toBe(0);
	});

	test.each([6_000, 100_000])('offers nothing and does not fail for %i open brackets', (levels) => {
		const text = `{ "servers": ${'['.repeat(levels)}`;
		expect(completionsAt(text, 3, facts)).toEqual([]);
		expect(serverEntries(text)).toEqual([]);
	});

	test('offers nothing where the schema has the values', () => {
		expect(offered('{ "tool_discovery": { "|" } }').size).toBe(0);
		expect(offered('{ | }').size).toBe(0);
		expect(offered('|').size).toBe(0);
	});
});
