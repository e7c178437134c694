import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { SuggestionSource } from '../../discovery/habits/suggestion.ts';
import { plain } from '../../discovery/markdown.ts';
import { suggestionWords } from '../habits/suggestionWords.ts';
import { commands } from '../ids.ts';

/** An answer offers the best; the context page has them all. */
const offeredSuggestions = 3;

/** Says at the end of an answer what past chats speak for, each with a button that does it. */
export function offerSuggestions(
	source: SuggestionSource,
	stream: Pick<vscode.ChatResponseStream, 'markdown' | 'button'>,
): void {
	const suggestions = source.suggestions().slice(0, offeredSuggestions);
	if (suggestions.length > 0) {
		stream.markdown(`\n\n${l10n.t('**Suggestions** from your past chats:')}`);
	}
	for (const suggestion of suggestions) {
		const { title, sentence } = suggestionWords(suggestion);
		stream.markdown(`\n\n${l10n.t('{0}: {1}', plain(title), plain(sentence))}`);
		stream.button({ command: commands.takeSuggestion, title, arguments: [suggestion.id] });
	}
}
