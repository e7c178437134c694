import { compareStrings } from '../compareStrings.ts';
import { meanMs, type ToolCalls } from './usage.ts';

/** How some calls went. */
export interface CallSums {
	readonly calls: number;
	readonly failures: number;
	/** Absent where none was timed. */
	readonly meanMs?: number;
}

/** Calls of one tool. */
export interface ToolSums extends CallSums {
	readonly tool: string;
}

/** Calls of one server, and of each of its tools, the most called first. */
export interface ServerSums<Tool extends ToolSums = ToolSums> extends CallSums {
	readonly server: string;
	readonly tools: readonly Tool[];
}

/** Calls by server and tool, the most called first. */
export function callsByServer(entries: readonly ToolCalls[]): readonly ServerSums[] {
	return sumsByServer(entries, () => ({}));
}

/** {@link callsByServer}; `more`: what else is to be said of the calls of one server or tool. */
export function sumsByServer<Entry extends ToolCalls, More extends object>(
	entries: readonly Entry[],
	more: (entries: readonly Entry[]) => More,
): readonly (ServerSums<ToolSums & More> & More)[] {
	const servers = [...Map.groupBy(entries, ({ server }) => server)].map(([server, its]) => ({
		server,
		...sumsOf(its),
		...more(its),
		tools: [...Map.groupBy(its, ({ tool }) => tool)]
			.map(([tool, same]) => ({ tool, ...sumsOf(same), ...more(same) }))
			.sort((a, b) => b.calls - a.calls || compareStrings(a.tool, b.tool)),
	}));
	return servers.sort((a, b) => b.calls - a.calls || compareStrings(a.server, b.server));
}

function sumsOf(entries: readonly ToolCalls[]): CallSums {
	const mean = meanMs(entries);
	return {
		calls: entries.reduce((sum, { calls }) => sum + calls, 0),
		failures: entries.reduce((sum, { failures }) => sum + failures, 0),
		...(mean !== undefined && { meanMs: mean }),
	};
}
