import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Tool } from '../../src/discovery/index.ts';
import { type Benchmark, type Figures, NO_DATA, type Table } from '../benchmark.ts';
import { type SmallCatalog, smallCatalogs } from '../catalogs.ts';
import { CONTENDERS, OURS } from '../contenders.ts';
import type { LabelledQuery, QuerySet } from '../querySet.ts';
import { count } from '../report.ts';
import { inTuningPart } from '../split.ts';
import { searched, shareMet, surfaceOf } from './loaded.ts';

const SMALL_PER_SET = 100;
const SEED = 1;
/** For other engines, the model gets this many tools. */
const FIRST = 5;
const PEERS = CONTENDERS.filter(({ name }) => name !== OURS);

/** The outcome of one search. */
interface Answer {
	readonly set: string;
	readonly isTuning: boolean;
	/** No tool answers the query. */
	readonly isNegative: boolean;
	readonly kind: 'sure' | 'unsure' | 'nothing';
	/** Shares of the needs that are met by a loaded tool, and by a loaded or named tool. */
	readonly met: number;
	readonly reach: number;
	/** Tokens of the text that the model reads. */
	readonly tokens: number;
	/** The share of the needs that the first tools of each other engine meet. */
	readonly peers: readonly number[];
}

/** How many needs the first search meets with loaded or named tools, and what its text costs. */
export const reach: Benchmark = {
	name: 'reach',
	title: 'What the first search leaves within reach, loaded or named',
	async measure(data) {
		if (!data || data.querySets.length === 0) return NO_DATA;
		const answers: Answer[] = [];
		const small: Answer[] = [];
		for (const set of data.querySets) {
			answers.push(...(await answersOf(set)));
			for (const catalog of smallCatalogs(set, SMALL_PER_SET, SEED))
				small.push(...(await answersIn(set.name, catalog)));
		}
		const scores = [...scoresOf(answers), ...macroOf(answers)];
		const smallScores = [...scoresOf(small), ...macroOf(small)];
		return {
			kind: 'measured',
			figures: Object.assign(
				{},
				...scores.map((score) => figuresOf('reach', score)),
				...smallScores.map((score) => figuresOf('reach.small', score)),
			),
			tables: [
				table('All tools of a set', scores),
				table(`Catalogs of 2 to 10 servers (seed ${SEED})`, smallScores),
			],
			notes: [
				'loaded, reach: the share of needs that a loaded tool meets; that one meets which is loaded or named. nothing: of the queries that have an answer. negatives: queries that nothing answers for which a tool is loaded, of all. Other engines: what their first five tools meet.',
				'tuned: the halves that weights may be tuned on (bench/split.ts). rest: the others.',
			],
		};
	},
};

async function answersOf({ name, tools, queries }: QuerySet): Promise<Answer[]> {
	const surface = surfaceOf(tools);
	const searches = [];
	for (const { index } of PEERS) searches.push(await index(tools, async () => {}));
	const answers: Answer[] = [];
	for (const query of queries) {
		const peers = searches.map((search) => shareOf(query.gold, search(query.text, FIRST)));
		answers.push({ ...(await answer(name, query, query.gold, tools, surface)), peers });
	}
	return answers;
}

async function answersIn(set: string, { query, withAnswer, without, gold }: SmallCatalog): Promise<Answer[]> {
	return [
		...(withAnswer ? [await answer(set, query, gold, withAnswer)] : []),
		await answer(set, query, [], without),
	];
}

async function answer(
	set: string,
	query: LabelledQuery,
	gold: LabelledQuery['gold'],
	tools: readonly Tool[],
	surface = surfaceOf(tools),
): Promise<Answer> {
	const { loaded, named, text } = await searched(query.text, surface);
	const kind = loaded.length > 0 ? 'sure' : named.length > 0 ? 'unsure' : 'nothing';
	return {
		set,
		isTuning: inTuningPart(query),
		isNegative: gold.length === 0,
		kind,
		met: shareOf(gold, loaded),
		reach: shareOf(gold, [...loaded, ...named]),
		tokens: countTokens(text, { disallowedSpecial: new Set() }),
		peers: [],
	};
}

