import type { Contender } from './contenders/contender.ts';
import type { LabelledQuery, QuerySet } from './querySet.ts';
import { judge, meanRelevance, type Relevance, toolsToJudge } from './relevance.ts';

/** One contender's answer to one query that some tool answers. */
export interface Judgement {
	/** Name of the query set. */
	readonly set: string;
	readonly contender: string;
	readonly query: LabelledQuery;
	readonly relevance: Relevance;
}

/** How many of a set's unanswerable queries returned tools. */
export interface FalseAlarms {
	readonly set: string;
	readonly contender: string;
	readonly negatives: number;
	readonly answered: number;
}

/** The scores of one contender over some queries. */
export interface Score {
	/** The name of the queries: a set, a kind or part of a set, or all. */
	readonly name: string;
	readonly contender: string;
	readonly queries: number;
	readonly relevance: Relevance;
}

/** All answers of one contender to one set. */
export async function judgeSet(
	{ name: set, tools, queries }: QuerySet,
	{ name: contender, index }: Contender,
): Promise<{ judgements: Judgement[]; falseAlarms: FalseAlarms }> {
	const search = await index(tools, async () => {});
	const negatives = queries.filter(({ gold }) => gold.length === 0);
	const answerable = queries.filter(({ gold }) => gold.length > 0);
	return {
		judgements: answerable.map((query) => {
			const relevance = judge(query, search(query.text, toolsToJudge(query)));
			return { set, contender, query, relevance };
		}),
		falseAlarms: {
			set,
			contender,
			negatives: negatives.length,
			answered: negatives.filter((query) => search(query.text, toolsToJudge(query)).length > 0).length,
		},
	};
}

/** Scores of groups of queries, by contender. Judgements outside all groups are left out. */
export function scoresBy(
	judgements: readonly Judgement[],
	groupOf: (judgement: Judgement) => string | undefined,
): Score[] {
	const groups = Map.groupBy(judgements, groupOf);
	return [...groups].flatMap(([name, some]) =>
		name === undefined
			? []
			: [...Map.groupBy(some, ({ contender }) => contender)].map(([contender, own]) => ({
					name,
					contender,
					queries: own.length,
					relevance: meanRelevance(own.map(({ relevance }) => relevance)),
				})),
	);
}

/** The mean of the sets, by contender. Each set counts the same, however many queries it has. */
export function macroScores(name: string, judgements: readonly Judgement[]): Score[] {
	const sets = scoresBy(judgements, ({ set }) => set);
	return [...Map.groupBy(sets, ({ contender }) => contender)].map(([contender, own]) => ({
		name,
		contender,
		queries: own.reduce((sum, { queries }) => sum + queries, 0),
		relevance: meanRelevance(own.map(({ relevance }) => relevance)),
	}));
}
