/** One start of a workspace's servers. */
export interface StartOptions {
	/** Folder with a `casual_mcp_config.json`. */
	readonly workspace: string;
	/** Folder that stores the tools that servers have listed. */
	readonly storage: string;
	/** Path of the bundled `reaper.ts`. */
	readonly reaperScript: string;
	/** Whether all servers start and list before the first request, which then contains all tools. */
	readonly everyServer: boolean;
}

/** The outcome of a start. */
export interface FirstRequest {
	/** From nothing to the first request to the model, in milliseconds. */
	readonly ms: number;
	/** Tool definitions in the request. */
	readonly toolsSent: number;
	/** Tools that the request contains or lets the model search. */
	readonly toolsKnown: number;
	/** Servers that are running or starting at the end. */
	readonly serversUp: number;
	readonly servers: number;
}

/** What a start of many servers costs the process that starts them. */
export interface Stalls {
	/** The longest turn of its event loop, in milliseconds. */
	readonly longestMs: number;
	/** Until every server has listed its tools. */
	readonly allReadyMs: number;
	/** Servers that have. */
	readonly ready: number;
}
