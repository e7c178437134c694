import { stem } from '../search/words/analyzer.ts';
import { tokenize } from '../search/words/tokenizer.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { tellingWords } from './hintWords.ts';
import type { Question } from './questions.ts';

/** Lines that are tried at most. */
const mostLines = 20;

/**
 * Lines of synonyms that may mend several queries: a word that they have in common, and one that the names of their tools have in common,
 * as `fracas => incident`. Those of most queries first.
 */
export function synonymCandidates(misses: readonly Question[], surface: ToolSurface): string[] {
	/** By what the index makes of both words, which is the same for `incident` and `incidents`. */
	const lines = new Map<string, { readonly line: string; readonly queries: number }>();
	for (const { labelled, needs } of misses) {
		const names = wordsOfNames(needs, surface);
		for (const word of tellingWords(labelled.query)) {
			for (const [term, name] of names) {
				if (term === stem(word)) continue;
				const key = `${stem(word)} => ${term}`;
				const { line, queries } = lines.get(key) ?? { line: `${word} => ${name}`, queries: 0 };
				lines.set(key, { line, queries: queries + 1 });
			}
		}
	}
	return [...lines.values()]
		.filter(({ queries }) => queries > 1)
		.sort((a, b) => b.queries - a.queries)
		.slice(0, mostLines)
		.map(({ line }) => line);
}

/** Words of the names of tools, by their term. */
function wordsOfNames(needs: Question['needs'], surface: ToolSurface): ReadonlyMap<string, string> {
	const tools = needs.flatMap((need) => [...need].flatMap((name) => surface.get(name) ?? []));
	return new Map(tools.flatMap(({ name }) => tokenize(name)).map((word) => [stem(word), word]));
}
