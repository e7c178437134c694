import * as l10n from '@vscode/l10n';
import { matchLine } from '../../chat/commands/matchLine.ts';
import { toolCount } from '../../chat/counts.ts';
import { code, codeBlock, plain } from '../../common/markdown.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import {
	type Evaluation,
	type EvaluationFigures,
	firstTools,
	type LabelRemark,
	type QuestionResult,
	type RankedTool,
} from '../../discovery/evaluation/evaluate.ts';
import type { QuerySource } from '../../discovery/evaluation/queryFile.ts';
import { type SearchFix, withWords } from '../../discovery/evaluation/searchFixes.ts';

/** Shares of the queries from which on the report says that search does well, and fairly. */
const wellFrom = 0.9;
const fairlyFrom = 0.7;

/** `1 query`, `2 queries`, in the user's language. */
export function queryCount(n: number): string {
	return n === 1 ? l10n.t('1 query') : l10n.t('{0} queries', n);
}

/** How well search does, for people who do not know its figures: a sentence on what it should find, and one on what it should not. */
function verdict({ results }: Evaluation): string {
	const judged = results.filter(({ question }) => question.expects === 'tools');
	const negatives = results.filter(({ question }) => question.expects === 'nothing');
	const sentences = [
		judged.length === 0 ? '' : foundWords(rightOf(judged), judged.length),
		negatives.length === 0 ? '' : refusedWords(rightOf(negatives), negatives.length),
	].filter(Boolean);
	return sentences.length > 0 ? sentences.join(' ') : l10n.t('There was no query to judge search by.');
}

function rightOf(results: readonly QuestionResult[]): number {
	return results.filter(({ isRight }) => isRight).length;
}

function foundWords(right: number, all: number): string {
	if (right === all) {
		return all === 1
			? l10n.t('**Search does well**: for the only query, the right tools are among the first five.')
			: l10n.t('**Search does well**: for all {0} queries, the right tools are among the first five.', all);
	}
	const share = right / all;
	if (share >= wellFrom)
		return l10n.t(
			'**Search does well**: for {0} of {1} queries, the right tools are among the first five.',
			right,
			all,
		);
	return share >= fairlyFrom
		? l10n.t(
				'**Search does fairly well**: for {0} of {1} queries, the right tools are among the first five.',
				right,
				all,
			)
		: l10n.t(
				'**Search misses much**: for only {0} of {1} queries, the right tools are among the first five.',
				right,
				all,
			);
}

function refusedWords(right: number, all: number): string {
	if (right < all)
		return l10n.t('For {0} of {1} queries that no tool answers, it still finds one.', all - right, all);
	return all === 1
		? l10n.t('For the query that no tool answers, it finds nothing, as it should.')
		: l10n.t('For all {0} queries that no tool answers, it finds nothing, as it should.', all);
}

/** What a report tells of. */
interface ReportedEvaluation {
	readonly source: QuerySource;
	readonly evaluation: Evaluation;
	readonly fixes: readonly SearchFix[];
	/** What was searched. */
	readonly surface: ToolSurface;
	/** Whether discovery is on, so that models search at all. */
	readonly isEnabled: boolean;
	/** Of the same queries before a change. */
	readonly before?: EvaluationFigures;
}

/** Characters of a name and of a query that are shown. */
export const nameLength = 120;
export const queryLength = 300;
/** Queries that are told in full. */
const toldMisses = 100;

/** An evaluation of search in Markdown. Whatever servers and files say is shown as it is, never as markup. */
export function evaluationReport(report: ReportedEvaluation): string {
	const { results } = report.evaluation;
	const judged = results.filter(({ question }) => question.expects !== 'unclear');
	const misses = judged.filter(({ isRight, question }) => !isRight && question.expects === 'tools');
	const falseAnswers = judged.filter(({ isRight, question }) => !isRight && question.expects === 'nothing');
	const sections = [
		`# ${l10n.t('Search evaluation')}`,
		verdict(report.evaluation),
		headline(report),
		figureTable(report.evaluation.figures, report.before),
		report.before && isWorse(report.evaluation.figures, report.before)
			? l10n.t('Search got worse. Undo in the configuration file removes the hints.')
			: '',
		helpSection(report),
		section(
			l10n.t('Misses'),
			misses.map((miss) => missText(miss, report.surface)),
		),
		section(
			l10n.t('Found where nothing should be'),
			falseAnswers.map((miss) => missText(miss, report.surface)),
		),
		labelSection(results),
		section(
			l10n.t('Faults in the file'),
			report.source.faults.map(({ line, message }) => `- ${l10n.t('Line {0}: {1}', line, plain(message))}`),
			'\n',
		),
	];
	return `${sections.filter(Boolean).join('\n\n')}\n`;
}

