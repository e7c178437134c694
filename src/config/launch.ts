/** A server that runs as a child process and speaks over its stdin and stdout. */
export interface StdioLaunch {
	readonly kind: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	/** Added to the few variables of our own environment that a child gets. */
	readonly env: Readonly<Record<string, string>>;
	/** Absolute folder the process starts in. */
	readonly cwd: string;
}

/** A server that runs elsewhere and is reached by address. */
export interface RemoteLaunch {
	readonly kind: 'remote';
	readonly url: string;
	readonly transport: 'streamable-http' | 'sse';
	readonly headers: Readonly<Record<string, string>>;
}

/** How to reach one server; variables are resolved, so two equal launches reach the same server. */
export type ServerLaunch = StdioLaunch | RemoteLaunch;
