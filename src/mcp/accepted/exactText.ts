/** What the eye takes for nothing, or for something else: controls, formats, blanks that are none, letters in another dress, what has no glyph. */
const unseen =
	/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uff01-\uff5e\u{1d400}-\u{1d7ff}]|(?! )\p{Zs}/gu;
/** Scripts with letters that look like Latin ones. */
const alike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;

/**
 * A word of a command line as it is, so that nothing hides in it: in quotes unless it is plain, what cannot be seen as `\u{…}`, and so letters
 * among Latin ones that look like them.
 */
export function exactText(text: string): string {
	if (/^[\w@%+=:,./~-]+$/.test(text)) return text;
	return JSON.stringify(text)
		.replace(unseen, escaped)
		.replace(/\p{L}+/gu, (letters) => (/[A-Za-z]/.test(letters) ? letters.replace(alike, escaped) : letters));
}

function escaped(one: string): string {
	return `\\u{${one.codePointAt(0)?.toString(16)}}`;
}
