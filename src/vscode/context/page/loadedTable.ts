import type { ActiveTool, AlwaysTool, ContextReport } from '../../../discovery/report/contextReport.ts';
import { loadReason } from '../../loaded/loadReasons.ts';
import { requestButton } from './button.ts';
import { type Child, element } from './element.ts';
import { lastUses } from './lastUses.ts';
import { counted, short, whole } from './numbers.ts';
import type { PageState } from './pageState.ts';
import { type Row, table } from './table.ts';
import { timeOf } from './times.ts';

const columns = [
	{ title: 'Tool' },
	{ title: 'Why' },
	{ title: 'Tokens', numeric: true },
	{ title: 'Calls', numeric: true, minor: true },
	{ title: 'Last use', minor: true },
	{ title: 'Actions', hidden: true },
];

/** What the chat has loaded, why, and at what price; below it what every chat has. */
export function loadedSection(
	report: ContextReport,
	undo: string | undefined,
	state: PageState,
): HTMLElement {
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
			element('h2', { id: 'loaded-title', tabindex: -1 }, 'Loaded tools'),
			undo === undefined
				? undefined
				: requestButton({ kind: 'undo' }, `Undo Unload of ${undo}`, {
						class: 'secondary',
						'data-key': 'undo',
					}),
		),
		rows.length > 0
			? table('Tools that this chat has loaded', columns, rows)
			: element('p', { class: 'empty' }, nothing(report)),
		...(report.always.length > 0 ? [alwaysLoaded(report.always, state)] : []),
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
			`≈${whole(tool.tokens)}`,
			whole(tool.calls),
			usedAt === undefined ? '' : timeOf(usedAt),
			element(
				'span',
				{ class: 'buttons' },
				requestButton({ kind: 'unload', wireName: tool.wireName }, 'Unload', {
					class: 'secondary',
					'aria-label': `Unload ${id}`,
				}),
				requestButton({ kind: 'pin', wireName: tool.wireName }, 'Pin', {
					class: 'secondary',
					'aria-label': `Pin ${id}`,
					'data-key': 'pin',
				}),
			),
		],
	};
}

function alwaysLoaded(tools: readonly AlwaysTool[], state: PageState): HTMLElement {
	const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
	const rows = tools.map((tool) => ({
		key: tool.wireName,
		cells: [
			named(tool),
			tool.placement === 'pinned' ? 'pinned' : 'not deferred',
			`≈${whole(tool.tokens)}`,
			whole(tool.calls),
		],
	}));
	return element(
		'details',
		{ 'data-key': 'always', open: state.open.includes('always') },
		element('summary', {}, `Always loaded: ${counted(tools.length, 'tool')}, ≈${short(tokens)} tokens`),
		table('Tools that every chat has', columns.slice(0, 4), rows),
	);
}

function nothing({ enabled }: ContextReport): string {
	return enabled ? 'This chat has loaded nothing yet.' : 'Discovery is off: every tool is always loaded.';
}

function idOf({ server, name }: { readonly server: string; readonly name: string }): string {
	return `${server}:${name}`;
}

/** A name that, where there is little room, is broken behind its server. */
function named({ server, name }: { readonly server: string; readonly name: string }): Child[] {
	return [`${server}:`, element('wbr'), name];
}
