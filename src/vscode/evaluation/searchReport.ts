import * as l10n from '@vscode/l10n';
import { matchLine } from '../../chat/commands/matchLine.ts';
import { toolCount, wholeNumber } from '../../chat/counts.ts';
import { code, plain } from '../../common/markdown.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolExpansion } from '../../discovery/catalog/expansion.ts';
import { toolId } from '../../discovery/catalog/tool.ts';
import type { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import type { Comparison, SearchChange, TaughtTool } from '../../discovery/evaluation/comparison.ts';
import {
	type Evaluation,
	type EvaluationFigures,
	firstTools,
	type LabelRemark,
	type QuestionResult,
	type RankedTool,
} from '../../discovery/evaluation/evaluate.ts';
import type { QuerySource } from '../../discovery/evaluation/queryFile.ts';
import type { SearchFix } from '../../discovery/evaluation/searchFixes.ts';

/** What Evaluate Search and Teach Search report. */
export interface SearchReport {
	readonly sources: readonly QuerySource[];
	readonly surface: ToolSurface;
	/** Discovery defers something, so models do search. */
	readonly isEnabled: boolean;
	/** Absent: there were no queries, or the user stopped the evaluation. */
	readonly evaluation?: Evaluation | undefined;
	/** Of `evaluation` with the one before a change. */
	readonly comparison?: Comparison | undefined;
	readonly fixes: readonly SearchFix[];
	/** What search has just learned. */
	readonly taught?: readonly TaughtTool[];
}

/** Shares of right answers from which search counts as working well, and fairly well. */
const wellFrom = 0.9;
const fairlyFrom = 0.7;
/** Characters of a name and of a query. */
const nameLength = 120;
const queryLength = 300;
/** Entries of a section. */
const mostEntries = 100;
/** Characters of a report: the editor shows a much longer one as plain text. */
const longestReport = 180_000;

export function queryCount(n: number): string {
	return n === 1 ? l10n.t('1 query') : l10n.t('{0} queries', n);
}

/** A report in Markdown. Text of servers, models and files is escaped. */
export function searchReport(report: SearchReport): string {
	const { evaluation, comparison, sources, surface, taught } = report;
	const results = evaluation?.results ?? [];
	const wrong = results.filter(({ isRight }) => !isRight);
	const missed = wrong.filter(({ question }) => question.expects === 'tools');
	const falseAnswers = wrong.filter(({ question }) => question.expects === 'nothing');
	const parts = [
		`# ${taught ? l10n.t('What search learned') : l10n.t('Search evaluation')}`,
		lead(report),
		taught ? l10n.t('To remove all of it, run **Discovery: Undo Last Change**.') : '',
		...(evaluation ? [searched(report), figureTable(evaluation.figures, comparison?.before.figures)] : []),
		section(l10n.t('What changed'), comparison?.changes.map(changeLine) ?? []),
		helpSection(report),
		section(
			l10n.t('Missed'),
			missed.map((miss) => missText(miss, surface)),
			'\n\n',
		),
		section(
			l10n.t('Unexpected results'),
			falseAnswers.map((miss) => missText(miss, surface)),
			'\n\n',
		),
		section(l10n.t('Labels'), [
			...new Set(results.flatMap(({ question }) => question.remarks.map(remarkLine))),
		]),
		section(
			l10n.t('Errors in query files'),
			sources.flatMap(({ title, faults }) =>
				faults.map(
					({ line, message }) =>
						`- ${l10n.t('{0}, line {1}: {2}', code(title, nameLength), line, plain(message))}`,
				),
			),
		),
	].filter(Boolean);
	const room = longestReport - parts.join('').length;
	return `${[...parts, ...(taught ? [writtenSection(taught, room)] : [])].join('\n\n')}\n`;
}

function lead({ evaluation, comparison }: SearchReport): string {
	if (comparison) return effectWords(comparison, '**');
	if (evaluation) return verdict(evaluation);
	return l10n.t(
		'**Not evaluated.** There were no queries, or you stopped it. **Discovery: Evaluate Search…** creates a file of example queries and evaluates search at any time.',
	);
}

function verdict({ results }: Evaluation): string {
	const [judged, rightOnes] = counted(results, 'tools');
	const [negatives, refused] = counted(results, 'nothing');
	if (judged + negatives === 0) return l10n.t('None of the queries could be evaluated.');
	const share = rightOnes / judged;
	const figures = [rightOnes, queryCount(judged)] as const;
	const found =
		share >= wellFrom
			? l10n.t('**Search works well:** the right tools are in the top 5 for {0} of {1}.', ...figures)
			: share >= fairlyFrom
				? l10n.t('**Search works fairly well:** the right tools are in the top 5 for {0} of {1}.', ...figures)
				: l10n.t('**Search misses a lot:** the right tools are in the top 5 for {0} of {1}.', ...figures);
	const nothing = l10n.t('It correctly finds nothing for {0} of {1}.', refused, queryCount(negatives));
	return [...(judged > 0 ? [found] : []), ...(negatives > 0 ? [nothing] : [])].join(' ');
}

function counted(
	results: readonly QuestionResult[],
	expects: 'tools' | 'nothing',
): [all: number, right: number] {
	const judged = results.filter(({ question }) => question.expects === expects);
	return [judged.length, judged.filter(({ isRight }) => isRight).length];
}

/** Whether a change helps, with the figures. `emphasis`: Markdown around the first sentence. */
export function effectWords(comparison: Comparison, emphasis = ''): string {
	return `${emphasis}${effectSentence(comparison)}${emphasis} ${figureSentences(comparison)}`.trim();
}

function effectSentence({ needs, effect, after }: Comparison): string {
	if (needs.all + after.figures.negatives === 0) return l10n.t('None of the queries could be evaluated.');
	switch (effect) {
		case 'better':
			return l10n.t('Results improved.');
		case 'slightly-better':
			return l10n.t('Results improved slightly: the right tools rank higher.');
		case 'same':
			return l10n.t('Results are the same for these queries.');
		case 'slightly-worse':
			return l10n.t('Results got slightly worse: the right tools rank lower.');
		case 'worse':
			return l10n.t('Results got worse.');
	}
}

function figureSentences({ needs, before, after }: Comparison): string {
	const [was, is] = [before.figures.falseAnswers, after.figures.falseAnswers];
	return [
		...(needs.all > 0
			? [l10n.t('Right tool in the top 5: {0} of {1} (before: {2}).', needs.after, needs.all, needs.before)]
			: []),
		...(is === was
			? []
			: [l10n.t('Unexpected results: {0} of {1} (before: {2}).', is, after.figures.negatives, was)]),
	].join(' ');
}

/** Which queries were evaluated among which tools. */
function searched({ sources, surface, isEnabled, evaluation, taught }: SearchReport): string {
	const names = sources
		.filter(({ queries }) => queries.length > 0)
		.map(({ title }) => code(title, nameLength));
	const results = evaluation?.results ?? [];
	const wanted = new Set(results.flatMap(({ question }) => question.needs.flatMap((need) => [...need])));
	const asked = (taught ?? []).filter((tool) =>
		surface.tools.some(({ id, wireName }) => id === toolId(tool) && wanted.has(wireName)),
	);
	return [
		l10n.t(
			'{0} from {1}, searched among {2} as a model would.',
			queryCount(results.length),
			names.join(', '),
			toolCount(surface.deferred.length),
		),
		...(taught
			? [
					l10n.t(
						'Search learned about {0}; the queries ask for {1} of them.',
						toolCount(taught.length),
						asked.length,
					),
				]
			: []),
		...(isEnabled
			? []
			: [
					l10n.t(
						'Discovery is off or defers nothing, so models do not search. This report treats every tool as deferred.',
					),
				]),
	].join(' ');
}

function figureTable(now: EvaluationFigures, before: EvaluationFigures | undefined): string {
	const rows: readonly (readonly [string, (one: EvaluationFigures) => string, string])[] = [
		['Recall@5', ({ relevance }) => percent(relevance.r5), l10n.t('right tools in the top 5')],
		[
			'Recall@1',
			({ relevance }) => percent(relevance.hit1),
			l10n.t('queries with a right tool in first place'),
		],
		['nDCG@10', ({ relevance }) => relevance.ndcg10.toFixed(3), l10n.t('ranking of the top 10, at best 1')],
		[
			l10n.t('Unexpected results'),
			({ negatives, falseAnswers }) => l10n.t('{0} of {1}', falseAnswers, negatives),
			l10n.t('queries that no tool answers, with a result'),
		],
		[l10n.t('Skipped'), ({ leftOut }) => `${leftOut}`, l10n.t('queries without a usable label')],
	];
	const head = before
		? `| | ${l10n.t('now')} | ${l10n.t('before')} | |\n|---|---:|---:|---|`
		: '| | | |\n|---|---:|---|';
	const lines = rows.map(
		([name, value, what]) =>
			`| **${name}** | ${value(now)} |${before ? ` ${value(before)} |` : ''} ${what} |`,
	);
	return [head, ...lines].join('\n');
}

function changeLine({ query, kind, tool, before, after, blamed }: SearchChange): string {
	const words = quoted(query.query);
	const shown = blamed.slice(0, firstTools).map((one) => code(one.id, nameLength));
	const others = [...shown, ...(blamed.length > shown.length ? ['…'] : [])].join(', ');
	const about = tool
		? `${words}, ${code(tool.id, nameLength)} (${rankLabel(before)} → ${rankLabel(after)})`
		: words;
	const line = `- ${changeLabel(kind, tool !== undefined)}: ${about}`;
	return others ? l10n.t('{0}, behind {1}', line, others) : line;
}

function changeLabel(kind: SearchChange['kind'], expectsTool: boolean): string {
	switch (kind) {
		case 'gained':
			return expectsTool ? l10n.t('Now in the top 5') : l10n.t('Now correctly finds nothing');
		case 'lost':
			return expectsTool ? l10n.t('No longer in the top 5') : l10n.t('Now finds a tool by mistake');
		case 'higher':
			return l10n.t('Ranks higher');
		case 'lower':
			return l10n.t('Ranks lower');
	}
}

function rankLabel(rank = Number.POSITIVE_INFINITY): string {
	return Number.isFinite(rank) ? l10n.t('rank {0}', rank) : l10n.t('not found');
}

function helpSection(report: SearchReport): string {
	const fixes = report.fixes.map(({ server, tool, words, queries }) => {
		const missed = queries.map(quoted).join(', ');
		return `- ${l10n.t('Add {0} to the hint of {1}: {2}', code(words), code(`${server}:${tool}`, nameLength), missed)}`;
	});
	const hints = [
		l10n.t('**Discovery: Apply Hints…** adds the hints that you select and evaluates again.'),
		fixes.join('\n'),
	];
	const teaching = l10n.t(
		'**Discovery: Teach Search…** lets a language model describe your tools in everyday words, which search then uses.',
	);
	const help = [...(fixes.length > 0 ? hints : []), ...(missesUntaught(report) ? [teaching] : [])];
	return section(l10n.t('What may help'), help, '\n\n');
}

/** Whether search misses a tool that no language model has described yet. */
export function missesUntaught({
	evaluation,
	surface,
}: Pick<SearchReport, 'evaluation' | 'surface'>): boolean {
	if (surface.policy.ranking !== 'default') return false;
	return (evaluation?.results ?? []).some(
		({ question, ranks }) =>
			question.expects === 'tools' &&
			question.needs.some(
				(need, i) =>
					(ranks[i] ?? Number.POSITIVE_INFINITY) > firstTools &&
					[...need].every((name) => !surface.get(name)?.expansion),
			),
	);
}

function missText({ question, hits, ranks, instead }: QuestionResult, surface: ToolSurface): string {
	const { labelled, needs } = question;
	const query = plain(labelled.query, queryLength);
	const title = labelled.line === undefined ? query : l10n.t('{0} (line {1})', query, labelled.line);
	const wanted = needs.map((need, i) => {
		const names = [...need].map((name) => code(surface.get(name)?.id ?? name, nameLength)).join(' / ');
		return `${names}: ${rankLabel(ranks[i])}`;
	});
	const heading = hits.length > 0 ? l10n.t('Ranked first') : l10n.t('Closest');
	return [
		`### ${title}`,
		wanted.join('  \n'),
		instead.length > 0 ? rankedTable(heading, instead) : l10n.t('No similar tool found.'),
	]
		.filter(Boolean)
		.join('\n\n');
}

function rankedTable(heading: string, tools: readonly RankedTool[]): string {
	const rows = tools.map(({ tool, score, confidence, matches }, i) => [
		`${i + 1}`,
		code(tool.id, nameLength),
		score?.toFixed(2) ?? '',
		confidence === undefined ? '' : percent(confidence),
		matchLine(matches),
	]);
	const head = ['', heading, l10n.t('score'), l10n.t('confidence'), l10n.t('matched')];
	// A bar would end its cell, in code as well.
	const line = (cells: readonly string[]) =>
		`| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
	return [line(head), '|---:|---|---:|---:|---|', ...rows.map(line)].join('\n');
}

function remarkLine(remark: LabelRemark): string {
	const idsOf = (tools: readonly CatalogTool[]) => tools.map(({ id }) => code(id, nameLength)).join(', ');
	switch (remark.kind) {
		case 'unknown': {
			const [name, near] = [code(remark.name, nameLength), idsOf(remark.closest)];
			return near
				? `- ${l10n.t('{0}: no tool has this name. Did you mean {1}?', name, near)}`
				: `- ${l10n.t('{0}: no tool has this name.', name)}`;
		}
		case 'ambiguous':
			return `- ${l10n.t('{0}: {1} have this name. Each counts as right.', code(remark.name, nameLength), idsOf(remark.tools))}`;
		case 'loaded':
			return `- ${l10n.t('{0} is not deferred, so models do not search for it.', code(remark.tool.id, nameLength))}`;
	}
}

/** Entries under a title; empty without entries. */
function section(title: string, entries: readonly string[], between = '\n'): string {
	if (entries.length === 0) return '';
	const more = entries.length - mostEntries;
	const shown = [...entries.slice(0, mostEntries), ...(more > 0 ? [`\n${moreLine(more)}`] : [])];
	return `## ${title}\n\n${shown.join(between)}`;
}

function moreLine(count: number): string {
	return l10n.t('… and {0} more', wholeNumber(count));
}

/** The descriptions that a model wrote, as many as there is room for. */
function writtenSection(tools: readonly TaughtTool[], room: number): string {
	let left = room;
	const entries = tools.map(writtenEntry).filter((text) => {
		left -= text.length;
		return left >= 0;
	});
	const more = tools.length - entries.length;
	return [`## ${l10n.t('Descriptions')}`, ...entries, ...(more > 0 ? [moreLine(more)] : [])].join('\n\n');
}

function writtenEntry({ server, name, before = {}, after = {} }: TaughtTool): string {
	const [was, is] = [expansionText(before), expansionText(after)];
	return [
		`### ${code(toolId({ server, name }), nameLength)}`,
		is || l10n.t('No description.'),
		...(was && was !== is ? [l10n.t('Before: {0}', was)] : []),
	].join('\n\n');
}

/** Empty without a description. */
function expansionText({ when, queries = [] }: ToolExpansion): string {
	const said = queries.map(quoted).join(', ');
	return [when === undefined ? '' : plain(when, queryLength), said].filter(Boolean).join(' ');
}

function quoted(query: string): string {
	return `“${plain(query, queryLength)}”`;
}

function percent(share: number): string {
	return `${Math.round(share * 1000) / 10}%`;
}
