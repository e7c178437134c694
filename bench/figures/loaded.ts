import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
	Catalog,
	DiscoverySession,
	defaultPolicy,
	defaultServerPolicy,
	resultText,
	searchToolsName,
	type Tool,
	ToolSurface,
} from '../../src/discovery/index.ts';
import { type Benchmark, type Figures, NO_DATA, type Table } from '../benchmark.ts';
import { CONTENDERS, OURS } from '../contenders.ts';
import type { LabelledQuery, QuerySet, ToolReference } from '../querySet.ts';
import { count, percent } from '../report.ts';
import { inTuningPart } from '../split.ts';

/**
 * On these sets, the needs met must stay within one point for two thirds of the tokens. The other sets show the rule elsewhere.
 */
const SOUGHT = ['livemcp-model', 'mcp61'];
const FIRST_FIVE = 'first five';
const FIRST_THREE = 'first three';

/** The outcome of one search. */
interface Answer {
	readonly query: LabelledQuery;
	/** Shares of the needs that are met by a loaded tool, and by a loaded or named tool. Absent if no tool meets any. */
	readonly met?: number;
	readonly told?: number;
	/** The number of loaded tools, and the tokens of their definitions. */
	readonly loaded: number;
	readonly tokens: number;
}

/** What a search loads: needs met compared with tokens of schemas, for today's rule, simpler rules and other engines. */
export const loaded: Benchmark = {
	name: 'loaded',
	title: 'What a search loads (o200k tokens of definitions)',
	async measure(data) {
		if (!data || data.querySets.length === 0) return NO_DATA;
		const scores: Score[] = [];
		for (const set of data.querySets) {
			for (const [rule, answers] of await answersOf(set)) scores.push(...scored(set.name, rule, answers));
		}
		return {
			kind: 'measured',
			figures: Object.assign({}, ...scores.map(figuresOf)),
			tables: [rulesTable(scores), setsTable(scores)],
			notes: [
				'met: the share of needs that a loaded tool meets. told: by a tool that is loaded, or named in the result so that the model can load it. tokens: of the definitions that a search loads, on average.',
				'tuned: the halves that the rule was tuned on (bench/split.ts). rest: the others.',
			],
		};
	},
};

/** What each rule loads for each query. */
async function answersOf(set: QuerySet): Promise<Map<string, Answer[]>> {
	const tokensOf = tokenCounter();
	const byRule = new Map<string, Answer[]>();
	const answered = (rule: string, query: LabelledQuery, tools: readonly Tool[], named: readonly Tool[]) => {
		const answer = {
			query,
			...(query.gold.length > 0 && {
				met: shareMet(query.gold, tools),
				told: shareMet(query.gold, [...tools, ...named]),
			}),
			loaded: tools.length,
			tokens: tools.reduce((sum, tool) => sum + tokensOf(tool), 0),
		};
		byRule.set(rule, [...(byRule.get(rule) ?? []), answer]);
	};
	const surface = surfaceOf(set.tools);
	for (const query of set.queries) {
		const { loaded: tools, named } = await searched(query.text, surface);
		answered(OURS, query, tools, named);
	}
	for (const { name, index } of CONTENDERS) {
		const search = await index(set.tools, async () => {});
		for (const query of set.queries) {
			const five = search(query.text, 5);
			answered(name === OURS ? FIRST_FIVE : `${name}, ${FIRST_FIVE}`, query, five, []);
			if (name === OURS) answered(FIRST_THREE, query, five.slice(0, 3), []);
		}
	}
	return byRule;
}

/** A chat's surface over these tools with everything deferred. */
export function surfaceOf(tools: readonly Tool[]): ToolSurface {
	const servers = [...Map.groupBy(tools, ({ server }) => server)].map(([name, serverTools]) => ({
		name,
		tools: serverTools,
	}));
	const named = new Map(servers.map(({ name }) => [name, defaultServerPolicy]));
	const policy = { ...defaultPolicy, enabled: true, deferAll: true, servers: named };
	return new ToolSurface(new Catalog(servers, 1), policy);
}

/** The outcome of one search in a new chat. */
export interface SearchOutcomeOfTools {
	readonly loaded: readonly Tool[];
	/** Tools that the text names in addition, so that the model can load them. */
	readonly named: readonly Tool[];
	/** The text that the model reads. */
	readonly text: string;
}

