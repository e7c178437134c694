import bm25 from 'wink-bm25-text-search';
import words from 'wink-nlp-utils';
import { documentsOf, type Peer, toolsAt } from './contender.ts';

/**
 * wink-bm25-text-search with wink-nlp-utils, as in its README until version 3.0.1: lower case, words, stop words, stems,
 * negations. (Today's README does the same with a language model.) Both fields have the same weight, because the example's
 * weights are made for articles.
 */
export const winkSearch: Peer = {
	name: 'wink-bm25',
	index(tools) {
		const engine = bm25();
		engine.defineConfig({ fldWeights: { name: 1, description: 1 } });
		engine.definePrepTasks([
			words.string.lowerCase,
			words.string.tokenize0,
			words.tokens.removeWords,
			words.tokens.stem,
			words.tokens.propagateNegations,
		]);
		for (const document of documentsOf(tools)) engine.addDoc(document, document.id);
		engine.consolidate();
		return (query, limit) =>
			toolsAt(
				tools,
				engine.search(query, limit).map(([id]) => Number(id)),
			);
	},
};
