import type { ResultContent } from '../../discovery/catalog/tool.ts';

// What a server has besides tools: resources, resource templates, and prompts. Texts come from the server, cut to limits.

export interface NamedEntry {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
}

/** What a server declares besides tools. */
export interface Offers {
	readonly resources: boolean;
	readonly prompts: boolean;
	/** Whether it completes arguments of prompts and templates. */
	readonly completions: boolean;
}

/** A request to complete an argument of a prompt or template. */
export interface CompletionRequest {
	readonly of: { readonly prompt: string } | { readonly template: string };
	readonly argument: string;
	/** What has been typed so far. */
	readonly value: string;
	/** Arguments that are already filled in. */
	readonly others: Readonly<Record<string, string>>;
}

export interface Resource extends NamedEntry {
	readonly uri: string;
	readonly mimeType?: string;
	/** In bytes. */
	readonly size?: number;
}

/** A pattern for addresses, such as `file:///{path}` (RFC 6570). */
export interface ResourceTemplate extends NamedEntry {
	readonly uriTemplate: string;
	readonly mimeType?: string;
}

export interface ResourceList {
	readonly resources: readonly Resource[];
	readonly templates: readonly ResourceTemplate[];
	/** Why the list may be incomplete. */
	readonly cutShort?: string;
}

export interface PromptArgument extends NamedEntry {
	readonly required: boolean;
}

export interface Prompt extends NamedEntry {
	readonly arguments: readonly PromptArgument[];
}

export interface PromptList {
	readonly prompts: readonly Prompt[];
	/** Why the list may be incomplete. */
	readonly cutShort?: string;
}

/** One part of a resource: text, or bytes as base64 that are none. */
export type ResourceContents = { readonly uri: string; readonly mimeType?: string } & (
	| { readonly text: string }
	| { readonly blob: string }
);

/** A prompt as messages for the chat. */
export interface PromptMessages {
	readonly messages: readonly {
		readonly role: 'user' | 'assistant';
		readonly content: readonly ResultContent[];
	}[];
}
