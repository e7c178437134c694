import { type Benchmark, type Figures, NO_DATA } from '../benchmark.ts';
import { CONTENDERS, type Contender } from '../contenders.ts';
import type { LabelledQuery, QuerySet } from '../querySet.ts';
import { JUDGED_TOOLS, judge, meanRelevance, type Relevance } from '../relevance.ts';

/** How often the right tools come back, for every labelled set and every contender. */
export const quality: Benchmark = {
	name: 'quality',
	title: 'Search quality (hit@1, recall@5, recall@10)',
	async measure(data) {
		if (!data || data.querySets.length === 0) return NO_DATA;
		const sets = data.querySets.map(scoresOf);
		const macro: Score = {
			name: 'macro',
			relevance: CONTENDERS.map((_, i) =>
				meanOfContender(
					i,
					sets.map(({ whole }) => whole),
				),
			),
		};
		const scores = [...sets.flatMap(({ whole, kinds }) => [whole, ...kinds]), macro];
		return {
			kind: 'measured',
			figures: Object.assign({}, ...scores.map(figuresOf)),
			table: {
				columns: ['queries', ...CONTENDERS.map(({ name }) => name)],
				rows: scores.map(({ name, relevance }) => [name, ...relevance.map(cell)]),
			},
			notes: ['Queries that no tool answers are left out. macro: the mean of the sets.'],
		};
	},
};

/** What some queries' results were worth, by contender. */
interface Score {
	readonly name: string;
	readonly relevance: readonly Relevance[];
}

interface JudgedQuery {
	readonly query: LabelledQuery;
	/** By contender. */
	readonly relevance: readonly Relevance[];
}

/** A set as a whole, and by how its queries are worded where it tells. */
function scoresOf(set: QuerySet): { whole: Score; kinds: Score[] } {
	const judged = judgeAll(set);
	const kinds = Map.groupBy(judged, ({ query }) => query.kind);
	return {
		whole: scoreOf(set.name, judged),
		kinds: [...kinds]
			.filter(([kind]) => kind !== undefined)
			.map(([kind, some]) => scoreOf(`${set.name}.${kind}`, some)),
	};
}

function judgeAll({ tools, queries }: QuerySet): JudgedQuery[] {
	const searches = CONTENDERS.map((contender: Contender) => contender.index(tools));
	return queries
		.filter((query) => query.gold.length > 0)
		.map((query) => ({
			query,
			relevance: searches.map((search) => judge(query, search(query.text, JUDGED_TOOLS))),
		}));
}

function scoreOf(name: string, judged: readonly JudgedQuery[]): Score {
	return { name, relevance: CONTENDERS.map((_, i) => meanOfContender(i, judged)) };
}

function meanOfContender(
	i: number,
	scored: readonly { readonly relevance: readonly Relevance[] }[],
): Relevance {
	return meanRelevance(scored.map(({ relevance }) => relevance[i]).filter((one) => one !== undefined));
}

function figuresOf({ name, relevance }: Score): Figures {
	const figures: Record<string, number> = {};
	for (const [i, contender] of CONTENDERS.entries()) {
		for (const [measure, value] of Object.entries(relevance[i] ?? {})) {
			figures[`quality.${name}.${contender.name}.${measure}`] = value;
		}
	}
	return figures;
}

function cell({ hit1, r5, r10 }: Relevance): string {
	return [hit1, r5, r10].map((share) => share.toFixed(3)).join(' ');
}
