import { type AnswerCost, type CostSums, joinedCosts, type TokenUsage, withCost } from '../../common/cost.ts';

/** Calls of one tool. */
export interface ToolCalls {
	readonly server: string;
	readonly tool: string;
	/** Finished calls; declined calls do not count. */
	readonly calls: number;
	/** Calls whose result was an error. */
	readonly failures: number;
	/** Total milliseconds, rounded per call. */
	readonly totalMs: number;
	readonly lastMs: number;
}

/** `ms`: from the start of the call to its result. */
export interface CallOutcome {
	readonly ms: number;
	readonly failed: boolean;
}

/** What a chat has used: tokens as reported by providers, never estimates, and tool calls. Plain JSON. */
export interface SessionUsage {
	/** Answers with reported tokens. */
	readonly measuredAnswers: number;
	readonly inputTokens: number;
	/** Part of `inputTokens` that was read from the provider's cache. */
	readonly cachedInputTokens: number;
	/** Part of `inputTokens` that was written to the cache. */
	readonly cacheWriteTokens: number;
	readonly outputTokens: number;
	/** Part of `outputTokens` spent on thinking. */
	readonly thoughtTokens: number;
	/** Cost of answers; absent: never known. */
	readonly cost?: CostSums;
	/** Requests sent, and the estimated tokens of the tool definitions in them. */
	readonly requests: number;
	readonly definitionTokens: number;
	/** The same with every tool loaded. */
	readonly everyToolTokens: number;
	/** In the order of each tool's first finished call. */
	readonly calls: readonly ToolCalls[];
}

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

/** Most tools counted per chat: usage is stored with every answer. */
export const countedTools = 200;

/** Adds a request. */
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

/** Adds an answer. */
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

/** Adds a tool call. Beyond the limit, the least called tool is dropped. */
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

/** Adds another chat's usage, such as an agent's. */
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
