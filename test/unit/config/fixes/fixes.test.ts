import { applyEdits } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import type { ConfigProblem } from '../../../../src/config/file/problemReport.ts';
import type { ConfigFix } from '../../../../src/config/fixes/configFix.ts';
import { fixesFor } from '../../../../src/config/fixes/fixes.ts';
import { load, scope } from '../fixtures.ts';
import { faults } from '../reliability/faultTable.ts';

function fixes(text: string): ConfigFix[] {
	return load(text).problems.flatMap((problem) => fixesFor(text, problem, scope.env));
}

function fixed(text: string, title: string): string {
	const fix = fixes(text).find((one) => one.title === title);
	if (!fix || !('edits' in fix))
		throw new Error(`no such edit: ${title}; there are: ${titles(text).join(' | ')}`);
	return applyEdits(text, [...fix.edits]);
}

function titles(text: string): string[] {
	return fixes(text).map(({ title }) => title);
}

describe('a fix changes only the faulty part', () => {
	test('it moves arguments from the command to the front of existing "args"', () => {
		const text =
			'{\n\t// mine\n\t"servers": {\n\t\t"w": {\n\t\t\t"command": "npx -y thing", // runs\n\t\t\t"args": [ "b" ] // last\n\t\t}\n\t}\n}';
		expect(fixed(text, 'Move the arguments into "args"')).toBe(
			text.replace('"npx -y thing"', '"npx"').replace('[ "b" ]', '[ "-y", "thing", "b" ]'),
		);
	});

	test('it splits a command into words as a shell would, with quotes around some', () => {
		const command = ' npx  -y "a b" --x=\'c d\' "" it\'s';
		const text = JSON.stringify({ servers: { w: { command } } });
		expect(JSON.parse(fixed(text, 'Move the arguments into "args"')).servers.w).toEqual({
			command: 'npx',
			args: ['-y', 'a b', '--x=c d', '', "it's"],
		});
	});

	test('it adds "args" on a new line if there are none', () => {
		const text = '{\n  "servers": {\n    "w": {\n      "command": "npx -y thing" // runs\n    }\n  }\n}';
		expect(fixed(text, 'Move the arguments into "args"')).toBe(
			'{\n  "servers": {\n    "w": {\n      "command": "npx", // runs\n      "args": ["-y", "thing"]\n    }\n  }\n}',
		);
	});

	test('it removes the second of two entries with the same name, and keeps comments', () => {
		const text =
			'{\n\t"servers": {\n\t\t"w": { "command": "x" },\n\t\t// again\n\t\t"w": { "command": "y" },\n\t},\n}';
		expect(fixed(text, 'Remove this second "w"')).toBe(
			'{\n\t"servers": {\n\t\t"w": { "command": "x" },\n\t\t// again\n\t},\n}',
		);
	});

	test('it does not rename an unknown key to one that already exists', () => {
		expect(titles('{ "servers": { "w": { "command": "x", "commnd": "y" } } }')).toEqual(['Remove "commnd"']);
	});

	test('it sends a user name without a password with an empty password', () => {
		const text = '{ "servers": { "w": { "url": "https://ada@x.test/mcp" } } }';
		const [fix] = fixes(text);
		expect(fix).toMatchObject({ value: Buffer.from('ada:').toString('base64') });
	});

	test('it does not replace a key in a model with a variable, because models have no variables', () => {
		const key = `sk-${'a1'.repeat(16)}`;
		const text = `{ "clients": { "o": { "provider": "openai" } }, "models": { "m": { "client": "o", "model": "x", "extra_body": { "api_key": "${key}" } } } }`;
		expect(load(text).problems.map(({ reason }) => reason?.kind)).toEqual(['literal-key']);
		expect(fixes(text)).toEqual([]);
	});

	test('it replaces a key of a known form with a variable, and stores its value', () => {
		const key = `sk-${'a1'.repeat(16)}`;
		const text = `{ "servers": { "w": { "url": "https://x.test", "headers": { "Authorization": "Bearer ${key}" /* mine */ } } } }`;
		const [fix] = fixes(text);
		expect(fix).toMatchObject({ kind: 'store-variable', variable: 'W_AUTHORIZATION', value: key });
		expect(fixed(text, fix?.title ?? '')).toBe(text.replace(key, `\${env:W_AUTHORIZATION}`));
		expect(fix?.title).not.toContain(key);
	});

	test('it does not reuse a variable that has another value', () => {
		const text = `{ "servers": { "w": { "command": "x", "env": { "TOKEN": "ghp_${'a1'.repeat(18)}" } } } }`;
		expect(fixes(text)[0]).toMatchObject({ kind: 'store-variable', variable: 'W_TOKEN' });
	});

	test('it moves a password from a URL to a header', () => {
		const text = '{ "servers": { "w": { "url": "https://me:p%40w@x.test/mcp", "headers": { "X": "1" } } } }';
		const [fix] = fixes(text);
		expect(fix).toMatchObject({ kind: 'store-variable', value: Buffer.from('me:p@w').toString('base64') });
		expect(fixed(text, fix?.title ?? '')).toBe(
			`{ "servers": { "w": { "url": "https://x.test/mcp", "headers": { "X": "1", "Authorization": "Basic \${env:W_AUTHORIZATION}" } } } }`,
		);
	});

	test('it removes a client’s key from the file and stores it for the client', () => {
		const key = `sk-${'a1'.repeat(16)}`;
		const text = `{ "clients": { "c": { "provider": "openai", "api_key": "${key}" } } }`;
		const fix = fixes(text).find(({ kind }) => kind === 'store-key');
		expect(fix).toMatchObject({ client: 'c', value: key });
		expect(fixed(text, fix?.title ?? '')).toBe('{ "clients": { "c": { "provider": "openai" } } }');
	});

	test('it renames a server in toolsets, too', () => {
		const text =
			'{ "servers": { "a/b": { "command": "x" } }, "tool_sets": { "t": { "servers": { "a/b": true } } } }';
		expect(fixed(text, 'Rename to "a-b"')).toBe(text.replaceAll('a/b', 'a-b'));
	});

	test('it offers a value only if it is clearly the intended one', () => {
		expect(titles('{ "clients": { "c": { "provider": "antropic" } } }')).toEqual(['Use "anthropic"']);
		expect(titles('{ "clients": { "c": { "provider": "mine" } } }')).toEqual([]);
	});

	test('it sets a missing variable outside the file', () => {
		const text = `{ "servers": { "w": { "command": "x", "env": { "K": "\${env:NOPE}" } } } }`;
		expect(titles(text)).toEqual(['Set NOPE in secret storage…']);
		expect(fixes(text).map(({ kind }) => kind)).toEqual(['set-variable']);
	});

	test('it inserts a starter configuration into an empty file', () => {
		expect(load(fixed('', 'Insert a starter configuration')).problems).toEqual([]);
		expect(load(fixed('// mine\n', 'Insert a starter configuration')).problems).toEqual([]);
	});

	test('it inserts a missing comma after the entry, not after its comment', () => {
		const text = '{\n\t"servers": {}, // one\n\t"clients": {} // two\n\t"models": {}\n}';
		expect(fixed(text, 'Insert a comma')).toBe(text.replace('"clients": {}', '"clients": {},'));
	});

	test('it closes a file that was truncated between entries', () => {
		const text = '{\n"servers": {\n"w": { "command": "x", "args": ["a", // why';
		expect(load(fixed(text, 'Close the open brackets')).problems).toEqual([]);
	});

	test('it is not offered for a file that was truncated elsewhere', () => {
		expect(fixes('{ "servers": { "w": ')).toEqual([]);
		expect(fixes('{ "servers": { "w')).toEqual([]);
	});
});

