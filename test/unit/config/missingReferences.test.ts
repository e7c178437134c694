import { describe, expect, test } from 'vitest';
import { serversReading, unknownToolProblems } from '../../../src/config/missingReferences.ts';
import { shown } from './fixtures.ts';

const tools: Readonly<Record<string, readonly string[]>> = { files: ['read_file', 'write_file'], silent: [] };

function problemsWithTools(text: string) {
	return unknownToolProblems(text, (server) => tools[server] ?? []);
}

describe('a tool that its server does not have gives a warning', () => {
	test.each([
		['in a list of pinned ones', '{ "servers": { "files": { "pinned": ["read_file", "read_fil"] } } }'],
		['as the name of its settings', '{ "mcpServers": { "files": { "tools": { "rm": {} } } } }'],
		['in a toolset', '{ "tool_sets": { "t": { "servers": { "files": ["write-file"] } } } }'],
		[
			'in what a toolset leaves out',
			'{ "tool_sets": { "t": { "servers": { "files": { "exclude": ["__proto__"] } } } } }',
		],
	])('%s', (_place, text) => {
		expect(problemsWithTools(text).map(shown)).toMatchSnapshot();
	});
});

test.each([
	[
		'a server whose tools are not known',
		'{ "servers": { "silent": { "pinned": ["x"] }, "new": { "pinned": ["x"] } } }',
	],
	[
		'what is no list of names',
		'{ "servers": { "files": { "pinned": true, "tools": 5 } }, "tool_sets": { "t": { "servers": 1 } } }',
	],
	['a file that cannot be read', '{ "servers": '],
])('there is no warning for %s', (_what, text) => {
	expect(problemsWithTools(text)).toEqual([]);
});

test('finds all servers that read a variable, and no others', () => {
	const text = `{
		"servers": { "a": { "env": { "X": "\${env:KEY}" } }, "b": { "args": ["--key=\${env:KEY}", "\${env:ELSE}"] }, "c": {} },
		"mcpServers": { "d": { "headers": { "A": "Bearer \${env:KEY}" } } },
		"clients": { "e": { "headers": { "A": "\${env:KEY}" } } },
	}`;
	expect(serversReading(text, 'KEY')).toEqual(['a', 'b', 'd']);
	expect(serversReading('{ "servers": ', 'KEY')).toEqual([]);
});
