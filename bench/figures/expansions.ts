import type { Tool } from '../../src/discovery/index.ts';
import { type Benchmark, type BenchmarkData, type Figures, NO_DATA, type Table } from '../benchmark.ts';
import type { Contender } from '../contenders/contender.ts';
import { CONTENDERS, OURS } from '../contenders.ts';
import { expanded, toolsOf } from '../corpus.ts';
import { type Judgement, judgeSet, macroScores, type Score, scoresBy } from '../judgements.ts';
import type { QuerySet } from '../querySet.ts';
import { count, quantity, ratio } from '../report.ts';
import { scaleTo } from '../scale.ts';
import { type SearchTimes, searchTimes } from '../searchTimes.ts';
import { inTuningPart } from '../split.ts';
import { sampleQueries } from '../stocks.ts';

/** The number of tools for timing. */
const LARGE = 10_000;

const WITH = 'with expansions';
const AS_HINTS = 'as hints';
const MEAN = 'mean';
type Part = 'all' | 'tuned' | 'rest';

/** The benefit and cost of descriptions by a language model, for our engine and for peers that index them as well. */
export const expansions: Benchmark = {
	name: 'expansions',
	title: 'Search with what a language model wrote of the tools, once',
	async measure(data) {
		const sets = data?.querySets.flatMap((set) => (set.expanded ? [{ ...set, expanded: set.expanded }] : []));
		if (!data || !sets || sets.length === 0) return NO_DATA;
		const judgements: Judgement[] = [];
		for (const set of sets) judgements.push(...(await judgedWays(set)));
		const times = await timesOf(data);
		return {
			kind: 'measured',
			figures: { ...scoreFigures(judgements), ...timeFigures(times) },
			tables: [meansTable(judgements), setsTable(judgements), timesTable(times)],
			notes: [
				`${WITH}: in a field of their own. ${AS_HINTS}: as search hints, which the default ranking has anyway. Peers read them behind the description.`,
				'The texts were written without sight of any query. tuned: the half of each set that weights were tuned on (bench/split.ts). rest: the other half.',
				`Times at ${count(LARGE)} tools: copies of tools with expansions, which are mutated like the descriptions.`,
			],
		};
	},
};

type ExpandedSet = QuerySet & { readonly expanded: readonly Tool[] };

/** Every contender with and without descriptions, as separate contenders. */
async function judgedWays(set: ExpandedSet): Promise<Judgement[]> {
	const ways: { name: string; tools: readonly Tool[]; contender: Contender }[] = CONTENDERS.flatMap(
		(contender) => {
			const { name } = contender;
			const without = { name, tools: set.tools, contender };
			if (name !== OURS) {
				return [without, { name: `${name} ${WITH}`, tools: inDescriptions(set.expanded), contender }];
			}
			return [
				without,
				{ name: `${name} ${AS_HINTS}`, tools: inHints(set.expanded), contender },
				{ name: `${name} ${WITH}`, tools: set.expanded, contender },
			];
		},
	);
	const judged: Judgement[] = [];
	for (const { name, tools, contender } of ways) {
		judged.push(...(await judgeSet({ ...set, tools }, { ...contender, name })).judgements);
	}
	return judged;
}

function textOf({ expansion: { when = '', queries = [] } = {} }: Tool): string {
	return [when, ...queries].join(' ');
}

function inDescriptions(tools: readonly Tool[]): Tool[] {
	return tools.map(({ expansion, ...tool }) => ({
		...tool,
		description: `${tool.description ?? ''} ${textOf({ ...tool, ...(expansion && { expansion }) })}`,
	}));
}

function inHints(tools: readonly Tool[]): Tool[] {
	return tools.map(({ expansion, ...tool }) => ({
		...tool,
		searchHint: textOf({ ...tool, ...(expansion && { expansion }) }),
	}));
}

function scoresOf(judgements: readonly Judgement[], part: Part): Score[] {
	const ofPart = judgements.filter(
		({ query }) => part === 'all' || inTuningPart(query) === (part === 'tuned'),
	);
	return [...macroScores(MEAN, ofPart), ...scoresBy(ofPart, ({ set }) => set)];
}

