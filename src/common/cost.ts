/** Tokens of one answer, as its provider counted them. */
export interface TokenUsage {
	/** All of the prompt, what was read from the provider's cache and what was written to it among it. */
	readonly inputTokens: number;
	/** All of the answer, what the model thought before it among it. */
	readonly outputTokens: number;
	/** Part of `inputTokens` that was read from the provider's prompt cache. */
	readonly cachedInputTokens?: number;
	/** Part of `inputTokens` that was written to the cache, where that has a price of its own. */
	readonly cacheWriteTokens?: number;
	/** Part of `cacheWriteTokens` that is kept for an hour, which costs more. */
	readonly hourCacheWriteTokens?: number;
	/** Part of `outputTokens` that the model thought. */
	readonly thoughtTokens?: number;
	/** What request and answer cost, in US dollars; absent where nobody has told. */
	readonly usd?: number;
}

/** What a model costs: US dollars for a million tokens. */
export interface TokenPrice {
	readonly input: number;
	readonly output: number;
	/** Of what is read from the cache, and of what is written to it; absent: as the rest of the input. */
	readonly cacheRead?: number;
	readonly cacheWrite?: number;
}

/** Estimated tokens of the definitions of tools in one request, and what they would have been with every tool loaded. */
export interface DefinitionTokens {
	readonly tokens: number;
	readonly everyToolTokens: number;
}

/** What one answer cost, in US dollars. */
export interface AnswerCost {
	readonly usd: number;
	/** The provider said so; else it is the tokens that it counted, at the model's price. */
	readonly isTold: boolean;
	/** What it would have cost with every tool loaded, estimated; absent where there is too little to go by. */
	readonly everyToolUsd?: number;
}

/** What the answers of a chat cost together, in US dollars. An answer whose price nobody knows is not among them. */
export interface CostSums {
	readonly answers: number;
	/** Answers whose cost the provider has told. */
	readonly toldAnswers: number;
	readonly usd: number;
	/** What they would have cost with every tool loaded, estimated; absent where that is not known of each of them. */
	readonly everyToolUsd?: number;
}

const tokensOfPrice = 1_000_000;
/** An hour in Anthropic's cache costs 2 times the input, the usual five minutes 1.25 times. */
const hourWriteFactor = 2 / 1.25;
/** Larger numbers are no counts of one answer, and their sums would not be exact. */
const mostTokens = 1_000_000_000;
const mostUsd = 1_000_000;

/** A number of tokens as somebody tells it; `undefined`: it is none. */
export function reportedTokens(value: unknown): number | undefined {
	return typeof value === 'number' && value >= 0 && value <= mostTokens ? value : undefined;
}

/** What an answer cost in US dollars, as somebody tells it; `undefined`: it is no such sum. */
export function reportedUsd(value: unknown): number | undefined {
	return typeof value === 'number' && value >= 0 && value <= mostUsd ? value : undefined;
}

/**
 * What an answer cost: what the provider says, else what its tokens come to at the model's price. `undefined` where nobody knows, which is
 * not 0.
 */
export function answerCost(
	usage: TokenUsage,
	price: TokenPrice | undefined,
	definitions: DefinitionTokens | undefined,
): AnswerCost | undefined {
	const parts = price && pricedParts(usage, price);
	const usd = usage.usd ?? (parts && parts.input + parts.output);
	if (usd === undefined) return undefined;
	const everyToolUsd = parts && definitions && withEveryTool(usd, parts, usage.inputTokens, definitions);
	return {
		usd,
		isTold: usage.usd !== undefined,
		...(everyToolUsd !== undefined && { everyToolUsd }),
	};
}

/** The sums with one more answer. */
export function withCost(sums: CostSums | undefined, { usd, isTold, everyToolUsd }: AnswerCost): CostSums {
	return joinedCosts(sums, {
		answers: 1,
		toldAnswers: isTold ? 1 : 0,
		usd,
		...(everyToolUsd !== undefined && { everyToolUsd }),
	});
}

/** Two sums in one. */
export function joinedCosts(a: CostSums | undefined, b: CostSums): CostSums {
	if (a === undefined) return b;
	const isComparable = a.everyToolUsd !== undefined && b.everyToolUsd !== undefined;
	return {
		answers: a.answers + b.answers,
		toldAnswers: a.toldAnswers + b.toldAnswers,
		usd: a.usd + b.usd,
		...(isComparable && { everyToolUsd: a.everyToolUsd + b.everyToolUsd }),
	};
}

function pricedParts(
	usage: TokenUsage,
	price: TokenPrice,
): { readonly input: number; readonly output: number } {
	const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
	const { hourCacheWriteTokens = 0 } = usage;
	const { cacheRead = price.input, cacheWrite = price.input } = price;
	const plain = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
	return {
		input:
			(plain * price.input +
				cachedInputTokens * cacheRead +
				(cacheWriteTokens + (hourWriteFactor - 1) * hourCacheWriteTokens) * cacheWrite) /
			tokensOfPrice,
		output: (outputTokens * price.output) / tokensOfPrice,
	};
}

/**
 * What an answer would have cost with every tool loaded. The further definitions count at the average price of this prompt's tokens: they
 * would have stood at its beginning, and come from the cache where it did. Where the provider has told another sum than the price gives,
 * only the proportion is taken from the price.
 */
function withEveryTool(
	usd: number,
	{ input, output }: { readonly input: number; readonly output: number },
	inputTokens: number,
	{ tokens, everyToolTokens }: DefinitionTokens,
): number | undefined {
	const byPrice = input + output;
	if (inputTokens <= 0) return undefined;
	if (byPrice === 0) return usd === 0 ? 0 : undefined;
	const more = (input / inputTokens) * (everyToolTokens - tokens);
	return Math.max(0, usd + more * (usd / byPrice));
}
