/**
 * Characters that a server's text must not bring into a prompt or a view: ANSI escapes, control characters,
 * zero-width and bidirectional controls, and the invisible tag block (U+E0000 to U+E007F).
 */
const invisible =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
	/\u001b\[[0-?]*[ -/]*[@-~]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Tags that frame the manifest; a server's text must not be able to close or open that frame. */
const manifestTag = /<\s*(\/?)\s*manifest\b[^>]*>?/gi;

/** A server's text with what is invisible removed and the manifest's own tags made harmless; lines are kept. */
export function cleanText(text: string): string {
	return text.replace(invisible, '').replace(manifestTag, '[$1manifest]');
}

/** {@link cleanText} on one line, white space folded, cut to `limit` characters of which the last three are `...`. */
export function oneLine(text: string, limit = Number.POSITIVE_INFINITY): string {
	return cut(cleanText(text).replace(/\s+/g, ' ').trim(), limit);
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
