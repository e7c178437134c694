import type { ResultContent } from '../../discovery/catalog/tool.ts';

// What a server has beside tools: resources, templates of their addresses, and prompts. Texts are as the server sent them, bounded.

/** What is shown of an entry. */
export interface Described {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
}

/** What a server says that it has beside tools. */
export interface Offers {
	readonly resources: boolean;
	readonly prompts: boolean;
	/** Whether it completes arguments of prompts and of templates. */
	readonly completions: boolean;
}

/** An argument that is being typed, of a prompt or of a template of addresses. */
export interface CompletionRequest {
	readonly of: { readonly prompt: string } | { readonly template: string };
	readonly argument: string;
	/** What is typed of it. */
	readonly value: string;
	/** Arguments that are filled in already. */
	readonly others: Readonly<Record<string, string>>;
}

export interface Resource extends Described {
	readonly uri: string;
	readonly mimeType?: string;
	/** In bytes. */
	readonly size?: number;
}

/** Addresses by a pattern, such as `file:///{path}` (RFC 6570). */
export interface ResourceTemplate extends Described {
	readonly uriTemplate: string;
	readonly mimeType?: string;
}

export interface ServerResources {
	readonly resources: readonly Resource[];
	readonly templates: readonly ResourceTemplate[];
	/** Why these may not be all. */
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
	/** Why these may not be all. */
	readonly cutShort?: string;
}

/** One part of a resource: its text, or its bytes as base64. */
export type ResourceContents = { readonly uri: string; readonly mimeType?: string } & (
	| { readonly text: string }
	| { readonly blob: string }
);

/** What a prompt comes to: messages for the chat. */
export interface PromptMessages {
	readonly description?: string;
	readonly messages: readonly {
		readonly role: 'user' | 'assistant';
		readonly content: readonly ResultContent[];
	}[];
}
