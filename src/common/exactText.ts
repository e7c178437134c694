import { joinersInUse } from './text.ts';

const cjk = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3001-\\u303f]';

/** Characters that look like ASCII ones: letters, Roman numerals and small forms, and what looks like `/`, `:`, `;`, `.`, `-`, `|` or a backtick. */
const disguised =
	'\\u01c0-\\u01c3\\u0251\\u0261\\u037e\\u1d00-\\u1d2b\\u1fef\\u2010\\u2011\\u2024\\u2044\\u2102\\u210a-\\u2113\\u2115\\u2119-\\u211d\\u2124\\u2128\\u212a-\\u2134\\u2139\\u2145-\\u2149\\u2160-\\u217f\\u2212\\u2215\\u2223\\u2236\\u29f8\\ua789\\ufe50-\\ufe6b\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a\\u{1d400}-\\u{1d7ff}';

/**
 * Characters that people do not see, or take for others: controls, formats, unusual spaces, disguised ASCII, marks that strike out a
 * character, stand alone or pile up, and characters without a glyph. Line ends and tabs are not included, nor wide punctuation and
 * spaces next to Chinese, Japanese and Korean letters.
 */
const unseen = new RegExp(
	[
		`(?![\\t\\n]|\\r\\n|${joinersInUse})[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]`,
		`[\\u2800\\ufffc${disguised}]`,
		'[\\u0334-\\u0338\\u20d0-\\u20e2\\u20e4-\\u20f0]|(?!\\ufe0f)\\p{M}(?<=(?:\\p{M}{4}|^|\\s)\\p{M})',
		`(?<!${cjk})(?:(?! )\\p{Zs}|[\\uff01-\\uff5e])(?!${cjk})`,
	].join('|'),
	'gu',
);
/** Letters and digits that could pose as Latin ones. Scripts that are written without spaces often contain Latin words, and look different. */
const alike =
	/(?![\p{Script=Latin}\p{Script=Common}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{Nd}]/gu;
/** Longest word that is looked at as a whole: the regular expression engine overflows its stack on endless words. */
const maxWordLength = 1_000;
const words = new RegExp(`[\\p{L}\\p{M}\\p{Nd}]{1,${maxWordLength}}`, 'gu');
/** Texts without such characters need no closer look. */
const unusual = /[^\t\n -~]/;

/**
 * The text with everything written out as `\u{…}` that people would not see, or would take for something else: what is {@link unseen}, and
 * letters and digits in a Latin word that are not Latin. Line ends and tabs are left to those who show it.
 */
export function writtenOut(text: string): string {
	if (!unusual.test(text)) return text;
	let endOfLong = -1;
	return text.replace(unseen, escaped).replace(words, (word, start: number) => {
		const isLong = start === endOfLong || word.length >= maxWordLength;
		if (isLong) endOfLong = start + word.length;
		if (isLong || /[A-Za-z]/.test(word)) return word.replace(alike, escaped);
		return /[0-9]/.test(word) ? word.replace(/(?![0-9])\p{Nd}/gu, escaped) : word;
	});
}

/**
 * A word of a command line in which nothing can hide: quoted unless plain, and escaped by {@link writtenOut}. A Windows path is plain: only
 * quoted words have escapes.
 */
export function exactText(text: string): string {
	return /^[\w@%+=:,./\\~-]+$/.test(text) ? text : writtenOut(JSON.stringify(text));
}

function escaped(character: string): string {
	return `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`;
}
