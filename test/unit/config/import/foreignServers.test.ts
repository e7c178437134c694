import { describe, expect, test } from 'vitest';
import { importedEntry, read } from './fixtures.ts';

const faultsOf = (text: string) => read('Cursor', text).faults;
const namesOf = (text: string) => read('Cursor', text).servers.map(({ name }) => name);

describe('a malformed file gives an error and does not throw', () => {
	test.each([
		['', []],
		['[]', ['No server found: there is no command, no URL, and no JSON that defines a server.']],
		[
			'{\n "mcpServers": {',
			['The JSON cannot be read. Line 2: The file ends too early: expected a closing brace }.'],
		],
		['{ "mcpServers": "x" }', ['"mcpServers" is not an object that maps names to servers.']],
		['{ "mcpServers": [] }', ['This JSON defines no server with a "command" or a "url".']],
		[
			`{ "x": "${'a'.repeat(1_000_001)}" }`,
			['The JSON cannot be read. Line 1: The file has 1000012 bytes; at most 1000000 are read.'],
		],
	])('%.40s', (text, faults) => {
		expect(faultsOf(text)).toEqual(faults);
		expect(namesOf(text)).toEqual([]);
	});
});

test('a malformed entry does not affect the others', () => {
	const text = `{ "mcpServers": {
		"text": "npx", "empty": {}, "blank": { "command": " " }, "args": { "command": "x", "args": "-y" }, "nested": { "command": "x", "args": [["y"]] },
		"good": { "command": "x" }, "__proto__": { "command": "y" }, "constructor": { "url": "https://x.test" } } }`;
	expect(namesOf(text)).toEqual(['good', '__proto__', 'constructor']);
	expect(faultsOf(text)).toEqual([
		'The server "text" cannot be read: it is not an object.',
		'The server "empty" cannot be read: it has neither a "command" nor a "url".',
		'The server "blank" cannot be read: it has neither a "command" nor a "url".',
		'The server "args" cannot be read: its "args" are not a list of strings.',
		'The server "nested" cannot be read: its "args" are not a list of strings.',
	]);
});

test('entries beyond the limits are reported and left out', () => {
	const many = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, { command: 'x' }]));
	const big = {
		long: { command: 'x', args: ['a'.repeat(32_769)] },
		wide: { command: 'x', args: Array(500).fill('a') },
	};
	const { servers, faults } = read('Cursor', JSON.stringify({ mcpServers: { ...big, ...many(201) } }));
	expect(servers).toHaveLength(200);
	expect(faults).toEqual([
		'The server "long" cannot be read: it has a string of more than 32768 characters.',
		'The server "wide" cannot be read: it has more than 500 arguments, variables and headers.',
		'Only the first 200 servers are read.',
	]);
});

test('both sections are read, and a duplicate name is used once', () => {
	const text =
		'{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "x" } }, "servers": { "a": { "command": "y" } } }';
	expect(namesOf(text)).toEqual(['a', 'b']);
	expect(faultsOf(text)).toEqual(['The server "a" is also in "servers", which takes precedence.']);
});

describe('keys that other products spell differently', () => {
	test.each([
		[{ url: 'https://x.test', type: 'http' }, { url: 'https://x.test' }, []],
		[{ url: 'https://x.test', type: 'streamableHttp' }, { url: 'https://x.test' }, []],
		[{ url: 'https://x.test', transport: 'sse' }, { url: 'https://x.test', transport: 'sse' }, []],
		[
			{ url: 'wss://x.test', type: 'ws' },
			{ url: 'wss://x.test' },
			['Its transport is unknown; "http" is used.'],
		],
		[
			{ command: 'npx -y thing' },
			{ command: 'npx', args: ['-y', 'thing'] },
			['Its "command" contains arguments. They are moved to "args".'],
		],
		[{ command: '/opt/my tools/run' }, { command: '/opt/my tools/run' }, []],
		[
			{ command: 'x', url: 'https://x.test', timeout: 5, cwd: 'sub' },
			{ command: 'x', cwd: 'sub' },
			['"url" is ignored: it has no effect on a process.', '"timeout" is ignored: it is not supported.'],
		],
		[
			{ command: 'x', env: { NODE_OPTIONS: '-r y' } },
			{ command: 'x', env: { NODE_OPTIONS: '-r y' } },
			['It sets "NODE_OPTIONS", which decides what code the process runs. Make sure that this is intended.'],
		],
		[{ command: 'x', env: { A: 1, B: true } }, { command: 'x', env: { A: '1', B: 'true' } }, []],
	])('are accepted: %j', (entry, expected, notes) => {
		const server = importedEntry(entry);
		expect(server.entry).toEqual({ ...expected, defer_loading: true });
		expect(server.notes).toEqual(notes);
	});
});
