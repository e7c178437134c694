import * as l10n from '@vscode/l10n';
import { searchCount, toolCount, wholeNumber } from '../../../chat/counts.ts';
import type { ChatCount, HabitSummary } from '../../../discovery/habits/habitSummary.ts';
import { type CallSums, callsByServer } from '../../../discovery/habits/habitSummary.ts';
import type { ContextReport } from '../../../discovery/report.ts';
import { type Child, element, type PageNode } from '../../ui/page/element.ts';
import { type Column, table } from './table.ts';
import { duration } from './times.ts';

function nameColumn(): Column {
	return { title: l10n.t('Server and tool') };
}

function figureColumns(): readonly Column[] {
	return [
		{ title: l10n.t('Calls'), numeric: true },
		{ title: l10n.t('Failed'), numeric: true },
		{ title: l10n.t('Mean time'), numeric: true },
	];
}

function chatColumn(): Column {
	return { title: l10n.t('Chats'), numeric: true };
}

/** Calls of this chat by server and tool, with failures and times, and how its searches went. */
export function statisticsSection({ usage, statistics }: ContextReport): PageNode {
	const servers = callsByServer(usage.calls);
	return section(
		'statistics',
		l10n.t('Calls and searches'),
		statistics && element('p', { class: 'note' }, searches(statistics)),
		servers.length > 0
			? callTable<CallSums>(
					l10n.t('Calls by server and tool'),
					[nameColumn(), ...figureColumns()],
					servers,
					callCells,
				)
			: element('p', { class: 'empty' }, l10n.t('No tool has been called yet.')),
	);
}

/** The same over all chats that are kept; absent before there is a second one. */
export function pastSection(past: HabitSummary): PageNode | undefined {
	if (past.chats < 2) return undefined;
	const missed = past.missed.map(({ words, count }) =>
		count > 1 ? l10n.t('“{0}” ({1} times)', words, count) : l10n.t('“{0}”', words),
	);
	return section(
		'past',
		l10n.t('The last {0} chats', past.chats),
		element('p', { class: 'note' }, l10n.t('Kept in this workspace’s storage; nothing leaves this machine.')),
		past.servers.length > 0 &&
			callTable<CallSums & ChatCount>(
				l10n.t('Calls in past chats'),
				[nameColumn(), chatColumn(), ...figureColumns()],
				past.servers,
				pastCells,
			),
		missed.length > 0 && element('p', {}, l10n.t('Searches that found nothing: {0}.', missed.join(', '))),
	);
}

/** `3 searches, 1 without a hit; 7 tools discovered`. */
export function searches(statistics: NonNullable<ContextReport['statistics']>): string {
	const { search_calls, searches_without_hit: missed = 0, tools_discovered } = statistics;
	const [searches, tools] = [searchCount(search_calls), toolCount(tools_discovered)];
	return missed > 0
		? l10n.t('{0}, {1} without a hit; {2} discovered.', searches, missed, tools)
		: l10n.t('{0}; {1} discovered.', searches, tools);
}

function section(key: string, title: string, ...children: readonly Child[]): PageNode {
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
): PageNode {
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
	return [wholeNumber(calls), wholeNumber(failures), duration(meanMs)];
}

function pastCells(sums: CallSums & ChatCount): readonly string[] {
	return [wholeNumber(sums.chats), ...callCells(sums)];
}
