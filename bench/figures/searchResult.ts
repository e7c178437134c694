import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { type Benchmark, type Figures, NO_DATA } from '../benchmark.ts';
import type { QuerySet } from '../querySet.ts';
import { count } from '../report.ts';
import { percentile } from '../timing.ts';
import { searched, surfaceOf } from './loaded.ts';

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
	const surface = surfaceOf(tools);
	const tokens: number[] = [];
	for (const { text } of queries) tokens.push(countTokens((await searched(text, surface)).text, asText));
	return tokens;
}

/** Answers are data: text that looks like a special token counts as text. */
const asText = { disallowedSpecial: new Set<string>() };
