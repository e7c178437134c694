import { describe, expect, test } from 'vitest';
import { importedEntry, read } from './fixtures.ts';

const faultsOf = (text: string) => read('Cursor', text).faults;
const namesOf = (text: string) => read('Cursor', text).servers.map(({ name }) => name);

describe('a malformed file gives an error and does not throw', () => {
	test.each([
		[''],
		['[]'],
		['{\n "mcpServers": {'],
		['{ "mcpServers": "x" }'],
		['{ "mcpServers": [] }'],
		[`{ "x": "${'a'.repeat(1_000_001)}" }`],
		[`{ "x": "${'a'.repeat(1_000_001)}", // chats\n}`],
	])('%.40s', (text) => {
		expect(faultsOf(text)).toMatchSnapshot();
		expect(namesOf(text)).toEqual([]);
	});
});

test('a malformed entry does not affect the others', () => {
	const text = `{ "mcpServers": {
		"text": "npx", "empty": {}, "blank": { "command": " " }, "args": { "command": "x", "args": "-y" }, "nested": { "command": "x", "args": [["y"]] },
		"good": { "command": "x" }, "__proto__": { "command": "y" }, "constructor": { "url": "https://x.test" } } }`;
	expect(namesOf(text)).toEqual(['good', '__proto__', 'constructor']);
	expect(faultsOf(text)).toMatchSnapshot();
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
	expect(faults).toMatchSnapshot();
});

test('both sections are read, and a duplicate name is used once', () => {
	const text =
		'{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "x" } }, "servers": { "a": { "command": "y" } } }';
	expect(namesOf(text)).toEqual(['a', 'b']);
	expect(faultsOf(text)).toMatchSnapshot();
});

describe('keys that other products spell differently', () => {
	test.each([
		[{ url: 'https://x.test', type: 'http' }, { url: 'https://x.test' }],
		[{ url: 'https://x.test', type: 'streamableHttp' }, { url: 'https://x.test' }],
		[
			{ url: 'https://x.test', transport: 'sse' },
			{ url: 'https://x.test', transport: 'sse' },
		],
		[{ url: 'https://x.test', type: 'ws' }, { url: 'https://x.test' }],
		[{ command: 'npx -y thing' }, { command: 'npx', args: ['-y', 'thing'] }],
		[{ command: '/opt/my tools/run' }, { command: '/opt/my tools/run' }],
		[
			{ command: 'x', url: 'https://x.test', timeout: 5, cwd: 'sub' },
			{ command: 'x', cwd: 'sub' },
		],
		[
			{ command: 'x', env: { NODE_OPTIONS: '-r y' } },
			{ command: 'x', env: { NODE_OPTIONS: '-r y' } },
		],
		[
			{ command: 'x', env: { A: 1, B: true } },
			{ command: 'x', env: { A: '1', B: 'true' } },
		],
	])('are accepted: %j', (entry, expected) => {
		const server = importedEntry(entry);
		expect(server.entry).toEqual({ ...expected, defer_loading: true });
		expect(server.notes).toMatchSnapshot();
	});
});
