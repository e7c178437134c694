import { describe, expect, test } from 'vitest';
import type { RemoteLaunch, StdioLaunch } from '../../../../src/config/servers/launch.ts';
import {
	approvalHash,
	everyVariable,
	keptFacts,
	launchFacts,
} from '../../../../src/mcp/accepted/launchFacts.ts';

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

/** What {@link process} has if its texts read variables. */
function reading(
	texts: Partial<NonNullable<StdioLaunch['written']>>,
	values: Readonly<Record<string, string>> = {},
	isStored = false,
): Pick<StdioLaunch, 'written' | 'reads'> & Required<Pick<StdioLaunch, 'written'>> {
	const { command, args, env, cwd } = process;
	const reads = Object.entries(values).map(([name, value]) => [name, { value, isStored }]);
	return { written: { command, args, env, cwd, ...texts }, reads: Object.fromEntries(reads) };
}

describe('what a user approves of a process', () => {
	test('is the whole command line, the folder, and variables, with *** for keys', () => {
		expect(launchFacts(process)).toEqual([
			{ about: 'runs', text: 'node server.js --root "my folder"' },
			{ about: 'in', text: '/work' },
			{ about: 'sets', text: 'API_TOKEN="***", MODE=fast' },
		]);
	});

	test('has the value of a variable that decides what code runs, where another one says it, too', () => {
		const env = { NODE_OPTIONS: `\${env:OPTIONS}` };
		const launch = { ...process, ...reading({ env }, { OPTIONS: '--require ./evil.js' }) };
		expect(launchFacts(launch).slice(-2)).toEqual([
			{ about: 'sets', text: `NODE_OPTIONS="\${env:OPTIONS}"` },
			{ about: 'where', text: 'OPTIONS="--require ./evil.js"' },
		]);
	});

	test('has the value of a variable that decides what code runs', () => {
		const [, , sets] = launchFacts({ ...process, env: { NODE_OPTIONS: '--require ./evil.js' } });
		expect(sets?.text).toBe('NODE_OPTIONS="--require ./evil.js"');
	});

	test('names what it inherits of the environment', () => {
		const inherited = (inherits: StdioLaunch['inherits']) =>
			launchFacts({ ...process, ...(inherits && { inherits }) })[3];
		expect(inherited(['AWS_PROFILE', 'KUBECONFIG'])).toEqual({
			about: 'inherits',
			text: 'AWS_PROFILE, KUBECONFIG',
		});
		expect(inherited(true)).toEqual({ about: 'inherits', text: everyVariable });
		expect(inherited(undefined)).toBeUndefined();
	});

	test('tells which variables of the environment a server is given, not what they hold', () => {
		const [, , sets] = launchFacts({
			...process,
			env: { K: 'abcdefgh' },
			...reading({ env: { K: `\${env:OPENAI_API_KEY}` } }, { OPENAI_API_KEY: 'abcdefgh' }),
		});
		expect(sets?.text).toBe(`K="\${env:OPENAI_API_KEY}"`);
	});

	test('shows variables in a command as the file has them, and what they stand for, but keeps no secret of the environment', () => {
		const args = ['-y', `\${env:PACKAGE}`, '--token', `\${env:TOKEN}`, `\${env:THING}`];
		const launch: StdioLaunch = {
			...process,
			command: 'npx',
			args: ['-y', 'evil-package', '--token', 'hush-hush-1', 'kept'],
			...reading({ command: 'npx', args }),
			reads: {
				PACKAGE: { value: 'evil-package', isStored: false },
				TOKEN: { value: 'hush-hush-1', isStored: false },
				THING: { value: 'kept', isStored: true },
			},
		};
		const facts = launchFacts(launch);
		expect(facts.filter(({ about }) => about === 'runs' || about === 'where')).toEqual([
			{ about: 'runs', text: `npx -y "\${env:PACKAGE}" --token "\${env:TOKEN}" "\${env:THING}"` },
			{ about: 'where', text: 'PACKAGE=evil-package, TOKEN=hush-hush-1, THING=kept' },
		]);
		expect(keptFacts(launch).at(-1)?.text).toBe('PACKAGE=evil-package, TOKEN="***", THING="***"');
	});

	test.each([
		['a program', 'PACKAGE', 'a', 'b', false, false],
		['a secret of the environment', 'TOKEN', 'one', 'two', false, false],
		['a stored secret, which is the user’s own doing', 'TOKEN', 'one', 'two', true, true],
	])('with another value of a variable in its arguments: %s', (_, name, one, two, isStored, isSame) => {
		const hash = (value: string) =>
			approvalHash({
				...process,
				args: [value],
				...reading({ args: [`\${env:${name}}`] }, { [name]: value }, isStored),
			});
		expect(hash(one) === hash(two)).toBe(isSame);
	});

	test('hides nothing that could be a program, whatever stands before it', () => {
		const [runs] = launchFacts({ ...process, command: 'npx', args: ['--token', 'evil-package'] });
		expect(runs?.text).toBe('npx --token evil-package');
	});

	test.each([
		['a line break', 'a\nb', '"a\\nb"'],
		['a change of direction', 'a\u202eb', '"a\\u{202E}b"'],
		['an invisible letter', 'a\u200bb', '"a\\u{200B}b"'],
		['a blank that is none', 'a\u00a0b', '"a\\u{A0}b"'],
		['a sign without ink', 'a\u2800b', '"a\\u{2800}b"'],
		['a tag', 'a\u{e0041}b', '"a\\u{E0041}b"'],
		['a letter that looks like another', 'n\u0440x', '"n\\u{440}x"'],
		['a word of another script', '/\u043f\u0440\u043e/a', '"/\u043f\u0440\u043e/a"'],
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
		[
			'the value of a variable that says where code is fetched from',
			{ env: { ...process.env, npm_config_registry: 'http://evil' } },
		],
		['the home folder, where programs find their settings', { env: { ...process.env, HOME: '/evil' } }],
		['a variable of the environment that it inherits', { inherits: ['AWS_PROFILE'] }],
		['the whole environment', { inherits: true } as const],
		['a value that stands in the file', { env: { ...process.env, MODE: 'slow' } }],
		[
			'another key in the same variable',
			reading({ env: { API_TOKEN: `\${env:OPENAI_API_KEY}`, MODE: 'fast' } }),
		],
	])('is another one with %s', (_, change) => {
		expect(approvalHash({ ...process, ...change })).not.toBe(approvalHash(process));
	});

	test('is the same with another key in a variable, and with variables in another order', () => {
		const env = { API_TOKEN: `\${env:TOKEN}`, MODE: 'fast' };
		const other = {
			...process,
			...reading({ env: { MODE: 'fast', API_TOKEN: env.API_TOKEN } }, { TOKEN: 'zzz' }),
		};
		const one = { ...process, ...reading({ env }, { TOKEN: 'abcdefgh12345' }) };
		expect(approvalHash(other)).toBe(approvalHash(one));
	});
});

