import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bundle } from '../../../scripts/l10n/bundle.ts';
import { codeTexts } from '../../../scripts/l10n/codeTexts.ts';

describe('the texts of the code that can be translated', () => {
	test('are found in quotes of either kind, on this line or the next', () => {
		const source = `l10n.t('Set {0}', name); vscode.l10n.t(\n\t"VS Code's own",\n); other.t('Not')`;
		expect(codeTexts('a.ts', source)).toEqual(['Set {0}', "VS Code's own"]);
	});

	test('are what the editor looks up: without escapes', () => {
		expect(codeTexts('a.ts', `l10n.t('It\\'s\\nhere')`)).toEqual(["It's\nhere"]);
	});

	test('are plain: one that is put together is refused, with its file', () => {
		expect(() => codeTexts('a.ts', 'l10n.t(`Set ' + '$' + '{name}`)')).toThrow('a.ts');
	});

	test('all stand in the bundle: scripts/l10n/main.ts makes it anew', () => {
		expect(readFileSync('l10n/bundle.l10n.json', 'utf8')).toBe(bundle());
	});
});
