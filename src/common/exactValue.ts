import * as l10n from '@vscode/l10n';
import { writtenOut } from './exactText.ts';
import { inlineCode } from './markdown.ts';

/** Characters of a run of blanks and tabs at the beginning of a line that are shown as they are. */
const shownIndentation = 40;

/** How many characters {@link writtenOut} writes out of a text. */
export function countHidden(text: string): number {
	return escapesIn(writtenOut(text)) - escapesIn(text);
}

function escapesIn(text: string): number {
	return text.match(/\\u\{/g)?.length ?? 0;
}

/** A text as one line of plain text in which nothing is left to guess: {@link writtenOut}, and so line ends, and blanks that would not show. */
export function exactLine(text: string): string {
	return writtenOut(text)
		.replace(/\r\n/g, '\\r\\n')
		.replace(/\n/g, '\\n')
		.replace(/\t/g, '\\t')
		.replace(/^ | $|(?<= ) /g, '\\u{20}');
}

/** {@link exactLine} as inline code, which wraps wherever it has to: the editor cuts a word off that is wider than its card. */
export function exactCode(text: string): string {
	return inlineCode(breakable(exactLine(text)) || ' ');
}

/**
 * A text of several lines, each as {@link exactCode} on a line of its own. Beginnings of lines keep their blanks; a block of code would
 * show all others too, but lets long lines run on beyond the edge of the card.
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

/** The beginning and the end of a text, whole characters, and how many UTF-16 units are left out between them. */
export function ends(text: string, ofHead: number, ofTail: number) {
	const head = text.slice(0, ofHead).replace(/[\ud800-\udbff]$/, '');
	const tail = text.slice(-ofTail).replace(/^[\udc00-\udfff]/, '');
	return { head, tail, between: text.length - head.length - tail.length };
}

/** {@link exactLine} of a text; of a long one its beginning and its end, and how much is left out. */
export function exactEnds(text: string, limit: number): string {
	if (text.length <= limit) return exactLine(text);
	const { head, tail, between } = ends(text, Math.ceil((limit * 2) / 3), Math.floor(limit / 3));
	return l10n.t('{0} … {1} more characters … {2}', exactLine(head), between, exactLine(tail));
}

/** More than two empty lines are written out: they would push what follows out of sight. */
function withoutGaps(text: string): string {
	return text.replace(/((?:\r?\n){3})((?:\r?\n)+)/g, (_all, shown: string, more: string) => {
		return `${shown}${more.replace(/\r/g, '\\r').replace(/\n/g, '\\n')}\n`;
	});
}

/** Invisible places to wrap at, which cannot be taken for the text's own: those are written out. */
function breakable(line: string): string {
	return line.replace(/\S{17,}/gu, (run) =>
		run.replace(/[/\\.,:;?&=_@-]+(?=.)|[^/\\.,:;?&=_@-]{16}(?=.)/gu, '$&\u200b'),
	);
}
