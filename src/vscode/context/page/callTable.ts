import type { ChatCount, HabitSummary } from '../../../discovery/habits/habitSummary.ts';
import { type CallSums, callsByServer } from '../../../discovery/journal/callSums.ts';
import type { ContextReport } from '../../../discovery/report/contextReport.ts';
import { element } from './element.ts';
import { counted, duration, whole } from './numbers.ts';
import { type Column, table } from './table.ts';

const name: Column = { title: 'Server and tool' };
const figures: readonly Column[] = [
	{ title: 'Calls', numeric: true },
	{ title: 'Failed', numeric: true },
	{ title: 'Mean time', numeric: true },
];
const chats: Column = { title: 'Chats', numeric: true };

/** How often what was called in this chat and how that went, and how its searches went. */
export function statisticsSection({ usage, statistics }: ContextReport): HTMLElement {
	const servers = callsByServer(usage.calls);
	return section(
		'statistics',
		'Calls and searches',
		...(statistics ? [element('p', { class: 'note' }, searches(statistics))] : []),
		servers.length > 0
			? callTable<CallSums>('Calls by server and tool', [name, ...figures], servers, callCells)
			: element('p', { class: 'empty' }, 'No tool has been called yet.'),
	);
}

/** The same over the chats that are kept; nothing before there is a second one. */
export function pastSection(past: HabitSummary): HTMLElement | undefined {
	if (past.chats < 2) return undefined;
	const missed = past.missed.map(({ words, count }) =>
		count > 1 ? `“${words}” (${count} times)` : `“${words}”`,
	);
	return section(
		'past',
		`The last ${past.chats} chats`,
		element('p', { class: 'note' }, 'Kept in this workspace’s storage; nothing leaves this machine.'),
		...(past.servers.length > 0
			? [
					callTable<CallSums & ChatCount>(
						'Calls in past chats',
						[name, chats, ...figures],
						past.servers,
						pastCells,
					),
				]
			: []),
		...(missed.length > 0 ? [element('p', {}, `Searches that found nothing: ${missed.join(', ')}.`)] : []),
	);
}

/** `3 searches, 1 without a hit; 7 tools discovered`. */
export function searches(statistics: NonNullable<ContextReport['statistics']>): string {
	const { search_calls, searches_without_hit: missed = 0, tools_discovered } = statistics;
	const without = missed > 0 ? `, ${missed} without a hit` : '';
	return `${counted(search_calls, 'search', 'searches')}${without}; ${counted(tools_discovered, 'tool')} discovered.`;
}

function section(key: string, title: string, ...children: readonly HTMLElement[]): HTMLElement {
	const heading = `${key}-title`;
	return element(
		'section',
		{ 'data-key': key, 'aria-labelledby': heading },
		element('h2', { id: heading, tabindex: -1 }, title),
		...children,
	);
}

/** Each server with its tools below it. */
function callTable<Sums extends CallSums>(
	caption: string,
	columns: readonly Column[],
	servers: readonly (Sums & { server: string; tools: readonly (Sums & { tool: string })[] })[],
	cells: (sums: Sums) => readonly string[],
): HTMLElement {
	const rows = servers.flatMap((server) => [
		{ key: server.server, className: 'server', cells: [server.server, ...cells(server)] },
		...server.tools.map((tool) => ({
			key: `${server.server}:${tool.tool}`,
			className: 'tool',
			cells: [tool.tool, ...cells(tool)],
		})),
	]);
	return table(caption, columns, rows);
}

function callCells({ calls, failures, meanMs }: CallSums): readonly string[] {
	return [whole(calls), whole(failures), meanMs === undefined ? '' : duration(meanMs)];
}

function pastCells(sums: CallSums & ChatCount): readonly string[] {
	return [whole(sums.chats), ...callCells(sums)];
}
