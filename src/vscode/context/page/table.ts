import { type Child, element, type PageNode } from '../../ui/page/element.ts';

/** A column of a table. */
export interface Column {
	readonly title: string;
	readonly numeric?: boolean;
	/** Left out where there is little room. */
	readonly minor?: boolean;
	/** Its title is for screen readers only, as for a column of buttons. */
	readonly hidden?: boolean;
}

/** A row; the first cell is its heading. */
export interface Row {
	readonly key: string;
	readonly cells: readonly Child[];
	readonly className?: string;
}

/** A table with headings for both directions, in a box that scrolls where it is too wide. */
export function table(caption: string, columns: readonly Column[], rows: readonly Row[]): PageNode {
	const heading = ({ title, hidden, ...column }: Column) =>
		element(
			'th',
			{ scope: 'col', class: look(column) },
			element('span', { class: hidden && 'unseen' }, title),
		);
	return element(
		'div',
		{ class: 'table' },
		element(
			'table',
			{},
			element('caption', { class: 'unseen' }, caption),
			element('thead', {}, element('tr', {}, ...columns.map(heading))),
			element('tbody', {}, ...rows.map((row) => tableRow(row, columns))),
		),
	);
}

function tableRow({ key, cells, className }: Row, columns: readonly Column[]): PageNode {
	const filled = cells.map((cell, i) => {
		if (i === 0) return element('th', { scope: 'row' }, cell);
		return element('td', { class: look(columns[i]) }, cell);
	});
	return element('tr', { 'data-key': key, class: className }, ...filled);
}

function look({ numeric, minor }: Pick<Column, 'numeric' | 'minor'> = {}): string | undefined {
	const classes = [...(numeric ? ['number'] : []), ...(minor ? ['minor'] : [])];
	return classes.length > 0 ? classes.join(' ') : undefined;
}
