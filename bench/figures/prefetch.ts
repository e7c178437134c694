import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
	Catalog,
	type CatalogTool,
	defaultPolicy,
	defaultServerPolicy,
	ToolSurface,
	toolDefinition,
} from '../../src/discovery/index.ts';
import { prefetch as prefetchFor, prefetchMargin } from '../../src/discovery/session/prefetch.ts';
import { type Benchmark, type BenchmarkData, type Figures, NO_DATA, type Table } from '../benchmark.ts';
import type { Corpus } from '../corpus.ts';
import type { LabelledQuery } from '../querySet.ts';
import { count, percent } from '../report.ts';
import { inTuningPart } from '../split.ts';

/** Values of `tool_discovery.prefetch`. */
const LIMITS = [1, 2, 3, 5];
/** Candidates for {@link prefetchMargin}. */
const MARGINS = [0.15, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];
/** What people ask and mcp61 answers: what the figures without a set in their name are of. */
const MAIN = 'chat';

/** First messages of chats, and the tools to search. */
interface Messages {
	readonly name: string;
	readonly corpus: string;
	/** The query set of the messages. */
	readonly set: string;
	readonly takes: (query: LabelledQuery) => boolean;
	/** No tool of the corpus answers them, apart from a few by chance. */
	readonly unanswerable?: boolean;
}

const isChat = ({ kind }: LabelledQuery) => kind === 'chat';

const MESSAGES: readonly Messages[] = [
	{ name: MAIN, corpus: 'mcp61', set: 'mcp61', takes: isChat },
	{ name: 'tasks', corpus: 'livemcp', set: 'livemcp-tasks', takes: () => true },
	{
		name: 'negative',
		corpus: 'mcp61',
		set: 'mcp61',
		takes: ({ gold }) => gold.length === 0,
		unanswerable: true,
	},
	{ name: 'elsewhere', corpus: 'metatool', set: 'mcp61', takes: isChat, unanswerable: true },
];

/** How often the model's first request has the right tool, and what is loaded needlessly for that. */
export const prefetch: Benchmark = {
	name: 'prefetch',
	title: 'Tools loaded by the words of a chat’s first message',
	async measure(data) {
		if (!data) return NO_DATA;
		const scores: Score[] = [];
		const byMargin: Score[] = [];
		for (const messages of MESSAGES) {
			const corpus = data.corpora.find(({ name }) => name === messages.corpus);
			if (!corpus) continue;
			const queries = queriesOf(messages, data);
			for (const limit of LIMITS) {
				const turns = await turnsOf(queries, messages, surfaceOf(corpus, limit));
				scores.push(...scored(messages.name, `${limit}`, turns));
			}
			const best = await bestOf(queries, surfaceOf(corpus, 1));
			for (const margin of MARGINS) {
				const turns = best.map(({ query, tool, relevance }) =>
					judged(query, messages, tool && relevance > margin ? [tool] : []),
				);
				byMargin.push(...scored(messages.name, `${margin}`, turns));
			}
		}
		if (scores.length === 0) return NO_DATA;
		return {
			kind: 'measured',
			figures: figuresOf(scores),
			tables: [
				table(`By tool_discovery.prefetch (margin ${prefetchMargin})`, 'at most', scores),
				table('By margin (one tool at most)', 'margin', byMargin),
			],
			notes: [
				'hit: turns in which a right tool is there on the first call. waste: o200k tokens a turn of definitions loaded needlessly. none: turns in which nothing is loaded.',
				'The margin was chosen on the tuned halves (bench/split.ts). negative: what no tool of mcp61 does; elsewhere: the chat messages, put to the tools of metatool.',
			],
		};
	},
};

function queriesOf({ set, takes }: Messages, { querySets }: BenchmarkData): readonly LabelledQuery[] {
	return querySets.find(({ name }) => name === set)?.queries.filter(takes) ?? [];
}

function surfaceOf({ servers }: Corpus, limit: number): ToolSurface {
	const named = new Map(servers.map(({ name }) => [name, defaultServerPolicy]));
	const policy = { ...defaultPolicy, enabled: true, deferAll: true, prefetch: limit, servers: named };
	return new ToolSurface(new Catalog(servers, 1), policy);
}

/** The outcome for one message. */
interface Turn {
	readonly query: LabelledQuery;
	readonly loaded: number;
	readonly isHit: boolean;
	/** Tokens. */
	readonly waste: number;
}

