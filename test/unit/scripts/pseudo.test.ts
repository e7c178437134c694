import { expect, test } from 'vitest';
import { outsideBrackets, pseudo } from '../../../scripts/l10n/pseudo.ts';

test.each([
	['Servers', '⟦Šérvérš~~~⟧'],
	['{0} tools', '⟦{0} tóólš~~~⟧'],
	[
		'**{0}**: see [the guide](command:x.y) or `a b`',
		'⟦**{0}**: šéé [thé gúídé](command:x.y) ór `a b`~~~~~~~ ⟧',
	],
	[
		'Open it.\n[Open Folder](command:vscode.openFolder)',
		'⟦Öpéñ ít.~~~~⟧\n[⟦Öpéñ Fóldér~~~~~⟧](command:vscode.openFolder)',
	],
	['$(shield) ask @discovery', '⟦$(shield) ášk @discovery~~⟧'],
])('%j is pseudo-translated, and its placeholders and links still work', (text, expected) => {
	expect(pseudo(text)).toBe(expected);
});

test.each([
	['⟦14 ⟦tóólš~~⟧ lóádéd⟧', ''],
	['⟦óñé⟧ · two', ' · two'],
	['⟦cut of', ''],
	['plain', 'plain'],
])('in %j, the untranslated part is %j', (shown, left) => {
	expect(outsideBrackets(shown)).toBe(left);
});
