import type { CatalogTool } from '../catalog/catalog.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { parseRequest } from '../search/searchRequest.ts';
import { findTools, isUncertain } from '../tools/findTools.ts';
import type { LabelledQuery } from './queryFile.ts';

/** A problem with a label that does not name exactly one deferred tool. */
export type LabelRemark =
	/** No tool has this name; the closest ones. */
	| { readonly kind: 'unknown'; readonly name: string; readonly closest: readonly CatalogTool[] }
	/** Several tools have this name; each counts as right. */
	| { readonly kind: 'ambiguous'; readonly name: string; readonly tools: readonly CatalogTool[] }
	/** The model always has it, so nobody searches for it. */
	| { readonly kind: 'loaded'; readonly tool: CatalogTool };

/** A labelled query with its labels resolved to wire names, which do not change with hints. */
export interface Question {
	readonly labelled: LabelledQuery;
	/** The needs that search can meet, each with the wire names that meet it. */
	readonly needs: readonly ReadonlySet<string>[];
	/** `nothing`: no tool should be found. `unclear`: no label could be resolved. */
	readonly expects: 'tools' | 'nothing' | 'unclear';
	readonly remarks: readonly LabelRemark[];
}

function questionOf(labelled: LabelledQuery, surface: ToolSurface, deferred: ReadonlySet<string>): Question {
	const remarks: LabelRemark[] = [];
	const resolved = (name: string): readonly CatalogTool[] => {
		const resolution = surface.names.resolve(name);
		if (resolution.kind === 'found') return [resolution.tool];
		if (resolution.kind === 'unknown') {
			remarks.push({ kind: 'unknown', name, closest: resolution.closest });
			return [];
		}
		remarks.push({ kind: 'ambiguous', name, tools: resolution.candidates });
		return resolution.candidates;
	};
	const needs = labelled.needs.map((names) => {
		const tools = names.flatMap(resolved);
		for (const tool of tools) if (!deferred.has(tool.wireName)) remarks.push({ kind: 'loaded', tool });
		return new Set(tools.map(({ wireName }) => wireName).filter((name) => deferred.has(name)));
	});
	const met = needs.filter(({ size }) => size > 0);
	return {
		labelled,
		needs: met,
		expects: labelled.needs.length === 0 ? 'nothing' : met.length > 0 ? 'tools' : 'unclear',
		remarks,
	};
}

/** Hits that count: those a model sees first. */
export const firstTools = 5;
/** Tools reported as ranked first. */
const reportedTools = 3;

/** Splits long work into steps of about ten milliseconds. */
export interface WorkSteps {
	/** Awaited between steps; rejects to cancel. */
	readonly pause: () => Promise<void>;
	/** Progress, 0 to 1. */
	readonly progress?: (share: number) => void;
}

export interface QuestionResult {
	readonly question: Question;
	/** Rank of each need, from 1; infinite: not met. */
	readonly ranks: readonly number[];
	/** The first hits, or, if there are none, the tools that are most similar to the query. */
	readonly first: readonly CatalogTool[];
	/** Search loads or names tools. */
	readonly hasHits: boolean;
	readonly isRight: boolean;
}

export interface EvaluationFigures {
	/** Queries with right tools, and those with a right tool in first place. */
	readonly queries: number;
	readonly firstIsRight: number;
	/** Their needs, and those met by the first five tools. */
	readonly needs: number;
	readonly found: number;
	/** Queries without right tools, and those for which tools were found anyway. */
	readonly negatives: number;
	readonly falseAnswers: number;
	/** Queries without any resolved label. */
	readonly leftOut: number;
}

export interface Evaluation {
	/** In the order of the queries, including those left out. */
	readonly results: readonly QuestionResult[];
	readonly figures: EvaluationFigures;
}

/** Asks a surface's search every query, as a model would. */
export async function evaluate(
	surface: ToolSurface,
	queries: readonly LabelledQuery[],
	steps: WorkSteps,
): Promise<Evaluation> {
	const results: QuestionResult[] = [];
	const deferred = new Set(surface.deferred.map(({ wireName }) => wireName));
	const questions = queries.map((labelled) => questionOf(labelled, surface, deferred));
	for (const [i, question] of questions.entries()) {
		results.push(await resultOf(surface, question));
		steps.progress?.((i + 1) / questions.length);
		await steps.pause();
	}
	return { results, figures: figuresOf(results) };
}

/** Asks the search exactly as a model would, including `select:` and the verdict that nothing fits. */
async function resultOf(surface: ToolSurface, question: Question): Promise<QuestionResult> {
	const { query } = question.labelled;
	const expectsNothing = question.expects === 'nothing';
	const parsed = parseRequest({ query });
	const findings = parsed.ok ? await findTools(surface, parsed.request) : undefined;
	const all = findings?.ok ? [...findings.hits, ...findings.further] : [];
	// If nothing is right, only tools that would be loaded are wrong answers.
	const hits = all.filter((hit) => !(expectsNothing && isUncertain(hit)));
	const ranks = question.needs.map(
		(need) => 1 + hits.findIndex(({ tool }) => need.has(tool.wireName)) || never,
	);
	const hasHits = hits.length > 0;
	const isRight = expectsNothing ? !hasHits : ranks.every((rank) => rank <= firstTools);
	const closest = { unlikely: true, limit: reportedTools };
	const first =
		hasHits || isRight ? hits.slice(0, reportedTools) : (await surface.index()).search(query, closest);
	return { question, ranks, first: first.map(({ tool }) => tool), hasHits, isRight };
}

const never = Number.POSITIVE_INFINITY;

function figuresOf(results: readonly QuestionResult[]): EvaluationFigures {
	const of = (expects: Question['expects']) => results.filter(({ question }) => question.expects === expects);
	const judged = of('tools');
	const negatives = of('nothing');
	const ranks = judged.flatMap((result) => result.ranks);
	return {
		queries: judged.length,
		firstIsRight: judged.filter((result) => result.ranks.includes(1)).length,
		needs: ranks.length,
		found: ranks.filter((rank) => rank <= firstTools).length,
		negatives: negatives.length,
		falseAnswers: negatives.filter(({ hasHits }) => hasHits).length,
		leftOut: of('unclear').length,
	};
}
