import { applyEdits } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { fixesFor } from '../../../src/config/fixes/fixes.ts';
import { unknownToolProblems } from '../../../src/config/unknownTools.ts';
import { scope, shown } from './fixtures.ts';

const tools: Readonly<Record<string, readonly string[]>> = { files: ['read_file', 'write_file'], silent: [] };

function problems(text: string) {
	return unknownToolProblems(text, (server) => tools[server] ?? []);
}

describe('a tool that its server does not have is marked', () => {
	test.each([
		[
			'in a list of pinned ones',
			'{ "servers": { "files": { "pinned": ["read_file", "read_fil"] } } }',
			'warning 1:51 servers.files.pinned[1]: the server "files" has no tool of this name; did you mean "read_file"?',
		],
		[
			'as the name of its settings',
			'{ "mcpServers": { "files": { "tools": { "rm": {} } } } }',
			'warning 1:41 mcpServers.files.tools.rm: the server "files" has no tool of this name',
		],
		[
			'in a toolset',
			'{ "tool_sets": { "t": { "servers": { "files": ["write-file"] } } } }',
			'warning 1:48 tool_sets.t.servers.files[0]: the server "files" has no tool of this name; did you mean "write_file"?',
		],
		[
			'in what a toolset leaves out',
			'{ "tool_sets": { "t": { "servers": { "files": { "exclude": ["__proto__"] } } } } }',
			'warning 1:61 tool_sets.t.servers.files.exclude[0]: the server "files" has no tool of this name',
		],
	])('%s', (_place, text, problem) => {
		expect(problems(text).map(shown)).toEqual([problem]);
	});

	test('and its fix writes the name that was meant', () => {
		const text = '{ "tool_sets": { "t": { "servers": { "files": [ "reed_file" ] } } } }';
		const [fix] = problems(text).flatMap((problem) => fixesFor(text, problem, scope.env));
		if (fix?.kind !== 'edit') throw new Error('there is no fix');
		expect(applyEdits(text, [...fix.edits])).toBe(text.replace('reed_file', 'read_file'));
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
])('nothing is said of %s', (_what, text) => {
	expect(problems(text)).toEqual([]);
});
