import { type CostSums, joinedCosts } from '../../common/cost.ts';
import { compareStrings } from '../../common/text.ts';

/** Calls of one tool. */
export interface ToolCalls {
	readonly server: string;
	readonly tool: string;
	/** Finished calls; declined calls do not count. */
	readonly calls: number;
	/** Calls whose result was an error. */
	readonly failures: number;
	/** Milliseconds from the start of each call to its result. */
	readonly totalMs: number;
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

/** Adds what something used: a request, an answer, a call, or another chat such as an agent's. */
export function withUsage(usage: SessionUsage, more: Partial<SessionUsage> | undefined): SessionUsage {
	if (!more) return usage;
	const sum = (what: Exclude<keyof SessionUsage, 'cost' | 'calls'>) => usage[what] + (more[what] ?? 0);
	const cost = more.cost ? joinedCosts(usage.cost, more.cost) : usage.cost;
	return {
		measuredAnswers: sum('measuredAnswers'),
		inputTokens: sum('inputTokens'),
		cachedInputTokens: sum('cachedInputTokens'),
		cacheWriteTokens: sum('cacheWriteTokens'),
		outputTokens: sum('outputTokens'),
		thoughtTokens: sum('thoughtTokens'),
		...(cost && { cost }),
		requests: sum('requests'),
		definitionTokens: sum('definitionTokens'),
		everyToolTokens: sum('everyToolTokens'),
		calls: (more.calls ?? []).reduce(withCalls, usage.calls),
	};
}

/** Adds calls of one tool. Beyond the limit, the least called tool is dropped. */
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
	};
}

function withRoom(entries: readonly ToolCalls[]): readonly ToolCalls[] {
	if (entries.length < countedTools) return entries;
	const fewestCalls = Math.min(...entries.map(({ calls }) => calls));
	const evictedIndex = entries.findIndex(({ calls }) => calls === fewestCalls);
	return entries.filter((_, i) => i !== evictedIndex);
}

export interface CallSums {
	readonly calls: number;
	readonly failures: number;
	readonly meanMs: number;
}

/** Calls of a server and of each of its tools. */
export interface ServerSums extends CallSums {
	readonly server: string;
	readonly tools: readonly (CallSums & { readonly tool: string })[];
}

/** Calls by server and tool, the most called first. */
export function callsByServer(entries: readonly ToolCalls[]): readonly ServerSums[] {
	return [...Map.groupBy(entries, ({ server }) => server)]
		.map(([server, calls]) => ({
			server,
			...callSums(calls),
			tools: calls
				.map((entry) => ({ tool: entry.tool, ...callSums([entry]) }))
				.sort((a, b) => b.calls - a.calls || compareStrings(a.tool, b.tool)),
		}))
		.sort((a, b) => b.calls - a.calls || compareStrings(a.server, b.server));
}

function callSums(entries: readonly ToolCalls[]): CallSums {
	const sum = (what: 'calls' | 'failures' | 'totalMs') => entries.reduce((all, one) => all + one[what], 0);
	const calls = sum('calls');
	return { calls, failures: sum('failures'), meanMs: sum('totalMs') / calls };
}
