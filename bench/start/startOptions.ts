/** One start of a workspace's servers. */
export interface StartOptions {
	/** Folder with a `casual_mcp_config.json`. */
	readonly workspace: string;
	/** Folder that keeps what servers have listed. */
	readonly storage: string;
	/** Path of the bundled `reaper.ts`. */
	readonly reaperScript: string;
	/** Whether all servers start and list before the first request, which then carries all tools. */
	readonly everyServer: boolean;
}

/** What a start came to. */
export interface FirstRequest {
	/** From nothing to the first request to the model, in milliseconds. */
	readonly ms: number;
	/** Tool definitions in the request. */
	readonly toolsSent: number;
	/** Tools that it loads or lets the model search. */
	readonly toolsKnown: number;
	/** Servers that run or start, in the end. */
	readonly serversUp: number;
	readonly servers: number;
}
