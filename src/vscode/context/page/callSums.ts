import { meanMs, type ToolCalls } from '../../../discovery/journal/usage.ts';

/** Calls of one server's tools, and what they add up to. */
export interface ServerCalls extends CallSums {
	readonly server: string;
	readonly tools: readonly (CallSums & { readonly tool: string })[];
}

/** How some calls went. */
export interface CallSums {
	readonly calls: number;
	readonly failures: number;
	/** Absent where none was timed. */
	readonly meanMs: number | undefined;
}

/** Calls by server and tool, the most called first. */
export function callsByServer(calls: readonly ToolCalls[]): readonly ServerCalls[] {
	const servers = [...Map.groupBy(calls, ({ server }) => server)].map(([server, its]) => ({
		server,
		...sums(its),
		tools: its.map((one) => ({ tool: one.tool, ...sums([one]) })).toSorted(mostCalled),
	}));
	return servers.toSorted(mostCalled);
}

function sums(entries: readonly ToolCalls[]): CallSums {
	return {
		calls: entries.reduce((sum, { calls }) => sum + calls, 0),
		failures: entries.reduce((sum, { failures }) => sum + failures, 0),
		meanMs: meanMs(entries),
	};
}

function mostCalled(a: CallSums, b: CallSums): number {
	return b.calls - a.calls;
}