/** What `search_tools` loads and names in a new chat. */
export async function searched(query: string, surface: ToolSurface): Promise<SearchOutcomeOfTools> {
	const target = new DiscoverySession(surface).resolve(searchToolsName);
	if (target.kind !== 'synthetic') throw new Error('Nothing is deferred, so there is nothing to search');
	const { result, search } = await target.tool.execute({ query });
	const text = resultText(result);
	if (!search?.ok) return { loaded: [], named: [], text };
	const lines = new Set(text.split('\n').map((line) => line.replace(/:.*/s, '')));
	return {
		loaded: search.hits.filter(({ state }) => state === 'loaded').map(({ tool }) => tool),
		// The next best tools that fit into the result.
		named: search.further.map(({ tool }) => tool).filter(({ wireName }) => lines.has(`  ${wireName}`)),
		text,
	};
}

/** The share of needs that some tools meet. */
export function shareMet(
	needs: LabelledQuery['gold'],
	tools: readonly Pick<Tool, 'server' | 'name'>[],
): number {
	const isThere = ([server, name]: ToolReference) =>
		tools.some((tool) => tool.server === server && tool.name === name);
	return needs.filter((alternatives) => alternatives.some(isThere)).length / needs.length;
}

/** Counts each definition once. */
function tokenCounter(): (tool: Tool) => number {
	const counts = new Map<string, number>();
	return ({ server, name, description, inputSchema }) => {
		const key = JSON.stringify([server, name]);
		const known = counts.get(key);
		if (known !== undefined) return known;
		const sent = JSON.stringify({ name: `${server}__${name}`, description, parameters: inputSchema });
		// Definitions are data: text that looks like a special token counts as text.
		const tokens = countTokens(sent, { disallowedSpecial: new Set() });
		counts.set(key, tokens);
		return tokens;
	};
}

/** The outcome of one rule over a set or one half of it. */
interface Score {
	readonly set: string;
	readonly rule: string;
	readonly part: 'all' | 'tuned' | 'rest';
	readonly met: number;
	readonly told: number;
	readonly loaded: number;
	readonly tokens: number;
}

function scored(set: string, rule: string, answers: readonly Answer[]): Score[] {
	const parts = {
		all: answers,
		tuned: answers.filter(({ query }) => inTuningPart(query)),
		rest: answers.filter(({ query }) => !inTuningPart(query)),
	};
	return (['all', 'tuned', 'rest'] as const).map((part) => {
		const mean = (of: (answer: Answer) => number | undefined) => {
			const values = parts[part].map(of).filter((value) => value !== undefined);
			return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
		};
		return {
			set,
			rule,
			part,
			met: mean(({ met }) => met),
			told: mean(({ told }) => told),
			loaded: mean((answer) => answer.loaded),
			tokens: mean(({ tokens }) => tokens),
		};
	});
}

function figuresOf({ set, rule, part, met, told, tokens, loaded: tools }: Score): Figures {
	const of = `loaded.${set}${part === 'all' ? '' : `-${part}`}.${rule.replaceAll(/,? /g, '-')}`;
	return { [`${of}.met`]: met, [`${of}.told`]: told, [`${of}.tokens`]: tokens, [`${of}.tools`]: tools };
}

function rulesTable(scores: readonly Score[]): Table {
	const soughtScores = scores.filter(({ set, part }) => part === 'all' && SOUGHT.includes(set));
	return {
		title: 'By what is loaded',
		columns: ['', '', 'tools', 'met', 'told', 'tokens', 'saved'],
		rows: soughtScores.map((score) => [
			score.set,
			score.rule,
			score.loaded.toFixed(1),
			score.met.toFixed(3),
			score.told.toFixed(3),
			count(score.tokens),
			savedBy(score, scores),
		]),
	};
}

function setsTable(scores: readonly Score[]): Table {
	const ours = scores.filter(({ rule }) => rule === OURS);
	return {
		title: `${OURS} against ${FIRST_FIVE}: each set`,
		columns: ['', ...(['all', 'tuned', 'rest'] as const).flatMap((part) => [`met ${part}`, 'of', 'saved'])],
		rows: [...new Set(ours.map(({ set }) => set))].map((name) => [
			name,
			...ours
				.filter(({ set }) => set === name)
				.flatMap((score) => [
					score.met.toFixed(3),
					firstFive(score, scores)?.met.toFixed(3) ?? '',
					savedBy(score, scores),
				]),
		]),
	};
}

function firstFive({ set, part }: Score, scores: readonly Score[]): Score | undefined {
	return scores.find((score) => score.rule === FIRST_FIVE && score.set === set && score.part === part);
}

function savedBy(score: Score, scores: readonly Score[]): string {
	return percent(1 - score.tokens / (firstFive(score, scores)?.tokens ?? score.tokens));
}
