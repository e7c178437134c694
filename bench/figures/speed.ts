import {
	Catalog,
	type CatalogServer,
	defaultPolicy,
	generateManifest,
	type Tool,
} from '../../src/discovery/index.ts';
import { type Benchmark, type BenchmarkData, type Figures, NO_DATA } from '../benchmark.ts';
import { CONTENDERS, type Contender, OURS, PEER } from '../contenders.ts';
import { joinServers, toolsOf } from '../corpus.ts';
import { SeededRandom } from '../random.ts';
import { quantity, ratio } from '../report.ts';
import { scaleTo } from '../scale.ts';
import { medianTime, percentile, timeOf } from '../timing.ts';

/** Measured as it is: the tools of 61 servers. */
const REAL_CORPUS = 'mcp61';
/** Sizes that real tools and mutated copies are brought to. */
const SIZES = [{ name: '10k', tools: 10_000 }];
const BUILD_RUNS = 5;
const SEARCH_PASSES = 3;
const QUERIES_PER_SET = 10;
const QUERY_SEED = 1;
const SEARCH_LIMIT = 5;

/** Time to make names, index and manifest, and to search, at several sizes and beside a peer. */
export const speed: Benchmark = {
	name: 'speed',
	title: 'Time to index, to search, to build the manifest',
	async measure(data) {
		if (!data || data.querySets.length === 0) return NO_DATA;
		const queries = sampleQueries(data);
		const measured = stocks(data).map(({ name, servers }) => ({
			name,
			build: buildTimes(servers),
			searches: CONTENDERS.map((contender) => searchTimes(contender, toolsOf(servers), queries)),
		}));
		return {
			kind: 'measured',
			figures: Object.assign(
				{},
				...measured.flatMap(({ name, build, searches }) => [
					buildFigures(name, build),
					...searches.map((times) => searchFigures(name, times)),
				]),
			),
			table: {
				columns: ['', 'index ms', `× ${PEER}`, 'search p50 µs', `× ${PEER}`, 'p99 µs', `× ${PEER}`],
				rows: measured.flatMap(({ name, searches }) => searchRows(name, searches)),
			},
			notes: [
				...measured.map(
					({ name, build }) =>
						`${name}: manifest ${quantity(build.manifestMs)} ms, catalog with wire names ${quantity(build.catalogMs)} ms.`,
				),
				`Median of ${BUILD_RUNS} builds, ${SEARCH_PASSES} passes over ${queries.length} queries, each after a warm-up. × ${PEER}: less is faster.`,
			],
		};
	},
};

interface Stock {
	readonly name: string;
	readonly servers: readonly CatalogServer[];
}

interface BuildTimes {
	readonly manifestMs: number;
	readonly catalogMs: number;
}

interface SearchTimes {
	readonly contender: string;
	readonly indexMs: number;
	readonly p50Us: number;
	readonly p99Us: number;
}

function stocks({ corpora }: BenchmarkData): Stock[] {
	const all = joinServers(corpora);
	return [
		...corpora.filter((corpus) => corpus.name === REAL_CORPUS),
		...SIZES.map(({ name, tools }) => ({ name, servers: scaleTo(all, tools) })),
	];
}

/** A few of every set, the same for every size: sets of long texts must not outweigh those of short ones. */
function sampleQueries({ querySets }: BenchmarkData): string[] {
	const random = new SeededRandom(QUERY_SEED);
	return querySets
		.flatMap(({ queries }) => random.shuffle(queries).slice(0, QUERIES_PER_SET))
		.map(({ text }) => text);
}

function buildTimes(servers: readonly CatalogServer[]): BuildTimes {
	const tools = toolsOf(servers);
	const described = new Map(servers.map((server) => [server.name, server]));
	const options = { servers: described, maxTokens: defaultPolicy.maxManifestTokens };
	return {
		manifestMs: medianTime(() => generateManifest(tools, options), BUILD_RUNS),
		catalogMs: medianTime(() => new Catalog(servers, 1), BUILD_RUNS),
	};
}

function searchTimes(contender: Contender, tools: readonly Tool[], queries: readonly string[]): SearchTimes {
	const indexMs = medianTime(() => contender.index(tools), BUILD_RUNS);
	const search = contender.index(tools);
	const pass = (): number[] => queries.map((query) => 1_000 * timeOf(() => search(query, SEARCH_LIMIT)));
	pass();
	const times = Array.from({ length: SEARCH_PASSES }, pass).flat();
	return {
		contender: contender.name,
		indexMs,
		p50Us: percentile(times, 0.5),
		p99Us: percentile(times, 0.99),
	};
}

function buildFigures(stock: string, { manifestMs, catalogMs }: BuildTimes): Figures {
	return { [`manifest.${stock}.ms`]: manifestMs, [`catalog.${stock}.ms`]: catalogMs };
}

function searchFigures(stock: string, { contender, indexMs, p50Us, p99Us }: SearchTimes): Figures {
	const of = contender === OURS ? stock : `${stock}.${contender}`;
	return {
		[`index.${of}.ms`]: indexMs,
		[`search.${of}.p50.us`]: p50Us,
		[`search.${of}.p99.us`]: p99Us,
	};
}

function searchRows(stock: string, searches: readonly SearchTimes[]): string[][] {
	const peer = searches.find(({ contender }) => contender === PEER);
	return searches.map((times) => [
		`${stock} ${times.contender}`,
		...(['indexMs', 'p50Us', 'p99Us'] as const).flatMap((key) => [
			quantity(times[key]),
			peer ? ratio(times[key], peer[key]) : '',
		]),
	]);
}
