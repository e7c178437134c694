import * as l10n from '@vscode/l10n';
import { toolCount, wholeNumber } from '../../chat/counts.ts';
import { code, plain } from '../../common/markdown.ts';
import type { ToolExpansion } from '../../discovery/catalog/expansion.ts';
import type { Ranking } from '../../discovery/catalog/policy.ts';
import { type Tool, toolId } from '../../discovery/catalog/tool.ts';
import type {
	Comparison,
	SearchChange,
	TaughtTool,
	TeachingComparison,
	WithoutHarm,
} from '../../discovery/evaluation/comparison.ts';
import { firstTools } from '../../discovery/evaluation/evaluate.ts';
import type { QuerySource } from '../../discovery/evaluation/queryFile.ts';
import {
	figureTable,
	labelSection,
	nameLength,
	offWords,
	queryCount,
	queryLength,
	section,
} from './evaluationReport.ts';

/** What came of comparing search before and after it learned. */
export type TeachingOutcome =
	| { readonly kind: 'compared'; readonly comparison: TeachingComparison }
	/** There was nothing to compare it on. */
	| { readonly kind: 'no-queries' }
	/** The user has stopped it, or it has failed, which was said. */
	| { readonly kind: 'stopped' };

/** What a report on what search has learned tells of. */
export interface ReportedTeaching {
	readonly tools: readonly TaughtTool[];
	/** Where queries were looked for, with what was found. */
	readonly sources: readonly QuerySource[];
	/** Deferred tools, whether discovery is on, so that models search them at all, and by which ranking. */
	readonly searched: { readonly tools: number; readonly isEnabled: boolean; readonly ranking: Ranking };
	readonly outcome: TeachingOutcome;
}

/** Whether it helps, in sentences of which the first is short. */
export function effectWords(comparison: Comparison): string {
	return [effectSentence(comparison), ...figureSentences(comparison)].join(' ');
}

function effectSentence({ needs, effect, after }: Comparison): string {
	if (needs.all + after.figures.negatives === 0) return l10n.t('There was no query to judge search by.');
	switch (effect) {
		case 'better':
			return l10n.t('It helps.');
		case 'slightly-better':
			return l10n.t('Slightly better: overall, the right tools rank higher.');
		case 'same':
			return l10n.t('It makes no difference for these queries.');
		case 'slightly-worse':
			return l10n.t('Slightly worse: overall, the right tools rank lower.');
		case 'worse':
			return l10n.t('It does harm.');
	}
}

function figureSentences({ needs, before, after, changes }: Comparison): string[] {
	const { all, before: then, after: now } = needs;
	const { queries, negatives, falseAnswers } = after.figures;
	const falseBefore = before.figures.falseAnswers;
	const asked = all === queries ? queryCount(all) : l10n.t('{0} needs', wholeNumber(all));
	const met =
		then === now
			? l10n.t('The right tool is among the first five for {0} of {1}, as before.', now, asked)
			: l10n.t('The right tool is among the first five for {0} of {1}; before, for {2}.', now, asked, then);
	const count = (wanted: SearchChange['kind']) => changes.filter(({ kind }) => kind === wanted).length;
	const [gained, lost] = [count('gained'), count('lost')];
	const wrong = l10n.t(
		'For {0} of {1} that no tool answers, search still finds one; before, for {2}.',
		falseAnswers,
		queryCount(negatives),
		falseBefore,
	);
	return [
		...(all > 0 ? [met] : []),
		...(falseAnswers === falseBefore ? [] : [wrong]),
		...(gained > 0 && lost > 0 ? [l10n.t('{0} gained, {1} lost.', gained, lost)] : []),
	];
}

/** Characters of a report, but for the first tools: a longer one would open as text instead of being drawn. */
const longestReport = 180_000;

/** A report on what search has learned, in Markdown. Whatever servers, models and files say is shown as it is, never as markup. */
export function teachingReport(report: ReportedTeaching): string {
	const { outcome } = report;
	const first = [
		`# ${l10n.t('What search has learned')}`,
		lead(outcome),
		l10n.t('**Undo** in the notification, or **Discovery: Undo Last Change**, takes all of it back.'),
		...(outcome.kind === 'compared' ? comparisonSections(report, outcome.comparison) : []),
	];
	const last = [
		outcome.kind === 'compared' ? labelSection(outcome.comparison.after.results) : '',
		section(l10n.t('Faults in the files'), report.sources.flatMap(faultLines), '\n'),
	];
	const room = longestReport - [...first, ...last].join('').length;
	return `${[...first, writtenSection(report, room), ...last].filter(Boolean).join('\n\n')}\n`;
}

