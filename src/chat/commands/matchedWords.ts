import * as l10n from '@vscode/l10n';
import { code } from '../../common/markdown.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';

/** The part of a tool in which a word was found. */
function placeOf(field: WordMatch['field']): string {
	switch (field) {
		case 'name':
			return l10n.t('name');
		case 'title':
			return l10n.t('title');
		case 'hint':
			return l10n.t('search hint');
		case 'server':
			return l10n.t('server');
		case 'summary':
		case 'description':
			return l10n.t('description');
		case 'parameters':
		case 'details':
			return l10n.t('parameters');
		case 'instructions':
			return l10n.t('server’s description');
		case 'expansion':
			return l10n.t('known as');
		case 'use':
			return l10n.t('from your chats');
	}
}

/** Why a tool was found: `create, event (name); meeting → event (description)`; empty if no word explains it. `show` is applied to the words. */
export function matchedWords(matches: readonly WordMatch[], show: (text: string) => string): string {
	const byPlace = Map.groupBy(matches, ({ field }) => placeOf(field));
	const parts = [...byPlace].map(([place, matchesThere]) => {
		const words = matchesThere.filter((match) => !matchesThere.some((other) => isPart(match, other)));
		const labels = words.map(({ word, as }) =>
			as === undefined ? show(word) : `${show(word)} → ${show(as)}`,
		);
		return `${[...new Set(labels)].join(', ')} (${place})`;
	});
	return parts.join('; ');
}

/** Whether a longer phrase already contains a word. */
function isPart({ word }: WordMatch, { word: phrase }: WordMatch): boolean {
	return phrase !== word && phrase.split(' ').includes(word);
}

/** Names tools that match, but whose changes the user must review first. */
export function waitingLine(tools: readonly CatalogTool[]): string {
	const names = tools.map(({ id }) => code(id)).join(', ');
	return tools.length === 1
		? l10n.t('{0} matches, but its change needs your approval', names)
		: l10n.t('{0} match, but their changes need your approval', names);
}
