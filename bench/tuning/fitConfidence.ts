// `node bench/tuning/fitConfidence.ts --data FOLDER`: fits the weights of `src/discovery/search/confidence.ts` by logistic regression on
// the tuning halves of the labelled sets, of small catalogs of their servers with and without the answering one, and of the paraphrases.
// `npm run bench -- --data FOLDER --only sure` says what the result is worth.
import { parseArgs } from 'node:util';
import type { Tool } from '../../src/discovery/index.ts';
import { type RankerByFields, rankByFields } from '../../src/discovery/search/byFields/rankByFields.ts';
import { confidenceFeatures } from '../../src/discovery/search/confidence.ts';
import { isDoubtful } from '../../src/discovery/search/evidence.ts';
import { knownExpansions } from '../../src/discovery/search/known/knownServers.ts';
import { finish } from '../../src/discovery/search/ranker.ts';
import { smallCatalogs } from '../catalogs.ts';
import { readCorpora } from '../corpus.ts';
import { readParaphrases } from '../paraphrases.ts';
import { type LabelledQuery, type QuerySet, readQuerySets } from '../querySet.ts';
import { inTuningPart } from '../split.ts';
import { type Example, regress } from './regression.ts';

/** The weight of each kind of example. */
const KINDS = { whole: 1, paraphrase: 1, small: 0.7, 'small without': 0.5 } as const;
const SMALL_PER_SET = 100;
const SEEDS = [11, 12];
const JUDGED = 5;

type Features = ReturnType<typeof confidenceFeatures>;

interface Judged {
	readonly kind: keyof typeof KINDS;
	readonly set: string;
	readonly x: Features;
	readonly isRight: boolean;
}

async function ranked(tools: readonly Tool[], previous?: RankerByFields): Promise<RankerByFields> {
	return finish(rankByFields(tools, { knownExpansions: await knownExpansions(tools) }, previous));
}

/** The best hit of a query of the tuning half, unless the evidence alone rules it out or it only helps. */
function judged(
	kind: Judged['kind'],
	set: string,
	{ query, gold, tools, ranker }: Asked & { readonly ranker: RankerByFields },
): Judged[] {
	const [best, next] = ranker.rank(query.text, JUDGED).hits;
	if (!best?.evidence || isDoubtful(best.evidence) || !inTuningPart(query)) return [];
	const tool = tools[best.place];
	const isTool = ([server, name]: readonly [string, string]) => server === tool?.server && name === tool.name;
	const isRight = gold.flat().some(isTool);
	if (!isRight && gold.length > 0 && query.also?.some(isTool)) return [];
	return [{ kind, set, x: confidenceFeatures(best.evidence, best.score, next), isRight }];
}

interface Asked {
	readonly query: LabelledQuery;
	readonly gold: LabelledQuery['gold'];
	readonly tools: readonly Tool[];
}

async function examplesOf(set: QuerySet, kind: 'whole' | 'paraphrase'): Promise<Judged[]> {
	const { name, tools, queries } = set;
	const allTools = await ranked(tools);
	const examples = queries.flatMap((query) =>
		judged(kind, name, { query, gold: query.gold, tools, ranker: allTools }),
	);
	if (kind === 'paraphrase') return examples;
	for (const seed of SEEDS) {
		for (const { query, withAnswer, without, gold } of smallCatalogs(set, SMALL_PER_SET, seed)) {
			if (withAnswer) {
				const ranker = await ranked(withAnswer, allTools);
				examples.push(...judged('small', name, { query, gold, tools: withAnswer, ranker }));
			}
			const ranker = await ranked(without, allTools);
			examples.push(...judged('small without', name, { query, gold: [], tools: without, ranker }));
		}
	}
	return examples;
}

const { values: options } = parseArgs({ options: { data: { type: 'string' } } });
if (options.data === undefined) throw new Error('Name the folder of tools and queries with --data');
const corpora = readCorpora(options.data);
const examples: Judged[] = [];
for (const set of readQuerySets(options.data, corpora)) examples.push(...(await examplesOf(set, 'whole')));
for (const set of readParaphrases(corpora)) examples.push(...(await examplesOf(set, 'paraphrase')));
const weighted: Example<keyof Features>[] = [];
for (const [kind, own] of Map.groupBy(examples, (example) => example.kind)) {
	const sets = Map.groupBy(own, ({ set }) => set);
	for (const some of sets.values())
		for (const { x, isRight } of some)
			weighted.push({ x, isRight, weight: KINDS[kind] / some.length / sets.size });
}
console.log(regress(weighted, Object.keys(examples[0]?.x ?? {}) as (keyof Features)[]));
