/** Something that past chats speak for, which the user can take with a click. Plain JSON. */
export type Suggestion = {
	/** The same for the same advice, so that it is not given again once it was dismissed. */
	readonly id: string;
	readonly server: string;
	/** Why, in a sentence for people, such as `Used in 8 of 10 chats.` */
	readonly why: string;
	/** Estimated tokens of definitions: what a request has more once it is taken (`pin`), or less (`defer`). */
	readonly tokens: number;
} & (
	| { readonly kind: 'pin'; readonly tool: string }
	/** Without `tool`: the whole server. */
	| { readonly kind: 'defer'; readonly tool?: string }
);

/** Whoever knows what past chats speak for. */
export interface SuggestionSource {
	readonly onDidChange: (listener: () => void) => { dispose(): void };
	/** The best first. */
	readonly suggestions: () => readonly Suggestion[];
	readonly take: (suggestion: Suggestion) => Promise<void>;
	/** Never again. */
	readonly dismiss: (suggestion: Suggestion) => Promise<void>;
}
