import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bundle } from '../../../scripts/l10n/bundle.ts';
import { codeTexts } from '../../../scripts/l10n/codeTexts.ts';

describe('the translatable texts of the code', () => {
	test('are found in single or double quotes, on the same line or the next', () => {
		const source = `l10n.t('Set {0}', name); vscode.l10n.t(\n\t"VS Code's own",\n); other.t('Not')`;
		expect(codeTexts('a.ts', source)).toEqual(['Set {0}', "VS Code's own"]);
	});

	test('are unescaped, as the editor looks them up', () => {
		expect(codeTexts('a.ts', `l10n.t('It\\'s\\nhere')`)).toEqual(["It's\nhere"]);
	});

	test('must be plain literals: a template literal is an error that names the file', () => {
		expect(() => codeTexts('a.ts', 'l10n.t(`Set ' + '$' + '{name}`)')).toThrow('a.ts');
	});

	test('are all in the bundle (if not, run scripts/l10n/main.ts)', () => {
		expect(readFileSync('l10n/bundle.l10n.json', 'utf8')).toBe(bundle());
	});
});
