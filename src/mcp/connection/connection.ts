import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { Tool, ToolResult } from '../../discovery/catalog/tool.ts';
import type { CallOptions, ConnectOptions } from './connectOptions.ts';
import type { ServerFeatures } from './offers.ts';
import type { Offers } from './offerTypes.ts';

/** How a server introduces itself. */
export interface ServerInfo {
	readonly name: string;
	readonly version: string;
	readonly title?: string;
	readonly description?: string;
}

/** What a call has to know about its tool. */
export type CalledTool = Pick<Tool, 'name' | 'inputSchema'>;

/** One page of a list of tools, as the server sent it; the entries are not checked yet. */
export interface ToolsPage {
	readonly tools: readonly unknown[];
	/** A text, though perhaps empty, if there are more pages. */
	readonly nextCursor?: unknown;
	/** The server's time to live for the list, in milliseconds. */
	readonly ttlMs?: number;
}

/**
 * A connection to an MCP server after the handshake: all that the pool knows about the protocol. It rejects with a {@link ServerError}, or
 * the reason of the caller's signal.
 */
export interface McpConnection {
	readonly serverInfo: ServerInfo | undefined;
	readonly instructions: string | undefined;
	readonly offers: Offers;
	/** Empty if the server has no tools. */
	listToolsPage(cursor: string | undefined, signal: AbortSignal): Promise<ToolsPage>;
	callTool(
		tool: CalledTool,
		args: Readonly<Record<string, unknown>>,
		options: CallOptions,
	): Promise<ToolResult>;
	/** Its resources, prompts and completions. */
	readonly features: ServerFeatures;
	/** Resolves when nothing of the connection is left, including its processes. */
	close(): Promise<void>;
}

/** Connects to a server and completes the handshake. */
export type Connect = (launch: ServerLaunch, options: ConnectOptions) => Promise<McpConnection>;
