import type { JsonSchema } from '../common/jsonSchema.ts';
import type { CatalogTool } from '../discovery/catalog/catalog.ts';
import type { ToolCall, ToolCallResult, UserMessage } from '../discovery/catalog/message.ts';
import type { SearchMiss } from '../discovery/catalog/searchMiss.ts';
import type { SyntheticResult } from '../discovery/catalog/syntheticTool.ts';
import type { ToolDefinition, ToolResult, ToolResultFormat } from '../discovery/catalog/tool.ts';
import type { DiscoverySession } from '../discovery/session/discoverySession.ts';
import type { ChatModel } from '../models/chatModel.ts';
import type { CallConcern } from './callConcern.ts';
import type { LoopEvent } from './loopEvent.ts';
import type { ReadTexts } from './results/readTexts.ts';

/** Runs an MCP tool on its server. May throw: the message becomes the result. */
export type ToolRunner = (tool: CatalogTool, call: ToolCall, run: ToolRun) => Promise<ToolResult>;

export interface ToolRun {
	readonly signal: AbortSignal;
	readonly onProgress: (progress: string) => void;
	/** The user was asked first, and the server is called only now. */
	readonly onBegun: () => void;
	/** What the user should know before allowing it. */
	readonly concerns: readonly CallConcern[];
	/** The calling agent; absent for the chat's own model. */
	readonly agent?: string | undefined;
}

/** Checks arguments. Never rejects. */
export type ArgumentCheck = (
	schema: JsonSchema,
	input: Readonly<Record<string, unknown>>,
	/** The server that the schema is from. */
	server: string,
) => Promise<CheckedArguments>;

export interface CheckedArguments {
	/** What is wrong, as short sentences with their path. */
	readonly faults: readonly string[];
	readonly concerns: readonly CallConcern[];
}

/** One turn of a chat. */
export interface LoopOptions {
	readonly model: ChatModel;
	readonly session: DiscoverySession;
	readonly runTool: ToolRunner;
	/** For arguments whose schema no provider has checked. */
	readonly checkArguments: ArgumentCheck;
	/** How results are written for the model. */
	readonly resultFormat: ToolResultFormat;
	readonly system: string;
	/** The user's message. The loop adds it and everything that follows to the session's log, and trims what is too long. */
	readonly message: UserMessage;
	readonly signal: AbortSignal;
	/**
	 * Shortens a large result for the model; used while discovery is on. `listing`: see {@link SyntheticResult.listing}; `server`: where the
	 * result is from. Default: the whole result.
	 */
	readonly fitResult?: (
		result: ToolResult,
		of: { readonly listing?: string; readonly server?: string },
	) => Promise<ToolResult>;
	/** Remembers which text came from which server; the loop adds to it. `chat`: this chat's id. Default: calls are not compared. */
	readonly reads?: { readonly texts: ReadTexts; readonly chat: string };
	/** Synthetic tools in addition to those of the session. */
	readonly hosted?: readonly HostedTool[];
	/** The agent that has this turn; absent for the chat's own model. */
	readonly agent?: string;
	/** Whether results of a server linked to resources. Default: none did. */
	readonly hasLinks?: (server: string) => boolean;
	/** For searches without a likely match. `settle` must end with the turn. */
	readonly miss?: SearchMiss;
	/** Maximum calls of the model; default: the limit for a user's turn. */
	readonly maxRounds?: number;
	/** A steady clock in milliseconds, to time calls; default: the system's. */
	readonly now?: () => number;
}

/** What the model gets for one call. */
export type CallAnswer = Omit<ToolCallResult, 'callId'>;

/** A synthetic tool that the loop's owner answers, because it needs something of the turn, such as its model. Offered while discovery is on. */
export interface HostedTool {
	readonly definition: ToolDefinition;
	/** Answers a call of the turn. Ends soon after the turn's signal aborts. May throw: the message becomes the result. */
	run(call: ToolCall, turn: LoopOptions, emit: (event: LoopEvent) => void): Promise<CallAnswer>;
}
