import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentsOf } from '../../../../src/config/fixes/commandLine.ts';
import { legalServerName } from '../../../../src/config/fixes/nameFixes.ts';
import { legibleName, serverNameFault } from '../../../../src/config/serverName.ts';

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

	test('is legal and is told from the others, whatever was written', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.array(fc.string()), (written, taken) => {
				const name = legalServerName(written, taken);
				expect(serverNameFault(name)).toBeUndefined();
				expect(taken.map(legibleName)).not.toContain(legibleName(name));
			}),
		);
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
