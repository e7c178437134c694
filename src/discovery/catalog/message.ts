import type { ImageContent, ToolDefinition, ToolResult } from './tool.ts';

/** A model's request to call a tool. `input` is what the model wrote, not validated. */
export interface ToolCall {
	/** Our own id, see `src/models/callIds.ts`: unique in a conversation; pairs the call with its result. */
	readonly id: string;
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
	/** Why the model's input could not be read, as a sentence; `input` is then empty. The call is answered and not run. */
	readonly fault?: string;
}

/** What a provider wants back with a part: signature, id, its own form of a thought. Sent to that provider only. */
export interface Origin {
	/** The provider, see `Thinker` of the adapters. */
	readonly by: string;
	/** Plain JSON, read only by the adapter that wrote it. */
	readonly data: unknown;
}

/** A part of an answer. Streams deliver parts in pieces of the same form, see `Answer.say`. */
export type AnswerPart =
	| { readonly type: 'text'; readonly text: string; readonly origin?: Origin }
	/** The model's thinking, not part of its reply. */
	| { readonly type: 'thinking'; readonly text: string; readonly origin?: Origin }
	| { readonly type: 'toolCall'; readonly call: ToolCall; readonly origin?: Origin };

/** What the user said. */
export interface UserMessage {
	readonly role: 'user';
	readonly text: string;
	readonly images?: readonly ImageContent[];
	/** Text attached by the user, as data; sent before the message. */
	readonly attached?: string;
	/** Notes from us rather than the user; sent after the message. */
	readonly news?: string;
	/** See {@link AddedTools}. */
	readonly added?: AddedTools;
}

/** Tools that joined a conversation after this message, for providers that take them there; see `ChatRequest.tools`. */
export type AddedTools = readonly ToolDefinition[];

/** A message of a conversation. The `tool` message after an assistant's message answers its calls. */
export type ChatMessage =
	| UserMessage
	| {
			readonly role: 'assistant';
			/** In the model's order. */
			readonly parts: readonly AnswerPart[];
	  }
	| { readonly role: 'tool'; readonly results: readonly ToolCallResult[]; readonly added?: AddedTools };

/** The message as a model reads it, with attachments and notes. */
export function userText({ text, attached, news }: UserMessage): string {
	const note = news === undefined ? '' : `[Note, not by the user:\n${news}]`;
	return [attached, text, note].filter(Boolean).join('\n\n');
}

/** A result with the id of the call that it answers. */
export interface ToolCallResult {
	readonly callId: string;
	readonly result: ToolResult;
	/** Definitions of loaded tools, for providers that accept them in a result; see `ChatRequest.searchTool`. */
	readonly loaded?: readonly ToolDefinition[];
	/** Servers whose text the result contains; absent: all text is ours. */
	readonly from?: readonly string[];
}
