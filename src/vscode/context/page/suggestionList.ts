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
		element('h2', { id: 'suggestions-title', tabindex: -1 }, 'Suggestions'),
		element('ul', { class: 'suggestions' }, ...suggestions.map(item)),
	);
}

/** `Pin files:read`, with why, and what it comes to. */
export function suggestionWords(suggestion: Suggestion): {
	readonly button: string;
	readonly subject: string;
	readonly why: string;
} {
	const { kind, server, tool, why, tokens } = suggestion;
	const price = kind === 'pin' ? `costs ≈${short(tokens)}` : `saves ≈${short(tokens)}`;
	return {
		button: kind === 'pin' ? 'Pin' : 'Defer',
		subject: tool === undefined ? server : `${server}:${tool}`,
		why: `${why} ${kind === 'pin' ? 'Pinning' : 'Deferring'} ${price} tokens a request.`,
	};
}

function item(suggestion: Suggestion): HTMLElement {
	const { id } = suggestion;
	const { button, subject, why } = suggestionWords(suggestion);
	return element(
		'li',
		{ class: 'card', 'data-key': id },
		element('div', {}, element('strong', {}, `${button} ${subject}`), element('p', { class: 'note' }, why)),
		element(
			'span',
			{ class: 'buttons' },
			requestButton({ kind: 'take', id }, button, { 'aria-label': `${button} ${subject}` }),
			requestButton({ kind: 'dismiss', id }, 'Dismiss', {
				class: 'secondary',
				'aria-label': `Dismiss: ${button} ${subject}`,
				'data-key': 'dismiss',
			}),
		),
	);
}
