// The part that is used here of two packages that have no types.

declare module 'wink-bm25-text-search' {
	interface Engine {
		defineConfig(config: { readonly fldWeights: Readonly<Record<string, number>> }): void;
		/** The first takes a text, each other what the one before it gave; the last gives tokens. */
		definePrepTasks(tasks: readonly ((input: never) => string | string[])[]): void;
		addDoc(document: object, id: number): void;
		/** Nothing can be added afterwards. Throws where there are fewer than three documents. */
		consolidate(): void;
		/** Best first; ids come back as texts. */
		search(text: string, limit: number): [id: string, score: number][];
	}

	function bm25(): Engine;
	export = bm25;
}

declare module 'wink-nlp-utils' {
	const utilities: {
		readonly string: {
			lowerCase(text: string): string;
			tokenize0(text: string): string[];
		};
		readonly tokens: {
			removeWords(tokens: string[]): string[];
			stem(tokens: string[]): string[];
			propagateNegations(tokens: string[]): string[];
		};
	};
	export = utilities;
}
