import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
	Catalog,
	DiscoverySession,
	defaultPolicy,
	defaultServerPolicy,
	resultText,
	searchToolsName,
	ToolSurface,
} from '../../src/discovery/index.ts';
import { type Benchmark, type Figures, NO_DATA } from '../benchmark.ts';
import type { QuerySet } from '../querySet.ts';
import { count } from '../report.ts';
import { percentile } from '../timing.ts';

/** Tokens of the text that a model reads after a search, over all queries of each set, without the loaded schemas. */
export const searchResult: Benchmark = {
	name: 'searchResult',
	title: 'Text of a search’s result (o200k tokens)',
	async measure(data) {
		if (!data) return NO_DATA;
		const costs = [];
		for (const set of data.querySets) costs.push({ name: set.name, tokens: await tokensOf(set) });
		return {
			kind: 'measured',
			figures: Object.assign({}, ...costs.map(figuresOf)),
			tables: [
				{
					columns: ['set', 'queries', 'p50', 'p99', 'most'],
					rows: costs.map(({ name, tokens }) => [
						name,
						...[tokens.length, percentile(tokens, 0.5), percentile(tokens, 0.99), Math.max(...tokens)].map(
							count,
						),
					]),
				},
			],
			notes: [
				'Everything deferred, five results, each query in a chat of its own; empty answers are counted too.',
			],
		};
	},
};

function figuresOf({ name, tokens }: { readonly name: string; readonly tokens: readonly number[] }): Figures {
	return {
		[`searchResult.${name}.tokens.p50`]: percentile(tokens, 0.5),
		[`searchResult.${name}.tokens.p99`]: percentile(tokens, 0.99),
		[`searchResult.${name}.tokens.max`]: Math.max(...tokens),
	};
}

/** Per query. */
async function tokensOf({ tools, queries }: QuerySet): Promise<number[]> {
	const servers = [...Map.groupBy(tools, ({ server }) => server)].map(([name, its]) => ({
		name,
		tools: its,
	}));
	const named = new Map(servers.map(({ name }) => [name, defaultServerPolicy]));
	const policy = { ...defaultPolicy, enabled: true, deferAll: true, servers: named };
	const surface = new ToolSurface(new Catalog(servers, 1), policy);
	const tokens: number[] = [];
	for (const { text } of queries) tokens.push(countTokens(await answerTo(text, surface), asText));
	return tokens;
}

/** Answers are data: text that looks like a special token counts as text. */
const asText = { disallowedSpecial: new Set<string>() };

async function answerTo(query: string, surface: ToolSurface): Promise<string> {
	const session = new DiscoverySession(surface);
	const target = session.resolve(searchToolsName);
	if (target.kind !== 'synthetic') throw new Error('Nothing is deferred, so there is nothing to search');
	return resultText((await target.tool.execute({ query })).result);
}
