/** A server that runs as a child process and speaks over its stdin and stdout. */
export interface StdioLaunch {
	readonly kind: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	/** Added to the few variables of our own environment that a child gets. */
	readonly env: Readonly<Record<string, string>>;
	/** Absolute folder the process starts in. */
	readonly cwd: string;
	/** See {@link WrittenValues}; of `env`. */
	readonly written?: WrittenValues;
}

/** A server that runs elsewhere and is reached by address. */
export interface RemoteLaunch {
	readonly kind: 'remote';
	readonly url: string;
	readonly transport: 'streamable-http' | 'sse';
	readonly headers: Readonly<Record<string, string>>;
	/** See {@link WrittenValues}; of `headers`. */
	readonly written?: WrittenValues;
}

/**
 * Values that were made of environment variables, by name, as the file has them: `Bearer ${env:NOTES_KEY}`. They tell whose key a
 * server is given, which the value itself does not. Absent where there are none.
 */
export type WrittenValues = Readonly<Record<string, string>>;

/** How to reach one server; variables are resolved, so two equal launches reach the same server. */
export type ServerLaunch = StdioLaunch | RemoteLaunch;
