// `node bench/tuning/fitRelevance.ts --data FOLDER`: fits the weights of `src/discovery/search/evidence.ts` by logistic
// regression on the tuning halves. For both halves, it prints how many searches have a likely hit: of searches with the right tool among the
// first five, and of searches that nothing can answer.
import { parseArgs } from 'node:util';
import type { Tool } from '../../src/discovery/index.ts';
import { type RankerByFields, rankByFields } from '../../src/discovery/search/byFields/rankByFields.ts';
import { likely } from '../../src/discovery/search/certainty.ts';
import { type Evidence, featuresOf, relevanceOf } from '../../src/discovery/search/evidence.ts';
import { finish } from '../../src/discovery/search/ranker.ts';
import { smallCatalogs } from '../catalogs.ts';
import { readCorpora } from '../corpus.ts';
import { type LabelledQuery, type QuerySet, readQuerySets } from '../querySet.ts';
import { inTuningPart } from '../split.ts';
import { regress } from './regression.ts';

/** Queries of one set that the tools of another cannot answer, apart from a few by chance. */
const FOREIGN: readonly (readonly [queries: string, tools: string])[] = [
	['metatool', 'azure-prompts'],
	['metatool', 'mcpproxy-paraphrased'],
	['toolbench', 'azure-prompts'],
	['toolbench', 'mcpproxy-paraphrased'],
	['bfcl_live', 'mcpproxy-paraphrased'],
	['azure-prompts', 'metatool'],
	['mcp61', 'metatool'],
];
/** Sets of many servers with few equivalent tools. */
const OWN = ['mcp61', 'livemcp-model', 'livemcp-tasks', 'metatool', 'bfcl_live', 'mcpproxy-paraphrased'];
/** The weight of each kind of example. Examples without an answer are less certain, because other tools may serve. */
const KINDS = { whole: 1, small: 1, 'small without': 0.7, without: 0.5, foreign: 0.4 } as const;
const SMALL_PER_SET = 150;
const SEEDS = [11, 12, 13];
/** Hits that count as found. */
const FIRST = 5;
const NOTHING: Evidence = {
	strength: 0,
	coverage: 0,
	literal: 0,
	things: 0,
	isVague: false,
	isOneWord: false,
	hasOnlyAction: false,
	named: 0,
	unserved: 0,
	otherService: false,
	isElsewhere: false,
	tools: 1,
	isMatch: false,
	isGuess: false,
};

interface Example {
	readonly kind: keyof typeof KINDS;
	readonly set: string;
	readonly isAnswerable: boolean;
	/** The right tool, or a helpful one, is among the first. */
	readonly isRight: boolean;
	readonly isTuning: boolean;
	readonly evidence: Evidence;
	/** Makes each set of a kind count the same. */
	weight: number;
}

type Features = ReturnType<typeof featuresOf>;
const NAMES = Object.keys(featuresOf(NOTHING)) as (keyof Features)[];

/** Tools by position, with their ranker. */
interface Ranked {
	readonly tools: readonly Tool[];
	readonly ranker: RankerByFields;
}

function ranked(tools: readonly Tool[], previous?: Ranked): Ranked {
	return { tools, ranker: finish(rankByFields(tools, {}, previous?.ranker)) };
}

function example(
	kind: Example['kind'],
	set: string,
	query: LabelledQuery,
	{ tools, ranker }: Ranked,
	gold: LabelledQuery['gold'],
): Example {
	const { hits } = ranker.rank(query.text, FIRST);
	const served = [...gold.flat(), ...(gold.length > 0 ? (query.also ?? []) : [])];
	const isServed = ({ server, name }: Tool) => served.some(([s, n]) => s === server && n === name);
	return {
		kind,
		set,
		isAnswerable: gold.length > 0,
		isRight: hits.some(({ place }) => isServed(tools[place] as Tool)),
		isTuning: inTuningPart(query),
		evidence: hits[0]?.evidence ?? NOTHING,
		weight: 1,
	};
}

function examplesOf(set: QuerySet): Example[] {
	const ranker = ranked(set.tools);
	const small = SEEDS.flatMap((seed) => smallCatalogs(set, SMALL_PER_SET, seed));
	return [
		...set.queries.map((query) => example('whole', set.name, query, ranker, query.gold)),
		...small.flatMap(({ query, withAnswer, without, gold }) => [
			...(withAnswer ? [example('small', set.name, query, ranked(withAnswer, ranker), gold)] : []),
			example('small without', set.name, query, ranked(without, ranker), []),
		]),
		...(OWN.includes(set.name) ? withoutItsServers(set, ranker) : []),
	];
}

/** Queries of a set, searched without the servers that answer them. */
function withoutItsServers({ name, queries, tools }: QuerySet, ranker: Ranked): Example[] {
	return queries.flatMap((query) => {
		const servers = new Set([...query.gold.flat(), ...(query.also ?? [])].map(([server]) => server));
		const others = tools.filter(({ server }) => !servers.has(server));
		return servers.size > 0 ? [example('without', name, query, ranked(others, ranker), [])] : [];
	});
}

function share(examples: readonly Example[]): string {
	const likelyCount = examples.filter(({ evidence }) => relevanceOf(evidence) >= likely).length;
	return examples.length > 0 ? `${(likelyCount / examples.length).toFixed(3)} of ${examples.length}` : '–';
}

const { values: options } = parseArgs({ options: { data: { type: 'string' } } });
if (options.data === undefined) throw new Error('Name the folder of tools and queries with --data');
const sets = readQuerySets(options.data, readCorpora(options.data));
const named = (name: string): QuerySet => {
	const set = sets.find((candidate) => candidate.name === name);
	if (!set) throw new Error(`There is no set '${name}'`);
	return set;
};
const examples = [
	...sets.flatMap(examplesOf),
	...FOREIGN.flatMap(([queries, tools]) => {
		const ranker = ranked(named(tools).tools);
		return named(queries).queries.map((query) =>
			example('foreign', `${queries} → ${tools}`, query, ranker, []),
		);
	}),
];
for (const some of Map.groupBy(
	examples,
	({ kind, set, isAnswerable }) => `${kind} ${set} ${isAnswerable}`,
).values()) {
	for (const example of some) example.weight = KINDS[example.kind] / some.length;
}
// Half of the weight on either side.
for (const side of [true, false]) {
	const ofSide = examples.filter(({ isAnswerable }) => isAnswerable === side);
	const total = ofSide.reduce((sum, { weight }) => sum + weight, 0);
	for (const example of ofSide) example.weight /= total;
}
const tuning = examples.filter(({ isTuning }) => isTuning);
console.log(
	regress(
		tuning.map(({ evidence, isRight, weight }) => ({ x: featuresOf(evidence), isRight, weight })),
		NAMES,
	),
);
console.log('Searches with a likely hit, by the weights in force:');
for (const isTuning of [true, false]) {
	for (const [kind, ofKind] of Map.groupBy(examples, (example) => example.kind)) {
		const half = ofKind.filter((example) => example.isTuning === isTuning);
		const right = share(half.filter(({ isRight }) => isRight));
		const wrong = share(half.filter(({ isAnswerable }) => !isAnswerable));
		console.log(isTuning ? 'tuned' : 'rest', kind.padEnd(14), 'right', right, 'unanswerable', wrong);
	}
}
