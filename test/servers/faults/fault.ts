import type { McpLimits } from '../../../src/mcp/limits.ts';
import type { ServerErrorReason } from '../../../src/mcp/serverError.ts';

/** How a fault server is reached: `json` is streamable HTTP whose answers are plain bodies, `streamable-http` one whose answers are streams. */
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

/** How a call or a start came out: the text of the answer, or the reason why there was none. */
export type CallOutcome =
	| { readonly text: string; readonly isError?: true }
	| { readonly reason: ServerErrorReason | 'other'; readonly message: string };

/** What was seen of a faulty server, in the order in which it was looked at. */
export interface FaultSeen {
	readonly start: 'ready' | 'starting' | 'stopped' | ServerErrorReason;
	/** Of the failed start. */
	readonly message?: string;
	readonly stderrLines?: number;
	readonly tools: number;
	readonly dropped: number;
	readonly cutShort?: string;
	/** The call of the tool `fault`, where the server became ready. */
	readonly fault?: CallOutcome;
	/** The call of the tool `work` after it: whether the server is still of use. */
	readonly after?: CallOutcome;
	/** Lines of its log with control characters, or what else is invisible. */
	readonly oddLogLines: number;
}

/** What must be seen: members that are left out may be anything. */
export interface FaultExpected extends Partial<Omit<FaultSeen, 'fault' | 'after'>> {
	readonly fault?: Partial<{ text: string; isError: true; reason: ServerErrorReason; message: string }>;
	readonly after?: Partial<{ text: string; reason: ServerErrorReason }>;
	/** How the message of the failed call ends. */
	readonly faultMessageEnds?: string;
}

/** One way in which a server goes wrong, and what must come of it. */
export interface Fault {
	readonly name: string;
	/** Mode of `faultServer.ts`, and what follows it on the command line. */
	readonly mode: readonly [string, ...string[]];
	/** The transports that it is possible over. Every day, only the first is tried, unless the fault is one of transport. */
	readonly transports: readonly FaultTransport[];
	/** Whether it is up to each transport to survive it. */
	readonly isOfTransport?: true;
	/** Over the pool's own, short where a limit is what ends the fault. */
	readonly limits?: Partial<McpLimits>;
	/** In place of Node with the fault server: a command that starts it, or does not. `{folder}` stands for an empty folder. */
	readonly command?: FaultCommand;
	readonly env?: Readonly<Record<string, string>>;
	/** How long to look on after the call of `fault`, in milliseconds, before `work` is called. */
	readonly lookOnMs?: number;
	readonly expected: FaultExpected;
	/** What differs where a transport shows it differently. */
	readonly expectedOver?: Partial<Readonly<Record<FaultTransport, FaultExpected>>>;
	/** How the host ends: it disposes its pool, which is what is left out, or it is killed. */
	readonly end?: 'killed' | 'killed after its reaper';
}

/** What is started in place of Node. */
export type FaultCommand =
	| { readonly kind: 'command'; readonly command: string; readonly cwd?: string }
	/** A shell that stays between, and starts the server as its child. */
	| { readonly kind: 'shell'; readonly depth: number };

/** What came of trying a fault over one transport. */
export interface FaultRow {
	readonly group: FaultGroup;
	readonly name: string;
	readonly transport: FaultTransport;
	readonly seen: FaultSeen | undefined;
	/** Calls of a healthy server of the same pool that were answered meanwhile, and that failed. */
	readonly healthy: { readonly answered: number; readonly failed: number };
	/** Longest time in which the pool's process did not answer another process. */
	readonly stallMs: number;
	/** Growth of the pool's process at its largest. */
	readonly memoryBytes: number;
	/** Processes of the fault that were left after its end. */
	readonly orphans: readonly string[];
	/** What was not as it must be; empty: the fault is survived. */
	readonly problems: readonly string[];
}
