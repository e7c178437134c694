import links from './asked/links.json' with { type: 'json' };

/** A term that tools may have where a person says a word. */
export interface LikelyTerm {
	readonly term: string;
	/** How surely, relative to the word itself; a synonym has 0.5. */
	readonly strength: number;
}

/** Steps of a strength that the file distinguishes. */
export const STRENGTHS = 10;

/** By term: terms of tools, each followed by its strength. */
const packed: ReadonlyMap<string, string> = new Map(Object.entries(links));

/** What people's words may stand for in tools, by term. Learned by `scripts/personWords`; what the thesaurus has is not in it. */
export function likelyTerms(word: string): readonly LikelyTerm[] {
	const parts = (packed.get(word) ?? '').split(' ');
	const terms: LikelyTerm[] = [];
	for (let i = 0; i + 1 < parts.length; i += 2)
		terms.push({ term: parts[i] as string, strength: Number(parts[i + 1]) / STRENGTHS });
	return terms;
}
