import type { CatalogTool } from '../discovery/catalog.ts';
import type { DiscoverySession } from '../discovery/discoverySession.ts';
import type { SyntheticResult } from '../discovery/syntheticTool.ts';
import type { JsonSchema } from '../discovery/tool.ts';
import type { ToolResult, ToolResultFormat } from '../discovery/toolResult.ts';
import type { ChatMessage, ChatModel, ToolCall } from '../models/chatModel.ts';
import type { HostedTool } from './hostedTool.ts';
import type { FlowedText, ResultFlow } from './resultFlow.ts';

/**
 * Runs an MCP tool on its server. May throw: the message becomes the result. `onBegun`: the server is called only now, because the
 * user had to be asked. `flows`: what the call carries on from other servers, which the user is to see first.
 */
export type ToolRunner = (
	tool: CatalogTool,
	call: ToolCall,
	signal: AbortSignal,
	onProgress: (progress: string) => void,
	onBegun: () => void,
	flows?: readonly FlowedText[],
) => Promise<ToolResult>;

/** Tells what is wrong with arguments, as short sentences with their place; nothing where they fit, or cannot be checked. */
export type ArgumentCheck = (
	schema: JsonSchema,
	input: Readonly<Record<string, unknown>>,
	/** Whose schema it is. */
	server: string,
) => Promise<readonly string[]>;

/** One turn of a chat. */
export interface LoopOptions {
	readonly model: ChatModel;
	readonly session: DiscoverySession;
	readonly runTool: ToolRunner;
	/** For arguments that no provider has seen the schema of. */
	readonly checkArguments: ArgumentCheck;
	/** How results are told to the model. */
	readonly resultFormat: ToolResultFormat;
	readonly system: string;
	/** The conversation so far; ends with the user's message. The loop adds what is said and done, and trims what is too long. */
	readonly messages: ChatMessage[];
	readonly signal: AbortSignal;
	/**
	 * What the model gets of a result, where that is large; asked while discovery is on. `listing`: see {@link SyntheticResult.listing}.
	 * Left out: all of it.
	 */
	readonly fitResult?: (result: ToolResult, listing?: string) => Promise<ToolResult>;
	/** What text of this chat came from which server; the loop adds to it. Left out: nobody is told where text came from. */
	readonly flow?: ResultFlow;
	/** Synthetic tools that are answered beside those of the session. */
	readonly hosted?: readonly HostedTool[];
	/** Calls of the model, at most; as many as the loop has for the user where it is left out. */
	readonly maxRounds?: number;
	/** Milliseconds from any point, to tell how long calls take; the system's steady clock where it is left out. */
	readonly now?: () => number;
}
