import { folded, visible } from './text.ts';

/** Characters that mean something in Markdown or HTML. */
const special = /[\\`*_{}[\]()#+\-.!|<>~&$:]/g;
/** Characters of a piece of inline code that stands for somebody else's name. */
const inlineLimit = 2000;

/** Somebody else's text on one line of Markdown: shown as it is, never as markup, link, image or HTML. */
export function plain(text: string, limit?: number): string {
	return folded(visible(text), limit).replace(special, '\\$&');
}

/** Somebody else's text as inline code, on one line, cut to `limit` characters. */
export function code(text: string, limit: number = inlineLimit): string {
	// Nothing between two fences would be one longer fence, which runs on to the next of its length.
	const line = folded(visible(text), limit) || ' ';
	const fence = '`'.repeat(longestRun(line) + 1);
	const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
	return `${fence}${pad}${line}${pad}${fence}`;
}

/** Somebody else's text as a block of code. */
export function codeBlock(text: string, language = ''): string {
	const shown = visible(text).replace(/\r?\n$/, '');
	const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
	return `${fence}${language}\n${shown}\n${fence}`;
}

function longestRun(text: string): number {
	let longest = 0;
	for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
	return longest;
}
