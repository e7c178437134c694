import { reportedTokens, reportedUsd, type TokenUsage } from '../../common/cost.ts';
import { recordOf } from '../../common/json.ts';

/** What OpenAI's two APIs tell of an answer's tokens besides their number, and what OpenRouter tells of its cost. */
type Details = Omit<TokenUsage, 'inputTokens' | 'outputTokens'>;

/**
 * Reads the `usage` of an answer of Chat Completions or of Responses, which differ in the names of what they detail. DeepSeek and
 * Moonshot (`cached_tokens`) have names of their own for what came from the cache. Not every endpoint that speaks these protocols has any of it.
 */
export function usageDetails(usage: Readonly<Record<string, unknown>>): Details {
	const input = recordOf(usage.prompt_tokens_details ?? usage.input_tokens_details);
	const output = recordOf(usage.completion_tokens_details ?? usage.output_tokens_details);
	const cachedInputTokens =
		reportedTokens(input.cached_tokens) ??
		reportedTokens(usage.prompt_cache_hit_tokens) ??
		reportedTokens(usage.cached_tokens);
	const cacheWriteTokens = reportedTokens(input.cache_write_tokens);
	const thoughtTokens = reportedTokens(output.reasoning_tokens);
	const usd = costOf(usage);
	return {
		...(cachedInputTokens !== undefined && { cachedInputTokens }),
		...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
		...(thoughtTokens !== undefined && { thoughtTokens }),
		...(usd !== undefined && { usd }),
	};
}

/**
 * What OpenRouter has charged, in US dollars: one of its credits is one. Of an answer that the user's own key at the provider has paid
 * for (`is_byok`) it charges a fee only, and tells beside it what the provider takes.
 */
function costOf({ cost, cost_details: details, is_byok: isOwnKey }: Readonly<Record<string, unknown>>) {
	const charged = reportedUsd(cost);
	if (charged === undefined) return undefined;
	const upstream = isOwnKey === true ? reportedUsd(recordOf(details).upstream_inference_cost) : 0;
	return charged + (upstream ?? 0);
}
