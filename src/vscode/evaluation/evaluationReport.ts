import { matchLine } from '../../chat/slashCommands/matchLine.ts';
import type { CatalogTool } from '../../discovery/catalog.ts';
import { type Advice, changesOf, type SearchAdvice } from '../../discovery/evaluation/advise.ts';
import type {
	Evaluation,
	EvaluationFigures,
	QuestionResult,
	RankedTool,
} from '../../discovery/evaluation/evaluate.ts';
import type { QueryFile } from '../../discovery/evaluation/labelledQuery.ts';
import type { LabelRemark } from '../../discovery/evaluation/questions.ts';
import { withWords } from '../../discovery/evaluation/trials.ts';
import { code, codeBlock, plain } from '../../discovery/markdown.ts';
import type { ToolSurface } from '../../discovery/toolSurface.ts';
import { toolCount } from '../counts.ts';

/** What a report tells of. */
export interface ReportedEvaluation {
	readonly source: QueryFile & { readonly title: string };
	readonly evaluation: Evaluation;
	readonly advice: SearchAdvice;
	/** What was searched. */
	readonly surface: ToolSurface;
	/** Whether discovery is on, so that models search at all. */
	readonly isEnabled: boolean;
	/** Of the same queries before a change. */
	readonly before?: EvaluationFigures;
}

const nameLength = 120;
const queryLength = 300;
/** Queries that are told in full. */
const toldMisses = 100;

/** An evaluation of search in Markdown. Whatever servers and files say is shown as it is, never as markup. */
export function evaluationReport(report: ReportedEvaluation): string {
	const { results } = report.evaluation;
	const judged = results.filter(({ question }) => question.expects !== 'unclear');
	const misses = judged.filter(({ isRight, question }) => !isRight && question.expects === 'tools');
	const falseAnswers = judged.filter(({ isRight, question }) => !isRight && question.expects === 'nothing');
	const sections = [
		`# Search evaluation\n\n${headline(report)}`,
		figures(report.evaluation.figures, report.before),
		adviceSection(report),
		section(
			'Misses',
			misses.map((miss) => missText(miss, report.surface)),
		),
		section(
			'Found where nothing should be',
			falseAnswers.map((miss) => missText(miss, report.surface)),
		),
		section('Labels', remarkLines(results)),
		section(
			'Faults in the file',
			report.source.faults.map(({ line, message }) => `- Line ${line}: ${plain(message)}`),
			'\n',
		),
	];
	return `${sections.filter(Boolean).join('\n\n')}\n`;
}

function headline({ source, surface, isEnabled }: ReportedEvaluation): string {
	const queries = source.queries.length === 1 ? '1 query' : `${source.queries.length} queries`;
	const searched = `${queries} of ${code(source.title, nameLength)}, put to the search among ${toolCount(surface.deferred.length)} as a model would.`;
	return isEnabled
		? searched
		: `${searched}\n\nDiscovery is off or defers nothing, so models do not search now; every tool counts as deferred here.`;
}

function figures(now: EvaluationFigures, before: EvaluationFigures | undefined): string {
	const rows: [string, (one: EvaluationFigures) => string, string][] = [
		['Recall@5', ({ relevance }) => percent(relevance.r5), 'right tools among the first five'],
		['Recall@1', ({ relevance }) => percent(relevance.hit1), 'queries with a right tool in first place'],
		['MRR', ({ relevance }) => relevance.mrr.toFixed(3), 'mean of 1 / rank of the first right tool'],
		['nDCG@10', ({ relevance }) => relevance.ndcg10.toFixed(3), 'gain of the first ten, 1 at best'],
		['Refused', ({ relevance }) => percent(relevance.refused), 'queries for which nothing at all was found'],
		['Queries', ({ queries }) => `${queries}`, 'that some deferred tool answers'],
		[
			'False answers',
			({ negatives, falseAnswers }) => `${falseAnswers} of ${negatives}`,
			'queries that no tool answers, and for which one was found',
		],
		['Left out', ({ leftOut }) => `${leftOut}`, 'queries without a label to judge them by'],
	];
	const shown = rows.filter(([name]) => {
		if (name === 'False answers') return now.negatives > 0;
		return name !== 'Left out' || now.leftOut > 0;
	});
	const head = before ? '| | now | before | |\n|---|---:|---:|---|' : '| | | |\n|---|---:|---|';
	const lines = shown.map(
		([name, value, what]) =>
			`| **${name}** | ${value(now)} |${before ? ` ${value(before)} |` : ''} ${what} |`,
	);
	return [head, ...lines].join('\n');
}

function adviceSection({ advice: { advice, helpless, untried }, surface }: ReportedEvaluation): string {
	const hints = advice.map(adviceLine);
	const queries = (count: number) => (count === 1 ? '1 query' : `${count} queries`);
	const notes = [
		...(helpless.length > 0 ? [helplessWords(queries(helpless.length), surface)] : []),
		...(untried.length > 0
			? [`${queries(untried.length)} more were not looked into: that would take too long.`]
			: []),
	];
	if (hints.length === 0 && notes.length === 0) return '';
	const intro =
		'Each was tried: it brings the right tool among the first five, and makes no other query of the file worse. **Discovery: Apply Hints…** writes them into the configuration file:';
	return [
		'## What would help',
		...(hints.length > 0
			? [hints.join('\n'), intro, codeBlock(configurationLines(advice, surface), 'jsonc')]
			: []),
		...notes,
	].join('\n\n');
}

