import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../../scripts/projectPaths.ts';
import { folded } from '../../src/common/text.ts';
import type { ToolExpansion } from '../../src/discovery/index.ts';
import { contentWords, isFiller, stem } from '../../src/discovery/search/words/analyzer.ts';
import { parseSynonyms, synonymFiles } from '../../src/discovery/search/words/thesaurus.ts';
import { tokenize } from '../../src/discovery/search/words/tokenizer.ts';
import { type Benchmark, type BenchmarkData, type Figures, NO_DATA, type Table } from '../benchmark.ts';
import { CONTENDERS, OURS } from '../contenders.ts';
import {
	type FalseAlarms,
	type Judgement,
	judgeSet,
	macroScores,
	type Score,
	scoresBy,
} from '../judgements.ts';
import { MEASURES, type Relevance } from '../relevance.ts';
import { count } from '../report.ts';
import { inTuningPart } from '../split.ts';

/** How often each contender returns the right tools on every labelled set, and how often it returns any if none fits. */
export const quality: Benchmark = {
	name: 'quality',
	title: 'Search quality',
	async measure(data) {
		if (!data || data.querySets.length === 0) return NO_DATA;
		const judgements: Judgement[] = [];
		const falseAlarms: FalseAlarms[] = [];
		for (const set of data.querySets) {
			for (const contender of CONTENDERS) {
				const judged = await judgeSet(set, contender);
				judgements.push(...judged.judgements);
				falseAlarms.push(judged.falseAlarms);
			}
		}
		const scores = allScores(judgements);
		const alarms = falseAlarms.filter(({ negatives }) => negatives > 0);
		return {
			kind: 'measured',
			figures: {
				...scoreFigures([...scores.macro, ...scores.sets, ...scores.parts]),
				...alarmFigures(alarms),
			},
			tables: [
				macroTable(scores),
				partsTable(scores),
				recallTable(scores),
				oursTable(scores),
				...(alarms.length > 0 ? [alarmsTable(alarms)] : []),
				phrasesTable(data.querySets),
				copiesTable(data.querySets),
			],
			notes: [
				'refused: the share of queries for which nothing at all came back. Queries that no tool answers count in the last table only.',
				'tuned: the half of each set that weights may be tuned on (bench/split.ts). rest: the other half.',
				'What Discovery knows of common servers was written without sight of any query: none of its sentences may be one.',
				'A long phrase that only one query has may be a memory of that query. Defend it as what people say in general, or drop it.',
			],
		};
	},
};

interface Scores {
	/** Means of the sets: all queries, the tuning part, the rest. */
	readonly macro: readonly Score[];
	/** Sets, each followed by its kinds of query if it has any. */
	readonly sets: readonly Score[];
	/** The two parts of each set. */
	readonly parts: readonly Score[];
}

const ALL = 'macro';
const tuned = (name: string): string => `${name}-tuned`;
const rest = (name: string): string => `${name}-rest`;

function allScores(judgements: readonly Judgement[]): Scores {
	const { tuning = [], held: heldOut = [] } = Object.groupBy(judgements, ({ query }) =>
		inTuningPart(query) ? 'tuning' : 'held',
	);
	return {
		macro: [
			...macroScores(ALL, judgements),
			...macroScores(tuned(ALL), tuning),
			...macroScores(rest(ALL), heldOut),
		],
		sets: [...Map.groupBy(judgements, ({ set }) => set).values()].flatMap((own) => [
			...scoresBy(own, ({ set }) => set),
			...scoresBy(own, ({ set, query }) => query.kind && `${set}.${query.kind}`),
		]),
		parts: [...scoresBy(tuning, ({ set }) => tuned(set)), ...scoresBy(heldOut, ({ set }) => rest(set))],
	};
}

function scoreFigures(scores: readonly Score[]): Figures {
	return Object.fromEntries(
		scores.flatMap(({ name, contender, relevance }) =>
			Object.entries(relevance).map(([measure, value]) => [`quality.${name}.${contender}.${measure}`, value]),
		),
	);
}

function alarmFigures(alarms: readonly FalseAlarms[]): Figures {
	return Object.fromEntries(
		alarms.flatMap(({ set, contender, negatives, answered }) => [
			[`quality.${set}.negatives`, negatives],
			[`quality.${set}.${contender}.falseAlarms`, answered],
		]),
	);
}

const measures = Object.keys(MEASURES) as (keyof Relevance)[];
const contenders = CONTENDERS.map(({ name }) => name);

/** One cell. Empty if a set has no such queries. */
function cell(scores: readonly Score[], name: string, contender: string, measure: keyof Relevance): string {
	const score = scores.find((candidate) => candidate.name === name && candidate.contender === contender);
	return score?.relevance[measure].toFixed(3) ?? '';
}

function macroTable({ macro }: Scores): Table {
	return {
		title: 'All sets (the mean of their figures)',
		columns: ['', ...Object.values(MEASURES)],
		rows: contenders.map((name) => [name, ...measures.map((measure) => cell(macro, ALL, name, measure))]),
	};
}

