import { describe, expect, test } from 'vitest';
import { expandVariables } from '../../../src/config/variables.ts';
import { scope } from './fixtures.ts';

describe('variables', () => {
	test.each([
		[`\${workspaceFolder}/a`, '/work space/project/a'],
		[`\${workspaceFolderBasename}`, 'project'],
		[`\${userHome}/x`, '/home/ada/x'],
		[`--token=\${env:TOKEN};\${env:TOKEN}`, '--token=hush-hush;hush-hush'],
		['$HOME {env:TOKEN} ${', '$HOME {env:TOKEN} ${'],
	])('%s', (written, text) => {
		expect(expandVariables(written, scope)).toEqual({ text, unset: [], unknown: [] });
	});

	test('that are not set are named, and those that nobody knows', () => {
		const text = `\${env:NOPE} \${input:key} \${env:toString}`;
		expect(expandVariables(text, scope)).toEqual({
			text,
			unset: ['NOPE', 'toString'],
			unknown: ['input:key'],
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