/** Faults that only the author can fix, because the intention cannot be guessed or the file cannot be read. */
const withoutFix = new Set([
	'variable that hijacks',
	'variable that hijacks, in small letters',
	'credentials in the address of a client',
	'toolset without servers',
	'not UTF-8',
	'both command and url',
	'call that comes to nothing known',
	'client without a provider',
	'command line in the place of a server',
	'model of a faulty client',
	'model that names no client',
	'neither command nor url',
	'provider in the place of a client',
	'provider of the wrong type',
	'section of the wrong type',
	'settings of the wrong type',
	'transport of the wrong type',
	'command null',
	'command empty',
	'oauth of the wrong type',
	'a right with spaces',
	'a document at plain http',
	'variable with an impossible name',
	'pattern of variables to inherit',
	'unknown variable',
	'no address',
	'javascript address',
	'file address',
	'line break in a header',
	'impossible header',
	'address of a client',
	'template outside its folder',
	'command that a variable breaks',
	'command that a variable empties',
	'argument with a NUL',
	'folder with a NUL',
	'header beyond Latin-1',
	'variable without a name',
	'number beyond all numbers',
	'model without a client of any name',
	'model without a name',
	'template in a folder',
]);

/** Variables of the table that fixes set outside of the file. */
const set = { NOPE: 'now.set', API_KEY: 'k' };

function after(text: string, fix: ConfigFix): ReturnType<typeof load> {
	const edited = 'edits' in fix ? applyEdits(text, [...fix.edits]) : text;
	const stored = fix.kind === 'store-variable' ? { [fix.variable]: fix.value } : {};
	return load(edited, { ...set, ...stored });
}

/** The message of a problem, without its place. */
function words({ message }: ConfigProblem): string {
	return message;
}

describe('a fix removes the error and adds no other', () => {
	test.each(faults)('%s', (fault, text) => {
		const before = load(text);
		const fixes = before.problems.flatMap((problem) =>
			fixesFor(text, problem, scope.env).map((fix) => ({ problem, fix })),
		);
		expect(fixes.length === 0).toBe(withoutFix.has(fault));
		for (const { problem, fix } of fixes) {
			const { config, problems } = after(text, fix);
			expect(config).toBeDefined();
			expect(problems.map(words)).not.toContain(words(problem));
			const old = new Set(before.problems.map(words));
			expect
				.soft(
					problems.map(words).filter((one) => !old.has(one)),
					fix.title,
				)
				.toEqual([]);
		}
	});
});
