import type { CatalogTool } from '../catalog/catalog.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import type { WordMatch } from '../search/explain.ts';
import { parseRequest } from '../search/searchRequest.ts';
import type { SearchHit } from '../search/toolIndex.ts';
import { findTools, isUncertain } from '../tools/findTools.ts';
import type { LabelledQuery } from './queryFile.ts';
import { meanRelevance, type Relevance, rankOf, relevanceOf } from './relevance.ts';

/** What is to be known of a label that does not name one deferred tool. */
export type LabelRemark =
	/** No tool goes by it; the closest names. */
	| { readonly kind: 'unknown'; readonly name: string; readonly closest: readonly CatalogTool[] }
	/** Several tools go by it: each of them counts as right. */
	| { readonly kind: 'ambiguous'; readonly name: string; readonly tools: readonly CatalogTool[] }
	/** The model has it from the start, so that nobody searches for it. */
	| { readonly kind: 'loaded'; readonly tool: CatalogTool };

/** A labelled query as it is put to the search: by wire names, which stay the same whatever hints the tools get. */
export interface Question {
	readonly labelled: LabelledQuery;
	/** Needs that search can meet, each with the wire names of which one is enough. */
	readonly needs: readonly ReadonlySet<string>[];
	/** Wire names that are taken out of what is found. */
	readonly also: ReadonlySet<string>;
	/** `nothing`: no tool should be found. `unclear`: no label is left to judge it by. */
	readonly expects: 'tools' | 'nothing' | 'unclear';
	readonly remarks: readonly LabelRemark[];
}

/** Reads the labels of queries as names of what a surface permits. */
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

/** How many tools of a search count: those that a model sees first. */
export const firstTools = 5;

/** What the search says to a question. */
export interface Answer {
	/** Best first: what is loaded, and what is named besides. */
	readonly hits: readonly SearchHit[];
	/** Of each need, from 1; infinite where it is not met. */
	readonly ranks: readonly number[];
}

/** Puts a question to the search, on the same way as a model's: with its `select:`, and with its judgement that nothing fits. */
async function answerOf(surface: ToolSurface, question: Question): Promise<Answer> {
	const parsed = parseRequest({ query: question.labelled.query });
	const findings = parsed.ok ? await findTools(surface, parsed.request) : undefined;
	const all = findings?.ok ? [...findings.hits, ...findings.further] : [];
	// Where nothing answers, only what would be loaded is a false answer.
	const isHit = (hit: SearchHit) => question.expects !== 'nothing' || !isUncertain(hit);
	const hits = all.filter((hit) => !question.also.has(hit.tool.wireName) && isHit(hit));
	const names = hits.map(({ tool }) => tool.wireName);
	return { hits, ranks: question.needs.map((need) => rankOf(need, names)) };
}

/** Whether every need is met within the first tools; where nothing is to be found, whether nothing is. */
function isRight(question: Question, { hits, ranks }: Answer): boolean {
	return question.expects === 'nothing' ? hits.length === 0 : ranks.every((rank) => rank <= firstTools);
}

/** How long work goes on: in steps of some ten milliseconds, until somebody stops it. */
export interface WorkSteps {
	/** Awaited between two steps; rejects where the work is to end. */
	readonly pause: () => Promise<void>;
	/** Told how far it is, 0 to 1. */
	readonly progress?: (share: number) => void;
}

/** A tool that was ranked, and why. */
export interface RankedTool extends SearchHit {
	readonly matches: readonly WordMatch[];
}

/** A question with its answer. */
export interface QuestionResult {
	readonly question: Question;
	readonly answer: Answer;
	readonly isRight: boolean;
	/** Where it is not right: what was ranked first instead; where nothing was found, what resembles the query most. */
	readonly instead: readonly RankedTool[];
}

/** What the results of all questions come to. */
export interface EvaluationFigures {
	/** Questions that tools answer, and the mean of how they were answered. */
	readonly queries: number;
	readonly relevance: Relevance;
	/** Questions that nothing answers, and those of them for which tools were found all the same. */
	readonly negatives: number;
	readonly falseAnswers: number;
	/** Queries of which no label was left to judge them by. */
	readonly leftOut: number;
}

/** An evaluation of the search on labelled queries. */
export interface Evaluation {
	/** In the order of the queries; those that were left out among them. */
	readonly results: readonly QuestionResult[];
	readonly figures: EvaluationFigures;
}

/** How many of the tools that were ranked first instead are shown. */
const toldInstead = 3;

/** Puts every query to the search of a surface, as a model would. */
export async function evaluate(
	surface: ToolSurface,
	queries: readonly LabelledQuery[],
	steps: WorkSteps,
): Promise<Evaluation> {
	const results: QuestionResult[] = [];
	const questions = questionsOf(queries, surface);
	for (const [i, question] of questions.entries()) {
		const answer = await answerOf(surface, question);
		const right = isRight(question, answer);
		const isWrong = question.expects !== 'unclear' && !right;
		const instead = isWrong ? await rankedInstead(surface, question, answer) : [];
		results.push({ question, answer, isRight: right, instead });
		steps.progress?.((i + 1) / questions.length);
		await steps.pause();
	}
	return { results, figures: figuresOf(results) };
}

/** What results come to. */
function figuresOf(results: readonly Pick<QuestionResult, 'question' | 'answer'>[]): EvaluationFigures {
	const of = (expects: Question['expects']) => results.filter(({ question }) => question.expects === expects);
	const judged = of('tools');
	const negatives = of('nothing');
	return {
		queries: judged.length,
		relevance: meanRelevance(judged.map(({ answer }) => relevanceOf(answer.ranks, answer.hits.length === 0))),
		negatives: negatives.length,
		falseAnswers: negatives.filter(({ answer }) => answer.hits.length > 0).length,
		leftOut: of('unclear').length,
	};
}

async function rankedInstead(
	surface: ToolSurface,
	{ labelled, also }: Question,
	{ hits }: Answer,
): Promise<RankedTool[]> {
	const index = await surface.index();
	const unlikely = () => index.search(labelled.query, { unlikely: true, limit: toldInstead + also.size });
	const first = (hits.length > 0 ? hits : unlikely()).filter(({ tool }) => !also.has(tool.wireName));
	return first
		.slice(0, toldInstead)
		.map((hit) => ({ ...hit, matches: index.explain(labelled.query, hit.tool) }));
}