function turnsOf(
	queries: readonly LabelledQuery[],
	messages: Messages,
	surface: ToolSurface,
): Promise<Turn[]> {
	const turn = { isFirst: true, loading: 'append' } as const;
	return Promise.all(
		queries.map(async (query) =>
			judged(query, messages, (await prefetchFor(surface, query.text, turn)).tools),
		),
	);
}

/** The best tool for each query, however uncertain. */
async function bestOf(
	queries: readonly LabelledQuery[],
	surface: ToolSurface,
): Promise<{ query: LabelledQuery; tool: CatalogTool | undefined; relevance: number }[]> {
	const index = await surface.index();
	return queries.map((query) => {
		const [best] = index.search(query.text, { limit: 1 });
		return { query, tool: best?.tool, relevance: best?.relevance ?? 0 };
	});
}

function judged(query: LabelledQuery, messages: Messages, tools: readonly CatalogTool[]): Turn {
	const isOneOf = (some: LabelledQuery['also'] = []) =>
		messages.unanswerable
			? () => false
			: (tool: CatalogTool) => some.some(([server, name]) => server === tool.server && name === tool.name);
	const isRight = isOneOf(query.gold.flat());
	const helps = isOneOf(query.also);
	const vain = tools.filter((tool) => !isRight(tool) && !helps(tool));
	const waste = vain.reduce((sum, tool) => sum + tokensOf(tool), 0);
	return { query, loaded: tools.length, isHit: tools.some(isRight), waste };
}

function tokensOf(tool: CatalogTool): number {
	const { name, description, inputSchema } = toolDefinition(tool);
	const sent = JSON.stringify({ name, description, parameters: inputSchema });
	return countTokens(sent, { disallowedSpecial: new Set() });
}

/** The outcome of one setting over some messages or one half of them. */
interface Score {
	readonly messages: string;
	readonly value: string;
	readonly part: 'all' | 'tuned' | 'rest';
	readonly turns: number;
	/** The number of loaded tools. */
	readonly loaded: number;
	/** Shares, 0 to 1. */
	readonly hit: number;
	readonly none: number;
	/** Tokens per turn. */
	readonly waste: number;
}

function scored(messages: string, value: string, turns: readonly Turn[]): Score[] {
	const parts = {
		all: turns,
		tuned: turns.filter(({ query }) => inTuningPart(query)),
		rest: turns.filter(({ query }) => !inTuningPart(query)),
	};
	return (['all', 'tuned', 'rest'] as const).map((part) => {
		const turns: readonly Turn[] = parts[part];
		const mean = (of: (turn: Turn) => number) =>
			turns.reduce((sum, turn) => sum + of(turn), 0) / Math.max(1, turns.length);
		return {
			messages,
			value,
			part,
			turns: turns.length,
			loaded: turns.reduce((sum, turn) => sum + turn.loaded, 0),
			hit: mean(({ isHit }) => Number(isHit)),
			none: mean((turn) => Number(turn.loaded === 0)),
			waste: mean((turn) => turn.waste),
		};
	});
}

function figuresOf(scores: readonly Score[]): Figures {
	const allScores = scores.filter(({ part }) => part === 'all');
	const isDefault = ({ messages, value }: Score) =>
		messages === MAIN && value === `${defaultPolicy.prefetch}`;
	const named = (prefix: string, { hit, waste, none }: Score) => ({
		[`${prefix}.hit`]: hit,
		[`${prefix}.waste`]: waste,
		[`${prefix}.none`]: none,
	});
	return Object.assign(
		{},
		...allScores.map((score) => named(`prefetch.${score.messages}.${score.value}`, score)),
		...allScores.filter(isDefault).map((score) => named('prefetch', score)),
	);
}

function table(title: string, setting: string, scores: readonly Score[]): Table {
	const measured = ['turns', 'loaded', 'hit', 'waste', 'none'];
	return {
		title,
		columns: ['', setting, ...measured, 'hit tuned', 'rest', 'waste tuned', 'rest'],
		rows: scores
			.filter(({ part }) => part === 'all')
			.map((score) => {
				const half = (part: Score['part']) =>
					scores.find(
						(candidate) =>
							candidate.part === part &&
							candidate.messages === score.messages &&
							candidate.value === score.value,
					);
				const [tuned, rest] = [half('tuned'), half('rest')];
				return [
					score.messages,
					score.value,
					`${score.turns}`,
					`${score.loaded}`,
					percent(score.hit),
					count(score.waste),
					percent(score.none),
					...[tuned?.hit, rest?.hit].map((hit = 0) => percent(hit)),
					...[tuned?.waste, rest?.waste].map((waste = 0) => count(waste)),
				];
			}),
	};
}
