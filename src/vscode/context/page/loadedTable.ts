import * as l10n from '@vscode/l10n';
import { shortNumber, toolCount, wholeNumber } from '../../../chat/counts.ts';
import type { ActiveTool, AlwaysTool, ContextReport } from '../../../discovery/report.ts';
import type { TimelineEntry } from '../../../discovery/session/timeline.ts';
import { loadReason } from '../../ui/loadReasons.ts';
import { type Child, element, type PageNode, requestButton } from '../../ui/page/element.ts';
import { fold, type PageState } from './pageState.ts';
import { type Column, type Row, table } from './table.ts';
import { timeOf } from './times.ts';

/** When each tool was last loaded or called, by `server:tool`, in milliseconds since 1970; absent where nothing tells. */
export function lastUses(timeline: readonly TimelineEntry[]): ReadonlyMap<string, number> {
	const uses = new Map<string, number>();
	for (const entry of timeline) {
		if (entry.kind === 'call') uses.set(entry.tool, entry.at);
		if (entry.kind === 'load') for (const name of entry.tools.names) uses.set(name, entry.at);
	}
	return uses;
}

function alwaysColumns(): readonly Column[] {
	return [
		{ title: l10n.t('Tool') },
		{ title: l10n.t('Why') },
		{ title: l10n.t('Tokens'), numeric: true },
		{ title: l10n.t('Calls'), numeric: true, minor: true },
	];
}

function activeColumns(): readonly Column[] {
	return [
		...alwaysColumns(),
		{ title: l10n.t('Last use'), minor: true },
		{ title: l10n.t('Actions'), hidden: true },
	];
}

/** What the chat has loaded, why, and its tokens; below it what every chat has. */
export function loadedSection(report: ContextReport, undo: string | undefined, state: PageState): PageNode {
	const uses = lastUses(report.timeline);
	const rows = report.active
		.toSorted((a, b) => b.lastTurn - a.lastTurn)
		.map((tool) => activeRow(tool, uses.get(idOf(tool))));
	return element(
		'section',
		{ 'data-key': 'loaded', 'aria-labelledby': 'loaded-title' },
		element(
			'div',
			{ class: 'heading' },
			element('h2', { id: 'loaded-title', tabindex: -1 }, l10n.t('Loaded tools')),
			undo !== undefined &&
				requestButton({ kind: 'undo' }, l10n.t('Undo Unload of {0}', undo), {
					class: 'secondary',
					'data-key': 'undo',
				}),
		),
		rows.length > 0
			? table(l10n.t('Tools that this chat has loaded'), activeColumns(), rows)
			: element('p', { class: 'empty' }, nothing(report)),
		report.always.length > 0 && alwaysLoaded(report.always, state),
	);
}

function activeRow(tool: ActiveTool, usedAt: number | undefined): Row {
	const id = idOf(tool);
	const { short: words, long } = loadReason(tool);
	return {
		key: tool.wireName,
		cells: [
			named(tool),
			element('span', { title: long }, words),
			`≈${wholeNumber(tool.tokens)}`,
			wholeNumber(tool.calls),
			usedAt === undefined ? '' : timeOf(usedAt),
			element(
				'span',
				{ class: 'buttons' },
				requestButton({ kind: 'unload', wireName: tool.wireName }, l10n.t('Unload'), {
					class: 'secondary',
					'aria-label': l10n.t('Unload {0}', id),
				}),
				requestButton({ kind: 'pin', wireName: tool.wireName }, l10n.t('Pin'), {
					class: 'secondary',
					'aria-label': l10n.t('Pin {0}', id),
					'data-key': 'pin',
				}),
			),
		],
	};
}

function alwaysLoaded(tools: readonly AlwaysTool[], state: PageState): PageNode {
	const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
	const rows = tools.map((tool) => ({
		key: tool.wireName,
		cells: [
			named(tool),
			tool.placement === 'pinned' ? l10n.t('pinned') : l10n.t('not deferred'),
			`≈${wholeNumber(tool.tokens)}`,
			wholeNumber(tool.calls),
		],
	}));
	const summary = l10n.t('Always loaded: {0}, ≈{1} tokens', toolCount(tools.length), shortNumber(tokens));
	return fold('always', summary, state, table(l10n.t('Tools that every chat has'), alwaysColumns(), rows));
}

function nothing({ enabled }: ContextReport): string {
	return enabled
		? l10n.t('This chat has loaded nothing yet.')
		: l10n.t('Discovery is off: every tool is always loaded.');
}

function idOf({ server, name }: { readonly server: string; readonly name: string }): string {
	return `${server}:${name}`;
}

/** The name of a tool; where there is little room, the line breaks after its server. */
function named({ server, name }: { readonly server: string; readonly name: string }): Child {
	return [`${server}:`, element('wbr'), name];
}
