import { Catalog, defaultPolicy, generateManifest, type Tool } from '../../src/discovery/index.ts';
import { type Benchmark, type Figures, NO_DATA, type Table } from '../benchmark.ts';
import { CONTENDERS, OURS, PEER } from '../contenders.ts';
import { toolsOf } from '../corpus.ts';
import { count, quantity, ratio } from '../report.ts';
import {
	expectedMs,
	LONG_MS,
	MOST_BUILDS,
	MOST_PASSES,
	MOST_WARM_UPS,
	type SearchTimes,
	searchTimes,
} from '../searchTimes.ts';
import { type Stock, sampleQueries, stocks } from '../stocks.ts';
import { medianTime } from '../timing.ts';

/** A contender that would need longer for one size is skipped there. */
const LONGEST_MS = 30_000;

/** Time and memory to create names, index and manifest, and to search, at several sizes and next to peers. */
export const speed: Benchmark = {
	name: 'speed',
	title: 'Time to index, to search, to build the manifest',
	async measure(data) {
		if (!data || data.querySets.length === 0) return NO_DATA;
		const queries = sampleQueries(data);
		const measured: StockTimes[] = [];
		for (const stock of stocks(data)) {
			// A warm-up. Otherwise, the first measurement would include code that is not compiled yet.
			if (measured.length === 0) await measureStock(stock, queries, undefined);
			measured.push(await measureStock(stock, queries, measured.at(-1)));
		}
		return {
			kind: 'measured',
			figures: Object.assign({}, ...measured.flatMap((times) => [buildFigures(times), searchFigures(times)])),
			tables: [...measured.map(searchTable), buildTable(measured)],
			notes: [
				...measured.flatMap(({ leftOut }) => leftOut),
				`index: the median of up to ${MOST_BUILDS} builds. pause: the longest time for which it lets nothing else run. MB: what the index holds once it has been searched, without the tools.`,
				`search: up to ${MOST_PASSES} passes over ${queries.length} queries, after up to ${MOST_WARM_UPS} that do not count. Of everything once, and no more when it has taken ${LONG_MS / 1_000} s. ×: times as much as ${PEER}.`,
			],
		};
	},
};

interface SearchMeasurements {
	readonly searches: readonly SearchTimes[];
	/** Skipped contenders, with the reason. */
	readonly leftOut: readonly string[];
}

interface StockTimes extends SearchMeasurements {
	readonly name: string;
	readonly tools: number;
	readonly manifestMs: number;
	readonly catalogMs: number;
}

async function measureStock(
	{ name, servers: make }: Stock,
	queries: readonly string[],
	smaller: StockTimes | undefined,
): Promise<StockTimes> {
	const servers = make();
	const tools = toolsOf(servers);
	const described = new Map(servers.map((server) => [server.name, server]));
	const manifest = { servers: described, maxTokens: defaultPolicy.maxManifestTokens };
	return {
		name,
		tools: tools.length,
		manifestMs: medianTime(() => generateManifest(tools, manifest), MOST_BUILDS),
		catalogMs: medianTime(() => new Catalog(servers, 1), MOST_BUILDS),
		...(await measureSearches(name, tools, queries, smaller)),
	};
}

async function measureSearches(
	name: string,
	tools: readonly Tool[],
	queries: readonly string[],
	smaller: StockTimes | undefined,
): Promise<SearchMeasurements> {
	const searches: SearchTimes[] = [];
	const leftOut: string[] = [];
	for (const contender of CONTENDERS) {
		const reason = smaller && reasonToLeaveOut(contender.name, tools.length, smaller, queries.length);
		if (reason === undefined) searches.push(await searchTimes(contender, tools, queries));
		else leftOut.push(`${name} without ${contender.name}: ${reason}`);
	}
	return { searches, leftOut };
}

/** Ours is always measured, because its figures are the purpose of the benchmark. */
function reasonToLeaveOut(
	contender: string,
	tools: number,
	smaller: StockTimes,
	queries: number,
): string | undefined {
	if (contender === OURS) return undefined;
	const times = smaller.searches.find((search) => search.contender === contender);
	if (!times) return `left out at ${smaller.name} already.`;
	const ms = expectedMs(times, tools / smaller.tools, queries);
	if (ms <= LONGEST_MS) return undefined;
	return `at ${smaller.name} it takes ${quantity(times.indexMs)} ms to index and ${quantity(times.p50Us)} µs to search, which would make ${quantity(ms / 1_000)} s here.`;
}

function buildFigures({ name, manifestMs, catalogMs }: StockTimes): Figures {
	return { [`manifest.${name}.ms`]: manifestMs, [`catalog.${name}.ms`]: catalogMs };
}

function searchFigures({ name, searches }: StockTimes): Figures {
	const own = timesOf(searches, OURS);
	const peer = timesOf(searches, PEER);
	return Object.assign(
		own && peer ? { [`search.${name}.speedup`]: peer.p50Us / own.p50Us } : {},
		...searches.map(({ contender, indexMs, pauseMs, megabytes, p50Us, p99Us }) => {
			const of = contender === OURS ? name : `${name}.${contender}`;
			return {
				[`index.${of}.ms`]: indexMs,
				[`index.${of}.pause.ms`]: pauseMs,
				[`index.${of}.mb`]: megabytes,
				[`search.${of}.p50.us`]: p50Us,
				[`search.${of}.p99.us`]: p99Us,
			};
		}),
	);
}

function timesOf(searches: readonly SearchTimes[], name: string): SearchTimes | undefined {
	return searches.find(({ contender }) => contender === name);
}

function searchTable({ name, tools, searches }: StockTimes): Table {
	const peer = timesOf(searches, PEER);
	const columns = [
		{ title: 'index ms', key: 'indexMs' },
		{ title: 'pause ms', key: 'pauseMs' },
		{ title: 'MB', key: 'megabytes' },
		{ title: 'search p50 µs', key: 'p50Us' },
		{ title: 'p99 µs', key: 'p99Us' },
	] as const;
	return {
		title: `${name}: ${count(tools)} tools`,
		columns: ['', ...columns.flatMap(({ title }) => [title, '×'])],
		rows: searches.map((times) => [
			times.contender,
			...columns.flatMap(({ key }) => [quantity(times[key]), peer ? ratio(times[key], peer[key]) : '']),
		]),
	};
}

function buildTable(measured: readonly StockTimes[]): Table {
	return {
		title: 'Names and manifest',
		columns: ['', 'tools', 'catalog with wire names ms', 'manifest ms'],
		rows: measured.map(({ name, tools, catalogMs, manifestMs }) => [
			name,
			count(tools),
			quantity(catalogMs),
			quantity(manifestMs),
		]),
	};
}
