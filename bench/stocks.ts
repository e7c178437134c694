import type { CatalogServer } from '../src/discovery/index.ts';
import type { BenchmarkData } from './benchmark.ts';
import { joinServers } from './corpus.ts';
import { SeededRandom } from './random.ts';
import { scaleTo } from './scale.ts';

/**
 * Servers with a given number of tools. Created on demand, so that the largest ones do not take memory during other measurements.
 */
export interface Stock {
	/** Used in the names of figures. */
	readonly name: string;
	servers(): readonly CatalogServer[];
}

/** The tools of 61 servers, unchanged. */
const REAL_CORPUS = 'mcp61';
/** Sizes to reach with mutated copies of real tools. */
const SMALL = { name: '500', tools: 500 };
const LARGER = [
	{ name: '10k', tools: 10_000 },
	{ name: '100k', tools: 100_000 },
];

const QUERIES_PER_SET = 10;
const QUERY_SEED = 1;

/** The catalogs for measuring speed, smallest first. */
export function stocks({ corpora }: BenchmarkData): Stock[] {
	const all = joinServers(corpora);
	const scaled = ({ name, tools }: typeof SMALL): Stock => ({ name, servers: () => scaleTo(all, tools) });
	const real = corpora.filter(({ name }) => name === REAL_CORPUS);
	return [
		scaled(SMALL),
		...real.map(({ name, servers }): Stock => ({ name, servers: () => servers })),
		...LARGER.map(scaled),
	];
}

/** The same few queries of every set for every size. Sets of long texts must not outweigh those of short ones. */
export function sampleQueries({ querySets }: BenchmarkData): string[] {
	const random = new SeededRandom(QUERY_SEED);
	return querySets
		.flatMap(({ queries }) => random.shuffle(queries).slice(0, QUERIES_PER_SET))
		.map(({ text }) => text);
}