function partsTable({ macro }: Scores): Table {
	const measures = ['hit1', 'r5', 'ndcg10'] as const;
	return {
		title: 'All sets, by whether weights were tuned on the queries',
		columns: ['', ...measures.flatMap((measure) => [`${MEASURES[measure]} tuned`, 'rest'])],
		rows: contenders.map((name) => [
			name,
			...measures.flatMap((measure) =>
				[tuned(ALL), rest(ALL)].map((part) => cell(macro, part, name, measure)),
			),
		]),
	};
}

function recallTable({ macro, sets }: Scores): Table {
	return {
		title: `${MEASURES.r5} of each set`,
		columns: ['', ...contenders],
		rows: rowNames(sets).map((name) => [
			name,
			...contenders.map((contender) => cell([...sets, ...macro], name, contender, 'r5')),
		]),
	};
}

function oursTable({ macro, sets, parts }: Scores): Table {
	return {
		title: `${OURS}: each set`,
		columns: ['', 'queries', ...Object.values(MEASURES), `${MEASURES.r5} tuned`, 'rest'],
		rows: rowNames(sets).map((name) => {
			const scores = [...macro, ...sets, ...parts];
			return [
				name,
				String(scores.find((score) => score.name === name)?.queries ?? 0),
				...measures.map((measure) => cell(scores, name, OURS, measure)),
				...[tuned(name), rest(name)].map((part) => cell(scores, part, OURS, 'r5')),
			];
		}),
	};
}

/** Sets and kinds in their order, then all together. */
function rowNames(sets: readonly Score[]): string[] {
	return [...new Set(sets.map(({ name }) => name)), ALL];
}

function alarmsTable(alarms: readonly FalseAlarms[]): Table {
	return {
		title: 'Queries that no tool answers: how many were answered with tools all the same',
		columns: ['', 'queries', ...contenders],
		rows: [...Map.groupBy(alarms, ({ set }) => set)].map(([set, own]) => [
			set,
			String(own[0]?.negatives ?? 0),
			...contenders.map((name) => String(own.find(({ contender }) => contender === name)?.answered ?? '')),
		]),
	};
}

/** A phrase of this many words is long: two people rarely say the same one by chance. */
const LONG_PHRASE = 4;

/** A phrase of the synonyms that exactly one query contains. */
export interface RarePhrase {
	readonly phrase: string;
	readonly query: string;
}

/** The long phrases of some lines of synonyms that occur in exactly one query, in any form of their words. */
export function phrasesOfOneQuery(lines: readonly string[], queries: readonly string[]): RarePhrase[] {
	const asked = [...new Set(queries)].map((query) => ({
		query,
		text: compared(tokenize(query).filter((word) => !isFiller(word))),
	}));
	const phrases = lines
		.flatMap((line) => parseSynonyms(line)?.from ?? [])
		.filter(({ length }) => length >= LONG_PHRASE);
	const distinct = new Map(phrases.map((words) => [compared(words), words.join(' ')]));
	return [...distinct].flatMap(([text, phrase]) => {
		const having = asked.filter((query) => query.text.includes(text));
		return having.length === 1 ? having.map(({ query }) => ({ phrase, query })) : [];
	});
}

/** With a space at both ends, so that only whole words match. */
function compared(words: readonly string[]): string {
	return ` ${words.map(stem).join(' ')} `;
}

function phrasesTable(querySets: BenchmarkData['querySets']): Table {
	const lines = Object.values(synonymFiles).flatMap((file) => Object.values(file).flat());
	const queries = querySets.flatMap((set) => set.queries.map(({ text }) => text));
	return {
		title: `Synonyms of ${LONG_PHRASE} words or more that stand in exactly one query`,
		columns: ['', 'the query'],
		rows: phrasesOfOneQuery(lines, queries).map(({ phrase, query }) => [phrase, folded(query, 80)]),
	};
}

const KNOWN_SERVERS = path.join(PROJECT_ROOT, 'src/discovery/search/known/servers');

/** The sentences that are a query: the same words in any order and form, small talk aside. */
export function copiedQueries(sentences: readonly string[], queries: readonly string[]): string[] {
	const written = (text: string) => contentWords(text).map(stem).sort().join(' ');
	const asked = new Set(queries.map(written));
	return sentences.filter((sentence) => asked.has(written(sentence)));
}

function copiesTable(querySets: BenchmarkData['querySets']): Table {
	const files = globSync('*.json', { cwd: KNOWN_SERVERS });
	const sentences = files.flatMap((file) => {
		const tools: Record<string, ToolExpansion> = JSON.parse(
			readFileSync(path.join(KNOWN_SERVERS, file), 'utf8'),
		);
		return Object.values(tools).flatMap(({ when = '', queries = [] }) => [when, ...queries]);
	});
	const queries = querySets.flatMap((set) => set.queries.map(({ text }) => text));
	return {
		title: `Sentences about common servers that are a labelled query, of ${count(sentences.length)}`,
		columns: [''],
		rows: copiedQueries(sentences, queries).map((sentence) => [sentence]),
	};
}
