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

	test('are not expanded inside the value of a variable', () => {
		const env = { A: `\${env:B} $& $1`, B: 'b' };
		expect(expandVariables(`\${env:A}`, { ...scope, env }).text).toBe(`\${env:B} $& $1`);
	});

	test('of the home folder also work with the Windows variable', () => {
		expect(expandVariables(`\${userHome}`, { ...scope, env: { USERPROFILE: 'C:\\ada' } }).text).toBe(
			'C:\\ada',
		);
	});
});

test('the variables of servers in every section are found once each, but not those in comments', () => {
	const text = `{
		// \${env:COMMENT}
		"servers": { "a": { "command": "x", "args": ["\${env:ONE}", "-\${env:TWO}-\${env:ONE}"] } },
		"mcpServers": { "b": { "url": "https://b.test", "headers": { "A": "Bearer \${env:THREE}" } } },
		"clients": { "c": { "provider": "openai", "base_url": "\${env:CLIENT}" } }
	}`;
	expect(serverVariables(text)).toEqual(['ONE', 'TWO', 'THREE']);
});

test('a new configuration needs no variables, and neither does a malformed one', () => {
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
	test('then servers use them if the environment has no value, and it is known which values are stored', () => {
		expect(config?.launches.get('a')).toMatchObject({
			env: { K: 'kept', T: 'hush-hush' },
			reads: { STORED: { value: 'kept', isStored: true }, TOKEN: { value: 'hush-hush', isStored: false } },
		});
	});

	test('then model URLs and settings do not use them', () => {
		expect(config?.clients).toEqual([]);
		expect(problems.map(({ message }) => message)).toEqual([
			expect.stringContaining('clients.c.base_url: the environment variable "STORED" is not set'),
		]);
		expect(config?.logLevel).toBeUndefined();
	});
});
