import { describe, expect, test } from 'vitest';
import { argumentsOf } from '../../../../src/config/fixes/commandLine.ts';
import { legalServerName } from '../../../../src/config/fixes/nameFixes.ts';

describe('a legal name for a server', () => {
	test.each([
		['a/b', [], 'a-b'],
		['..', [], 'server'],
		['', [], 'server'],
		['search_tools', [], 'search_tools-server'],
		['a\u0007b', [], 'ab'],
		['a b', ['a_b'], 'a b-2'],
		['__proto__', [], '__proto__-server'],
	])('%j', (written, taken, name) => {
		expect(legalServerName(written, taken)).toBe(name);
	});
});

test('a command line falls into its words', () => {
	expect(argumentsOf(' npx  -y "a b" --x=\'c d\' "" it\'s')).toEqual([
		'npx',
		'-y',
		'a b',
		'--x=c d',
		'',
		"it's",
	]);
	expect(argumentsOf('')).toEqual([]);
});
