import type { ResultContent } from '../../discovery/catalog/tool.ts';

// What a server has besides tools: resources, resource templates, and prompts. Texts come from the server, cut to limits.

export interface Described {
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

export interface Resource extends Described {
	readonly uri: string;
	readonly mimeType?: string;
	/** In bytes. */
	readonly size?: number;
}

/** A pattern for addresses, such as `file:///{path}` (RFC 6570). */
export interface ResourceTemplate extends Described {
	readonly uriTemplate: string;
	readonly mimeType?: string;
}

export interface ServerResources {
	readonly resources: readonly Resource[];
	readonly templates: readonly ResourceTemplate[];
	/** Why the list may be incomplete. */
	readonly cutShort?: string;
}

export interface PromptArgument extends Described {
	readonly required: boolean;
}

export interface Prompt extends Described {
	readonly arguments: readonly PromptArgument[];
}

export interface ServerPrompts {
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
	readonly description?: string;
	readonly messages: readonly {
		readonly role: 'user' | 'assistant';
		readonly content: readonly ResultContent[];
	}[];
}