function headline({ source, surface, isEnabled }: ReportedEvaluation): string {
	const searched = l10n.t(
		'{0} of {1}, put to the search among {2} as a model would.',
		queryCount(source.queries.length),
		code(source.title, nameLength),
		toolCount(surface.deferred.length),
	);
	return isEnabled ? searched : `${searched}\n\n${offWords()}`;
}

/** How a report on search is to be read where no model searches. */
export function offWords(): string {
	return l10n.t(
		'Discovery is off or defers nothing, so models do not search. This report treats every tool as deferred.',
	);
}

/** Name, value, and what it is. */
type FigureRow = readonly [string, (one: EvaluationFigures) => string, string];

function falseAnswersRow(): FigureRow {
	return [
		l10n.t('False answers'),
		({ negatives, falseAnswers }) => l10n.t('{0} of {1}', falseAnswers, negatives),
		l10n.t('queries that no tool answers, and for which one was found'),
	];
}

function leftOutRow(): FigureRow {
	return [
		l10n.t('Left out'),
		({ leftOut }) => `${leftOut}`,
		l10n.t('queries without a label to judge them by'),
	];
}

/** The figures of an evaluation in a table, beside those before a change. */
export function figureTable(now: EvaluationFigures, before: EvaluationFigures | undefined): string {
	const rows: FigureRow[] = [
		['Recall@5', ({ relevance }) => percent(relevance.r5), l10n.t('right tools among the first five')],
		[
			'Recall@1',
			({ relevance }) => percent(relevance.hit1),
			l10n.t('queries with a right tool in first place'),
		],
		['MRR', ({ relevance }) => relevance.mrr.toFixed(3), l10n.t('mean of 1 / rank of the first right tool')],
		['nDCG@10', ({ relevance }) => relevance.ndcg10.toFixed(3), l10n.t('gain of the first ten, 1 at best')],
		[
			l10n.t('Refused'),
			({ relevance }) => percent(relevance.refused),
			l10n.t('queries for which nothing at all was found'),
		],
		[l10n.t('Queries'), ({ queries }) => `${queries}`, l10n.t('that some deferred tool answers')],
		...(now.negatives > 0 ? [falseAnswersRow()] : []),
		...(now.leftOut > 0 ? [leftOutRow()] : []),
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

function isWorse(now: EvaluationFigures, before: EvaluationFigures): boolean {
	return now.relevance.r5 < before.relevance.r5 || now.falseAnswers > before.falseAnswers;
}

function helpSection(report: ReportedEvaluation): string {
	return section(l10n.t('What may help'), [
		...hintParts(report),
		...(missesUntaught(report) ? [teachingWords()] : []),
	]);
}

function hintParts({ fixes, surface }: ReportedEvaluation): string[] {
	if (fixes.length === 0) return [];
	const lines = fixes.map(({ server, tool, words, queries }) => {
		const missed = queries.map((query) => `“${plain(query, nameLength)}”`).join(', ');
		return `- ${l10n.t('{0} in the hint of {1}: {2}', code(words), code(`${server}:${tool}`, nameLength), missed)}`;
	});
	const intro = l10n.t(
		'These words of the queries are not in the names and hints of the tools. **Discovery: Apply Hints…** writes those that you choose into the configuration file, and evaluates again to show whether they help:',
	);
	return [lines.join('\n'), intro, codeBlock(configurationLines(fixes, surface), 'jsonc')];
}

/** Whether search misses a tool of which no language model has written yet, and reads what one would write. */
export function missesUntaught({
	evaluation,
	surface,
}: Pick<ReportedEvaluation, 'evaluation' | 'surface'>): boolean {
	if (surface.policy.ranking !== 'default') return false;
	return evaluation.results.some(
		({ question, answer }) =>
			question.expects === 'tools' &&
			question.needs.some(
				(need, i) =>
					(answer.ranks[i] ?? Number.POSITIVE_INFINITY) > firstTools &&
					[...need].every((name) => !surface.get(name)?.expansion),
			),
	);
}

function teachingWords(): string {
	return l10n.t(
		'**Discovery: Teach Search…** has a language model write what the tools are for and what people say who want them. Search reads that, too, and may then find tools that are asked for in other words than their own.',
	);
}

/** The lines that the configuration gets, without the rest of it. */
function configurationLines(fixes: readonly SearchFix[], { policy }: ToolSurface): string {
	const servers = [...Map.groupBy(fixes, ({ server }) => server)].map(([server, its]) => {
		const tools = its.map(({ tool, words }) => {
			const own = policy.servers.get(server)?.tools.get(tool)?.searchHint;
			return [tool, { search_hint: withWords(own, words) }] as const;
		});
		return [server, { tools: Object.fromEntries(tools) }] as const;
	});
	// Without the outer braces: the lines are to be put inside those of the file.
	return JSON.stringify({ servers: Object.fromEntries(servers) }, undefined, 2)
		.split('\n')
		.slice(1, -1)
		.map((line) => line.slice(2))
		.join('\n');
}

function missText({ question, answer, instead }: QuestionResult, surface: ToolSurface): string {
	const { labelled, needs } = question;
	const query = plain(labelled.query, queryLength);
	const title = labelled.line === undefined ? query : l10n.t('{0} (line {1})', query, labelled.line);
	const wanted =
		labelled.needs.length === 0
			? [l10n.t('Nothing should be found.')]
			: needs.map((need, i) => {
					const names = [...need].map((name) => code(surface.get(name)?.id ?? name, nameLength)).join(' / ');
					return rankWords(names, answer.ranks[i]);
				});
	const heading = answer.hits.length > 0 ? l10n.t('Ranked first') : l10n.t('Nothing was found; nearest');
	return [
		`### ${title}`,
		wanted.join('  \n'),
		...(instead.length > 0 ? [rankedTable(heading, instead)] : [l10n.t('No similar tool found.')]),
	].join('\n\n');
}

function rankWords(names: string, rank = Number.POSITIVE_INFINITY): string {
	return Number.isFinite(rank) ? l10n.t('{0}: rank {1}.', names, rank) : l10n.t('{0}: not found.', names);
}

function rankedTable(heading: string, tools: readonly RankedTool[]): string {
	const rows = tools.map(
		({ tool, score, confidence, matches }, i) =>
			`| ${i + 1} | ${cell(code(tool.id, nameLength))} | ${score?.toFixed(2) ?? ''} | ${confidence === undefined ? '' : percent(confidence)} | ${cell(matchLine(matches))} |`,
	);
	const head = ['', heading, l10n.t('score'), l10n.t('sure'), l10n.t('because of')];
	return [`| ${head.join(' | ')} |`, '|---:|---|---:|---:|---|', ...rows].join('\n');
}

/** Escapes the bars in a cell of a table: they would end it, in code as well. */
function cell(markdown: string): string {
	return markdown.replace(/(?<!\\)\|/g, '\\|');
}

/** What is to be known of labels that do not name one deferred tool. */
export function labelSection(results: readonly QuestionResult[]): string {
	const lines = results.flatMap(({ question }) => question.remarks.map(remarkLine));
	const all = [...new Set(lines)].map((line) => `- ${line}`);
	return section(l10n.t('Labels'), all, '\n');
}

function remarkLine(remark: LabelRemark): string {
	switch (remark.kind) {
		case 'unknown': {
			const [name, near] = [code(remark.name, nameLength), idsOf(remark.closest)];
			return near
				? l10n.t('{0}: no tool has this name; did you mean {1}?', name, near)
				: l10n.t('{0}: no tool has this name.', name);
		}
		case 'ambiguous':
			return l10n.t(
				'{0}: {1} have this name; each counts as correct.',
				code(remark.name, nameLength),
				idsOf(remark.tools),
			);
		case 'loaded':
			return l10n.t(
				'{0} is not deferred: models have it from the start, so it is not searched for.',
				code(remark.tool.id, nameLength),
			);
	}
}

function idsOf(tools: readonly CatalogTool[]): string {
	return tools.map(({ id }) => code(id, nameLength)).join(', ');
}

/** A section of a report, of its first hundred parts; empty where it has none. */
export function section(title: string, parts: readonly string[], between = '\n\n'): string {
	if (parts.length === 0) return '';
	const more = parts.length > toldMisses ? [l10n.t('… and {0} more.', parts.length - toldMisses)] : [];
	return `## ${title}\n\n${[...parts.slice(0, toldMisses), ...more].join(between)}`;
}

function percent(share: number): string {
	// A narrow table would break the line at any other space.
	return `${Math.round(share * 1000) / 10}\u00a0%`;
}
