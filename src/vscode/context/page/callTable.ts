import type { ContextReport } from '../../../discovery/report/contextReport.ts';
import { type CallSums, callsByServer } from './callSums.ts';
import { element } from './element.ts';
import { counted, duration, whole } from './numbers.ts';
import { table } from './table.ts';

const columns = [
	{ title: 'Server and tool' },
	{ title: 'Calls', numeric: true },
	{ title: 'Failed', numeric: true },
	{ title: 'Mean time', numeric: true },
];

/** How often what was called and how that went, and how searches went. */
export function statisticsSection({ usage, statistics }: ContextReport): HTMLElement {
	const rows = callsByServer(usage.calls).flatMap((server) => [
		{ key: server.server, className: 'server', cells: [server.server, ...cells(server)] },
		...server.tools.map((tool) => ({
			key: `${server.server}:${tool.tool}`,
			className: 'tool',
			cells: [tool.tool, ...cells(tool)],
		})),
	]);
	return element(
		'section',
		{ 'data-key': 'statistics', 'aria-labelledby': 'statistics-title' },
		element('h2', { id: 'statistics-title', tabindex: -1 }, 'Calls and searches'),
		...(statistics ? [element('p', { class: 'note' }, searches(statistics))] : []),
		rows.length > 0
			? table('Calls by server and tool', columns, rows)
			: element('p', { class: 'empty' }, 'No tool has been called yet.'),
	);
}

/** `3 searches, 1 without a hit; 7 tools discovered`. */
export function searches(statistics: NonNullable<ContextReport['statistics']>): string {
	const { search_calls, searches_without_hit: missed = 0, tools_discovered } = statistics;
	const without = missed > 0 ? `, ${missed} without a hit` : '';
	return `${counted(search_calls, 'search', 'searches')}${without}; ${counted(tools_discovered, 'tool')} discovered.`;
}

function cells({ calls, failures, meanMs }: CallSums): string[] {
	return [whole(calls), whole(failures), meanMs === undefined ? '' : duration(meanMs)];
}
