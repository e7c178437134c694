// The used parts of two packages without types.

declare module 'wink-bm25-text-search' {
	interface Engine {
		defineConfig(config: { readonly fldWeights: Readonly<Record<string, number>> }): void;
		/** The first function takes a text, each later one the previous result. The last one returns tokens. */
		definePrepTasks(tasks: readonly ((input: never) => string | string[])[]): void;
		addDoc(document: object, id: number): void;
		/** Nothing can be added afterwards. Throws for fewer than three documents. */
		consolidate(): void;
		/** Best first. Ids are returned as strings. */
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