function shareOf(gold: LabelledQuery['gold'], tools: readonly Tool[]): number {
	return gold.length > 0 ? shareMet(gold, tools) : 0;
}

/** Shares and means over some answers. */
interface Score {
	readonly name: string;
	readonly queries: number;
	readonly met: number;
	readonly reach: number;
	readonly reachTuned: number;
	readonly reachRest: number;
	readonly tokens: number;
	readonly nothing: number;
	readonly negatives: number;
	readonly negativesLoaded: number;
	readonly peers: readonly number[];
}

function scoresOf(answers: readonly Answer[]): Score[] {
	return [...Map.groupBy(answers, ({ set }) => set)].map(([name, ofSet]) => {
		const right = ofSet.filter(({ isNegative }) => !isNegative);
		const negative = ofSet.filter(({ isNegative }) => isNegative);
		return {
			name,
			queries: right.length,
			met: mean(right.map(({ met }) => met)),
			reach: mean(right.map((answer) => answer.reach)),
			reachTuned: mean(right.filter(({ isTuning }) => isTuning).map((answer) => answer.reach)),
			reachRest: mean(right.filter(({ isTuning }) => !isTuning).map((answer) => answer.reach)),
			tokens: mean(ofSet.map(({ tokens }) => tokens)),
			nothing: mean(right.map(({ kind }) => Number(kind === 'nothing'))),
			negatives: negative.length,
			negativesLoaded: negative.filter(({ kind }) => kind === 'sure').length,
			peers: (ofSet[0]?.peers ?? []).map((_, i) => mean(right.map(({ peers }) => peers[i] ?? 0))),
		};
	});
}

/** The mean of the sets. Queries and negatives are added up. */
function macroOf(answers: readonly Answer[]): Score[] {
	const sets = scoresOf(answers);
	if (sets.length === 0) return [];
	const sum = (of: (score: Score) => number) => sets.reduce((all, score) => all + of(score), 0);
	const average = (of: (score: Score) => number) => sum(of) / sets.length;
	return [
		{
			name: 'macro',
			queries: sum(({ queries }) => queries),
			met: average(({ met }) => met),
			reach: average((score) => score.reach),
			reachTuned: average(({ reachTuned }) => reachTuned),
			reachRest: average(({ reachRest }) => reachRest),
			tokens: average(({ tokens }) => tokens),
			nothing: average(({ nothing }) => nothing),
			negatives: sum(({ negatives }) => negatives),
			negativesLoaded: sum(({ negativesLoaded }) => negativesLoaded),
			peers: (sets[0]?.peers ?? []).map((_, i) => average(({ peers }) => peers[i] ?? 0)),
		},
	];
}

function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function figuresOf(prefix: string, { name, peers, ...score }: Score): Figures {
	const { met, reach: share, reachTuned, reachRest, tokens, nothing, negatives, negativesLoaded } = score;
	const figures = {
		met,
		reach: share,
		'reach-tuned': reachTuned,
		'reach-rest': reachRest,
		tokens,
		nothing,
		negatives,
		negativesLoaded,
	};
	const others = Object.fromEntries(peers.map((value, i) => [`${PEERS[i]?.name}.first${FIRST}`, value]));
	return Object.fromEntries(
		Object.entries({ ...figures, ...others }).map(([key, value]) => [`${prefix}.${name}.${key}`, value]),
	);
}

function table(title: string, scores: readonly Score[]): Table {
	const peers = scores.some((score) => score.peers.length > 0) ? PEERS.map(({ name }) => name) : [];
	return {
		title,
		columns: ['', 'queries', 'loaded', 'reach', 'tuned', 'rest', 'tokens', 'nothing', 'negatives', ...peers],
		rows: scores.map((score) => [
			score.name,
			count(score.queries),
			score.met.toFixed(3),
			score.reach.toFixed(3),
			score.reachTuned.toFixed(3),
			score.reachRest.toFixed(3),
			count(score.tokens),
			score.nothing.toFixed(3),
			`${score.negativesLoaded} of ${score.negatives}`,
			...score.peers.map((value) => value.toFixed(3)),
		]),
	};
}
