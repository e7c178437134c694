import { applyEdits } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import type { ConfigProblem } from '../../../../src/config/file/problemReport.ts';
import type { ConfigFix } from '../../../../src/config/fixes/configFix.ts';
import { fixAll, fixesFor } from '../../../../src/config/fixes/fixes.ts';
import { load, scope } from '../fixtures.ts';
import { faults } from '../reliability/faultTable.ts';

function fixes(text: string): readonly ConfigFix[] {
	const { problems } = load(text);
	return problems.flatMap((problem) => fixesFor(text, problem, { problems, env: scope.env }));
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

/** The values that a fix moves to secret storage. */
function storedBy(fix: ConfigFix | undefined): readonly string[] {
	return fix?.kind === 'store' ? fix.secrets.map(({ value }) => value) : [];
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

	test('it does not rename an unknown key to one that already exists', () => {
		expect(titles('{ "servers": { "w": { "command": "x", "commnd": "y" } } }')).toEqual([]);
	});

	test('it sends a user name without a password with an empty password', () => {
		const text = '{ "servers": { "w": { "url": "https://ada@x.test/mcp" } } }';
		const [fix] = fixes(text);
		expect(storedBy(fix)).toEqual([Buffer.from('ada:').toString('base64')]);
	});

	test('it does not replace a key in a model with a variable, because models have no variables', () => {
		const key = `sk-${'a1'.repeat(16)}`;
		const text = `{ "clients": { "o": { "provider": "openai" } }, "models": { "m": { "client": "o", "model": "x", "extra_body": { "api_key": "${key}" } } } }`;
		expect(load(text).problems.map(({ reason }) => reason?.kind)).toEqual(['literal-key']);
		expect(fixes(text)).toEqual([]);
	});

	test.each(['"comand": "node"', '"command": "node", "url": "https://x.test"', '"command": 1'])(
		'it takes the key out of an entry that cannot start: %s',
		(start) => {
			const key = `sk-${'a1'.repeat(16)}`;
			const text = `{ "servers": { "w": { ${start}, "env": { "API_KEY": "${key}" } } } }`;
			const fix = fixes(text).find(({ kind }) => kind === 'store');
			expect(storedBy(fix)).toEqual([key]);
			expect(fixed(text, fix?.title ?? '')).toBe(text.replace(key, `\${env:API_KEY}`));
		},
	);

	test('it replaces a key of a known form with a variable, and stores its value', () => {
		const key = `sk-${'a1'.repeat(16)}`;
		const text = `{ "servers": { "w": { "url": "https://x.test", "headers": { "Authorization": "Bearer ${key}" /* mine */ } } } }`;
		const [fix] = fixes(text);
		expect(fix).toMatchObject({ secrets: [{ kind: 'variable', name: 'W_AUTHORIZATION', value: key }] });
		expect(fixed(text, fix?.title ?? '')).toBe(text.replace(key, `\${env:W_AUTHORIZATION}`));
		expect(fix?.title).not.toContain(key);
	});

	test('it does not reuse a variable that has another value', () => {
		const text = `{ "servers": { "w": { "command": "x", "env": { "TOKEN": "ghp_${'a1'.repeat(18)}" } } } }`;
		expect(fixes(text)[0]).toMatchObject({ secrets: [{ name: 'W_TOKEN' }] });
	});

	test('it moves a password from a URL to a header', () => {
		const text = '{ "servers": { "w": { "url": "https://me:p%40w@x.test/mcp", "headers": { "X": "1" } } } }';
		const [fix] = fixes(text);
		expect(storedBy(fix)).toEqual([Buffer.from('me:p@w').toString('base64')]);
		expect(fixed(text, fix?.title ?? '')).toBe(
			`{ "servers": { "w": { "url": "https://x.test/mcp", "headers": { "X": "1", "Authorization": "Basic \${env:W_AUTHORIZATION}" } } } }`,
		);
	});

	test('it removes a client’s key from the file and stores it for the client', () => {
		const key = `sk-${'a1'.repeat(16)}`;
		const text = `{ "clients": { "c": { "provider": "openai", "api_key": "${key}" } } }`;
		const fix = fixes(text).find(({ kind }) => kind === 'store');
		expect(fix).toMatchObject({ secrets: [{ kind: 'key', client: 'c', value: key }] });
		expect(fixed(text, fix?.title ?? '')).toBe('{ "clients": { "c": { "provider": "openai" } } }');
	});

	test('it sets a missing variable outside the file', () => {
		const text = `{ "servers": { "w": { "command": "x", "env": { "K": "\${env:NOPE}" } } } }`;
		expect(titles(text)).toEqual(['Set NOPE in secret storage…']);
		expect(fixes(text).map(({ kind }) => kind)).toEqual(['set-variable']);
	});
});

