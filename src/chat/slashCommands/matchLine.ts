import { plain } from '../../discovery/markdown.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';

/** Characters of a word that is shown. */
const wordLimit = 60;

/** Where a tool has a word, as people say it. */
const places: Readonly<Record<WordMatch['field'], string>> = {
	name: 'name',
	title: 'title',
	hint: 'search hint',
	server: 'server',
	summary: 'description',
	description: 'description',
	parameters: 'parameters',
	details: 'parameters',
	instructions: 'server’s description',
};

/** Why a tool was found, in Markdown: `*create, event (name); meeting → event (description)*`; empty where no word tells. */
export function matchLine(matches: readonly WordMatch[]): string {
	const words = matchedWords(matches, (text) => plain(text, wordLimit));
	return words ? `*${words}*` : '';
}

/** The same, with the words as `show` gives them. */
export function matchedWords(matches: readonly WordMatch[], show: (text: string) => string): string {
	const byPlace = Map.groupBy(matches, ({ field }) => places[field]);
	const parts = [...byPlace].map(([place, its]) => {
		const words = its.filter((match) => !its.some((other) => isPart(match, other)));
		const shown = words.map(({ word, as }) =>
			as === undefined ? show(word) : `${show(word)} → ${show(as)}`,
		);
		return `${[...new Set(shown)].join(', ')} (${place})`;
	});
	return parts.join('; ');
}

/** Whether a word is told by a longer phrase already. */
function isPart({ word }: WordMatch, { word: phrase }: WordMatch): boolean {
	return phrase !== word && phrase.split(' ').includes(word);
}
