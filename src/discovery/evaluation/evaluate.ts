import type { CatalogTool } from '../catalog.ts';
import type { WordMatch } from '../search/explain.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { type Answer, answerOf, isRight } from './answer.ts';
import type { LabelledQuery } from './labelledQuery.ts';
import { type Question, questionsOf } from './questions.ts';
import { meanRelevance, type Relevance, relevanceOf } from './relevance.ts';

/** How long work goes on: in steps of some ten milliseconds, until somebody stops it. */
export interface WorkSteps {
	/** Awaited between two steps; rejects where the work is to end. */
	readonly pause: () => Promise<void>;
	/** Told how far it is, 0 to 1. */
	readonly progress?: (share: number) => void;
}

/** A tool that was ranked, and why. */
export interface RankedTool {
	readonly tool: CatalogTool;
	readonly score?: number;
	readonly confidence?: number;
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

/** Tools that are told of those that came instead. */
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
export function figuresOf(
	results: readonly Pick<QuestionResult, 'question' | 'answer'>[],
): EvaluationFigures {
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