const key = `sk-${'a1'.repeat(16)}`;

describe('all keys move at once', () => {
	const title = 'Move all 4 keys to secret storage';
	const other = `sk-${'b2'.repeat(16)}`;
	const text = `{
	"servers": {
		// mine
		"v": { "command": "x", "args": ["--token=${key}", "--other-token=${other}"] },
		"w": { "url": "https://x.test", "headers": { "Authorization": "Bearer ${key}" } },
	},
	"clients": { "c": { "provider": "openai", "api_key": "${key}" } },
}`;

	test('of servers as variables, equal ones as the same, and of clients for the client', () => {
		const fix = fixes(text).find((one) => one.title === title);
		if (fix?.kind !== 'store') throw new Error(titles(text).join(' | '));
		expect(fix.secrets).toMatchObject([
			{ kind: 'variable', name: 'V_TOKEN', value: key },
			{ kind: 'variable', name: 'V_OTHER_TOKEN', value: other },
			{ kind: 'variable', name: 'W_AUTHORIZATION', value: key },
			{ kind: 'key', client: 'c', value: key },
		]);
		const after = fixed(text, title);
		expect(after).not.toMatch(/sk-/);
		expect(after).toContain('// mine');
		expect(load(after, { V_TOKEN: key, V_OTHER_TOKEN: other, W_AUTHORIZATION: key }).problems).toEqual([]);
	});

	test('several of one value, too', () => {
		const two = `{ "servers": { "w": { "url": "https://x.test/mcp?api_key=${key}&token=${other}" } } }`;
		expect(titles(two).filter((one) => one.startsWith('Move all'))).toEqual([
			'Move all 2 keys to secret storage',
		]);
	});

	test('but one alone is not “all”', () => {
		const one = `{ "servers": { "w": { "command": "x", "env": { "K": "${key}" } } } }`;
		expect(titles(one)).toHaveLength(1);
	});
});

describe('all problems are fixed at once', () => {
	const all = (text: string) => fixAll(text, { problems: load(text).problems, env: scope.env });

	test('keys, quotes and names; what needs a decision stays', () => {
		const text = `{
	"servers": {
		"v": { "command": "npx -y thing", "env": { "K": "${key}" }, "nonsense": 1 }, // mine
		"w": { "command": "x", "args": [3], "pined": ["a"] }
	}
}`;
		const [fix, ...others] = all(text);
		if (fix?.kind !== 'store') throw new Error('no fix');
		expect(others).toEqual([]);
		expect(fix.title).toBe('Fix all 4 problems');
		const after = applyEdits(text, [...fix.edits]);
		expect(after).not.toContain(key);
		expect(after).toContain('// mine');
		const [{ name = '' } = {}] = fix.secrets.flatMap((secret) =>
			secret.kind === 'variable' ? [secret] : [],
		);
		expect(load(after, { [name]: key }).problems.map(({ path }) => path)).toEqual([
			['servers', 'v', 'nonsense'],
		]);
	});

	test('one fix alone is not “all”, and keys alone have their own', () => {
		expect(all('{ "servers": { "w": { "command": "npx -y thing" } } }')).toEqual([]);
		expect(
			all(`{ "servers": { "w": { "command": "x", "env": { "K": "${key}", "L": "${key}" } } } }`),
		).toEqual([]);
	});
});