describe('what a user approves of an address', () => {
	test('is all of it, how it is spoken to, and the names of headers', () => {
		expect(launchFacts(address)).toEqual([
			{ about: 'connects', text: '"https://example.com/mcp?key=abc" (streamable-http)' },
			{ about: 'sends', text: 'Authorization="Bearer ***"' },
		]);
	});

	test('tells whose key goes there, and is another one with the key of somebody else', () => {
		const sending = (variable: string): RemoteLaunch => ({
			...address,
			written: { url: address.url, headers: { Authorization: `Bearer \${env:${variable}}` } },
			reads: { [variable]: { value: 'abcdefgh12345', isStored: false } },
		});
		const notes = sending('NOTES_KEY');
		const other = sending('GITHUB_TOKEN');
		expect(launchFacts(notes)[1]?.text).toBe(`Authorization="Bearer \${env:NOTES_KEY}"`);
		expect(approvalHash(other)).not.toBe(approvalHash(notes));
	});

	test('tells which client signs in, and with whose secret, but not the secret itself', () => {
		const oauth = { clientId: 'abc', clientSecret: '9f8e7d6c5b4a39281706', redirectPort: 8123 };
		const signing: RemoteLaunch = {
			kind: 'remote',
			url: 'https://x.test',
			transport: 'sse',
			headers: {},
			oauth,
		};
		const written = {
			...signing,
			written: { url: signing.url, headers: {}, oauth: { client_secret: `\${env:KEY}` } },
		};
		expect(launchFacts(signing)[1]?.text).toBe(
			'oauth.client_id=abc, oauth.client_secret="***", oauth.redirect_port=8123',
		);
		expect(launchFacts(written)[1]?.text).toBe(`oauth.client_secret="\${env:KEY}"`);
		expect(JSON.stringify(keptFacts(signing))).not.toContain('9f8e7d6c');
		expect(approvalHash({ ...signing, oauth: { ...oauth, clientId: 'other' } })).not.toBe(
			approvalHash(signing),
		);
	});

	test.each([
		['https://ex\u0430mple.com/mcp', 'https://xn--exmple-4nf.com/mcp'],
		['https://evil.example\\@good.example', 'https://evil.example/@good.example'],
		['https://good.example', 'https://good.example'],
		[
			`https://evil.example\\@good.example/\${env:X}?k=\${env:Y}`,
			`"https://evil.example/@good.example/\${env:X}?k=\${env:Y}"`,
		],
	])('is told as it is reached: %s', (url, reached) => {
		expect(launchFacts({ ...address, url })[0]?.text).toBe(`${reached} (streamable-http)`);
	});

	test('is another one with another way to speak to it', () => {
		expect(approvalHash({ ...address, transport: 'sse' })).not.toBe(approvalHash(address));
	});
});

describe('what is kept on disk of an approved launch', () => {
	test('has no secret of its variables and of its headers', () => {
		expect(JSON.stringify([keptFacts(process), keptFacts(address)])).not.toContain('abcdefgh12345');
	});
});
