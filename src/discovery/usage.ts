/** How often a tool was called. */
export interface ToolCalls {
	readonly server: string;
	readonly tool: string;
	readonly calls: number;
}

/** What a chat has used so far: tokens as providers reported them, never estimates, and calls of tools. Plain JSON. */
export interface SessionUsage {
	/** Answers whose provider reported tokens. */
	readonly measuredAnswers: number;
	readonly inputTokens: number;
	/** Part of `inputTokens` that came from the provider's cache. */
	readonly cachedInputTokens: number;
	readonly outputTokens: number;
	/** In the order of the first call. */
	readonly calls: readonly ToolCalls[];
}

/** A chat in which nothing has happened. */
export const noUsage: SessionUsage = {
	measuredAnswers: 0,
	inputTokens: 0,
	cachedInputTokens: 0,
	outputTokens: 0,
	calls: [],
};

/** Usage with one more answer. */
export function withAnswer(
	usage: SessionUsage,
	tokens: {
		readonly inputTokens: number;
		readonly outputTokens: number;
		readonly cachedInputTokens?: number;
	},
): SessionUsage {
	return {
		...usage,
		measuredAnswers: usage.measuredAnswers + 1,
		inputTokens: usage.inputTokens + tokens.inputTokens,
		cachedInputTokens: usage.cachedInputTokens + (tokens.cachedInputTokens ?? 0),
		outputTokens: usage.outputTokens + tokens.outputTokens,
	};
}

/** Usage with one more call of a tool. */
export function withCall(
	usage: SessionUsage,
	called: { readonly server: string; readonly name: string },
): SessionUsage {
	const isSame = ({ server, tool }: ToolCalls) => server === called.server && tool === called.name;
	const calls = usage.calls.some(isSame)
		? usage.calls.map((entry) => (isSame(entry) ? { ...entry, calls: entry.calls + 1 } : entry))
		: [...usage.calls, { server: called.server, tool: called.name, calls: 1 }];
	return { ...usage, calls };
}