/** A file with a value at one place. */
const places = {
	temperature: (value: string) =>
		`{ "clients": { "o": { "provider": "openai" } }, "models": { "m": { "client": "o", "model": "gpt-4.1", "temperature": ${value} } } }`,
	price: (value: string) =>
		`{ "clients": { "o": { "provider": "openai" } }, "models": { "m": { "client": "o", "model": "gpt-4.1", "price": { "input": ${value}, "output": 2 } } } }`,
	results: (value: string) => `{ "tool_discovery": { "max_search_results": ${value} } }`,
	enabled: (value: string) => `{ "tool_discovery": { "enabled": ${value} } }`,
	argument: (value: string) => `{ "servers": { "w": { "command": "x", "args": [${value}] } } }`,
	variable: (value: string) => `{ "servers": { "w": { "command": "x", "env": { "K": ${value} } } } }`,
};

describe('quotes go or come, and what stands between them stays letter for letter', () => {
	test.each<[keyof typeof places, string, string | undefined]>([
		['temperature', '"0.7"', '0.7'],
		['temperature', '"0.70"', '0.70'],
		['temperature', '"1e-1"', '1e-1'],
		['temperature', '"0,7"', undefined],
		['temperature', '".7"', undefined],
		['temperature', '"007"', undefined],
		['temperature', '" 1 "', undefined],
		['temperature', '"1_0"', undefined],
		['temperature', '"0x1"', undefined],
		['temperature', '"warm"', undefined],
		['temperature', '""', undefined],
		['temperature', 'true', undefined],
		['price', '"0.4"', '0.4'],
		['price', '"$0.4"', undefined],
		['price', '"1e999"', undefined],
		['results', '"7"', '7'],
		['results', '"7.5"', '7.5'],
		['results', '7.5', undefined],
		['results', '99', undefined],
		['results', '"99"', '99'],
		['enabled', '"true"', 'true'],
		['enabled', '"True"', undefined],
		['enabled', '"yes"', undefined],
		['enabled', '1', undefined],
		['argument', '3000', '"3000"'],
		['argument', '1.0', '"1.0"'],
		['argument', '12345678901234567890', '"12345678901234567890"'],
		['argument', '1e3', '"1e3"'],
		['argument', 'false', '"false"'],
		['argument', 'null', undefined],
		['variable', '0.10', '"0.10"'],
		['variable', '{}', undefined],
	])('%s: %s becomes %s', (place, written, becomes) => {
		const text = places[place](written);
		const offered = fixes(text).map((fix) => ('edits' in fix ? applyEdits(text, [...fix.edits]) : text));
		expect(offered).toEqual(becomes === undefined ? [] : [places[place](becomes)]);
	});
});

/** Faults with a fix; for all others, only the author knows what was meant. */
const withFix = new Set([
	'unknown key',
	'unknown key in another style',
	'unknown key at the top',
	'unknown key that other programs know',
	'command not a string',
	'command with arguments',
	'a literal secret of a client',
	'argument of the wrong type',
	'command a list',
	'command with a path and options',
	'command of a shell',
	'credentials in an address',
	'user without a password in an address',
	'key in an address',
	'variable of the wrong type',
	'unset variable',
	'literal key',
	'literal key in a header',
	'unset variable in an address',
	'literal key behind an option',
	'"true" for true',
	'pinned with a number',
	'number in quotes',
	'"false" for false',
	'literal key of a client',
	'toolset with a mistyped exclusion',
]);

/** Variables of the table that fixes set outside of the file. */
const set = { NOPE: 'now.set', API_KEY: 'k' };

function after(text: string, fix: ConfigFix): ReturnType<typeof load> {
	const edited = 'edits' in fix ? applyEdits(text, [...fix.edits]) : text;
	const secrets = fix.kind === 'store' ? fix.secrets : [];
	const stored = Object.fromEntries(
		secrets.flatMap((secret) => (secret.kind === 'variable' ? [[secret.name, secret.value]] : [])),
	);
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
			fixesFor(text, problem, { problems: before.problems, env: scope.env }).map((fix) => ({ problem, fix })),
		);
		expect(fixes.length > 0).toBe(withFix.has(fault));
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
