const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/**
 * Default limits on the time, memory and number of things that servers may use. Times are in milliseconds, sizes in bytes. The user's
 * settings can change some.
 */
export const defaultLimits = {
	/** From the start of the process, or the first request, to the end of the MCP handshake. */
	connectMs: 30_000,
	/** The same for a process that has never answered. `npx`, `uvx` and `docker run` install a server on its first start. */
	firstStartMs: 300_000,
	/** Wait for an answer to the question whether a remote server speaks the newer protocol: as long as the C# SDK waits. It may have to wake up. */
	probeMs: 5_000,
	/** Servers that start at the same time. Starting all at once would starve the editor of CPU. */
	concurrentStarts: 8,
	/** After this time a start no longer counts as concurrent: it is waiting rather than working, and must not block others. */
	startSlotMs: 3_000,
	/** A process that ends within this time without output "exited immediately"; later it "crashed". */
	exitedAtOnceMs: 1_000,
	/** Longest time that a message waits for servers that have never listed their tools. */
	firstListMs: 5_000,
	/** One page of a list. */
	listPageMs: 15_000,
	/** Pages of one list. Some servers never end theirs. */
	listPages: 64,
	/** Tools of one server. */
	toolsPerServer: 5_000,
	/** Longest time to live that is accepted for a running server's list. */
	maxListTtlMs: 86_400_000,
	/** All tool definitions of one server, as JSON. */
	listBytes: 8 * megabyte,
	/** One tool definition, as JSON. */
	toolBytes: 512 * kilobyte,
	/** Nesting of one tool's schema. Deeper ones overflow the stack of recursive code. */
	schemaDepth: 64,
	/** Silence within a call: no answer and no progress. */
	callIdleMs: 60_000,
	/** A whole call, regardless of progress. */
	callTotalMs: 600_000,
	/** Questions that a server may ask the user within one call. */
	questionsPerCall: 20,
	/** Times that one call may come back for more input before it has a result. */
	inputRounds: 10,
	/** Resources, resource templates, or prompts of one server. */
	offersPerServer: 5_000,
	/** One message from a server, on any transport. */
	messageBytes: 16 * megabyte,
	/** Nesting of one message. Deeper ones overflow the stack of recursive code. */
	messageDepth: 128,
	/** Arrays, objects, members and items of one message. This many take about 100 ms to parse. A list of 100,000 tools has 500,000. */
	messageValues: 600_000,
	/**
	 * Messages per second that answer nothing we asked: notifications, requests, and answers nobody waits for. The rest is dropped unread. A
	 * message counts once per 4 kB.
	 */
	unsolicitedPerSecond: 1_000,
	/** A server's log, including stderr. Older lines are dropped. */
	logBytes: 256 * kilobyte,
	/** One line of a log; the rest is cut. */
	logLineBytes: 8 * kilobyte,
	/** Log lines per second that are forwarded. More would only flood the output channel. */
	logLinesPerSecond: 200,
	/** Lines of stderr in an error. */
	stderrTailLines: 20,
	/** Malformed messages that are logged per connection. */
	garbageLogLines: 10,
	/** Wait before each restart. There are as many restarts as entries. */
	restartDelaysMs: [1_000, 2_000, 4_000, 8_000, 16_000] as readonly number[],
	/** Longest wait before a restart that a server may ask for. */
	maxRetryAfterMs: 60_000,
	/** Uptime after which the restart budget resets. */
	healthyMs: 60_000,
	/** Time after which a server is stopped that was started only to list its tools. The first chat may be about to call it. */
	idleAfterListingMs: 300_000,
	/** Age at which the list of a server that does not run is fetched again, in the background; 0: never. */
	staleListMs: 86_400_000,
	/** Wait before retrying, if that failed. */
	staleListRetryMs: 3_600_000,
	/** How often servers are checked for both. One interval for all, because timers do not run while a machine sleeps. */
	maintenanceMs: 60_000,
	/** Quiet time after `list_changed` before the list is fetched. */
	listChangedQuietMs: 300,
	/** Longest wait for quiet. A server that never stops announcing changes would starve the debounce. */
	listChangedMaxWaitMs: 2_000,
	/** Minimum time between two fetches that `list_changed` causes. */
	listChangedIntervalMs: 5_000,
	/** Longest wait before a stream that has ended is resumed. */
	maxResumeMs: 30_000,
	/** On closing: from the end of stdin to SIGTERM. */
	closeGraceMs: 400,
	/** On closing: from SIGTERM to SIGKILL. */
	closeTermMs: 1_200,
	/** The file of cached lists. A larger one is ignored. */
	catalogFileBytes: 32 * megabyte,
	/** Lists in that file; the latest are kept. */
	catalogFileEntries: 256,
	/** Quiet time before that file is written. */
	catalogWriteDelayMs: 500,
};

export type McpLimits = Readonly<typeof defaultLimits>;

/** Limits on stored acceptances: sizes in characters of JSON, times in milliseconds. */
export const defaultAcceptanceLimits = {
	/** Launches that are no longer approved. The oldest files are deleted first. */
	servers: 256,
	/** Tools of one launch, including those that it no longer lists. New ones beyond this have to be accepted. */
	toolsPerServer: 10_000,
	/** One tool definition. Of a larger one only the hash is kept, and no difference can be shown. */
	definition: 64 * kilobyte,
	/** All definitions of one launch. */
	definitionsPerServer: megabyte,
	/** A file. A larger one is not read. It is read before a tool counts as new, so the editor waits for it. */
	file: 8 * megabyte,
	/** Quiet time before files are written. */
	writeDelayMs: 500,
};

export type AcceptanceLimits = Readonly<typeof defaultAcceptanceLimits>;
