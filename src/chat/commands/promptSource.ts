import type { ChatMessage } from '../../discovery/catalog/message.ts';
import type { ResultContent } from '../../discovery/catalog/tool.ts';

/** A prompt that a server offers. */
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
	/** It is not what the user has accepted, and waits for that. */
	readonly hasChanged: boolean;
}

/** Messages that a prompt comes to. */
export type PromptParts = readonly {
	readonly role: 'user' | 'assistant';
	readonly content: readonly ResultContent[];
}[];

/** Where prompts come from, and where their messages go. What servers reject with is told as it is. */
export interface PromptSource {
	/** Servers that can have prompts, by name. */
	readonly servers: readonly string[];
	/** Prompts of one server, which is started for it, or of all that run. */
	list(server?: string): Promise<readonly OfferedPrompt[]>;
	/** Has the user choose one; `undefined`: given up. */
	choose(prompts: readonly OfferedPrompt[]): Promise<OfferedPrompt | undefined>;
	/** Has the user fill in the arguments; `undefined`: given up. */
	fill(prompt: OfferedPrompt): Promise<Readonly<Record<string, string>> | undefined>;
	messages(prompt: OfferedPrompt, args: Readonly<Record<string, string>>): Promise<PromptParts>;
	/** The messages go to the model before what the user says next. */
	put(prompt: OfferedPrompt, messages: readonly ChatMessage[]): void;
}
