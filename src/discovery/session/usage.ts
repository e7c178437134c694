import { type AnswerCost, type CostSums, joinedCosts, type TokenUsage, withCost } from '../../common/cost.ts';

/** How often a tool was called, and what came of it. */
export interface ToolCalls {
	readonly server: string;
	readonly tool: string;
	/** Calls that came to an end; one that the user did not let be made is none. */
	readonly calls: number;
	/** Those of them whose result was an error. */
	readonly failures: number;
	/** What all calls took together, in whole milliseconds. */
	readonly totalMs: number;
	/** What the last call took. */
	readonly lastMs: number;
}

/** How one call went; `ms`: from when it was begun until its result was there. */
export interface CallOutcome {
	readonly ms: number;
	readonly failed: boolean;
}

/** What a chat has used so far: tokens as providers reported them, never estimates, and calls of tools. Plain JSON. */
export interface SessionUsage {
	/** Answers whose provider reported tokens. */
	readonly measuredAnswers: number;
	readonly inputTokens: number;
	/** Part of `inputTokens` that came from the provider's cache. */
	readonly cachedInputTokens: number;
	/** Part of `inputTokens` that was written to the cache. */
	readonly cacheWriteTokens: number;
	readonly outputTokens: number;
	/** Part of `outputTokens` that the models thought. */
	readonly thoughtTokens: number;
	/** What answers cost; absent while that is known of none. */
	readonly cost?: CostSums;
	/** Requests that were sent, and what the definitions of tools in them came to, estimated. */
	readonly requests: number;
	readonly definitionTokens: number;
	/** What they would have come to with every tool loaded. */
	readonly everyToolTokens: number;
	/** In the order in which the first call of each came to its end. */
	readonly calls: readonly ToolCalls[];
}

/** A chat in which nothing has happened. */
export const noUsage: SessionUsage = {
	measuredAnswers: 0,
	inputTokens: 0,
	cachedInputTokens: 0,
	cacheWriteTokens: 0,
	outputTokens: 0,
	thoughtTokens: 0,
	requests: 0,
	definitionTokens: 0,
	everyToolTokens: 0,
	calls: [],
};

/** Tools whose calls are counted in one chat: usage is kept with every answer. */
export const countedTools = 200;

/** Usage with one more request. */
export function withRequest(
	usage: SessionUsage,
	cost: { readonly tokens: number; readonly everyToolTokens: number },
): SessionUsage {
	return {
		...usage,
		requests: usage.requests + 1,
		definitionTokens: usage.definitionTokens + cost.tokens,
		everyToolTokens: usage.everyToolTokens + cost.everyToolTokens,
	};
}

/** Usage with one more answer. */
export function withAnswer(
	usage: SessionUsage,
	tokens: TokenUsage,
	cost: AnswerCost | undefined,
): SessionUsage {
	return {
		...usage,
		measuredAnswers: usage.measuredAnswers + 1,
		inputTokens: usage.inputTokens + tokens.inputTokens,
		cachedInputTokens: usage.cachedInputTokens + (tokens.cachedInputTokens ?? 0),
		cacheWriteTokens: usage.cacheWriteTokens + (tokens.cacheWriteTokens ?? 0),
		outputTokens: usage.outputTokens + tokens.outputTokens,
		thoughtTokens: usage.thoughtTokens + (tokens.thoughtTokens ?? 0),
		...(cost && { cost: withCost(usage.cost, cost) }),
	};
}

/** Usage with one more call of a tool. Of more tools than are counted, the one that was called least makes room. */
export function withCall(
	usage: SessionUsage,
	called: { readonly server: string; readonly name: string },
	outcome: CallOutcome,
): SessionUsage {
	const isSame = ({ server, tool }: ToolCalls) => server === called.server && tool === called.name;
	if (usage.calls.some(isSame)) {
		const calls = usage.calls.map((entry) => (isSame(entry) ? withOutcome(entry, outcome) : entry));
		return { ...usage, calls };
	}
	const first = { server: called.server, tool: called.name, calls: 0, failures: 0, totalMs: 0, lastMs: 0 };
	return { ...usage, calls: [...withRoom(usage.calls), withOutcome(first, outcome)] };
}

/** Usage with all of another chat's, such as an agent's. */
export function withUsage(usage: SessionUsage, other: SessionUsage): SessionUsage {
	const cost = other.cost ? joinedCosts(usage.cost, other.cost) : usage.cost;
	return {
		measuredAnswers: usage.measuredAnswers + other.measuredAnswers,
		inputTokens: usage.inputTokens + other.inputTokens,
		cachedInputTokens: usage.cachedInputTokens + other.cachedInputTokens,
		cacheWriteTokens: usage.cacheWriteTokens + other.cacheWriteTokens,
		outputTokens: usage.outputTokens + other.outputTokens,
		thoughtTokens: usage.thoughtTokens + other.thoughtTokens,
		...(cost && { cost }),
		requests: usage.requests + other.requests,
		definitionTokens: usage.definitionTokens + other.definitionTokens,
		everyToolTokens: usage.everyToolTokens + other.everyToolTokens,
		calls: other.calls.reduce(withCalls, usage.calls),
	};
}

function withOutcome(entry: ToolCalls, { ms, failed }: CallOutcome): ToolCalls {
	const lastMs = Math.round(ms);
	return {
		...entry,
		calls: entry.calls + 1,
		failures: entry.failures + (failed ? 1 : 0),
		totalMs: entry.totalMs + lastMs,
		lastMs,
	};
}

function withCalls(entries: readonly ToolCalls[], more: ToolCalls): readonly ToolCalls[] {
	const isSame = ({ server, tool }: ToolCalls) => server === more.server && tool === more.tool;
	if (!entries.some(isSame)) return [...withRoom(entries), more];
	return entries.map((entry) => (isSame(entry) ? sumOf(entry, more) : entry));
}

function sumOf(entry: ToolCalls, more: ToolCalls): ToolCalls {
	return {
		...entry,
		calls: entry.calls + more.calls,
		failures: entry.failures + more.failures,
		totalMs: entry.totalMs + more.totalMs,
		lastMs: more.lastMs,
	};
}

function withRoom(entries: readonly ToolCalls[]): readonly ToolCalls[] {
	if (entries.length < countedTools) return entries;
	const least = Math.min(...entries.map(({ calls }) => calls));
	const goes = entries.findIndex(({ calls }) => calls === least);
	return entries.filter((_, i) => i !== goes);
}
