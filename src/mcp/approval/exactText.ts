/** What the eye takes for nothing, or for something else: controls, formats, blanks that are none, and what has no glyph. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** A word of a command line as it is, so that nothing hides in it: in quotes unless it is plain, what cannot be seen as `\u{…}`. */
export function exactText(text: string): string {
	if (/^[\w@%+=:,./~-]+$/.test(text)) return text;
	return JSON.stringify(text).replace(unseen, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}
