import * as l10n from '@vscode/l10n';
import { chatName } from '../../../chat/chatName.ts';
import { callCount, duration, shortNumber, toolCount, wholeNumber } from '../../../chat/counts.ts';
import { nameList } from '../../../common/nameList.ts';
import type { ActiveTool, AlwaysTool, ContextReport } from '../../../discovery/report.ts';
import { maxTimelineEntries, type TimelineEntry } from '../../../discovery/session/timeline.ts';
import { type CallSums, callsByServer } from '../../../discovery/session/usage.ts';
import { loadReason } from '../../ui/loadReasons.ts';
import { type Child, element, type PageNode } from '../../ui/page/element.ts';
import type { PageCommand, PageView, ShownAgent } from '../pageView.ts';
import { serverChart } from './charts.tsx';
import { button, type Column, type PageUse, section, type TableRow, table, timeOf } from './parts.tsx';
import { type Tile, tilesOf } from './tiles.ts';
import { eventLabels, iconPath, isFailure, type TimelineTurn, type TurnEvent, turnsOf } from './timeline.ts';
import { chatState, inOrderOfCalls, lastCalls, modelName, searchSummary } from './words.ts';

export function pageBody(view: PageView, use: PageUse): Child {
	if (view.kind === 'report') return reportBody(view, use);
	return view.kind !== 'loading' && blankNotice(view.kind, use);
}

function reportBody({ report, agents, undo }: PageView & { kind: 'report' }, use: PageUse): Child {
	const { timeline, enabled, auto } = report;
	return [
		<header data-key="header">
			<div class="title">
				<h1>{l10n.t('Context')}</h1>
				<p class="chat">{chatName(report.firstPrompt)}</p>
				<p role="status">{chatState(report)}</p>
			</div>
			{button(use, l10n.t('Export JSON'), { kind: 'export' })}
		</header>,
		!enabled &&
			!auto &&
			notice('off', use, ['enableDiscovery'], l10n.t('Discovery is off'), [
				l10n.t('Every request contains every tool of every server.'),
			]),
		timeline.length === 0 &&
			notice('unasked', use, ['ask'], l10n.t('No chat yet'), [
				l10n.t('Ask @discovery something to see here what it searches, loads and calls.'),
			]),
		<ul class="tiles" data-key="tiles" aria-label={l10n.t('Tokens')}>
			{tilesOf(report).map(tile)}
		</ul>,
		serverChart(report),
		loadedSection(report, undo, use),
		agents.length > 0 && agentSection(agents, use),
		timeline.length > 0 && [timelineSection(timeline), callSection(report)],
	];
}

/** Shown instead of a report; the first button is the main one. */
function blankNotice(kind: Exclude<PageView['kind'], 'report' | 'loading'>, use: PageUse): PageNode {
	switch (kind) {
		case 'untrusted':
			return notice('blank', use, ['trust'], l10n.t('This workspace is not trusted'), [
				l10n.t('MCP servers do not start until you trust it.'),
			]);
		case 'none':
			return notice('blank', use, ['addServer', 'openConfig'], l10n.t('No MCP servers are configured'), [
				l10n.t('Servers and their deferred tools are configured in {0}.', 'casual_mcp_config.json'),
			]);
		case 'broken':
			return notice('blank', use, ['openConfig'], l10n.t('The configuration cannot be read'), [
				l10n.t('The errors are marked in the file.'),
			]);
	}
}

function notice(
	key: string,
	use: PageUse,
	commands: readonly PageCommand[],
	title: string,
	text: Child,
): PageNode {
	return (
		<section class="card notice" data-key={key}>
			<div>
				<h2 tabindex={-1}>{title}</h2>
				<p class="note">{text}</p>
			</div>
			<span class="buttons">
				{commands.map((command, i) =>
					button(use, use.titles[command], { kind: 'run', command }, { isMain: i === 0 }),
				)}
			</span>
		</section>
	);
}

