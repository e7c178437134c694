import * as l10n from '@vscode/l10n';
import { toolCount, wholeNumber } from '../../chat/counts.ts';
import { code, plain } from '../../common/markdown.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolExpansion } from '../../discovery/catalog/expansion.ts';
import { toolId } from '../../discovery/catalog/tool.ts';
import type { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import { type Comparison, gain, type TaughtTool } from '../../discovery/evaluation/comparison.ts';
import {
	type Evaluation,
	type EvaluationFigures,
	firstTools,
	type LabelRemark,
	type QuestionResult,
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
	/** The same queries before a change. */
	readonly before?: Evaluation | undefined;
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
	const { evaluation, before, sources, taught } = report;
	const results = evaluation?.results ?? [];
	const parts = [
		`# ${taught ? l10n.t('What search learned') : l10n.t('Search evaluation')}`,
		lead(report),
		taught ? l10n.t('To undo this, run **Discovery: Undo Last Change**.') : '',
		...(evaluation ? [searched(report), figureTable(evaluation.figures, before?.figures)] : []),
		resultSection(report),
		helpSection(report),
		section(l10n.t('Problems in the queries'), [
			...new Set(results.flatMap(({ question }) => question.remarks.map(remarkLine))),
			...sources.flatMap(({ title, faults }) =>
				faults.map(
					({ line, message }) =>
						`- ${l10n.t('{0}, line {1}: {2}', code(title, nameLength), line, plain(message))}`,
				),
			),
		]),
	].filter(Boolean);
	const room = longestReport - parts.join('').length;
	return `${[...parts, ...(taught ? [writtenSection(taught, room)] : [])].join('\n\n')}\n`;
}

function lead({ evaluation, before }: SearchReport): string {
	if (evaluation && before) return `**${effectWords({ before, after: evaluation })}**`;
	if (evaluation) return verdict(evaluation);
	return l10n.t(
		'**Not evaluated.** There were no queries, or you stopped it. **Discovery: Evaluate Search…** creates a file of example queries and evaluates search at any time.',
	);
}

function verdict({ results, figures: { queries, negatives, falseAnswers } }: Evaluation): string {
	if (queries + negatives === 0) return noneJudged();
	const right = results.filter(({ question, isRight }) => question.expects === 'tools' && isRight).length;
	const figures = [right, queryCount(queries)] as const;
	const found =
		right / queries >= wellFrom
			? l10n.t('**Search works well:** the right tools are in the top 5 for {0} of {1}.', ...figures)
			: right / queries >= fairlyFrom
				? l10n.t('**Search works fairly well:** the right tools are in the top 5 for {0} of {1}.', ...figures)
				: l10n.t('**Search misses a lot:** the right tools are in the top 5 for {0} of {1}.', ...figures);
	const refused = negatives - falseAnswers;
	const nothing = l10n.t('It correctly finds nothing for {0} of {1}.', refused, queryCount(negatives));
	return [...(queries > 0 ? [found] : []), ...(negatives > 0 ? [nothing] : [])].join(' ');
}

function noneJudged(): string {
	return l10n.t('None of the queries could be evaluated.');
}

/** Whether a change helps. */
export function effectWords(comparison: Comparison): string {
	const { needs, negatives } = comparison.after.figures;
	if (needs + negatives === 0) return noneJudged();
	const by = gain(comparison);
	if (by === 0) return l10n.t('Search works as well as before for the tested queries.');
	return by > 0
		? l10n.t('Search works better for the tested queries.')
		: l10n.t('Search works worse for the tested queries.');
}

/** Which queries were evaluated among which tools. */
function searched({ sources, surface, isEnabled, evaluation }: SearchReport): string {
	const names = sources
		.filter(({ queries }) => queries.length > 0)
		.map(({ title }) => code(title, nameLength));
	const among = l10n.t(
		'{0} from {1}, searched among {2} as a model would.',
		queryCount(evaluation?.results.length ?? 0),
		names.join(', '),
		toolCount(surface.deferred.length),
	);
	if (isEnabled) return among;
	const off = l10n.t(
		'Discovery is off or defers nothing, so models do not search. This report treats every tool as deferred.',
	);
	return `${among} ${off}`;
}

function figureTable(now: EvaluationFigures, before: EvaluationFigures | undefined): string {
	const share = (part: number, all: number) => l10n.t('{0} of {1}', part, all);
	const rows: readonly (readonly [string, (figures: EvaluationFigures) => string])[] = [
		[l10n.t('Right tools in the top 5'), ({ found, needs }) => share(found, needs)],
		[l10n.t('Queries with a right tool first'), ({ firstIsRight, queries }) => share(firstIsRight, queries)],
		[l10n.t('Unexpected results'), ({ falseAnswers, negatives }) => share(falseAnswers, negatives)],
		[l10n.t('Skipped queries'), ({ leftOut }) => `${leftOut}`],
	];
	return table(
		['', l10n.t('Now'), ...(before ? [l10n.t('Before')] : [])],
		rows.map(([name, value]) => [name, value(now), ...(before ? [value(before)] : [])]),
	);
}

/** What search misses, and what has changed. */
function resultSection({ evaluation, before, surface }: SearchReport): string {
	const rows = (evaluation?.results ?? []).flatMap((result, i) =>
		resultRows(result, before?.results[i], surface),
	);
	if (rows.length === 0) return '';
	const title = before ? l10n.t('Missed or changed') : l10n.t('Missed');
	const ranks = [l10n.t('Now'), ...(before ? [l10n.t('Before')] : [])];
	const head = [l10n.t('Query'), l10n.t('Right tool'), ...ranks, l10n.t('Ranked first')];
	return [
		`## ${title}`,
		table(head, rows.slice(0, mostEntries)),
		...(rows.length > mostEntries ? [moreLine(rows.length - mostEntries)] : []),
		l10n.t('To see why a tool ranks where it does, send **@discovery /find** with the query.'),
	].join('\n\n');
}

function resultRows(
	now: QuestionResult,
	before: QuestionResult | undefined,
	surface: ToolSurface,
): (readonly string[])[] {
	const { labelled, needs, expects } = now.question;
	const query = plain(labelled.query, queryLength);
	const title = labelled.line === undefined ? query : l10n.t('{0} (line {1})', query, labelled.line);
	const first = now.first.map(({ id }) => code(id, nameLength)).join(', ');
	const row = (wanted: string, is: string, was: string | undefined, isRight: boolean) =>
		isRight && (was ?? is) === is ? [] : [[title, wanted, is, ...(was === undefined ? [] : [was]), first]];
	if (expects === 'nothing')
		return row(l10n.t('none'), foundLabel(now), before && foundLabel(before), now.isRight);
	return needs.flatMap((need, i) => {
		const wanted = [...need].map((name) => code(surface.get(name)?.id ?? name, nameLength)).join(' / ');
		const rank = now.ranks[i];
		return row(wanted, rankLabel(rank), before && rankLabel(before.ranks[i]), isFound(rank));
	});
}

function isFound(rank = Number.POSITIVE_INFINITY): boolean {
	return rank <= firstTools;
}

function foundLabel({ hasHits }: QuestionResult): string {
	return hasHits ? l10n.t('found') : l10n.t('not found');
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
		l10n.t('**Apply Hints…** in the notification adds the hints that you select and evaluates again.'),
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
	return (evaluation?.results ?? []).some(({ question, ranks }) =>
		question.needs.some(
			(need, i) => !isFound(ranks[i]) && [...need].every((name) => !surface.get(name)?.expansion),
		),
	);
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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
	// A bar would end its cell, in code as well.
	const line = (cells: readonly string[]) =>
		`| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
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