function helplessWords(queries: string, { policy }: ToolSurface): string {
	return policy.ranking === 'okapi'
		? 'The ranking `okapi` reads neither hints nor synonyms; `default` does.'
		: `For ${queries} no hint of their own words helps without harm to another.`;
}

function adviceLine(one: Advice): string {
	const mends = one.mends.map(({ labelled }) => `“${plain(labelled.query, nameLength)}”`).join(', ');
	return one.kind === 'hint'
		? `- ${code(one.words)} in the hint of ${code(`${one.server}:${one.tool}`, nameLength)}: ${mends}`
		: `- the synonyms ${code(one.line)}: ${mends}`;
}

/** What stands in the configuration then, without the rest of it. */
function configurationLines(advice: readonly Advice[], { policy }: ToolSurface): string {
	const { hints, synonyms } = changesOf(advice);
	const byServer = Map.groupBy(hints, ({ server }) => server);
	const servers = [...byServer].map(([server, its]) => {
		const tools = its.map(({ tool, words }) => {
			const own = policy.servers.get(server)?.tools.get(tool)?.searchHint;
			return [tool, { search_hint: withWords(own, words) }] as const;
		});
		return [server, { tools: Object.fromEntries(tools) }] as const;
	});
	const entries = {
		...(servers.length > 0 && { servers: Object.fromEntries(servers) }),
		...(synonyms.length > 0 && { tool_discovery: { synonyms: [...policy.synonyms, ...synonyms] } }),
	};
	// Without the outer braces: these are lines to be put where they belong.
	return JSON.stringify(entries, undefined, 2)
		.split('\n')
		.slice(1, -1)
		.map((line) => line.slice(2))
		.join('\n');
}

function missText({ question, answer, instead }: QuestionResult, surface: ToolSurface): string {
	const { labelled, needs } = question;
	const place = labelled.line === undefined ? '' : ` (line ${labelled.line})`;
	const wanted =
		labelled.needs.length === 0
			? ['Nothing should be found.']
			: needs.map((need, i) => {
					const names = [...need].map((name) => code(surface.get(name)?.id ?? name, nameLength)).join(' or ');
					return `${names}: ${rankWords(answer.ranks[i])}.`;
				});
	const heading = answer.hits.length > 0 ? 'Ranked first' : 'Nothing was found; nearest';
	return [
		`### ${plain(labelled.query, queryLength)}${place}`,
		wanted.join('  \n'),
		...(instead.length > 0 ? [rankedTable(heading, instead)] : ['Nothing was found that resembles it.']),
	].join('\n\n');
}

function rankWords(rank = Number.POSITIVE_INFINITY): string {
	return Number.isFinite(rank) ? `rank ${rank}` : 'not found';
}

function rankedTable(heading: string, tools: readonly RankedTool[]): string {
	const rows = tools.map(
		({ tool, score, confidence, matches }, i) =>
			`| ${i + 1} | ${cell(code(tool.id, nameLength))} | ${score?.toFixed(2) ?? ''} | ${confidence === undefined ? '' : percent(confidence)} | ${cell(matchLine(matches))} |`,
	);
	return [`| | ${heading} | score | sure | because of |`, '|---:|---|---:|---:|---|', ...rows].join('\n');
}

/** A bar would end the cell, in code as well. */
function cell(markdown: string): string {
	return markdown.replace(/(?<!\\)\|/g, '\\|');
}

function remarkLines(results: readonly QuestionResult[]): string[] {
	const lines = results.flatMap(({ question }) => question.remarks.map(remarkLine));
	const all = [...new Set(lines)].map((line) => `- ${line}`);
	return all.length > 0 ? [all.join('\n')] : [];
}

function remarkLine(remark: LabelRemark): string {
	switch (remark.kind) {
		case 'unknown': {
			const near = idsOf(remark.closest);
			return `${code(remark.name, nameLength)}: no tool goes by this name${near ? `; did you mean ${near}?` : '.'}`;
		}
		case 'ambiguous':
			return `${code(remark.name, nameLength)}: ${idsOf(remark.tools)} go by this name; each counts as right.`;
		case 'loaded':
			return `${code(remark.tool.id, nameLength)} is not deferred: models have it from the start, so it is not searched for.`;
	}
}

function idsOf(tools: readonly CatalogTool[]): string {
	return tools.map(({ id }) => code(id, nameLength)).join(', ');
}

function section(title: string, parts: readonly string[], between = '\n\n'): string {
	if (parts.length === 0) return '';
	const more = parts.length > toldMisses ? [`… and ${parts.length - toldMisses} more.`] : [];
	return `## ${title}\n\n${[...parts.slice(0, toldMisses), ...more].join(between)}`;
}

function percent(share: number): string {
	return `${Math.round(share * 1000) / 10} %`;
}
