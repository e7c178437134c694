import type { CatalogTool } from '../catalog/catalog.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import type { WordMatch } from '../search/explain.ts';
import { parseRequest } from '../search/searchRequest.ts';
import type { SearchHit } from '../search/toolIndex.ts';
import { findTools, isUncertain } from '../tools/findTools.ts';
import type { LabelledQuery } from './queryFile.ts';
import { meanRelevance, type Relevance, rankOf, relevanceOf } from './relevance.ts';

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
	/** Wire names to ignore among the hits. */
	readonly also: ReadonlySet<string>;
	/** `nothing`: no tool should be found. `unclear`: no label could be resolved. */
	readonly expects: 'tools' | 'nothing' | 'unclear';
	readonly remarks: readonly LabelRemark[];
}

function questionsOf(queries: readonly LabelledQuery[], surface: ToolSurface): Question[] {
	const deferred = new Set(surface.deferred.map(({ wireName }) => wireName));
	return queries.map((labelled) => questionOf(labelled, surface, deferred));
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
	const helpers = (labelled.also ?? []).flatMap((name) => {
		const resolution = surface.names.resolve(name);
		return resolution.kind === 'found' ? [resolution.tool.wireName] : [];
	});
	return {
		labelled,
		needs: met,
		also: new Set(helpers),
		expects: labelled.needs.length === 0 ? 'nothing' : met.length > 0 ? 'tools' : 'unclear',
		remarks,
	};
}

/** Hits that count: those a model sees first. */
export const firstTools = 5;

/** Asks the search exactly as a model would, including `select:` and the verdict that nothing fits. */
async function answerTo(
	surface: ToolSurface,
	question: Question,
): Promise<Pick<QuestionResult, 'hits' | 'ranks'>> {
	const parsed = parseRequest({ query: question.labelled.query });
	const findings = parsed.ok ? await findTools(surface, parsed.request) : undefined;
	const all = findings?.ok ? [...findings.hits, ...findings.further] : [];
	// If nothing is right, only tools that would be loaded are wrong answers.
	const isHit = (hit: SearchHit) => question.expects !== 'nothing' || !isUncertain(hit);
	const hits = all.filter((hit) => !question.also.has(hit.tool.wireName) && isHit(hit));
	const names = hits.map(({ tool }) => tool.wireName);
	return { hits, ranks: question.needs.map((need) => rankOf(need, names)) };
}

/** Whether the first tools meet every need, or nothing is found if nothing should be. */
function isRight({ question, hits, ranks }: Omit<QuestionResult, 'isRight' | 'instead'>): boolean {
	return question.expects === 'nothing' ? hits.length === 0 : ranks.every((rank) => rank <= firstTools);
}

/** Splits long work into steps of about ten milliseconds. */
export interface WorkSteps {
	/** Awaited between steps; rejects to cancel. */
	readonly pause: () => Promise<void>;
	/** Progress, 0 to 1. */
	readonly progress?: (share: number) => void;
}

/** A ranked tool and why it matches. */
export interface RankedTool extends SearchHit {
	readonly matches: readonly WordMatch[];
}

export interface QuestionResult {
	readonly question: Question;
	/** Best first: loaded and named tools. */
	readonly hits: readonly SearchHit[];
	/** Rank of each need, from 1; infinite: not met. */
	readonly ranks: readonly number[];
	readonly isRight: boolean;
	/** For a wrong answer: what ranked first instead, or what resembles the query most. */
	readonly instead: readonly RankedTool[];
}

export interface EvaluationFigures {
	/** Questions with right tools, and their mean relevance. */
	readonly queries: number;
	readonly relevance: Relevance;
	/** Questions without right tools, and those for which tools were found anyway. */
	readonly negatives: number;
	readonly falseAnswers: number;
	/** Queries without any resolved label. */
	readonly leftOut: number;
}

/** An evaluation of search on labelled queries. */
export interface Evaluation {
	/** In the order of the queries, including those left out. */
	readonly results: readonly QuestionResult[];
	readonly figures: EvaluationFigures;
}

/** Tools shown as ranked first instead. */
const toldInstead = 3;

/** Asks a surface's search every query, as a model would. */
export async function evaluate(
	surface: ToolSurface,
	queries: readonly LabelledQuery[],
	steps: WorkSteps,
): Promise<Evaluation> {
	const results: QuestionResult[] = [];
	const questions = questionsOf(queries, surface);
	for (const [i, question] of questions.entries()) {
		const answered = { question, ...(await answerTo(surface, question)) };
		const right = isRight(answered);
		const isWrong = question.expects !== 'unclear' && !right;
		const instead = isWrong ? await rankedInstead(surface, question, answered.hits) : [];
		results.push({ ...answered, isRight: right, instead });
		steps.progress?.((i + 1) / questions.length);
		await steps.pause();
	}
	return { results, figures: figuresOf(results) };
}

function figuresOf(results: readonly QuestionResult[]): EvaluationFigures {
	const of = (expects: Question['expects']) => results.filter(({ question }) => question.expects === expects);
	const judged = of('tools');
	const negatives = of('nothing');
	return {
		queries: judged.length,
		relevance: meanRelevance(judged.map(({ ranks, hits }) => relevanceOf(ranks, hits.length === 0))),
		negatives: negatives.length,
		falseAnswers: negatives.filter(({ hits }) => hits.length > 0).length,
		leftOut: of('unclear').length,
	};
}

async function rankedInstead(
	surface: ToolSurface,
	{ labelled, also }: Question,
	hits: readonly SearchHit[],
): Promise<RankedTool[]> {
	const index = await surface.index();
	const unlikely = () => index.search(labelled.query, { unlikely: true, limit: toldInstead + also.size });
	const first = (hits.length > 0 ? hits : unlikely()).filter(({ tool }) => !also.has(tool.wireName));
	return first
		.slice(0, toldInstead)
		.map((hit) => ({ ...hit, matches: index.explain(labelled.query, hit.tool) }));
}