function tile({ key, title, value, source, text, share }: Tile): PageNode {
	return (
		<li class="card tile" data-key={key}>
			<h2>
				{title}
				{source && (
					<span class="source">{source === 'estimated' ? l10n.t('estimated') : l10n.t('measured')}</span>
				)}
			</h2>
			<p class="value">{value}</p>
			<p class="note">{text}</p>
			{share && (
				<div class="share">
					<progress max={1} value={Math.min(1, share.value)} aria-label={share.words}>
						{share.words}
					</progress>
					<span aria-hidden="true">{share.words}</span>
				</div>
			)}
		</li>
	);
}

/** The tools that the chat loaded, with reasons and tokens, then the tools that every chat has. */
function loadedSection(report: ContextReport, undo: string | undefined, use: PageUse): PageNode {
	const calls = lastCalls(report.timeline);
	const columns: readonly Column[] = [
		[l10n.t('Tool')],
		[l10n.t('Why')],
		[l10n.t('Tokens'), 'number'],
		[l10n.t('Calls'), 'number minor'],
	];
	const activeRow = (tool: ActiveTool): TableRow => {
		const { server, name } = tool;
		const id = `${server}:${name}`;
		const on = { server, tool: name };
		const { short, long } = loadReason(tool);
		const calledAt = calls.get(id);
		return {
			key: tool.wireName,
			cells: [
				...toolCells(tool, <span title={long}>{short}</span>),
				calledAt !== undefined && timeOf(calledAt),
				<span class="buttons">
					{button(
						use,
						l10n.t('Unload'),
						{ kind: 'run', command: 'unloadTool', on },
						{ label: l10n.t('Unload {0}', id) },
					)}
					{button(
						use,
						l10n.t('Pin'),
						{ kind: 'run', command: 'pinServer', on },
						{ label: l10n.t('Pin {0}', id) },
					)}
				</span>,
			],
		};
	};
	const alwaysRow = (tool: AlwaysTool): TableRow => ({
		key: tool.wireName,
		cells: toolCells(tool, tool.placement === 'pinned' ? l10n.t('pinned') : l10n.t('not deferred')),
	});
	const { active, always, enabled } = report;
	const tokens = always.reduce((sum, tool) => sum + tool.tokens, 0);
	return section(
		'loaded',
		l10n.t('Loaded tools'),
		[
			active.length > 0 ? (
				table(
					l10n.t('Tools that this chat has loaded'),
					[...columns, [l10n.t('Last call'), 'minor'], [l10n.t('Actions'), 'unseen']],
					inOrderOfCalls(active, calls).map(activeRow),
				)
			) : (
				<p class="empty">
					{enabled
						? l10n.t('This chat has loaded nothing yet.')
						: l10n.t('Discovery is off: every tool is always loaded.')}
				</p>
			),
			always.length > 0 && (
				<details data-key="always">
					<summary>
						{l10n.t('Always loaded: {0}, ≈{1} tokens', toolCount(always.length), shortNumber(tokens))}
					</summary>
					{table(l10n.t('Tools that every chat has'), columns, always.map(alwaysRow))}
				</details>
			),
		],
		undo !== undefined && button(use, l10n.t('Undo: {0}', undo), { kind: 'run', command: 'undo' }),
	);
}

/** Tools of an agent that its row names. */
const namedTools = 3;

