import { joinersInUse } from './text.ts';

const cjk = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3001-\\u303f]';

/**
 * What the eye takes for nothing, or for something else: controls, formats, blanks that are none, letters in another dress, what has no
 * glyph. Line ends and tabs stay, and so do the wide signs and blanks of Chinese, Japanese and Korean next to letters of theirs.
 */
const unseen = new RegExp(
	[
		`(?![\\t\\n]|\\r\\n|${joinersInUse})[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]`,
		'[\\u2800\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a\\u{1d400}-\\u{1d7ff}]',
		`(?<!${cjk})(?:(?! )\\p{Zs}|[\\uff01-\\uff5e])(?!${cjk})`,
	].join('|'),
	'gu',
);
/** Scripts with letters that look like Latin ones. */
const alike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;
/** Texts of these alone need no closer look. */
const unusual = /[^\t\n -~]/;

/**
 * The text with everything written out as `\u{…}` that people would not see, or would take for something else: what is {@link unseen}, and
 * letters among Latin ones that look like them. Line ends and tabs are left to those who show it.
 */
export function writtenOut(text: string): string {
	if (!unusual.test(text)) return text;
	return (
		text
			.replace(unseen, escaped)
			// Bounded: an endless run of letters would overflow the stack of the engine.
			.replace(/\p{L}{1,1000}/gu, (letters) =>
				/[A-Za-z]/.test(letters) ? letters.replace(alike, escaped) : letters,
			)
	);
}

/** A word of a command line as it is, so that nothing hides in it: in quotes unless it is plain, and {@link writtenOut}. */
export function exactText(text: string): string {
	return /^[\w@%+=:,./~-]+$/.test(text) ? text : writtenOut(JSON.stringify(text));
}

function escaped(one: string): string {
	return `\\u{${one.codePointAt(0)?.toString(16).toUpperCase()}}`;
}
