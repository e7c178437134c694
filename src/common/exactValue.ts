import * as l10n from '@vscode/l10n';
import { writtenOut } from './exactText.ts';
import { inlineCode } from './markdown.ts';

/** Characters of leading blanks and tabs that are shown unescaped. */
const shownIndentation = 40;

/** Characters that are counted. A megabyte of hidden characters would block the editor for seconds. */
const maxCounted = 100_000;

/** Number of characters that {@link writtenOut} escapes. */
export function countHidden(text: string): number {
	const read = text.slice(0, maxCounted);
	return escapesIn(writtenOut(read)) - escapesIn(read);
}

function escapesIn(text: string): number {
	return text.match(/\\u\{/g)?.length ?? 0;
}

/** A text on one line with nothing hidden: {@link writtenOut}, plus line breaks and blanks that would not show. */
function exactLine(text: string): string {
	return writtenOut(text)
		.replace(/\r\n/g, '\\r\\n')
		.replace(/\n/g, '\\n')
		.replace(/\t/g, '\\t')
		.replace(/^ | $|(?<= ) /g, '\\u{20}');
}

/** {@link exactLine} as inline code that can wrap anywhere: the editor cuts off words wider than its card. */
export function exactCode(text: string): string {
	return inlineCode(breakable(exactLine(text)) || ' ');
}

/**
 * A multi-line text, each line as {@link exactCode}. Leading blanks are kept. A code block would show all blanks, but its long lines run beyond the
 * card.
 */
export function exactLines(text: string): string {
	return withoutGaps(text)
		.split(/\r?\n/)
		.map((line) => {
			const indentation = /^(?: +|\t+)(?=\S)/.exec(line)?.[0].slice(0, shownIndentation) ?? '';
			const blanks = indentation.replace(/\t/g, '    ').replace(/ /g, '\u00a0');
			return inlineCode(`${blanks}${breakable(exactLine(line.slice(indentation.length)))}` || ' ');
		})
		.join('\\\n');
}

/** The start and end of a text in whole characters, and the number of omitted UTF-16 units. */
export function textEnds(text: string, ofHead: number, ofTail: number) {
	const head = text.slice(0, ofHead).replace(/[\ud800-\udbff]$/, '');
	const tail = text.slice(-ofTail).replace(/^[\udc00-\udfff]/, '');
	return { head, tail, between: text.length - head.length - tail.length };
}

/** {@link exactLine}; a long text is reduced to its start and end with the omitted length. */
export function exactEnds(text: string, limit: number): string {
	if (text.length <= limit) return exactLine(text);
	const { head, tail, between } = textEnds(text, Math.ceil((limit * 2) / 3), Math.floor(limit / 3));
	return l10n.t('{0} … {1} more characters … {2}', exactLine(head), between, exactLine(tail));
}

/** Escapes more than two empty lines, which would push the following text out of sight. */
function withoutGaps(text: string): string {
	return text.replace(/((?:\r?\n){3})((?:\r?\n)+)/g, (_all, firstBreaks: string, moreBreaks: string) => {
		return `${firstBreaks}${moreBreaks.replace(/\r/g, '\\r').replace(/\n/g, '\\n')}\n`;
	});
}

/** Adds invisible break points. They cannot be confused with the text's own, which are escaped. */
function breakable(line: string): string {
	return line.replace(/\S{17,}/gu, (run) =>
		run.replace(/[/\\.,:;?&=_@-]+(?=.)|[^/\\.,:;?&=_@-]{16}(?=.)/gu, '$&\u200b'),
	);
}
