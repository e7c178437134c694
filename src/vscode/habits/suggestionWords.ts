import * as l10n from '@vscode/l10n';
import type { Suggestion } from '../../discovery/habits/suggestion.ts';
import { oneLine } from '../../discovery/text.ts';
import { shownTokens } from '../servers/tokenWords.ts';

/** A suggestion for people. */
export interface SuggestionWords {
	/** `Pin files:read`, on a button. */
	readonly title: string;
	/** Why, and what it comes to; sentences. */
	readonly sentence: string;
}

/** What is said of a suggestion where it can be taken. */
export function suggestionWords({ kind, server, tool, why, tokens }: Suggestion): SuggestionWords {
	const subject = oneLine(tool === undefined ? server : `${server}:${tool}`, 100);
	const price = shownTokens(tokens);
	switch (kind) {
		case 'pin':
			return {
				title: l10n.t('Pin {0}', subject),
				sentence: l10n.t('{0} Pinning it adds {1} to each request.', why, price),
			};
		case 'defer':
			return {
				title: l10n.t('Defer {0}', subject),
				sentence: l10n.t('{0} Deferring it saves {1} with each request.', why, price),
			};
	}
}

/** Tells what is suggested for a server, or for one of its tools. */
export function adviceOn(
	suggestions: readonly Suggestion[],
): (server: string, tool?: string) => { readonly advice?: string } {
	return (server, tool) => {
		const about = suggestions.find((one) => one.server === server && one.tool === tool);
		if (!about) return {};
		const { sentence } = suggestionWords(about);
		return {
			advice:
				about.kind === 'pin'
					? l10n.t('Suggestion: pin it. {0}', sentence)
					: l10n.t('Suggestion: defer it. {0}', sentence),
		};
	};
}
