import { folded, visible } from './text.ts';

/** Characters with a meaning in Markdown or HTML. */
const special = /[\\`*_{}[\]()#+\-.!|<>~&$:]/g;
/** Characters of inline code that holds somebody else's name. */
const inlineLimit = 2000;

/** Somebody else's text on one line of Markdown, shown literally, never as markup, link, image or HTML. */
export function plain(text: string, limit?: number): string {
	return folded(visible(text), limit).replace(special, '\\$&');
}

/**
 * Markdown of ours for dialogs, which do not render it: without escapes and stars. Values keep their backticks, which show where they end, but not
 * the invisible characters that let lines break, which would be copied too.
 */
export function withoutEscapes(markdown: string): string {
	return markdown
		.replaceAll('\u200b', '')
		.replace(
			/(`+)(?!`).*?[^`]\1(?!`)|\\([^\w\s]|_)|\*\*/gs,
			(all: string, fence: string | undefined, escaped = '') => (fence ? all : escaped),
		);
}

/** Somebody else's text as inline code on one line, truncated to `limit` characters. */
export function code(text: string, limit: number = inlineLimit): string {
	// An empty pair of fences would read as one longer fence that swallows what follows.
	return inlineCode(folded(visible(text), limit) || ' ');
}

/** A non-empty line as inline code, complete. */
export function inlineCode(line: string): string {
	const fence = '`'.repeat(longestRun(line) + 1);
	const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
	return `${fence}${pad}${line}${pad}${fence}`;
}

/** Somebody else's text as a code block. A text that is already a fenced block, complete or cut off, is not fenced again. */
export function codeBlock(text: string, language = ''): string {
	const visibleText = visible(text).replace(/\r?\n$/, '');
	const inside = insideFence(visibleText);
	const block = inside?.text ?? visibleText;
	const fence = '`'.repeat(Math.max(3, longestRun(block) + 1));
	return `${fence}${inside?.language || language}\n${block}\n${fence}`;
}

/** Somebody else's text as quoted lines that wrap, shown literally. */
export function quotedLines(text: string): string {
	return text
		.trim()
		.split(/\r?\n/)
		.map((line) => `> ${plain(line)}`)
		.join('  \n');
}

/** The content of a text that is a single fenced block; otherwise `undefined`. */
function insideFence(text: string): { readonly text: string; readonly language: string } | undefined {
	const [first = '', ...lines] = text.trim().split(/\r?\n/);
	const [, fence = '', language = ''] = /^(`{3,}|~{3,})[ \t]*([\w+#-]*)[ \t]*$/.exec(first) ?? [];
	if (fence === '') return undefined;
	const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`);
	const end = lines.findIndex((line) => closing.test(line));
	if (end !== -1 && end !== lines.length - 1) return undefined;
	return { text: lines.slice(0, end === -1 ? undefined : end).join('\n'), language };
}

function longestRun(text: string): number {
	let longest = 0;
	for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
	return longest;
}
