// `node bench/tuning/tuneRanking.ts --data FOLDER [--minutes 10] [--seed 1]`: searches for better parameters of the default
// ranking by hill climbing on the tuning part of each query set. It prints them with their scores on the rest, which it never
// uses before. Copy the parameters into `src/discovery/search/byFields/parameters.ts` by hand.
import { parseArgs } from 'node:util';
import { defaultParameters, type RankingParameters } from '../../src/discovery/search/byFields/parameters.ts';
import { ToolIndex } from '../../src/discovery/search/toolIndex.ts';
import { readCorpora } from '../corpus.ts';
import { type QuerySet, readQuerySets } from '../querySet.ts';
import { SeededRandom } from '../random.ts';
import { judge, meanRelevance, type Relevance, toolsToJudge } from '../relevance.ts';
import { inTuningPart } from '../split.ts';
import { neighbour } from './parameterSpace.ts';

const OPTIONS = {
	data: { type: 'string' },
	minutes: { type: 'string', default: '10' },
	seed: { type: 'string', default: '1' },
} as const;

/** Smaller gains are chance. */
const LEAST_GAIN = 0.0005;

/** The objective: recall first, because only the first five are loaded, then the order. */
function worth({ hit1, r5, r10, ndcg10 }: Relevance): number {
	return r5 + 0.6 * hit1 + 0.6 * ndcg10 + 0.2 * r10;
}

type Part = 'tuning' | 'rest';

/** The mean score of some parameters over one part of each set. */
function relevanceOf(sets: readonly QuerySet[], parameters: RankingParameters, part: Part): Relevance {
	return meanRelevance(
		sets.map(({ tools, queries }) => {
			const index = new ToolIndex(tools, { parameters });
			const answerable = queries.filter(({ gold }) => gold.length > 0);
			const ofPart = answerable.filter((query) => inTuningPart(query) === (part === 'tuning'));
			return meanRelevance(
				ofPart.map((query) => {
					const hits = index.search(query.text, { limit: toolsToJudge(query), unlikely: true });
					return judge(
						query,
						hits.map(({ tool }) => tool),
					);
				}),
			);
		}),
	);
}

function scoreText({ hit1, r5, r10, ndcg10 }: Relevance): string {
	const parts = { 'hit@1': hit1, 'R@5': r5, 'R@10': r10, 'nDCG@10': ndcg10 };
	return Object.entries(parts)
		.map(([name, value]) => `${name} ${value.toFixed(3)}`)
		.join('  ');
}

function tune(sets: readonly QuerySet[], until: number, random: SeededRandom): RankingParameters {
	let best: RankingParameters = defaultParameters;
	let relevance = relevanceOf(sets, best, 'tuning');
	for (let trial = 1; performance.now() < until; trial++) {
		const tried = neighbour(best, random);
		const result = relevanceOf(sets, tried, 'tuning');
		if (worth(result) < worth(relevance) + LEAST_GAIN) continue;
		best = tried;
		relevance = result;
		console.log(`trial ${trial}: ${scoreText(result)}`);
	}
	return best;
}

const { values: options } = parseArgs({ options: OPTIONS });
if (options.data === undefined) throw new Error('Name the folder of tools and queries with --data');
const sets = readQuerySets(options.data, readCorpora(options.data));
const until = performance.now() + 60_000 * Number(options.minutes);
const best = tune(sets, until, new SeededRandom(Number(options.seed)));
console.log(JSON.stringify(best, null, '\t'));
for (const part of ['tuning', 'rest'] as const) {
	console.log(`${part}: before  ${scoreText(relevanceOf(sets, defaultParameters, part))}`);
	console.log(`${part}: after   ${scoreText(relevanceOf(sets, best, part))}`);
}
