import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withDotenvVariables } from '../../../src/config/dotenvText.ts';

const value = fc.oneof(
	fc.string(),
	fc.stringMatching(/^[ -~\n]*$/),
	fc.constantFrom('a#b', ' x ', `it's`, 'a\\nb'),
);

describe('given a .env and secrets to write into it', () => {
	test('then they stand at its end and the rest stays', () => {
		const text = '# mine\nA=1';
		expect(withDotenvVariables(text, [{ name: 'TOKEN', value: 'abc' }])).toBe('# mine\nA=1\nTOKEN=abc\n');
	});

	test('when a variable has this value already, then nothing is written', () => {
		const text = 'TOKEN="abc" # from the console';
		expect(withDotenvVariables(text, [{ name: 'TOKEN', value: 'abc' }])).toBe(text);
	});

	test('when its lines end as on Windows, then so do the new ones', () => {
		expect(withDotenvVariables('A=1\r\n', [{ name: 'B', value: '2' }])).toBe('A=1\r\nB=2\r\n');
	});

	test('then each is read back as it was, or refused by name', () => {
		fc.assert(
			fc.property(value, value, (first, second) => {
				const variables = [
					{ name: 'FIRST', value: first },
					{ name: 'SECOND', value: second },
				];
				let text: string;
				try {
					text = withDotenvVariables('OLD=1\n', variables);
				} catch (error) {
					expect(String(error)).toMatch(/^Error: (FIRST|SECOND) cannot be written into \.env/);
					return;
				}
				expect(parseEnv(text)).toEqual({ OLD: '1', FIRST: first, SECOND: second });
			}),
		);
	});

	test('when an earlier line has a quote that is not closed, then nothing is lost in it silently', () => {
		expect(() => withDotenvVariables('A="open\n', [{ name: 'B', value: 'it "is"' }])).toThrow(
			/^B cannot be written/,
		);
	});
});