/** What other agents have used, with their tokens. */
function agentSection(agents: readonly ShownAgent[], use: PageUse): PageNode {
	const row = ({ name, tools, lastUse, having, without, isDisconnected }: ShownAgent): TableRow => {
		const ids = tools.map(([id, calls]) => (calls > 0 ? `${id} (${callCount(calls)})` : id));
		const isUsed = lastUse > 0;
		return {
			key: name,
			cells: [
				name,
				<span title={ids.join('\n')}>{nameList(ids, namedTools)}</span>,
				isUsed && `≈${wholeNumber(having)}`,
				isUsed && `≈${wholeNumber(without)}`,
				isUsed && timeOf(lastUse),
				isDisconnected
					? button(
							use,
							l10n.t('Connect'),
							{ kind: 'connect', agent: name },
							{ label: l10n.t('Connect {0}', name) },
						)
					: button(
							use,
							l10n.t('Disconnect'),
							{ kind: 'disconnect', agent: name },
							{ label: l10n.t('Disconnect {0}', name) },
						),
			],
		};
	};
	const columns: readonly Column[] = [
		[l10n.t('Agent')],
		[l10n.t('Tools')],
		[l10n.t('Tokens'), 'number'],
		[l10n.t('Tokens with all tools'), 'number'],
		[l10n.t('Last use'), 'minor'],
		[l10n.t('Actions'), 'unseen'],
	];
	return section('agents', l10n.t('Other agents'), [
		<p class="note">
			{l10n.t(
				'They find and call tools through Discovery. Tokens are estimates of what their requests contain.',
			)}
		</p>,
		table(l10n.t('Agents that have used this window'), columns, agents.map(row)),
	]);
}

/** A narrow page breaks the line after the server's name. */
function toolCells({ server, name, tokens, calls }: ActiveTool | AlwaysTool, why: Child): readonly Child[] {
	return [[`${server}:`, <wbr />, name], why, `≈${wholeNumber(tokens)}`, wholeNumber(calls)];
}

function timelineSection(timeline: readonly TimelineEntry[]): PageNode {
	return section('timeline', l10n.t('Timeline'), [
		timeline.length >= maxTimelineEntries && (
			<p class="note" data-key="cut">
				{l10n.t('The last {0} entries.', maxTimelineEntries)}
			</p>
		),
		turnsOf(timeline).map(turnSection),
	]);
}

function turnSection({ number, start, events }: TimelineTurn): PageNode {
	return (
		<section class="turn" data-key={`turn ${number}`}>
			<h3>
				{number === 0 ? l10n.t('Before the first message') : l10n.t('Turn {0}', number)}
				{start && (
					<span class="note">
						{` · ${modelName(start.model)} · `}
						{timeOf(start.at)}
					</span>
				)}
			</h3>
			{start?.message && <blockquote>{start.message}</blockquote>}
			<ol>{events.map(eventItem)}</ol>
		</section>
	);
}

function eventItem(entry: TurnEvent, i: number): PageNode {
	const { subject: what, detail } = eventLabels(entry);
	return (
		<li class={isFailure(entry) ? 'failed' : entry.kind} data-key={`${i}`}>
			<svg class="icon" viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
				<path d={iconPath(entry)} />
			</svg>
			<span class="words">
				{what}
				{detail && <span class="note">{` · ${detail}`}</span>}
			</span>
			{timeOf(entry.at)}
		</li>
	);
}

/** Calls of this chat by server and tool, and the results of its searches. */
function callSection({ usage, statistics }: ContextReport): PageNode {
	const servers = callsByServer(usage.calls);
	const cells = ({ calls, failures, meanMs }: CallSums) => [
		wholeNumber(calls),
		wholeNumber(failures),
		duration(meanMs),
	];
	return section('statistics', l10n.t('Calls and searches'), [
		<p class="note">
			{[
				...(statistics ? [searchSummary(statistics)] : []),
				l10n.t('Tools that you run yourself are not part of the chat and not counted.'),
			].join(' ')}
		</p>,
		servers.length > 0 ? (
			table(
				l10n.t('Calls by server and tool'),
				[
					[l10n.t('Server and tool')],
					[l10n.t('Calls'), 'number'],
					[l10n.t('Failed'), 'number'],
					[l10n.t('Mean time'), 'number minor'],
				],
				servers.flatMap(({ server, tools, ...sums }) => [
					{ key: server, look: 'server', cells: [server, ...cells(sums)] },
					...tools.map(({ tool, ...counts }) => ({
						key: `${server}:${tool}`,
						look: 'tool',
						cells: [tool, ...cells(counts)],
					})),
				]),
			)
		) : (
			<p class="empty">{l10n.t('No tool has been called yet.')}</p>
		),
	]);
}
