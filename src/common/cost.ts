/** Tokens of one answer, as counted by its provider. */
export interface TokenUsage {
	/** The whole prompt, including cache reads and writes. */
	readonly inputTokens: number;
	/** The whole answer, including thinking. */
	readonly outputTokens: number;
	/** Part of `inputTokens` read from the provider's prompt cache. */
	readonly cachedInputTokens?: number;
	/** Part of `inputTokens` written to the cache, if that has its own price. */
	readonly cacheWriteTokens?: number;
	/** Part of `cacheWriteTokens` cached for an hour, which costs more. */
	readonly hourCacheWriteTokens?: number;
	/** Part of `outputTokens` spent on thinking. */
	readonly thoughtTokens?: number;
	/** Reported cost in US dollars; absent: not reported. */
	readonly usd?: number;
}

/** A model's price: US dollars per million tokens. */
export interface TokenPrice {
	readonly input: number;
	readonly output: number;
	/** Prices of cache reads and writes; absent: the input price. */
	readonly cacheRead?: number;
	readonly cacheWrite?: number;
}

/** Estimated tokens of the tool definitions in one request, and with every tool loaded. */
export interface DefinitionTokens {
	readonly tokens: number;
	readonly everyToolTokens: number;
}

/** The cost of one answer, in US dollars. */
export interface AnswerCost {
	readonly usd: number;
	/** Reported by the provider; otherwise computed from its token counts and the model's price. */
	readonly isReported: boolean;
	/** Estimated cost with every tool loaded; absent: not enough data. */
	readonly everyToolUsd?: number;
}

/** Total cost of a chat's answers, in US dollars. Answers without a known price are not included. */
export interface CostSums {
	readonly answers: number;
	/** Answers whose cost the provider reported. */
	readonly reportedAnswers: number;
	readonly usd: number;
	/** Estimated cost with every tool loaded; absent unless known for each answer. */
	readonly everyToolUsd?: number;
}

const tokensOfPrice = 1_000_000;
/** Anthropic's one-hour cache costs 2 times the input price, the usual five minutes 1.25 times. */
const hourWriteFactor = 2 / 1.25;
/** Larger numbers cannot be token counts of one answer, and their sums would not be exact. */
const maxTokens = 1_000_000_000;
const maxUsd = 1_000_000;

/** A reported number of tokens; `undefined` if invalid. */
export function reportedTokens(value: unknown): number | undefined {
	return typeof value === 'number' && value >= 0 && value <= maxTokens ? value : undefined;
}

/** A reported cost in US dollars; `undefined` if invalid. */
export function reportedUsd(value: unknown): number | undefined {
	return typeof value === 'number' && value >= 0 && value <= maxUsd ? value : undefined;
}

/** The cost of an answer: as reported, else its tokens at the model's price. `undefined`: unknown, which is not 0. */
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
		isReported: usage.usd !== undefined,
		...(everyToolUsd !== undefined && { everyToolUsd }),
	};
}

/** The total of a single answer. */
export function sumsOf({ usd, isReported, everyToolUsd }: AnswerCost): CostSums {
	return {
		answers: 1,
		reportedAnswers: isReported ? 1 : 0,
		usd,
		...(everyToolUsd !== undefined && { everyToolUsd }),
	};
}

export function joinedCosts(a: CostSums | undefined, b: CostSums): CostSums {
	if (a === undefined) return b;
	const isComparable = a.everyToolUsd !== undefined && b.everyToolUsd !== undefined;
	return {
		answers: a.answers + b.answers,
		reportedAnswers: a.reportedAnswers + b.reportedAnswers,
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
 * The cost of an answer with every tool loaded. The additional definitions get the average price of this prompt's tokens, because they would have been
 * at its start and cached like it. If the provider reported another total than the price gives, only the proportion is taken from the price.
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
