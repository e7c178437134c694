/** Tokens of the smallest context asked for; each larger one is twice as long. */
export const smallestContextTokens = 8_192;
/** Tokens of the largest context asked for where nobody says what the model takes. */
export const largestContextTokens = 1_048_576;
/** Tokens kept free for an answer of which nothing is set: a thinking model uses most of them before it says a word. */
export const answerRoomTokens = 4_096;
/** What the estimate of a prompt may be short by, as a factor: it is made for OpenAI's vocabulary, not for the model's own. */
export const estimateMargin = 1.2;

/** What the length of the context depends on, all in tokens. */
export interface ContextNeed {
	/** Estimated length of the prompt. */
	readonly promptTokens: number;
	/** Room for the answer. */
	readonly answerTokens: number;
	/** The longest context that may be asked for. */
	readonly longestTokens: number;
	/** The shortest one. */
	readonly leastTokens: number;
}

/**
 * How long a context (`num_ctx`) to ask for; `undefined`: the prompt does not fit into the longest. Ollama reserves memory for all of
 * it, and loads the model anew at every change: so it begins small and doubles, rather than to follow the prompt.
 */
export function contextSize(need: ContextNeed): number | undefined {
	const { promptTokens, answerTokens, longestTokens, leastTokens } = need;
	if (promptTokens >= longestTokens) return undefined;
	const wanted = promptTokens * estimateMargin + answerTokens;
	let size = smallestContextTokens;
	while (size < wanted) size *= 2;
	return Math.min(longestTokens, Math.max(size, leastTokens));
}
