import type { JsonSchema } from '../common/jsonSchema.ts';
import type { CatalogTool } from '../discovery/catalog/catalog.ts';
import type { ToolCall, ToolCallResult, UserMessage } from '../discovery/catalog/message.ts';
import type { SearchMiss } from '../discovery/catalog/searchMiss.ts';
import type { SyntheticResult } from '../discovery/catalog/syntheticTool.ts';
import type { ToolDefinition, ToolResult, ToolResultFormat } from '../discovery/catalog/tool.ts';
import type { DiscoverySession } from '../discovery/session/discoverySession.ts';
import type { ChatModel } from '../models/chatModel.ts';
import type { LoopEvent } from './loopEvent.ts';
import type { FlowedText, ResultFlow } from './results/resultFlow.ts';

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
	/** The agent that makes the call; absent for the chat's own model. */
	agent?: string,
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
	/** What the user said. The loop adds it to the session's log, with all that comes of it, and trims what is too long. */
	readonly message: UserMessage;
	readonly signal: AbortSignal;
	/**
	 * What the model gets of a result, where that is large; asked while discovery is on. `listing`: see {@link SyntheticResult.listing}; `server`:
	 * whose it is. Left out: all of it.
	 */
	readonly fitResult?: (
		result: ToolResult,
		of: { readonly listing?: string; readonly server?: string },
	) => Promise<ToolResult>;
	/** What text of this chat came from which server; the loop adds to it. Left out: nobody is told where text came from. */
	readonly flow?: ResultFlow;
	/** Synthetic tools that are answered beside those of the session. */
	readonly hosted?: readonly HostedTool[];
	/** The agent whose turn this is; absent for the chat's own. */
	readonly agent?: string;
	/** Whether results of a server have linked to resources. Left out: none has. */
	readonly hasLinks?: (server: string) => boolean;
	/** For searches that find nothing likely. `settle` is to end with the turn. Left out: they are told as they are. */
	readonly miss?: SearchMiss;
	/** Calls of the model, at most; as many as the loop has for the user where it is left out. */
	readonly maxRounds?: number;
	/** Milliseconds from any point, to tell how long calls take; the system's steady clock where it is left out. */
	readonly now?: () => number;
}

/** What the model is told of one call. */
export type CallAnswer = Omit<ToolCallResult, 'callId'>;

/** A synthetic tool that the loop's owner answers: it needs what the turn has, such as its model. Offered while discovery is on. */
export interface HostedTool {
	readonly definition: ToolDefinition;
	/** Answers a call of the turn. Ends soon after the turn's signal aborts. May throw: the message becomes the result. */
	run(call: ToolCall, turn: LoopOptions, emit: (event: LoopEvent) => void): Promise<CallAnswer>;
}
