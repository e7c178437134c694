const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/**
 * Bounds of what servers may take: time, memory, number. Times are in milliseconds, sizes in bytes. They hold unless the user's settings
 * say otherwise.
 */
export const defaultLimits = {
	/** From the start of a process, or the first request, to the end of the MCP handshake. */
	connectMs: 30_000,
	/** The same for a process that has never answered. `npx`, `uvx` and `docker run` install a server on its first start. */
	firstStartMs: 300_000,
	/** A process that is asked whether it speaks the newer protocol, and is silent for so long, is taken to speak the older one. */
	probeMs: 2_000,
	/** The same for a server that is reached by address, and may have to wake up first. */
	remoteProbeMs: 10_000,
	/** Servers that start at the same time; starting them all at once would starve the editor of CPU. */
	concurrentStarts: 8,
	/** After this time a start gives its place to the next one: it waits rather than works, and must hold up nobody. */
	startSlotMs: 3_000,
	/** A process gone within this time, having said nothing, "exited at once"; later it "died while starting". */
	exitedAtOnceMs: 1_000,
	/** A message waits so long at most for servers that have never listed their tools. */
	firstListMs: 5_000,
	/** For one page of a list of tools. */
	listPageMs: 15_000,
	/** Pages of one list; a server that never ends its list would be followed for ever. */
	listPages: 64,
	/** Tools of one server. */
	toolsPerServer: 5_000,
	/** Longest time for which a running server may say that its list is good. */
	longestListTtlMs: 86_400_000,
	/** Definitions of all tools of one server, as JSON. */
	listBytes: 8 * megabyte,
	/** Definition of one tool, as JSON. */
	toolBytes: 512 * kilobyte,
	/** Nesting of one tool's schema; deeper ones overflow the stack of whoever walks them. */
	schemaDepth: 64,
	/** Silence within a call: neither an answer nor progress. */
	callIdleMs: 60_000,
	/** A whole call, progress or not. */
	callTotalMs: 600_000,
	/** Questions to the user that a server may ask within one call, each of which waits for an answer. */
	questionsPerCall: 20,
	/** Times that one call may come back for more input before it has a result. */
	inputRounds: 10,
	/** Resources, templates of addresses, or prompts of one server. */
	offersPerServer: 5_000,
	/** One message from a server, on any transport. */
	messageBytes: 16 * megabyte,
	/** Nesting of one message; deeper ones overflow the stack of whoever walks them. */
	messageDepth: 128,
	/** Arrays, objects, members and items of one message, which take time to parse: so many take 50 ms at most. */
	messageValues: 250_000,
	/** The same of one tool's definition. */
	toolValues: 20_000,
	/**
	 * Messages a second that answer nothing we asked: notifications, requests, and answers nobody waits for. More are dropped
	 * unread. One counts for each 4 kB begun.
	 */
	unaskedPerSecond: 1_000,
	/** What is kept of a server's log, its stderr included. */
	logBytes: 256 * kilobyte,
	/** One line of a log; the rest of it is cut. */
	logLineBytes: 8 * kilobyte,
	/** Lines a second that are passed on as they are written; more would only flood whoever shows them. */
	logLinesPerSecond: 200,
	/** Lines of stderr that an error carries. */
	stderrTailLines: 20,
	/** Complaints logged for one connection about messages that are none. */
	garbageLogLines: 10,
	/** Waiting times before each restart; there are as many restarts as entries. */
	restartDelaysMs: [1_000, 2_000, 4_000, 8_000, 16_000] as readonly number[],
	/** Part by which a waiting time is varied either way, so that servers do not restart in step. */
	restartJitter: 0.2,
	/** Longest wait before a restart that a server may ask for. */
	longestRetryAfterMs: 60_000,
	/** A server that ran this long has its restarts back. */
	healthyMs: 60_000,
	/** A server that was started only to be listed is ended after this time; the first chat may be about to call it. */
	unneededMs: 300_000,
	/** Age at which the list of a server that does not run is fetched again, in the background; 0: never. */
	staleListMs: 86_400_000,
	/** Wait before such a list is fetched again that could not be fetched. */
	staleListRetryMs: 3_600_000,
	/** How often servers are checked for both. Not a timer per server: a machine that was asleep has let none run. */
	tendMs: 60_000,
	/** Quiet time after `list_changed` before the list is fetched. */
	listChangedQuietMs: 300,
	/** Longest wait for quiet: a server that never stops announcing changes would starve the debounce. */
	listChangedMaxWaitMs: 2_000,
	/** Least time between two fetches that `list_changed` causes. */
	listChangedIntervalMs: 5_000,
	/** Longest wait before a stream that has ended is taken up again. */
	longestResumeMs: 30_000,
	/** On closing: from the end of stdin to SIGTERM, for the process to leave by itself. */
	closeGraceMs: 400,
	/** On closing: from SIGTERM to SIGKILL. */
	closeTermMs: 1_200,
	/** File of cached lists; a larger one is ignored. */
	catalogFileBytes: 32 * megabyte,
	/** Lists kept in that file, the latest ones. */
	catalogFileEntries: 256,
	/** Quiet time before that file is written. */
	catalogWriteDelayMs: 500,
};

/** {@link defaultLimits}, or others in their place. */
export type McpLimits = Readonly<typeof defaultLimits>;

/** Bounds of what is kept of accepted tools: sizes in characters of JSON, times in milliseconds. */
export const defaultAcceptanceLimits = {
	/** Launches whose approval does not stand any more; those that were written longest ago go first. */
	servers: 256,
	/** Tools of one launch, those that it does not list any more among them. New ones over it wait to be accepted. */
	toolsPerServer: 10_000,
	/** One tool's definition; of a larger one only the hash is kept, and there is no difference to see. */
	definition: 64 * kilobyte,
	/** All definitions of one launch. */
	definitionsPerServer: 4 * megabyte,
	/** A file; a larger one is not read. */
	file: 16 * megabyte,
	/** Quiet time before files are written. */
	writeDelayMs: 500,
};

/** {@link defaultAcceptanceLimits}, or others in their place. */
export type AcceptanceLimits = Readonly<typeof defaultAcceptanceLimits>;
