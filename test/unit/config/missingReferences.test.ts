import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
	type Disk,
	diskProblems,
	serversReading,
	unknownToolProblems,
} from '../../../src/config/missingReferences.ts';
import { load, shown } from './fixtures.ts';

/** A disk with these folders outside of the workspace, and everything in the workspace except `gone`. */
const disk: Disk = {
	folderState: async (folder) =>
		folder.startsWith(path.resolve('/elsewhere'))
			? 'outside'
			: path.basename(folder) === 'gone'
				? 'missing'
				: 'inside',
	templates: async () => ['short', 'long'],
};

async function problemsOnDisk(text: string) {
	const { config } = load(text);
	if (!config) throw new Error('the text cannot be read');
	return diskProblems(text, config, disk);
}

describe('references to missing files give a warning', () => {
	test.each([
		['a folder in the workspace', '{ "servers": { "w": { "command": "x", "cwd": "sub" } } }', []],
		['no folder', '{ "servers": { "w": { "command": "x" } } }', []],
		[
			'a folder that is gone',
			'{ "mcpServers": { "w": { "command": "x", "cwd": "gone" } } }',
			[
				'warning 1:49 mcpServers.w.cwd: there is no such folder, so the server cannot start; create it or correct this',
			],
		],
		[
			'a folder outside of the workspace',
			'{ "servers": { "w": { "command": "x", "cwd": "/elsewhere" } } }',
			[
				'warning 1:46 servers.w.cwd: the server starts outside the workspace; make sure that this is intended',
			],
		],
		['a folder of a server that is off', '{ "servers": { "w": { "command": "", "cwd": "gone" } } }', []],
	])('%s', async (_what, text, told) => {
		expect((await problemsOnDisk(text)).map(shown)).toEqual(told);
	});

	test('each folder is checked once, however many servers start there', async () => {
		const servers = Array.from({ length: 300 }, (_, i) => `"s${i}":{"command":"x","cwd":"/gone/${i % 3}"}`);
		const asked: string[] = [];
		const text = `{"servers":{${servers.join(',')}}}`;
		const counting: Disk = {
			...disk,
			folderState: async (folder) => {
				asked.push(folder);
				return 'missing';
			},
		};
		const { config } = load(text);
		const problems = config && (await diskProblems(text, config, counting));
		expect(asked).toEqual(['/gone/0', '/gone/1', '/gone/2'].map((folder) => path.resolve(folder)));
		expect(problems).toHaveLength(200);
	});

	test('a missing template is named, with the closest name', async () => {
		const text =
			'{ "clients": { "c": { "provider": "ollama" } }, "models": { "m": { "client": "c", "model": "x", "template": "shrt" }, "n": { "client": "c", "model": "x", "template": "long" } } }';
		const found = await problemsOnDisk(text);
		expect(found.map(shown)).toEqual([
			'warning 1:109 models.m.template: there is no file "prompt-templates/shrt.j2"; did you mean "short"?',
		]);
	});
});

const tools: Readonly<Record<string, readonly string[]>> = { files: ['read_file', 'write_file'], silent: [] };

function problemsWithTools(text: string) {
	return unknownToolProblems(text, (server) => tools[server] ?? []);
}

describe('a tool that its server does not have gives a warning', () => {
	test.each([
		[
			'in a list of pinned ones',
			'{ "servers": { "files": { "pinned": ["read_file", "read_fil"] } } }',
			'warning 1:51 servers.files.pinned[1]: the server "files" has no tool with this name; did you mean "read_file"?',
		],
		[
			'as the name of its settings',
			'{ "mcpServers": { "files": { "tools": { "rm": {} } } } }',
			'warning 1:41 mcpServers.files.tools.rm: the server "files" has no tool with this name',
		],
		[
			'in a toolset',
			'{ "tool_sets": { "t": { "servers": { "files": ["write-file"] } } } }',
			'warning 1:48 tool_sets.t.servers.files[0]: the server "files" has no tool with this name; did you mean "write_file"?',
		],
		[
			'in what a toolset leaves out',
			'{ "tool_sets": { "t": { "servers": { "files": { "exclude": ["__proto__"] } } } } }',
			'warning 1:61 tool_sets.t.servers.files.exclude[0]: the server "files" has no tool with this name',
		],
	])('%s', (_place, text, problem) => {
		expect(problemsWithTools(text).map(shown)).toEqual([problem]);
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
