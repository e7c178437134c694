import { joinersInUse } from './text.ts';

const cjk = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3001-\\u303f]';

/**
 * Characters that people would overlook or mistake: controls, formats, unusual blanks, styled letters, characters without a glyph. Excludes line breaks
 * and tabs, and wide characters and blanks of Chinese, Japanese and Korean next to their letters.
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
/** Texts without these need no further check. */
const unusual = /[^\t\n -~]/;

/**
 * Escapes as `\u{…}` everything that people would overlook or mistake: {@link unseen} characters, and Latin look-alikes among Latin letters. Line breaks
 * and tabs are left to the caller.
 */
export function writtenOut(text: string): string {
	if (!unusual.test(text)) return text;
	return (
		text
			.replace(unseen, escaped)
			// Bounded: an endless run of letters would overflow the regular expression's stack.
			.replace(/\p{L}{1,1000}/gu, (letters) =>
				/[A-Za-z]/.test(letters) ? letters.replace(alike, escaped) : letters,
			)
	);
}

/** A word of a command line in which nothing can hide: quoted unless plain, and escaped by {@link writtenOut}. */
export function exactText(text: string): string {
	return /^[\w@%+=:,./~-]+$/.test(text) ? text : writtenOut(JSON.stringify(text));
}

function escaped(one: string): string {
	return `\\u{${one.codePointAt(0)?.toString(16).toUpperCase()}}`;
}
