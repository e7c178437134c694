import type { ToolDefinition } from '../discovery/tool.ts';
import type { ToolResult } from '../discovery/toolResult.ts';

/** A model's wish to call a tool. `input` is what the model wrote, not yet checked against any schema. */
export interface ToolCall {
	/** Unique within a conversation; pairs the call with its result. */
	readonly id: string;
	/** Wire name of the tool. */
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
}

/** One message of a conversation. An assistant's calls are answered by the `tool` message that follows it. */
export type ChatMessage =
	| { readonly role: 'user'; readonly text: string }
	| { readonly role: 'assistant'; readonly text: string; readonly toolCalls: readonly ToolCall[] }
	| { readonly role: 'tool'; readonly results: readonly ToolCallResult[] };

/** A result with the id of the call that it answers. */
export interface ToolCallResult {
	readonly callId: string;
	readonly result: ToolResult;
}

/** All that a model is asked in one call. */
export interface ChatRequest {
	readonly system: string;
	readonly messages: readonly ChatMessage[];
	/** In the order they are to be sent. */
	readonly tools: readonly ToolDefinition[];
}

/** Tokens as the provider counted them. */
export interface TokenUsage {
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cachedInputTokens?: number;
}

/** What comes back from a model, piece by piece. */
export type ChatModelEvent =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'toolCall'; readonly call: ToolCall }
	| { readonly type: 'usage'; readonly usage: TokenUsage };

/** A model that can hold a conversation and ask for tools; the one interface the tool loop knows. */
export interface ChatModel {
	readonly id: string;
	readonly name: string;
	/** Most tools a request may carry; `undefined`: no limit known. */
	readonly maxTools: number | undefined;
	/** Streams one answer. Throws what the provider throws; ends early when `signal` aborts. */
	stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatModelEvent>;
}
