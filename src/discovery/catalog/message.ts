import type { ImageContent, ToolDefinition, ToolResult } from './tool.ts';

/** A model's wish to call a tool. `input` is what the model wrote, not yet checked against any schema. */
export interface ToolCall {
	/** One of ours, see `src/models/callIds.ts`: unique within a conversation, whatever the provider called it; pairs the call with its result. */
	readonly id: string;
	/** Wire name of the tool. */
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
	/** Why `input`, then empty, is not what the model wrote, as a sentence; such a call is answered and not run. */
	readonly fault?: string;
}

/**
 * What the model that made a part wants back with it: its signature, its id, its own form of a thought. Nobody else gets it.
 */
export interface Origin {
	/** Who made the part; see `Thinker` of the adapters. */
	readonly by: string;
	/** Plain JSON. Only the adapter that wrote it reads it. */
	readonly data: unknown;
}

/** One part of an answer. A stream brings it in pieces of the same form, see `addPart` of the adapters. */
export type AnswerPart =
	| { readonly type: 'text'; readonly text: string; readonly origin?: Origin }
	/** What the model thinks on the way; no part of what it says. */
	| { readonly type: 'thinking'; readonly text: string; readonly origin?: Origin }
	| { readonly type: 'toolCall'; readonly call: ToolCall; readonly origin?: Origin };

/** What the user said. */
export interface UserMessage {
	readonly role: 'user';
	readonly text: string;
	readonly images?: readonly ImageContent[];
	/** Texts that the user has attached, as data; sent before the text. */
	readonly attached?: string;
	/** What the model is to know besides, and the user has not said; sent behind the text. */
	readonly news?: string;
}

/** One message of a conversation. An assistant's calls are answered by the `tool` message that follows it. */
export type ChatMessage =
	| UserMessage
	| {
			readonly role: 'assistant';
			/** In the order in which the model gave them. */
			readonly parts: readonly AnswerPart[];
	  }
	| { readonly role: 'tool'; readonly results: readonly ToolCallResult[] };

/** What a user's message says to a model, attachments and news included. */
export function userText({ text, attached, news }: UserMessage): string {
	const note = news === undefined ? '' : `[Note, not by the user:\n${news}]`;
	return [attached, text, note].filter(Boolean).join('\n\n');
}

/** A result with the id of the call that it answers. */
export interface ToolCallResult {
	readonly callId: string;
	readonly result: ToolResult;
	/** What a search has loaded, where the provider takes definitions in a result; see `ChatRequest.searchTool`. */
	readonly loaded?: readonly ToolDefinition[];
	/** Servers whose text it holds; absent where all of it is ours. */
	readonly from?: readonly string[];
}
