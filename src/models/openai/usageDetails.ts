import { reportedTokens, reportedUsd, type TokenUsage } from '../../common/cost.ts';
import { defined, recordOf } from '../../common/json.ts';

/** Details of an answer's tokens in OpenAI's two APIs, and its cost at OpenRouter. */
type Details = Omit<TokenUsage, 'inputTokens' | 'outputTokens'>;

/**
 * Reads the `usage` of an answer of Chat Completions or Responses, which use different names. DeepSeek (`prompt_cache_hit_tokens`) and Moonshot
 * (`cached_tokens`) have their own names for cached tokens. Any of it may be missing.
 */
export function usageDetails(usage: Readonly<Record<string, unknown>>): Details {
	const input = recordOf(usage.prompt_tokens_details ?? usage.input_tokens_details);
	const output = recordOf(usage.completion_tokens_details ?? usage.output_tokens_details);
	const cachedInputTokens =
		reportedTokens(input.cached_tokens) ??
		reportedTokens(usage.prompt_cache_hit_tokens) ??
		reportedTokens(usage.cached_tokens);
	return defined({
		cachedInputTokens,
		cacheWriteTokens: reportedTokens(input.cache_write_tokens),
		thoughtTokens: reportedTokens(output.reasoning_tokens),
		usd: costOf(usage),
	});
}

/**
 * What OpenRouter charged, in US dollars, which equal its credits. For an answer with the user's own key at the provider (`is_byok`) it charges
 * only a fee, and reports the provider's price separately.
 */
function costOf({ cost, cost_details: details, is_byok: isOwnKey }: Readonly<Record<string, unknown>>) {
	const charged = reportedUsd(cost);
	if (charged === undefined) return undefined;
	const upstream = isOwnKey === true ? reportedUsd(recordOf(details).upstream_inference_cost) : 0;
	return charged + (upstream ?? 0);
}
