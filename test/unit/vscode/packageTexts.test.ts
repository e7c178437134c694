import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readTexts, referredKey } from '../../localizedPackage.ts';

/** Places in package.json whose texts a person reads. */
const VISIBLE = [
	/\/(altText|contents|contextualTitle|fullName|label|placeholder|shortTitle|title)$/,
	/\/(description|displayName|markdownDescription|userDescription)$/,
	/\/(enumDescriptions|enumItemLabels|markdownEnumDescriptions)\/\d+$/,
	/^\/contributes\/views\/\w+\/\d+\/name$/,
	/^\/contributes\/commands\/\d+\/category$/,
];

/** Models read these, in English like all they are told. */
const FOR_MODELS = /\/(disambiguation|inputSchema)\//;

/** Every string of a JSON value, with its place. */
function* strings(value: unknown, place = ''): Generator<readonly [place: string, text: string]> {
	if (typeof value === 'string') yield [place, value];
	else if (typeof value === 'object' && value !== null)
		for (const [name, inner] of Object.entries(value)) yield* strings(inner, `${place}/${name}`);
}

const source = readFileSync('package.json', 'utf8');
const texts = readTexts();
const keys = Object.keys(texts);

describe('the texts of package.json can be translated', () => {
	test('every text that a person reads stands in package.nls.json', () => {
		const shown = [...strings(JSON.parse(source))].filter(
			([place]) => VISIBLE.some((pattern) => pattern.test(place)) && !FOR_MODELS.test(place),
		);
		expect(shown.length).toBeGreaterThan(100);
		expect(shown.filter(([, text]) => referredKey(text) === undefined)).toEqual([]);
	});

	test('every key that is used exists, and every key that exists is used', () => {
		const used = source.match(/(?<="%)[^"%]+(?=%")/g);
		expect([...new Set(used)].sort()).toEqual([...keys].sort());
	});

	test('keys are sorted, and no text is empty', () => {
		expect(keys).toEqual([...keys].sort());
		expect(keys.filter((key) => texts[key]?.trim() === '')).toEqual([]);
	});
});
