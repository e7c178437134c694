import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

type Texts = Readonly<Record<string, string>>;

const translations = globSync('{package.nls,l10n/bundle.l10n}.*.json')
	.map((file) => file.replaceAll(path.sep, '/'))
	.sort();

/** What a translation must not change: placeholders, code, links, icons, names and values in straight quotes. */
const FIXED = /\{\d*\}|`[^`]*`|\]\([^)]*\)|\$\([\w-]+\)|"[^"\s]*"/g;

function read(file: string): Texts {
	return JSON.parse(readFileSync(file, 'utf8'));
}

function fixedParts(text: string | undefined): string[] {
	return (text?.match(FIXED) ?? []).sort();
}

test('each language has translations for both the manifest and the code', () => {
	const languages = (base: string) =>
		translations.filter((file) => file.startsWith(base)).map((file) => file.split('.').at(-2));
	expect(languages('package.nls')).toEqual(languages('l10n/bundle.l10n'));
	expect(languages('package.nls')).toContain('de');
});

describe.each(translations)('%s', (file) => {
	const english = read(file.replace(/\.[\w-]+\.json$/, '.json'));
	const translated = read(file);

	test('has the same keys as the English file', () => {
		expect(Object.keys(translated).sort()).toEqual(Object.keys(english).sort());
	});

	test('has no empty texts', () => {
		expect(Object.keys(translated).filter((key) => translated[key]?.trim() === '')).toEqual([]);
	});

	test('keeps placeholders, code, links, icons and quoted names', () => {
		const changed = Object.keys(english).filter(
			(key) => `${fixedParts(english[key])}` !== `${fixedParts(translated[key])}`,
		);
		expect(changed).toEqual([]);
	});
});