const figureName = (way: string) => way.replaceAll(' ', '-');

function scoreFigures(judgements: readonly Judgement[]): Figures {
	return Object.fromEntries(
		(['all', 'tuned', 'rest'] as const).flatMap((part) =>
			scoresOf(judgements, part).flatMap(({ name, contender, relevance: { r5, hit1 } }) => {
				const of = `expansions.${name}${part === 'all' ? '' : `-${part}`}.${figureName(contender)}`;
				return [
					[`${of}.r5`, r5],
					[`${of}.hit1`, hit1],
				];
			}),
		),
	);
}

function meansTable(judgements: readonly Judgement[]): Table {
	const parts = (['all', 'tuned', 'rest'] as const).map((part) => scoresOf(judgements, part));
	const [allScores = []] = parts;
	const of = (scores: readonly Score[], way: string) =>
		scores.find(({ name, contender }) => name === MEAN && contender === way)?.relevance;
	return {
		title: 'The mean of the sets',
		columns: ['', 'R@5', 'tuned', 'rest', 'hit@1', 'tuned', 'rest'],
		rows: allScores
			.filter(({ name }) => name === MEAN)
			.map(({ contender }) => [
				contender,
				...(['r5', 'hit1'] as const).flatMap((measure) =>
					parts.map((scores) => of(scores, contender)?.[measure].toFixed(3) ?? ''),
				),
			]),
	};
}

function setsTable(judgements: readonly Judgement[]): Table {
	const scores = scoresOf(judgements, 'all');
	const ways = [OURS, `${OURS} ${AS_HINTS}`, `${OURS} ${WITH}`];
	const cell = (set: string, way: string, measure: 'r5' | 'hit1') =>
		scores.find(({ name, contender }) => name === set && contender === way)?.relevance[measure].toFixed(3) ??
		'';
	return {
		title: 'R@5 and hit@1 of each set',
		columns: ['', ...ways.flatMap((way) => [way, 'hit@1'])],
		rows: [...new Set(scores.map(({ name }) => name))].map((set) => [
			set,
			...ways.flatMap((way) => [cell(set, way, 'r5'), cell(set, way, 'hit1')]),
		]),
	};
}

/** The same tools without and with descriptions. */
interface Times {
	readonly without: SearchTimes;
	readonly with: SearchTimes;
}

async function timesOf(data: BenchmarkData): Promise<Times> {
	const servers = data.corpora.flatMap(({ servers: own, expansions }) =>
		expansions ? own.map((server) => ({ ...server, tools: expanded(server.tools, expansions) })) : [],
	);
	const large = toolsOf(scaleTo(servers, LARGE));
	const plain = large.map(({ expansion: _, ...tool }) => tool);
	const queries = sampleQueries(data);
	const ours = CONTENDERS.find(({ name }) => name === OURS) as Contender;
	// A warm-up. Otherwise, the first measurement would include code that is not compiled yet.
	await searchTimes(ours, large, queries);
	return { without: await searchTimes(ours, plain, queries), with: await searchTimes(ours, large, queries) };
}

function timeFigures({ without, with: expanded }: Times): Figures {
	return {
		'expansions.10k.index.ratio': expanded.indexMs / without.indexMs,
		'expansions.10k.p50.ratio': expanded.p50Us / without.p50Us,
		'expansions.10k.p50.us': expanded.p50Us,
	};
}

function timesTable({ without, with: expanded }: Times): Table {
	const row = (name: string, { indexMs, megabytes, p50Us, p99Us }: SearchTimes) => [
		name,
		...[indexMs, megabytes, p50Us, p99Us].map(quantity),
	];
	return {
		title: `Times at ${count(LARGE)} tools`,
		columns: ['', 'index ms', 'MB', 'search p50 µs', 'p99 µs'],
		rows: [
			row('without', without),
			row('with', expanded),
			[
				'×',
				ratio(expanded.indexMs, without.indexMs),
				ratio(expanded.megabytes, without.megabytes),
				ratio(expanded.p50Us, without.p50Us),
				ratio(expanded.p99Us, without.p99Us),
			],
		],
	};
}
