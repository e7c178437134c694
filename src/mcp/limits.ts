/** Bounds of what servers may take: time, memory, number. Times are in milliseconds, sizes in bytes. */
export interface McpLimits {
	/** From the start of a process, or the first request, to the end of the MCP handshake. */
	readonly connectMs: number;
	/** Servers that start at the same time; starting them all at once would starve the editor of CPU. */
	readonly concurrentStarts: number;
	/** After this time a start gives its place to the next one: it waits rather than works, and must hold up nobody. */
	readonly startSlotMs: number;
	/** A process gone within this time, having said nothing, "exited at once"; later it "died while starting". */
	readonly exitedAtOnceMs: number;
	/** A message waits so long at most for servers that have never listed their tools. */
	readonly firstListMs: number;
	/** For one page of a list of tools. */
	readonly listPageMs: number;
	/** Pages of one list; a server that never ends its list would be followed for ever. */
	readonly listPages: number;
	/** Tools of one server. */
	readonly toolsPerServer: number;
	/** Definitions of all tools of one server, as JSON. */
	readonly listBytes: number;
	/** Definition of one tool, as JSON. */
	readonly toolBytes: number;
	/** Nesting of one tool's schema; deeper ones overflow the stack of whoever walks them. */
	readonly schemaDepth: number;
	/** Silence within a call: neither an answer nor progress. */
	readonly callIdleMs: number;
	/** A whole call, progress or not. */
	readonly callTotalMs: number;
	/** One message from a server, on any transport. */
	readonly messageBytes: number;
	/** Nesting of one message; deeper ones overflow the stack of whoever walks them. */
	readonly messageDepth: number;
	/** Arrays, objects, members and items of one message, which take time to parse: so many take 50 ms at most. */
	readonly messageValues: number;
	/** The same of one tool's definition. */
	readonly toolValues: number;
	/**
	 * Messages a second that answer nothing we asked: notifications, requests, and answers nobody waits for. More are dropped
	 * unread. One counts for each 4 kB begun.
	 */
	readonly unaskedPerSecond: number;
	/** What is kept of a server's log, its stderr included. */
	readonly logBytes: number;
	/** One line of a log; the rest of it is cut. */
	readonly logLineBytes: number;
	/** Lines a second that are passed on as they are written; more would only flood whoever shows them. */
	readonly logLinesPerSecond: number;
	/** Lines of stderr that an error carries. */
	readonly stderrTailLines: number;
	/** Complaints logged for one connection about messages that are none. */
	readonly garbageLogLines: number;
	/** Waiting times before each restart; there are as many restarts as entries. */
	readonly restartDelaysMs: readonly number[];
	/** Part by which a waiting time is varied either way, so that servers do not restart in step. */
	readonly restartJitter: number;
	/** Longest wait before a restart that a server may ask for. */
	readonly longestRetryAfterMs: number;
	/** A server that ran this long has its restarts back. */
	readonly healthyMs: number;
	/** A server that was started only to be listed is ended after this time; the first chat may be about to call it. */
	readonly unneededMs: number;
	/** Age at which the list of a server that does not run is asked for anew, in the background; 0: never. */
	readonly sleepingListMs: number;
	/** A window that has just opened has other things to do than to ask for lists that have grown old. */
	readonly sleepingFirstLookMs: number;
	/**
	 * So often the age of such a list is looked at, and a list that could not be had is asked for again: a machine that was itself asleep
	 * has let no timer run.
	 */
	readonly sleepingLookMs: number;
	/** Quiet time after `list_changed` before the list is fetched. */
	readonly listChangedQuietMs: number;
	/** Longest wait for quiet: a server that never stops announcing changes would starve the debounce. */
	readonly listChangedMaxWaitMs: number;
	/** Least time between two fetches that `list_changed` causes. */
	readonly listChangedIntervalMs: number;
	/** Longest wait before a stream that has ended is taken up again. */
	readonly longestResumeMs: number;
	/** On closing: from the end of stdin to SIGTERM, for the process to leave by itself. */
	readonly closeGraceMs: number;
	/** On closing: from SIGTERM to SIGKILL. */
	readonly closeTermMs: number;
	/** File of cached lists; a larger one is ignored. */
	readonly catalogFileBytes: number;
	/** Lists kept in that file, the latest ones. */
	readonly catalogFileEntries: number;
	/** Quiet time before that file is written. */
	readonly catalogWriteDelayMs: number;
}

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/** What holds unless the user's settings say otherwise. */
export const defaultLimits: McpLimits = {
	connectMs: 30_000,
	concurrentStarts: 8,
	startSlotMs: 3_000,
	exitedAtOnceMs: 1_000,
	firstListMs: 5_000,
	listPageMs: 15_000,
	listPages: 64,
	toolsPerServer: 5_000,
	listBytes: 8 * megabyte,
	toolBytes: 512 * kilobyte,
	schemaDepth: 64,
	callIdleMs: 60_000,
	callTotalMs: 600_000,
	messageBytes: 16 * megabyte,
	messageDepth: 128,
	messageValues: 250_000,
	toolValues: 20_000,
	unaskedPerSecond: 1_000,
	logBytes: 256 * kilobyte,
	logLineBytes: 8 * kilobyte,
	logLinesPerSecond: 200,
	stderrTailLines: 20,
	garbageLogLines: 10,
	restartDelaysMs: [1_000, 2_000, 4_000, 8_000, 16_000],
	restartJitter: 0.2,
	longestRetryAfterMs: 60_000,
	healthyMs: 60_000,
	unneededMs: 300_000,
	sleepingListMs: 86_400_000,
	sleepingFirstLookMs: 60_000,
	sleepingLookMs: 3_600_000,
	listChangedQuietMs: 300,
	listChangedMaxWaitMs: 2_000,
	listChangedIntervalMs: 5_000,
	longestResumeMs: 30_000,
	closeGraceMs: 400,
	closeTermMs: 1_200,
	catalogFileBytes: 32 * megabyte,
	catalogFileEntries: 256,
	catalogWriteDelayMs: 500,
};
