import type { SearchOutcome } from './searchTools/outcome.ts';
import type { ToolDefinition } from './tool.ts';
import type { ToolResult } from './toolResult.ts';

/** The one meta-tool that a model sees while tools are deferred. */
export const searchToolsName = 'search_tools';
/** Tools that tell of tools and load none: see `inspection/`. */
export const listAvailableToolsName = 'list_available_tools';
export const listToolDetailsName = 'list_tool_details';
/** Reads on in a result that was too large for the chat; whoever runs the turn answers it. */
export const readResultName = 'read_result';

/** Names of tools that look at tools and results, and do nothing for a user: nobody but a model has a use for them. */
export const lookingToolNames: ReadonlySet<string> = new Set([
	searchToolsName,
	listAvailableToolsName,
	listToolDetailsName,
	readResultName,
]);

/** What a synthetic tool came to. */
export interface SyntheticResult {
	readonly result: ToolResult;
	/** Wire names of tools that the next request has and the last one had not. */
	readonly newlyLoaded: readonly string[];
	/** Definitions that the result itself brings to the model, where loading adds nothing to the tools of the request. */
	readonly brings?: readonly ToolDefinition[];
	/** Wire names of tools that had to go for them. */
	readonly evicted: readonly string[];
	/** What was searched and found, where it was a search. */
	readonly search?: SearchOutcome;
	/** Name that stands for this very result, `[a-z0-9-]`: whoever keeps it in a file can use that file again. */
	readonly listing?: string;
}

/** A tool that the extension answers itself and never forwards to a server. Consulted before any server. */
export interface SyntheticTool {
	readonly name: string;
	readonly definition: ToolDefinition;
	/** `input` is what the model wrote: check it. Bad input is an error result, not an exception. */
	execute(input: Readonly<Record<string, unknown>>): SyntheticResult | Promise<SyntheticResult>;
}
