import * as l10n from '@vscode/l10n';
import type { Suggestion } from '../../../discovery/habits/suggestion.ts';
import { requestButton } from './button.ts';
import { element } from './element.ts';
import { short } from './numbers.ts';

/** What past chats speak for; nothing where they speak for nothing. */
export function suggestionSection(suggestions: readonly Suggestion[]): HTMLElement | undefined {
	if (suggestions.length === 0) return undefined;
	return element(
		'section',
		{ 'data-key': 'suggestions', 'aria-labelledby': 'suggestions-title' },
		element('h2', { id: 'suggestions-title', tabindex: -1 }, l10n.t('Suggestions')),
		element('ul', { class: 'suggestions' }, ...suggestions.map(item)),
	);
}

/** What is said of a suggestion. */
interface SuggestionWords {
	readonly button: string;
	/** `Pin files:read`. */
	readonly title: string;
	readonly dismiss: string;
	/** Why, and what it comes to. */
	readonly why: string;
}

export function suggestionWords({ kind, server, tool, why, tokens }: Suggestion): SuggestionWords {
	const subject = tool === undefined ? server : `${server}:${tool}`;
	switch (kind) {
		case 'pin':
			return {
				button: l10n.t('Pin'),
				title: l10n.t('Pin {0}', subject),
				dismiss: l10n.t('Dismiss: Pin {0}', subject),
				why: `${why} ${l10n.t('Pinning costs ≈{0} tokens a request.', short(tokens))}`,
			};
		case 'defer':
			return {
				button: l10n.t('Defer'),
				title: l10n.t('Defer {0}', subject),
				dismiss: l10n.t('Dismiss: Defer {0}', subject),
				why: `${why} ${l10n.t('Deferring saves ≈{0} tokens a request.', short(tokens))}`,
			};
	}
}

function item(suggestion: Suggestion): HTMLElement {
	const { id } = suggestion;
	const { button, title, dismiss, why } = suggestionWords(suggestion);
	return element(
		'li',
		{ class: 'card', 'data-key': id },
		element('div', {}, element('strong', {}, title), element('p', { class: 'note' }, why)),
		element(
			'span',
			{ class: 'buttons' },
			requestButton({ kind: 'take', id }, button, { 'aria-label': title }),
			requestButton({ kind: 'dismiss', id }, l10n.t('Dismiss'), {
				class: 'secondary',
				'aria-label': dismiss,
				'data-key': 'dismiss',
			}),
		),
	);
}
