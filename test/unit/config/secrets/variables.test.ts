import { describe, expect, test } from 'vitest';
import { configTemplate } from '../../../../src/config/assist/templates.ts';
import { loadConfig } from '../../../../src/config/load.ts';
import { serverVariables } from '../../../../src/config/missingReferences.ts';
import { expandVariables } from '../../../../src/config/secrets/variables.ts';
import { scope } from '../fixtures.ts';

describe('variables', () => {
	test.each([
		[`\${workspaceFolder}/a`, '/work space/project/a'],
		[`\${workspaceFolderBasename}`, 'project'],
		[`\${userHome}/x`, '/home/ada/x'],
		[`--token=\${env:TOKEN};\${env:TOKEN}`, '--token=hush-hush;hush-hush'],
		['$HOME {env:TOKEN} ${', '$HOME {env:TOKEN} ${'],
	])('%s', (written, text) => {
		expect(expandVariables(written, scope)).toEqual({ text, unset: [], unknown: [], folderless: [] });
	});

	test('that are not set are named, and those that nobody knows', () => {
		const text = `\${env:NOPE} \${input:key} \${env:toString}`;
		expect(expandVariables(text, scope)).toEqual({
			text,
			unset: ['NOPE', 'toString'],
			unknown: ['input:key'],
			folderless: [],
		});
	});

	test('of the workspace folder stand for nothing while no folder is open, and are told', () => {
		const text = `\${workspaceFolder}/\${workspaceFolderBasename}`;
		const { workspaceFolder: _, ...folderless } = scope;
		expect(expandVariables(text, folderless)).toMatchObject({
			text,
			folderless: ['workspaceFolder', 'workspaceFolderBasename'],
		});
	});

	test('that are set to nothing are set', () => {
		expect(expandVariables(`<\${env:E}>`, { ...scope, env: { E: '' } }).text).toBe('<>');
	});

	test('are not looked for in what a variable yields', () => {
		const env = { A: `\${env:B} $& $1`, B: 'b' };
		expect(expandVariables(`\${env:A}`, { ...scope, env }).text).toBe(`\${env:B} $& $1`);
	});

	test('of the home folder are found where only Windows names it', () => {
		expect(expandVariables(`\${userHome}`, { ...scope, env: { USERPROFILE: 'C:\\ada' } }).text).toBe(
			'C:\\ada',
		);
	});
});

test('what servers of every section read is found, each name once, and what comments name is not', () => {
	const text = `{
		// \${env:COMMENT}
		"servers": { "a": { "command": "x", "args": ["\${env:ONE}", "-\${env:TWO}-\${env:ONE}"] } },
		"mcpServers": { "b": { "url": "https://b.test", "headers": { "A": "Bearer \${env:THREE}" } } },
		"clients": { "c": { "provider": "openai", "base_url": "\${env:CLIENT}" } }
	}`;
	expect(serverVariables(text)).toEqual(['ONE', 'TWO', 'THREE']);
});

test('a fresh configuration needs no variable, and what cannot be read none either', () => {
	expect(serverVariables(configTemplate)).toEqual([]);
	for (const text of ['', '{ "servers": {', '[]']) expect(serverVariables(text)).toEqual([]);
});

const text = JSON.stringify({
	servers: { a: { command: 'x', env: { K: `\${env:STORED}`, T: `\${env:TOKEN}` } } },
	clients: { c: { provider: 'openai', base_url: `https://\${env:STORED}.example.com` } },
});
const { config, problems } = loadConfig(text, {
	...scope,
	secrets: { STORED: 'kept', TOKEN: 'stored too', LOG_LEVEL: 'error' },
});

describe('given stored secrets', () => {
	test('then servers read them, where the environment says nothing, and it is known which are stored', () => {
		expect(config?.launches.get('a')).toMatchObject({
			env: { K: 'kept', T: 'hush-hush' },
			reads: { STORED: { value: 'kept', isStored: true }, TOKEN: { value: 'hush-hush', isStored: false } },
		});
	});

	test('then addresses of models do not, and no setting is one', () => {
		expect(config?.clients.size).toBe(0);
		expect(problems.map(({ message }) => message)).toEqual([
			expect.stringContaining('clients.c.base_url: the environment variable "STORED" is not set'),
		]);
		expect(config?.logLevel).toBeUndefined();
	});
});
