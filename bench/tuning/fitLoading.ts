// `node bench/tuning/fitLoading.ts --data FOLDER`: fits the weights of `src/discovery/tools/worthLoading.ts` by logistic
// regression on the tuning halves. For several thresholds and both halves, it prints the needs met, and the tokens as a share of
// those of the first five tools.
import { parseArgs } from 'node:util';
import { estimateDefinitionTokens } from '../../src/common/tokens.ts';
import { toolDefinition } from '../../src/discovery/catalog/catalog.ts';
import { isLikely } from '../../src/discovery/search/certainty.ts';
import { oddsOf } from '../../src/discovery/tools/worthLoading.ts';
import { readCorpora } from '../corpus.ts';
import { shareMet, surfaceOf } from '../figures/loaded.ts';
import { type LabelledQuery, type QuerySet, readQuerySets } from '../querySet.ts';
import { inTuningPart } from '../split.ts';
import { type Example, regress } from './regression.ts';

const FIRST = 5;
const THRESHOLDS = [0.003, 0.0035, 0.004, 0.0045, 0.005];

interface Hit {
	readonly x: { readonly share: number; readonly relevance: number };
	readonly tokens: number;
	readonly isNeeded: boolean;
	readonly tool: { readonly server: string; readonly name: string };
}

interface Searched {
	readonly set: string;
	readonly query: LabelledQuery;
	readonly isLikely: boolean;
	readonly hits: readonly Hit[];
}

async function searchesOf({ name: set, tools, queries }: QuerySet): Promise<Searched[]> {
	const index = await surfaceOf(tools).index();
	return queries
		.filter(({ gold }) => gold.length > 0)
		.map((query) => {
			const results = index.search(query.text, { limit: FIRST });
			const best = results[0]?.score || 1;
			const hits = results.map(({ tool, score, relevance = 1 }) => ({
				x: { share: score / best, relevance: oddsOf(relevance) },
				tokens: estimateDefinitionTokens(toolDefinition(tool)),
				isNeeded: query.gold.flat().some(([server, name]) => server === tool.server && name === tool.name),
				tool,
			}));
			return { set, query, isLikely: results.some(isLikely), hits };
		});
}

/** The hits next to the best one. Each set counts the same. */
function examplesOf(searches: readonly Searched[]): Example<keyof Hit['x']>[] {
	return [...Map.groupBy(searches, ({ set }) => set).values()].flatMap((ofSet) => {
		const hits = ofSet.flatMap((search) => search.hits.slice(1));
		return hits.map(({ x, isNeeded }) => ({ x, isRight: isNeeded, weight: 1 / hits.length }));
	});
}

function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

const { values: options } = parseArgs({ options: { data: { type: 'string' } } });
if (options.data === undefined) throw new Error('Name the folder of tools and queries with --data');
const searches: Searched[] = [];
for (const set of readQuerySets(options.data, readCorpora(options.data)))
	searches.push(...(await searchesOf(set)));
const isTuning = ({ query }: Searched): boolean => inTuningPart(query);
const weights = regress(examplesOf(searches.filter(isTuning)), ['share', 'relevance']);
console.log(weights);
for (const least of THRESHOLDS) {
	const isWorth = ({ x, tokens }: Hit): boolean => {
		const sum = weights.bias + weights.share * x.share + weights.relevance * x.relevance;
		return 1 / (1 + Math.exp(-sum)) >= least * Math.sqrt(tokens);
	};
	for (const part of [true, false]) {
		const sets = Map.groupBy(
			searches.filter((search) => isTuning(search) === part),
			({ set }) => set,
		);
		const scores = [...sets.values()].map((ofSet) => {
			const loaded = ofSet.map(({ isLikely, hits }) =>
				hits.filter((hit, i) => isLikely && (i === 0 || isWorth(hit))),
			);
			const sumOf = (hits: readonly Hit[]) => hits.reduce((sum, { tokens }) => sum + tokens, 0);
			return {
				met: mean(
					ofSet.map(({ query }, i) =>
						shareMet(
							query.gold,
							(loaded[i] ?? []).map(({ tool }) => tool),
						),
					),
				),
				first: mean(
					ofSet.map(({ query, hits }) =>
						shareMet(
							query.gold,
							hits.map(({ tool }) => tool),
						),
					),
				),
				tokens: mean(loaded.map(sumOf)) / mean(ofSet.map(({ hits }) => sumOf(hits))),
			};
		});
		const [met, first, tokens] = (['met', 'first', 'tokens'] as const).map((key) =>
			mean(scores.map((score) => score[key])).toFixed(3),
		);
		console.log(part ? 'tuned' : 'rest ', least, `met ${met} of ${first}, tokens ${tokens}`);
	}
}
