import type { McpLimits } from '../../../src/mcp/limits.ts';
import type { ServerErrorReason } from '../../../src/mcp/serverError.ts';

/**
 * How a fault server is reached. `json` is streamable HTTP with plain JSON bodies, `streamable-http` is streamable HTTP with event streams.
 */
export const faultTransports = ['stdio', 'sse', 'streamable-http', 'json'] as const;
export type FaultTransport = (typeof faultTransports)[number];

export const faultGroups = [
	'starting',
	'listing',
	'calling',
	'flooding',
	'dying',
	'text',
	'eras',
	'processes',
] as const;
export type FaultGroup = (typeof faultGroups)[number];

/** The result of a call or a start: the text of the answer, or the reason why there was none. */
export type CallOutcome =
	| { readonly text: string; readonly isError?: true }
	| { readonly reason: ServerErrorReason | 'other'; readonly message: string };

/** What the trial observed, in the order in which it looked. */
export interface FaultSeen {
	readonly start: 'ready' | 'starting' | 'stopped' | ServerErrorReason;
	/** The message of the failed start. */
	readonly message?: string;
	readonly stderrLines?: number;
	readonly tools: number;
	readonly dropped: number;
	readonly cutShort?: string;
	/** The call of the tool `fault`, if the server became ready. */
	readonly fault?: CallOutcome;
	/** The call of the tool `work` afterwards: whether the server is still usable. */
	readonly after?: CallOutcome;
	/** Lines of its log that contain control characters or other invisible characters. */
	readonly oddLogLines: number;
}

/** What the trial must observe. Absent members may have any value. */
export interface FaultExpected extends Partial<Omit<FaultSeen, 'fault' | 'after'>> {
	readonly fault?: Partial<{ text: string; isError: true; reason: ServerErrorReason; message: string }>;
	readonly after?: Partial<{ text: string; reason: ServerErrorReason }>;
	/** How the message of the failed call ends. */
	readonly faultMessageEnds?: string;
}

/** One fault of a server, and its expected outcome. */
export interface Fault {
	readonly name: string;
	/** A mode of `faultServer.ts`, with its arguments. */
	readonly mode: readonly [string, ...string[]];
	/** The transports that can have this fault. The everyday run tries only the first, unless `isOfTransport`. */
	readonly transports: readonly FaultTransport[];
	/** Whether each transport needs its own way to survive it, so that it is tried over all of them every day. */
	readonly isOfTransport?: true;
	/**
	 * Whether only the nightly run tries it: a test without a process shows the same, or a fault beside it is survived for the same reason.
	 */
	readonly onlyNightly?: true;
	/** Replace limits of the pool: short ones where a limit ends the fault. */
	readonly limits?: Partial<McpLimits>;
	/** The server runs behind so many shells, each of which keeps running. */
	readonly shells?: number;
	readonly env?: Readonly<Record<string, string>>;
	/** How long to wait between the calls of `fault` and `work`, in milliseconds. */
	readonly lookOnMs?: number;
	readonly expected: FaultExpected;
	/** What differs for some transports. */
	readonly expectedOver?: Partial<Readonly<Record<FaultTransport, FaultExpected>>>;
	/** How the host ends: it is killed, or (default) it disposes its pool. */
	readonly end?: 'killed' | 'killed after its reaper';
}

/** The result of one fault over one transport. */
export interface FaultRow {
	readonly group: FaultGroup;
	readonly name: string;
	readonly transport: FaultTransport;
	readonly seen: FaultSeen | undefined;
	/** Calls to a healthy server of the same pool meanwhile: those answered and those failed. */
	readonly healthy: { readonly answered: number; readonly failed: number };
	/** The longest time in which the pool's process did not answer another process. */
	readonly stallMs: number;
	/** The largest growth of the pool's process. */
	readonly memoryBytes: number;
	/** Processes of the fault that remained after its end. */
	readonly orphans: readonly string[];
	/** What differs from the expectation; empty if the fault is survived. */
	readonly problems: readonly string[];
}
