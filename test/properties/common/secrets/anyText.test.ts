import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../../src/common/secrets/redactor.ts';
import { spansInText } from '../../../../src/common/secrets/secretSpans.ts';
import { runs } from '../../../effort.ts';

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

test('in any text, the spans of secrets are in order, within the text and do not overlap', () => {
	fc.assert(
		fc.property(text, fc.constantFrom('setting', 'prose', 'code'), (said, reading) => {
			let end = 0;
			for (const span of spansInText('', said, reading)) {
				expect(span.start).toBeGreaterThanOrEqual(end);
				expect(span.end).toBeGreaterThanOrEqual(span.start);
				end = span.end;
			}
			expect(end).toBeLessThanOrEqual(said.length);
		}),
		{ numRuns: runs(600) },
	);
});

test('a known secret is always redacted, even if the text is cut in its middle', () => {
	fc.assert(
		fc.property(text, secret, text, fc.nat({ max: 39 }), (before, value, after, part) => {
			const redactor = new Redactor([value]);
			expect(redactor.hideKnown(before + value + after)).not.toContain(value);
			expect(redactor.hide(before + value + after)).not.toContain(value);
			const left = value.slice(0, Math.min(part, value.length - 1));
			if (left.length >= 4) expect(redactor.hideCut(`${before}\n${left}`).endsWith(`\n${left}`)).toBe(false);
		}),
		{ numRuns: runs(200) },
	);
});

const redactor = new Redactor(Array.from({ length: 100 }, (_, index) => `secret-${index}-9f8e7d6c5b4a`));
const log =
	'2026-01-01T00:00:00Z INFO [server] GET https://api.test/v1/items?page=2 {"status": 200, "ms": 12}\n';
/** If nearly every word is a secret, the factor is ten; quadratic work would make it hundreds. */
const bound = 50;

/** Milliseconds that it takes to hide the secrets of a text that repeats `part` up to `length` characters. */
function timeOf(part: string, length: number): number {
	const text = part.repeat(Math.ceil(length / part.length));
	const started = performance.now();
	redactor.hideKnown(text);
	redactor.hide(text);
	redactor.hide(`x=${text}`);
	spansInText('', text, 'code');
	return performance.now() - started;
}

describe('redaction takes time in proportion to the length of the text', () => {
	test.each([
		['words', 'lorem ipsum dolor sit amet '],
		['beginnings of keys', 'sk-'],
		['beginnings of tokens', '-eyJaaaaaaaa'],
		['halves of tokens', 'eyJaaaaaaaa.'],
		['options', '--token '],
		['dashes', '-'],
		['equal signs', 'token='],
		['colons', 'password:'],
		['quotes', '"token":"'],
		['backslashes', 'token=\\"'],
		['addresses', 'https://'],
		['an address without end', 'a.'],
		['at signs', '://a:b@'],
		['schemes', 'Bearer '],
		['spaces', ' '],
		['keys in PEM', '-----BEGIN PRIVATE KEY-----'],
		['secrets', 'secret-7-9f8e7d6c5b4a '],
		['halves of secrets', 'secret-'],
		['parameters', '?key=1&'],
		['beginnings of secrets in hexadecimal', '73656372'],
		['beginnings of secrets in base 64', 'c2VjcmV0L'],
		['elements', '<token>'],
		['elements without end', '<token'],
		['pairs', "'token', "],
		['arrows', 'token=>'],
		['names with blanks', 'token               '],
		['encoded names', 'token%22%20'],
		['quoted options', '--token "'],
		['what is invisible', 'a\u200b'],
		['escapes', '\\u006b'],
		['commands', 'curl -u a:'],
		['long brackets', 'token = [['],
		['joined texts', 'token = "a" + '],
		['arguments', "token('a', "],
		['lines', 'token =\n'],
		['slashes in passwords', '://a:b/'],
		['beginnings of keys in PEM', '-----BEGIN RSA PRIVATE KEY-----\\nMIIEvQIBADANBgkqhk'],
	])('for %s', (_, part) => {
		// Alternating both and taking the best ratio: other work on the machine only adds time.
		const ratio = () => timeOf(part, 400_000) / timeOf(log, 1_000_000);
		expect(Math.min(...[ratio(), ratio()])).toBeLessThan(bound);
	});
});
