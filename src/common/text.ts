/** A range of a text in UTF-16 units; `end` is exclusive. */
export interface Stretch {
	readonly start: number;
	readonly end: number;
}

/** In order, with touching and overlapping ones merged. */
export function merged(stretches: readonly Stretch[]): readonly Stretch[] {
	const all: Stretch[] = [];
	for (const { start, end } of stretches.toSorted((a, b) => a.start - b.start)) {
		const last = all.at(-1);
		if (!last || start > last.end) all.push({ start, end });
		else all[all.length - 1] = { start: last.start, end: Math.max(last.end, end) };
	}
	return all;
}

/** Scripts whose spelling needs joiners between letters. */
const joiningScript = `[${['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer'].map((script) => `\\p{Script=${script}}`).join('')}]`;

/** Ignorable characters that are part of the text here: joiners within an emoji or between letters. A pattern. */
export const joinersInUse = [
	'(?<=\\p{Extended_Pictographic})\\ufe0f',
	'(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
	'(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
	`(?<=${joiningScript})[\\u200c\\u200d](?=${joiningScript})`,
].join('|');

/** Terminal sequences: colours, cursor moves and titles. */
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

/** Characters that may be invisible. Most texts have none, which makes this a fast check. */
const unusual = /[^\t\n\r -~]/;

/** A text without invisible characters; line breaks stay. For people; prompts need {@link cleanText}. */
export function visible(text: string): string {
	return unusual.test(text) ? text.replace(invisible, '') : text;
}

/** The manifest's tags and look-alikes: a server's text must not close or open the manifest. */
const manifestTag =
	/(?:[<\uff1c\ufe64]|&lt;|&#0*60;|&#x0*3c;)([\s/]*)manifest\b[^>\uff1e\ufe65]*[>\uff1e\ufe65]?/gi;

/** A server's text without invisible characters and with the manifest's tags disarmed; line breaks stay. */
export function cleanText(text: string): string {
	return visible(text).replace(manifestTag, '[$1manifest]');
}

/** Characters read beyond those shown, since some are invisible or blank. */
const readBeside = 4_000;

/** {@link cleanText} on one line, see {@link folded}. */
export function oneLine(text: string, limit?: number): string {
	// Without this bound, megabytes would be cleaned for a line that shows a few characters.
	const read = limit === undefined ? text : text.slice(0, limit * 10 + readBeside);
	return folded(cleanText(read), limit);
}

/** A text on one line, with white space collapsed, truncated to `limit` characters including a final `...`. */
export function folded(text: string, limit = Number.POSITIVE_INFINITY): string {
	// A check is faster: most texts need no change.
	const line = /\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ') : text;
	return cut(line.trim(), limit);
}

/** Characters of a name, or of other input, repeated in an error. */
export const nameLimit = 160;

/** Characters of a foreign name or text inside one of our sentences. */
const quotedLimit = 200;

/**
 * Template tag for our own sentences. Inserted names and texts of servers and models are put on one line, cleaned and truncated, so that they cannot
 * flood a log or pass for our words.
 */
export function sentence(words: TemplateStringsArray, ...quoted: readonly (string | number)[]): string {
	const texts = quoted.map((value) => (typeof value === 'string' ? oneLine(value, quotedLimit) : value));
	return String.raw({ raw: words }, ...texts);
}

/** Truncates to `limit` UTF-16 units including `...`; never splits a surrogate pair. */
export function cut(text: string, limit: number): string {
	if (text.length <= limit) return text;
	let end = Math.max(0, limit - 3);
	const last = text.charCodeAt(end - 1);
	if (last >= 0xd800 && last <= 0xdbff) end--;
	return `${text.slice(0, end).trimEnd()}...`;
}

/** The first sentence of a text on one line; the whole text if no sentence ends. */
export function firstSentence(text: string): string {
	const line = oneLine(text.split(/\n\s*\n/, 1)[0] ?? '');
	// A full stop inside `e.g.`, `v1.2` or `file.txt` is no end: a space and a capital must follow.
	return /^.*?[.!?。！？](?=\s+[\p{Lu}\p{Lo}"'(]|$)/u.exec(line)?.[0] ?? line;
}

/** `a, b, ... and 7 more`: the start of a list for a model. `count`: the total if `entries` is incomplete. */
export function listText(entries: readonly string[], most: number, count: number = entries.length): string {
	const first = entries.slice(0, most);
	const rest = count - first.length;
	return (rest > 0 ? [...first, `... and ${rest} more`] : first).join(', ');
}

/** `1 tool`, `2 tools`. */
export function englishToolCount(n: number): string {
	return n === 1 ? '1 tool' : `${n} tools`;
}

/** Decodes a percent-encoded text; returns it unchanged if the encoding is invalid. */
export function percentDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Compares by UTF-16 code units: the same on every machine, unlike a locale's order. */
export function compareStrings(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
