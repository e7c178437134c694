import { describe, expect, test } from 'vitest';
import type { RemoteLaunch, StdioLaunch } from '../../../../src/config/launch.ts';
import { approvalHash, keptFacts, launchFacts } from '../../../../src/mcp/approval/launchFacts.ts';

const process: StdioLaunch = {
	kind: 'stdio',
	command: 'node',
	args: ['server.js', '--root', 'my folder'],
	env: { API_TOKEN: 'abcdefgh12345', MODE: 'fast' },
	cwd: '/work',
};
const address: RemoteLaunch = {
	kind: 'remote',
	url: 'https://example.com/mcp?key=abc',
	transport: 'streamable-http',
	headers: { Authorization: 'Bearer abcdefgh12345' },
};

describe('what a user approves of a process', () => {
	test('is the whole command line, the folder, and the names of variables without their values', () => {
		expect(launchFacts(process)).toEqual([
			{ about: 'runs', text: 'node server.js --root "my folder"' },
			{ about: 'in', text: '/work' },
			{ about: 'sets', text: 'API_TOKEN, MODE' },
		]);
	});

	test('has the value of a variable that decides what code runs', () => {
		const [, , sets] = launchFacts({ ...process, env: { NODE_OPTIONS: '--require ./evil.js' } });
		expect(sets?.text).toBe('NODE_OPTIONS="--require ./evil.js"');
	});

	test('hides nothing that could be a program, whatever stands before it', () => {
		const [runs] = launchFacts({ ...process, command: 'npx', args: ['--token', 'evil-package'] });
		expect(runs?.text).toBe('npx --token evil-package');
	});

	test.each([
		['a line break', 'a\nb', '"a\\nb"'],
		['a change of direction', 'a\u202eb', '"a\\u{202e}b"'],
		['an invisible letter', 'a\u200bb', '"a\\u{200b}b"'],
		['a blank that is none', 'a\u00a0b', '"a\\u{a0}b"'],
		['a tag', 'a\u{e0041}b', '"a\\u{e0041}b"'],
		['a quote', 'a"b', '"a\\"b"'],
		['nothing', '', '""'],
	])('shows %s for what it is', (_, word, shown) => {
		expect(launchFacts({ ...process, command: 'x', args: [word] })[0]?.text).toBe(`x ${shown}`);
	});

	test('is another one for one long argument than for two short ones', () => {
		const one = { ...process, args: ['a b'] };
		const two = { ...process, args: ['a', 'b'] };
		expect(approvalHash(one)).not.toBe(approvalHash(two));
	});

	test.each([
		['its command', { command: 'deno' }],
		['an argument', { args: ['other.js'] }],
		['its folder', { cwd: '/elsewhere' }],
		['the name of a variable', { env: { ...process.env, MORE: '1' } }],
		['the value of a variable that hijacks it', { env: { ...process.env, PATH: '/evil' } }],
	])('is another one with %s', (_, change) => {
		expect(approvalHash({ ...process, ...change })).not.toBe(approvalHash(process));
	});

	test('is the same with another key in a variable, and with variables in another order', () => {
		const other = { ...process, env: { MODE: 'slow', API_TOKEN: 'zzz' } };
		expect(approvalHash(other)).toBe(approvalHash(process));
	});
});

describe('what a user approves of an address', () => {
	test('is all of it, how it is spoken to, and the names of headers', () => {
		expect(launchFacts(address)).toEqual([
			{ about: 'connects', text: '"https://example.com/mcp?key=abc" (streamable-http)' },
			{ about: 'sends', text: 'Authorization' },
		]);
	});

	test('is another one with another way to speak to it', () => {
		expect(approvalHash({ ...address, transport: 'sse' })).not.toBe(approvalHash(address));
	});
});

describe('what is kept on disk of an approved launch', () => {
	test('has no secret of its arguments, of its variables and of its headers', () => {
		const withToken = { ...process, args: ['server.js', '--token', 'qwertyuiop', 'x=abcdefgh12345'] };
		const kept = JSON.stringify([keptFacts(withToken), keptFacts(address)]);
		expect(kept).not.toContain('qwertyuiop');
		expect(kept).not.toContain('abcdefgh12345');
	});
});
