/** A part of a text: offsets in UTF-16 units, `end` behind its last one. */
export interface Stretch {
	readonly start: number;
	readonly end: number;
}

/** Scripts whose spelling needs joiners between their letters. */
const joiningScript = `[${['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer'].map((script) => `\\p{Script=${script}}`).join('')}]`;

/** Characters that are ignorable elsewhere, and part of the text here: what joins several signs to one emoji, and joiners between letters. A pattern. */
export const joinersInUse = [
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
	`${terminal}|(?![\\t\\n\\r]|${joinersInUse})[\\p{Cc}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]`,
	'gu',
);

/** Characters that may be invisible. Most texts have none, and need no closer look. */
const unusual = /[^\t\n\r -~]/;

/** A text without what is invisible in it; lines are kept. For people's eyes: a prompt takes more care (`cleanText`). */
export function visible(text: string): string {
	return unusual.test(text) ? text.replace(invisible, '') : text;
}

/** Tags that frame the manifest, and what reads like them; a server's text must not be able to close or open that frame. */
const manifestTag =
	/(?:[<\uff1c\ufe64]|&lt;|&#0*60;|&#x0*3c;)([\s/]*)manifest\b[^>\uff1e\ufe65]*[>\uff1e\ufe65]?/gi;

/** A server's text with what is invisible removed and the manifest's own tags made harmless; lines are kept. */
export function cleanText(text: string): string {
	return visible(text).replace(manifestTag, '[$1manifest]');
}

/** So many characters are read of a text beyond those that are shown, since some are invisible or blank. */
const readBeside = 4_000;

/** {@link cleanText} on one line, see {@link folded}. */
export function oneLine(text: string, limit?: number): string {
	// Without this bound, megabytes would be read for a line that shows a few of them.
	const read = limit === undefined ? text : text.slice(0, limit * 10 + readBeside);
	return folded(cleanText(read), limit);
}

/** A text on one line, white space folded, cut to `limit` characters of which the last three are `...`. */
export function folded(text: string, limit = Number.POSITIVE_INFINITY): string {
	// To look first is faster: most texts are so already.
	const line = /\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ') : text;
	return cut(line.trim(), limit);
}

/** Characters of a name, or of other words of whoever asked, that an error repeats. */
export const nameLimit = 160;

/** Characters of somebody else's name or text within a sentence of ours. */
const quotedLimit = 200;

/**
 * A sentence of ours, as a tag of its template: what is filled in are names and texts of servers and models, each of which is put on one
 * line, without what is invisible, and cut. So none of them fills a log, or passes for words of ours.
 */
export function sentence(words: TemplateStringsArray, ...quoted: readonly (string | number)[]): string {
	const shown = quoted.map((one) => (typeof one === 'string' ? oneLine(one, quotedLimit) : one));
	return String.raw({ raw: words }, ...shown);
}

/** The text if it fits in `limit` UTF-16 units, else its beginning and `...`; never cuts a surrogate pair. */
export function cut(text: string, limit: number): string {
	if (text.length <= limit) return text;
	let end = Math.max(0, limit - 3);
	const last = text.charCodeAt(end - 1);
	if (last >= 0xd800 && last <= 0xdbff) end--;
	return `${text.slice(0, end).trimEnd()}...`;
}

/** The first sentence of a text on one line; all of it where no sentence ends. */
export function firstSentence(text: string): string {
	const line = oneLine(text.split(/\n\s*\n/, 1)[0] ?? '');
	// A full stop inside `e.g.`, `v1.2` or `file.txt` ends nothing: only one before a blank and a capital does.
	return /^.*?[.!?。！？](?=\s+[\p{Lu}\p{Lo}"'(]|$)/u.exec(line)?.[0] ?? line;
}

/** `a, b, ... and 7 more`: the first of a list for a model. `count`: how many there are, where `entries` has not all of them. */
export function listed(entries: readonly string[], most: number, count: number = entries.length): string {
	const shown = entries.slice(0, most);
	const rest = count - shown.length;
	return (rest > 0 ? [...shown, `... and ${rest} more`] : shown).join(', ');
}

/** `1 tool`, `2 tools`. */
export function toolCount(n: number): string {
	return n === 1 ? '1 tool' : `${n} tools`;
}

/** Order of two strings by UTF-16 code units: unlike an order by locale, the same on every machine. */
export function compareStrings(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