function lead(outcome: TeachingOutcome): string {
	switch (outcome.kind) {
		case 'compared': {
			const { comparison } = outcome;
			return [`**${effectSentence(comparison)}**`, ...figureSentences(comparison)].join(' ');
		}
		case 'no-queries':
			return l10n.t(
				'**Nothing was compared**: the workspace has no file of queries, and no chat of this window has searched for a tool and called it. **Discovery: Evaluate Search…** creates a file with examples. Put queries of your own there, and it tells at any time how well search does.',
			);
		case 'stopped':
			return l10n.t(
				'**Nothing was compared**, since it was stopped. **Discovery: Evaluate Search…** tells at any time how well search does now.',
			);
	}
}

function faultLines({ title, faults }: QuerySource): string[] {
	return faults.map(
		({ line, message }) => `- ${l10n.t('{0}, line {1}: {2}', code(title, nameLength), line, plain(message))}`,
	);
}

function comparisonSections(report: ReportedTeaching, comparison: TeachingComparison): string[] {
	const { isEnabled, ranking } = report.searched;
	return [
		headline(report, comparison),
		isEnabled ? '' : offWords(),
		ranking === 'default'
			? ''
			: l10n.t(
					'The ranking {0} of the configuration does not read what is written of tools; only {1} does.',
					code(ranking),
					code('default'),
				),
		figureTable(comparison.after.figures, comparison.before.figures),
		harmSection(comparison),
		section(l10n.t('What has changed, tool by tool'), toolSections(report.tools, comparison)),
		section(
			l10n.t('What no tool answers'),
			comparison.changes.filter(({ tool }) => !tool).map((change) => `- ${changeLine(change)}`),
			'\n',
		),
	];
}

function headline(
	{ tools, sources, searched }: ReportedTeaching,
	{ after, asked }: TeachingComparison,
): string {
	const names = sources
		.filter(({ queries }) => queries.length > 0)
		.map(({ title }) => code(title, nameLength));
	return [
		l10n.t(
			'{0} of {1}, put to the search among {2} as a model would, without and with what a language model has written of {3}.',
			queryCount(after.results.length),
			names.join(', '),
			toolCount(searched.tools),
			toolCount(tools.length),
		),
		asked > 0
			? l10n.t('The queries ask for {0} of these.', wholeNumber(asked))
			: l10n.t('The queries ask for none of these.'),
	].join(' ');
}

function harmSection({ withoutHarm }: TeachingComparison): string {
	if (!withoutHarm) return '';
	const { tools, comparison } = withoutHarm;
	return [
		`## ${l10n.t('What does harm')}`,
		l10n.t(
			'What is written of these tools brings them to the fore where they are wrong, and more often than where they are right: {0}.',
			tools.map((tool) => code(toolId(tool), nameLength)).join(', '),
		),
		`${l10n.t('Without these texts:')} ${effectWords(comparison)}`,
		l10n.t('**{0}** in the notification forgets them and keeps the others.', leaveOutLabel(withoutHarm)),
	].join('\n\n');
}

/** The button that forgets what does harm. */
export function leaveOutLabel({ tools }: WithoutHarm): string {
	return tools.length === 1 ? l10n.t('Leave Out 1 Tool') : l10n.t('Leave Out {0} Tools', tools.length);
}

/** Changes that one tool is told of. */
const toldChanges = 10;

/** What has changed for one tool, and what it is to blame for. */
interface ToolChanges {
	readonly tool: Tool;
	readonly own: SearchChange[];
	readonly blamed: SearchChange[];
}

/** Each tool with its changes, those first for which tools have come among the first five, or are there no more. */
function toolSections(taught: readonly TaughtTool[], { changes }: Comparison): string[] {
	const byTool = new Map<string, ToolChanges>();
	const of = (tool: Tool): ToolChanges => {
		const its = byTool.get(toolId(tool)) ?? { tool, own: [], blamed: [] };
		byTool.set(toolId(tool), its);
		return its;
	};
	for (const change of changes) {
		if (change.tool) of(change.tool).own.push(change);
		for (const tool of change.blamed) of(tool).blamed.push(change);
	}
	const weightOf = ({ own, blamed }: ToolChanges) => byWeight([...own, ...blamed])[0].length;
	return [...byTool.values()]
		.sort((a, b) => weightOf(b) - weightOf(a))
		.map((its) => toolSection(its, taught));
}

