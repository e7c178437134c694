// `node bench/tuning/fitConfidence.ts --data FOLDER`: fits the weights of `src/discovery/search/evidence.ts` by logistic
// regression on the tuning parts, and prints for several floors how many answerable queries of the rest would be refused, and how
// many of those that nothing can answer.
import { parseArgs } from 'node:util';
import { rankByFields } from '../../src/discovery/search/byFields/rankByFields.ts';
import { confidenceOf, type Evidence, featuresOf } from '../../src/discovery/search/evidence.ts';
import { finish } from '../../src/discovery/search/ranker.ts';
import { readCorpora } from '../corpus.ts';
import { type QuerySet, readQuerySets } from '../querySet.ts';
import { inTuningPart } from '../split.ts';

/** Queries of one set that the tools of another cannot answer, but for a few by chance. */
const FOREIGN: readonly (readonly [queries: string, tools: string])[] = [
	['metatool', 'azure-prompts'],
	['metatool', 'mcpproxy-paraphrased'],
	['toolbench', 'azure-prompts'],
	['toolbench', 'mcpproxy-paraphrased'],
	['bfcl_live', 'mcpproxy-paraphrased'],
	['azure-prompts', 'metatool'],
	['mcp61', 'metatool'],
];
/** Sets of many servers of which few can stand in for each other. */
const OWN = ['mcp61', 'livemcp-model', 'metatool', 'bfcl_live', 'mcpproxy-paraphrased'];
const STEPS = 5_000;
const RATE = 2;
/** Keeps weights small that the data do not ask for. */
const DECAY = 0.0005;
const FLOORS = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4];
const NAMES = ['coverage', 'strength', 'kinship', 'unserved'] as const;

interface Example {
	readonly set: string;
	readonly answerable: boolean;
	readonly tuning: boolean;
	readonly evidence: Evidence;
	/** So that each set counts the same. */
	weight: number;
}

type Weights = Record<(typeof NAMES)[number] | 'bias', number>;

const NOTHING: Evidence = { strength: 0, coverage: 0, kinship: 0, unserved: 0, otherService: false };

function examplesOf(queries: QuerySet, tools: QuerySet): Example[] {
	const foreign = queries !== tools;
	const ranker = finish(rankByFields(tools.tools));
	const set = foreign ? `${queries.name} → ${tools.name}` : queries.name;
	const all = queries.queries.filter(({ gold }) => gold.length > 0 || !foreign);
	return all.map((query) => ({
		set: query.gold.length > 0 ? set : `${set} (nothing fits)`,
		answerable: !foreign && query.gold.length > 0,
		tuning: inTuningPart(query),
		evidence: ranker.rank(query.text, 1).hits[0]?.evidence ?? NOTHING,
		weight: 1 / all.length,
	}));
}

/** Their own queries, put to what is left when the servers that answer them are taken out: as like to the real ones as can be. */
function withoutItsServers(queries: QuerySet): Example[] {
	const whole = finish(rankByFields(queries.tools));
	const all = queries.queries.filter(({ gold }) => gold.length > 0);
	return all.map((query) => {
		const servers = new Set([...query.gold.flat(), ...(query.also ?? [])].map(([server]) => server));
		const others = queries.tools.filter(({ server }) => !servers.has(server));
		return {
			set: `${queries.name} without its servers`,
			answerable: false,
			tuning: inTuningPart(query),
			evidence: finish(rankByFields(others, {}, whole)).rank(query.text, 1).hits[0]?.evidence ?? NOTHING,
			weight: 1 / all.length,
		};
	});
}

function regress(examples: readonly Example[]): Weights {
	const weights: Weights = { bias: 0, coverage: 0, strength: 0, kinship: 0, unserved: 0 };
	const total = examples.reduce((sum, { weight }) => sum + weight, 0);
	const rows = examples.map(({ evidence, answerable, weight }) => ({
		x: featuresOf(evidence),
		answerable,
		weight,
	}));
	for (let step = 0; step < STEPS; step++) {
		const gradient: Weights = { bias: 0, coverage: 0, strength: 0, kinship: 0, unserved: 0 };
		for (const { x, answerable, weight } of rows) {
			const sum = NAMES.reduce((all, name) => all + weights[name] * x[name], weights.bias);
			const error = (weight / total) * (1 / (1 + Math.exp(-sum)) - Number(answerable));
			gradient.bias += error;
			for (const name of NAMES) gradient[name] += error * x[name];
		}
		weights.bias -= RATE * gradient.bias;
		for (const name of NAMES) weights[name] -= RATE * (gradient[name] + DECAY * weights[name]);
	}
	return weights;
}

const { values: options } = parseArgs({ options: { data: { type: 'string' } } });
if (options.data === undefined) throw new Error('Name the folder of tools and queries with --data');
const sets = readQuerySets(options.data, readCorpora(options.data));
const named = (name: string): QuerySet => {
	const set = sets.find((one) => one.name === name);
	if (!set) throw new Error(`There is no set '${name}'`);
	return set;
};
const examples = [
	...sets.flatMap((set) => examplesOf(set, set)),
	...OWN.flatMap((name) => withoutItsServers(named(name))),
	...FOREIGN.flatMap(([queries, tools]) => examplesOf(named(queries), named(tools))),
];
// Half of the weight on either side.
for (const side of [true, false]) {
	const its = examples.filter(({ answerable }) => answerable === side);
	const total = its.reduce((sum, { weight }) => sum + weight, 0);
	for (const example of its) example.weight /= total;
}
console.log(regress(examples.filter(({ tuning }) => tuning)));
for (const [set, its] of Map.groupBy(examples, (example) => example.set)) {
	const refused = FLOORS.map((floor) => {
		const count = its.filter(({ evidence }) => confidenceOf(evidence) < floor).length;
		return `${floor}: ${(count / its.length).toFixed(3)}`;
	});
	console.log(set.padEnd(44), refused.join('  '));
}
