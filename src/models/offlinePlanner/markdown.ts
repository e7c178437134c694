import { MAX_DESCRIPTION_CHARS } from './limits.ts';

/** Escape sequences of terminals, control characters but tab and line feed, and characters that reorder or hide text. */
const INVISIBLE =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
	/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** A text of unknown origin as a block that Markdown renders letter by letter: no link, image or heading comes of it. */
export function fenced(text: string, language = 'text'): string {
	const clean = text.replaceAll('\r\n', '\n').replace(INVISIBLE, '');
	const longest = Math.max(2, ...[...clean.matchAll(/`+/g)].map(([run]) => run.length));
	const fence = '`'.repeat(longest + 1);
	return `${fence}${language}\n${clean.replace(/\n$/, '')}\n${fence}`;
}

/** A short text of unknown origin within a sentence, equally inert; on one line, without backticks, cut if long. */
export function codeSpan(text: string): string {
	const clean = text.replace(/\s+/g, ' ').replace(INVISIBLE, '').replaceAll('`', "'").trim();
	const short = clean.length > MAX_DESCRIPTION_CHARS ? `${clean.slice(0, MAX_DESCRIPTION_CHARS)}…` : clean;
	return short === '' ? '` `' : `\`${short}\``;
}

/** "a", "a and b", "a, b and c". */
export function listed(items: readonly string[], last = 'and'): string {
	return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}