/** Changes of what is among the first five, and the others. */
function byWeight(changes: readonly SearchChange[]): [SearchChange[], SearchChange[]] {
	const weighs = ({ kind }: SearchChange) => kind === 'gained' || kind === 'lost';
	return [changes.filter(weighs), changes.filter((change) => !weighs(change))];
}

function toolSection({ tool, own, blamed }: ToolChanges, taught: readonly TaughtTool[]): string {
	const [ownFirst, ownRest] = byWeight(own);
	const [blamedFirst, blamedRest] = byWeight(blamed);
	const lines = [
		...ownFirst.map(changeLine),
		...blamedFirst.map(blameLine),
		...ownRest.map(changeLine),
		...blamedRest.map(blameLine),
	].map((line) => `- ${line}`);
	const more = lines.length - toldChanges;
	const written = taught.find(({ server, name }) => server === tool.server && name === tool.name);
	return [
		`### ${code(toolId(tool), nameLength)}`,
		[...lines.slice(0, toldChanges), ...(more > 0 ? [`- ${l10n.t('… and {0} more.', more)}`] : [])].join(
			'\n',
		),
		written ? writtenWords(written) : l10n.t('No description was written.'),
	].join('\n\n');
}

function changeLine({ query, kind, tool, before, after, blamed }: SearchChange): string {
	const words = `“${plain(query.query, nameLength)}”`;
	const first = blamed.slice(0, firstTools).map((one) => code(one.id, nameLength));
	const others = [...first, ...(blamed.length > firstTools ? ['…'] : [])].join(', ');
	if (!tool) {
		return kind === 'gained'
			? l10n.t('Nothing is found any more, as it should be: {0}', words)
			: l10n.t('Something is found now: {0} {1}', words, others && `(${others})`);
	}
	const ranks = `(${rankWords(before)} → ${rankWords(after)})`;
	const behind = others && l10n.t('behind {0}', others);
	switch (kind) {
		case 'gained':
			return l10n.t('Among the first five now: {0} {1}', words, ranks);
		case 'lost':
			return l10n.t('Dropped out of the top five: {0} {1} {2}', words, ranks, behind).trimEnd();
		case 'higher':
			return l10n.t('Earlier: {0} {1}', words, ranks);
		case 'lower':
			return l10n.t('Later: {0} {1} {2}', words, ranks, behind).trimEnd();
	}
}

function blameLine({ query, tool, before, after }: SearchChange): string {
	const words = `“${plain(query.query, nameLength)}”`;
	return tool
		? l10n.t(
				'Before the right tool, {0}: {1} {2}',
				code(tool.id, nameLength),
				words,
				`(${rankWords(before)} → ${rankWords(after)})`,
			)
		: l10n.t('Found, though no tool answers it: {0}', words);
}

function rankWords(rank: number): string {
	return Number.isFinite(rank) ? l10n.t('rank {0}', rank) : l10n.t('not found');
}

/** What is written of the tools for which nothing has changed, or was compared, in about so many characters. */
function writtenSection({ tools, outcome }: ReportedTeaching, room: number): string {
	const changes = outcome.kind === 'compared' ? outcome.comparison.changes : [];
	const moved = new Set(
		changes.flatMap(({ tool, blamed }) => [...(tool ? [tool] : []), ...blamed].map(toolId)),
	);
	const others = tools.filter((tool) => !moved.has(toolId(tool)));
	if (others.length === 0) return '';
	const title = moved.size > 0 ? l10n.t('What is written of the others') : l10n.t('What is written');
	let left = room;
	const told = others
		.map((tool) => `### ${code(toolId(tool), nameLength)}\n\n${writtenWords(tool)}`)
		.filter((text) => {
			left -= text.length;
			return left >= 0;
		});
	const more = others.length - told.length;
	return [`## ${title}`, ...told, ...(more > 0 ? [l10n.t('… and {0} more.', wholeNumber(more))] : [])].join(
		'\n\n',
	);
}

function writtenWords({ before = {}, after = {} }: TaughtTool): string {
	const [then, now] = [textOf(before), textOf(after)];
	const lines = [
		now ? l10n.t('Written: {0}', now) : l10n.t('It has no description any more.'),
		then && then !== now ? l10n.t('Before: {0}', then) : '',
	];
	return lines.filter(Boolean).join('  \n');
}

/** Empty where nothing is written. */
function textOf({ when, queries = [] }: ToolExpansion): string {
	const said = queries.map((query) => `“${plain(query, queryLength)}”`).join(', ');
	return [when === undefined ? '' : plain(when, queryLength), said].filter(Boolean).join(' ');
}
