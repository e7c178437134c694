/** Scripts whose spelling needs joiners between their letters. */
const joiningScript = `[${['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer'].map((script) => `\\p{Script=${script}}`).join('')}]`;

/** Ignorable elsewhere, and part of the text here: what makes one sign of several in emoji, and joiners between letters. */
const needed = [
	'(?<=\\p{Extended_Pictographic})\\ufe0f',
	'(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
	'(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
	`(?<=${joiningScript})[\\u200c\\u200d](?=${joiningScript})`,
].join('|');

/** A terminal's sequences: colours and moves, and titles. */
const terminal =
	'(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]|\\u001b\\][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)?';

/**
 * What a server's text must not bring into a prompt or a view: terminal escapes (colours, titles), control characters, halves of
 * surrogate pairs, and all that Unicode calls ignorable: zero-width and bidirectional controls, variation selectors, fillers,
 * and the invisible tags (U+E0000 to U+E007F). Tabs and line ends stay, and what emoji and some scripts are made of.
 */
const invisible = new RegExp(
	`${terminal}|(?![\\t\\n\\r]|${needed})[\\p{Cc}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]`,
	'gu',
);

/** What may be invisible. Looking for it first spares plain texts the closer look. */
const unusual = /[^\t\n\r -~]/;

/** A text without what is invisible in it; lines are kept. For people's eyes: a prompt takes more care (`cleanText`). */
export function visible(text: string): string {
	return unusual.test(text) ? text.replace(invisible, '') : text;
}
