/// <reference lib="dom" />
import { type Child, element, type PageNode } from '../../ui/page/element.ts';
import type { CommandTitles, PageRequest } from '../pageView.ts';

export interface PageUse {
	readonly titles: CommandTitles;
	readonly send: (request: PageRequest) => void;
}

interface ButtonLooks {
	/** The main action of its section. */
	readonly isMain?: boolean;
	/** For screen readers, instead of the text. */
	readonly label?: string;
}

export function button(use: PageUse, text: string, request: PageRequest, looks: ButtonLooks = {}): PageNode {
	return (
		<button
			type="button"
			class={looks.isMain ? undefined : 'secondary'}
			aria-label={looks.label}
			data-key={JSON.stringify(request)}
			onClick={() => use.send(request)}
		>
			{text}
		</button>
	);
}

/** A section under a heading; `beside`: on the heading's line. */
export function section(key: string, title: string, content: Child, beside?: Child): PageNode {
	const id = `${key}-title`;
	return (
		<section data-key={key} aria-labelledby={id}>
			<div class="heading">
				<h2 id={id} tabindex={-1}>
					{title}
				</h2>
				{beside}
			</div>
			{content}
		</section>
	);
}

/** A column: its title, and `number`, `minor` (hidden in narrow pages) or `unseen` (title for screen readers only). */
export type Column = readonly [title: string, look?: 'number' | 'minor' | 'number minor' | 'unseen'];

/** A row; the first cell is its heading. */
export interface TableRow {
	readonly key: string;
	readonly cells: readonly Child[];
	readonly look?: string;
}

/** A table with row and column headings, which scrolls if it is too wide. */
export function table(caption: string, columns: readonly Column[], rows: readonly TableRow[]): PageNode {
	const lookOf = (i: number) => (columns[i]?.[1] === 'unseen' ? undefined : columns[i]?.[1]);
	return (
		<div class="table">
			<table>
				<caption class="unseen">{caption}</caption>
				<thead>
					<tr>
						{columns.map(([title, look], i) => (
							<th scope="col" class={lookOf(i)}>
								<span class={look === 'unseen' && 'unseen'}>{title}</span>
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map(({ key, cells: [heading, ...cells], look }) => (
						<tr data-key={key} class={look}>
							<th scope="row">{heading}</th>
							{cells.map((cell, i) => (
								<td class={lookOf(i + 1)}>{cell}</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

// Shared: making a format takes longer than using it, and a long chat shows hundreds of times.
const timeOfDay = new Intl.DateTimeFormat([], {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	hourCycle: 'h23',
});
const wholeTime = new Intl.DateTimeFormat([], { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of day, with the date in its tooltip. */
export function timeOf(at: number): PageNode {
	return (
		<time datetime={new Date(at).toISOString()} title={wholeTime.format(at)}>
			{timeOfDay.format(at)}
		</time>
	);
}
