import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Redactor } from '../../../src/common/secrets/redactor.ts';
import { spansInText } from '../../../src/common/secrets/secretSpans.ts';

const piece = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 12 }),
	fc.stringMatching(/^[ -~]{1,12}$/),
	fc.constantFrom(
		'token',
		'API_KEY',
		'Bearer ',
		'://',
		'=',
		':',
		'"',
		'\\"',
		'--',
		' ',
		'\n',
		'sk-',
		'eyJ',
		'?key=',
		'@',
		'***',
	),
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
const secret = fc.stringMatching(/^[!-~]{8,40}$/).filter((value) => /\d/.test(value));

test('in any text the stretches of secrets are in order, apart, and within it', () => {
	fc.assert(
		fc.property(text, fc.constantFrom('setting', 'prose'), (said, reading) => {
			let end = 0;
			for (const span of spansInText('', said, reading)) {
				expect(span.start).toBeGreaterThanOrEqual(end);
				expect(span.end).toBeGreaterThanOrEqual(span.start);
				end = span.end;
			}
			expect(end).toBeLessThanOrEqual(said.length);
		}),
		{ numRuns: 3_000 },
	);
});

test('a known secret is left in no text, also where the text is cut in its middle', () => {
	fc.assert(
		fc.property(text, secret, text, fc.nat({ max: 39 }), (before, value, after, part) => {
			const redactor = new Redactor([value]);
			expect(redactor.hideKnown(before + value + after)).not.toContain(value);
			expect(redactor.hide(before + value + after)).not.toContain(value);
			const left = value.slice(0, Math.min(part, value.length - 1));
			if (left.length >= 4)
				expect(redactor.hideCut(`${before}\n${left}`, 'end').endsWith(`\n${left}`)).toBe(false);
		}),
		{ numRuns: 1_000 },
	);
});
