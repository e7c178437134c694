import type { ChatMessage } from '../../discovery/catalog/message.ts';
import type { ResultContent } from '../../discovery/catalog/tool.ts';

export interface OfferedPrompt {
	readonly server: string;
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly arguments: readonly {
		readonly name: string;
		readonly description?: string;
		readonly required: boolean;
	}[];
}

export type PromptParts = readonly {
	readonly role: 'user' | 'assistant';
	readonly content: readonly ResultContent[];
}[];

/** Where prompts come from, and where their messages go. Errors of servers are shown unchanged. */
export interface PromptSource {
	/** Names of servers that can have prompts. */
	readonly servers: readonly string[];
	/** The prompts of one server, which is started if necessary, or of all running servers. */
	list(server?: string): Promise<readonly OfferedPrompt[]>;
	/** Lets the user choose one; `undefined` if they cancel. */
	choose(prompts: readonly OfferedPrompt[]): Promise<OfferedPrompt | undefined>;
	/** Lets the user fill in the arguments; `undefined` if they cancel. */
	fill(prompt: OfferedPrompt): Promise<Readonly<Record<string, string>> | undefined>;
	messages(prompt: OfferedPrompt, args: Readonly<Record<string, string>>): Promise<PromptParts>;
	/** Adds the messages before the user's next message. */
	put(prompt: OfferedPrompt, messages: readonly ChatMessage[]): void;
}
