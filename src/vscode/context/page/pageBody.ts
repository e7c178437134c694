import * as l10n from '@vscode/l10n';
import { autoWords } from '../../../chat/autoWords.ts';
import { chatName } from '../../../chat/chatName.ts';
import { toolCount } from '../../../chat/counts.ts';
import type { Proposal } from '../../../discovery/habits/rules.ts';
import type { ContextReport } from '../../../discovery/report.ts';
import { type Child, element, type PageNode, requestButton } from '../../ui/page/element.ts';
import { suggestionLabels } from '../../ui/suggestionLabels.ts';
import type { CommandTitles, PageCommand, PageView } from '../pageView.ts';
import { pastSection, statisticsSection } from './callStatistics.ts';
import { requestBars, requestFigure, serverBars, serverFigure } from './figures.ts';
import { loadedSection } from './loadedTable.ts';
import type { PageState } from './pageState.ts';
import { tileList } from './tiles.ts';
import { timelineSection } from './timeline.ts';

/** The title of the page, how the chat stands, and a button that exports. */
function pageHeader(report: ContextReport): PageNode {
	return element(
		'header',
		{ 'data-key': 'header' },
		element(
			'div',
			{ class: 'title' },
			element('h1', {}, l10n.t('Context')),
			element('p', { class: 'chat' }, chatName(report.firstPrompt)),
			element('p', { role: 'status' }, chatState(report)),
		),
		requestButton({ kind: 'export' }, l10n.t('Export JSON'), { class: 'secondary' }),
	);
}

/** `5 of at most 24 tools loaded · 2 always loaded · gpt-4.1 · toolset reading`. */
export function chatState(report: ContextReport): string {
	const { enabled, auto, active, always, cap, timeline } = report;
	const model = timeline.findLast((entry) => entry.kind === 'turn')?.model;
	const loaded =
		cap === null
			? l10n.t('{0} loaded', toolCount(active.length))
			: l10n.t('{0} of at most {1} loaded', active.length, toolCount(cap));
	const more = always.length > 0 ? [l10n.t('{0} always loaded', always.length)] : [];
	return [
		...(auto ? [autoWords(auto)] : []),
		...(enabled
			? [loaded, ...more]
			: auto
				? []
				: [l10n.t('Discovery is off: {0} loaded', toolCount(always.length))]),
		...(model ? [model] : []),
		...toolsetWords(report),
	].join(' · ');
}

function toolsetWords({ toolset, toolsetMissing }: ContextReport): string[] {
	if (toolset === undefined) return [];
	return [
		toolsetMissing
			? l10n.t('toolset {0}, missing from the configuration', toolset)
			: l10n.t('toolset {0}', toolset),
	];
}

/** Why the page is empty or of little use, and what the user can do; the first button is the one to press. */
interface Notice {
	readonly title: string;
	readonly text: string;
	readonly buttons: readonly PageCommand[];
}

/** What there is instead of a report. */
type BlankKind = Exclude<PageView['kind'], 'report' | 'loading'>;

/** What the page says where there is nothing to report. */
function blank(kind: BlankKind): Notice {
	switch (kind) {
		case 'untrusted':
			return {
				title: l10n.t('This workspace is not trusted'),
				text: l10n.t('No MCP server is started in it.'),
				buttons: ['trust', 'openWalkthrough'],
			};
		case 'none':
			return {
				title: l10n.t('No MCP servers are configured'),
				text: l10n.t(
					'The file {0} names the servers, and says which of their tools are deferred.',
					'casual_mcp_config.json',
				),
				buttons: ['addServer', 'createConfig', 'importServers', 'openWalkthrough'],
			};
		case 'broken':
			return {
				title: l10n.t('The configuration cannot be read'),
				text: l10n.t('Its faults are marked in the file.'),
				buttons: ['openConfig'],
			};
	}
}

function blankPage(kind: BlankKind, titles: CommandTitles): PageNode {
	return notice('blank', blank(kind), titles);
}

function offNotice(titles: CommandTitles): PageNode {
	return notice(
		'off',
		{
			title: l10n.t('Discovery is off'),
			text: l10n.t('Every tool of every server goes to the model with every request.'),
			buttons: ['enableDiscovery'],
		},
		titles,
	);
}

function unaskedNotice(titles: CommandTitles): PageNode {
	return notice(
		'unasked',
		{
			title: l10n.t('No chat yet'),
			text: l10n.t('Ask @discovery something: what it searches, loads and calls appears here as it happens.'),
			buttons: ['ask'],
		},
		titles,
	);
}

function notice(key: string, { title, text, buttons }: Notice, titles: CommandTitles): PageNode {
	return element(
		'section',
		{ class: 'card notice', 'data-key': key },
		element('div', {}, element('h2', { tabindex: -1 }, title), element('p', { class: 'note' }, text)),
		element(
			'span',
			{ class: 'buttons' },
			...buttons.map((command, i) =>
				requestButton({ kind: 'run', command }, titles[command], {
					class: i > 0 && 'secondary',
					'data-key': command,
				}),
			),
		),
	);
}

/** What past chats suggest; absent where they suggest nothing. */
function suggestionSection(suggestions: readonly Proposal[]): PageNode | undefined {
	if (suggestions.length === 0) return undefined;
	return element(
		'section',
		{ 'data-key': 'suggestions', 'aria-labelledby': 'suggestions-title' },
		element('h2', { id: 'suggestions-title', tabindex: -1 }, l10n.t('Suggestions')),
		element('ul', { class: 'suggestions' }, ...suggestions.map(item)),
	);
}

function item(suggestion: Proposal): PageNode {
	const { id } = suggestion;
	const { button, title, dismiss, sentence } = suggestionLabels(suggestion);
	return element(
		'li',
		{ class: 'card', 'data-key': id },
		element('div', {}, element('strong', {}, title), element('p', { class: 'note' }, sentence)),
		element(
			'span',
			{ class: 'buttons' },
			requestButton({ kind: 'take', id }, button, { 'aria-label': title }),
			requestButton({ kind: 'dismiss', id }, l10n.t('Dismiss'), {
				class: 'secondary',
				'aria-label': dismiss,
				'data-key': 'dismiss',
			}),
		),
	);
}

/** All that the page shows. */
export function pageBody(view: PageView, state: PageState, titles: CommandTitles): readonly Child[] {
	switch (view.kind) {
		case 'loading':
			return [];
		case 'report':
			return reported(view, state, titles);
		default:
			return [blankPage(view.kind, titles)];
	}
}

function reported(
	{ report, suggestions, past, undo }: PageView & { kind: 'report' },
	state: PageState,
	titles: CommandTitles,
): readonly Child[] {
	return [
		pageHeader(report),
		!report.enabled && !report.auto && offNotice(titles),
		report.timeline.length === 0 && unaskedNotice(titles),
		tileList(report),
		figures(report),
		loadedSection(report, undo, state),
		suggestionSection(suggestions),
		report.timeline.length > 0 && [timelineSection(report.timeline, state.filter), statisticsSection(report)],
		pastSection(past),
	];
}

/** The figures for which there is something to draw. */
function figures(report: ContextReport): Child {
	const bars = serverBars(report);
	const requests = requestBars(report.timeline, report.usage.requests);
	if (bars.length === 0 && requests.bars.length === 0) return undefined;
	return element(
		'div',
		{ class: 'figures', 'data-key': 'figures' },
		bars.length > 0 && serverFigure(bars),
		requests.bars.length > 0 && requestFigure(requests),
	);
}
