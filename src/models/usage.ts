import { reportedTokens, reportedUsd, type TokenUsage } from '../common/cost.ts';
import { defined, recordOf } from '../common/json.ts';

/**
 * The tokens of an answer under the names of Chat Completions, Responses, Anthropic or Ollama. DeepSeek (`prompt_cache_hit_tokens`) and Moonshot
 * (`cached_tokens`) have their own names for cached tokens. Any of it may be missing; `undefined` if nothing was counted.
 */
export function usageIn(reported: unknown): TokenUsage | undefined {
	const usage = recordOf(reported);
	const first = (...counts: readonly unknown[]) =>
		counts.map(reportedTokens).find((count) => count !== undefined);
	const input = recordOf(usage.prompt_tokens_details ?? usage.input_tokens_details);
	const output = recordOf(usage.completion_tokens_details ?? usage.output_tokens_details);
	const cacheReadTokens = first(usage.cache_read_input_tokens);
	const cacheWriteTokens = first(usage.cache_creation_input_tokens);
	// Anthropic counts its cache apart, and only there are no details.
	const separateCacheTokens =
		usage.input_tokens_details === undefined ? (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0) : 0;
	const inputTokens =
		first(usage.prompt_tokens, usage.prompt_eval_count) ??
		(first(usage.input_tokens) ?? 0) + separateCacheTokens;
	// A server of Chat Completions that says 0 has not counted.
	if (
		inputTokens === 0 &&
		first(usage.input_tokens, usage.prompt_eval_count, usage.output_tokens) === undefined
	)
		return undefined;
	const outputTokens = first(usage.completion_tokens, usage.output_tokens, usage.eval_count) ?? 0;
	// Gemini and Grok count thoughts only in the total, and charge them like the rest of the answer.
	const uncountedTokens = Math.max(0, (first(usage.total_tokens) ?? 0) - inputTokens - outputTokens);
	return {
		inputTokens,
		outputTokens: outputTokens + uncountedTokens,
		...defined({
			cachedInputTokens: first(
				input.cached_tokens,
				usage.prompt_cache_hit_tokens,
				usage.cached_tokens,
				cacheReadTokens,
			),
			cacheWriteTokens: first(input.cache_write_tokens, cacheWriteTokens),
			hourCacheWriteTokens: first(recordOf(usage.cache_creation).ephemeral_1h_input_tokens) || undefined,
			thoughtTokens: first(output.reasoning_tokens, output.thinking_tokens) ?? (uncountedTokens || undefined),
			usd: costOf(usage),
		}),
	};
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
