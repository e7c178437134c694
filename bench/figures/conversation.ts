import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
	Catalog,
	type DiscoveryPolicy,
	defaultPolicy,
	defaultServerPolicy,
	type Loading,
	ToolSurface,
} from '../../src/discovery/index.ts';
import { callsOf } from '../../src/models/answerParts.ts';
import type { ChatRequest } from '../../src/models/chatModel.ts';
import { type Benchmark, type Figures, NO_DATA } from '../benchmark.ts';
import { requestsOf } from '../conversation/conversing.ts';
import { type Happening, type Pair, pairsAfter } from '../conversation/happenings.ts';
import { casually, withEverything } from '../conversation/peers.ts';
import { promptOf } from '../conversation/prompt.ts';
import { script } from '../conversation/script.ts';
import type { Corpus } from '../corpus.ts';
import { count, percent } from '../report.ts';

const CORPUS = 'mcp61';
const LOADINGS: readonly Loading[] = ['native', 'append', 'call'];

/** Events, and their names in the table. */
const HAPPENINGS: Readonly<Record<Happening, string>> = {
	load: 'tools are loaded, in every other turn',
	evictAndLoad: 'the same, most in place of another',
	schemaChange: 'a server changes its tools',
	serverGone: 'a server is away',
	restored: 'the window is opened again',
};

/** The cost of a whole conversation, and the share of each request that a provider may have cached. */
export const conversation: Benchmark = {
	name: 'conversation',
	title: `A conversation of ${script.length} turns that loads ${script.filter(({ loads }) => loads).length} tools of ${CORPUS}`,
	async measure(data) {
		const corpus = data?.corpora.find(({ name }) => name === CORPUS);
		if (!corpus) return NO_DATA;
		const ways = Object.entries(await waysOf(corpus)).map(([way, requests]) => ({
			way,
			requests: requests.length,
			...costOf(requests),
		}));
		const [everything] = ways;
		const kept = await keptAfter(corpus);
		const saving = (tokens: number) => 1 - tokens / (everything?.promptTokens ?? tokens);
		return {
			kind: 'measured',
			figures: Object.assign({}, ...ways.map(figuresOf), ...kept.map(({ figures }) => figures)),
			tables: [
				{
					columns: [
						'way',
						'requests',
						'prompt tokens',
						'saving',
						'prefix kept',
						'over a load',
						'tokens not kept',
					],
					rows: ways.map(({ way, requests, promptTokens, prefix, prefixOverLoad, freshTokens }) => [
						way,
						count(requests),
						count(promptTokens),
						percent(saving(promptTokens)),
						percent(prefix),
						prefixOverLoad === undefined ? '–' : percent(prefixOverLoad),
						count(freshTokens),
					]),
				},
				{
					title: 'Kept of the request before when something happens',
					columns: ['', ...LOADINGS],
					rows: kept.map(({ title, shares }) => [title, ...shares.map(percent)]),
				},
			],
			notes: [
				'Prompts as the Anthropic adapter writes them, in o200k tokens, added up over all requests.',
				'Prefix kept: how much of the previous request a request begins with, byte for byte; the mean, and the mean of requests that follow a load.',
				'When something happens: the part of the last request before with which the first one after begins; of loading, the mean over all requests of the conversation (over a load alone: above).',
				'Tokens not kept: what no cache of prefixes can have, the first request included.',
			],
		};
	},
};

/** The requests of each way. The first way is the baseline. */
async function waysOf({ servers }: Corpus): Promise<Record<string, readonly ChatRequest[]>> {
	const catalog = new Catalog(servers, 1);
	const policy = policyFor(servers);
	const ours = async (loading: Loading) =>
		(await requestsOf(script, new ToolSurface(catalog, { ...policy, loading }), loading)).flat();
	const append = await ours('append');
	return {
		everything: withEverything(append, catalog),
		casual: casually(append, catalog, policy),
		append,
		native: await ours('native'),
		call: await ours('call'),
	};
}

/** Everything is deferred. The script says when to load what. */
function policyFor(servers: Corpus['servers']): DiscoveryPolicy {
	const named = new Map(servers.map(({ name }) => [name, defaultServerPolicy]));
	return { ...defaultPolicy, enabled: true, deferAll: true, prefetch: 0, servers: named };
}

/** The shares after each event, in the order of {@link LOADINGS}. */
async function keptAfter({ servers }: Corpus) {
	const policy = policyFor(servers);
	const rows: { title: string; shares: number[]; figures: Figures }[] = [];
	for (const [happening, title] of Object.entries(HAPPENINGS) as [Happening, string][]) {
		const shares: number[] = [];
		for (const loading of LOADINGS) {
			shares.push(mean((await pairsAfter(happening, servers, policy, loading)).map(shareKept)));
		}
		const figures = Object.fromEntries(
			LOADINGS.map((loading, i) => [`conversation.${loading}.${happening}`, shares[i] ?? 0]),
		);
		rows.push({ title, shares, figures });
	}
	return rows;
}

function shareKept([previous, next]: Pair): number {
	const [a, b] = [previous, next].map((request) => Buffer.from(promptOf(request).join('')));
	return a && b ? commonPrefix(a, b) / a.length : 0;
}

interface Cost {
	readonly promptTokens: number;
	/** Means, 0 to 1. */
	readonly prefix: number;
	/** Absent if nothing is loaded. */
	readonly prefixOverLoad: number | undefined;
	readonly freshTokens: number;
}

function costOf(requests: readonly ChatRequest[]): Cost {
	let promptTokens = 0;
	let freshTokens = 0;
	let previous: Buffer | undefined;
	const kept: number[] = [];
	const keptOverLoad: number[] = [];
	for (const request of requests) {
		const pieces = promptOf(request);
		const tokens = pieces.reduce((sum, piece) => sum + tokensOf(piece), 0);
		const prompt = Buffer.from(pieces.join(''));
		const common = previous ? commonPrefix(previous, prompt) : 0;
		promptTokens += tokens;
		freshTokens += Math.round(tokens * (1 - common / prompt.length));
		if (previous) kept.push(common / previous.length);
		if (previous && followsSearch(request)) keptOverLoad.push(common / previous.length);
		previous = prompt;
	}
	return {
		promptTokens,
		freshTokens,
		prefix: mean(kept),
		prefixOverLoad: keptOverLoad.length > 0 ? mean(keptOverLoad) : undefined,
	};
}

function figuresOf({
	way,
	promptTokens,
	prefix,
	prefixOverLoad,
	freshTokens,
}: Cost & { way: string }): Figures {
	return {
		[`conversation.${way}.promptTokens`]: promptTokens,
		[`conversation.${way}.prefix`]: prefix,
		...(prefixOverLoad !== undefined && { [`conversation.${way}.prefixOverLoad`]: prefixOverLoad }),
		[`conversation.${way}.freshTokens`]: freshTokens,
	};
}

function followsSearch({ messages }: ChatRequest): boolean {
	const asked = messages.at(-2);
	return asked?.role === 'assistant' && callsOf(asked.parts).some(({ name }) => name === 'search_tools');
}

const known = new Map<string, number>();

/** Cached, because requests repeat most of their pieces. */
function tokensOf(piece: string): number {
	let tokens = known.get(piece);
	if (tokens === undefined) {
		tokens = countTokens(piece, { disallowedSpecial: new Set() });
		known.set(piece, tokens);
	}
	return tokens;
}

function commonPrefix(a: Buffer, b: Buffer): number {
	const length = Math.min(a.length, b.length);
	let i = 0;
	while (i < length && a[i] === b[i]) i++;
	return i;
}

function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}
