import type { Suggestion } from '../../discovery/habits/suggestion.ts';
import { oneLine } from '../../discovery/text.ts';
import { shortNumber } from '../servers/treeRows.ts';

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
	const price = `≈${shortNumber(tokens)} tokens`;
	return {
		title: `${kind === 'pin' ? 'Pin' : 'Defer'} ${subject}`,
		sentence:
			kind === 'pin'
				? `${why} Pinning it adds ${price} to each request.`
				: `${why} Deferring it saves ${price} with each request.`,
	};
}

/** Tells what is suggested for a server, or for one of its tools. */
export function adviceOn(
	suggestions: readonly Suggestion[],
): (server: string, tool?: string) => { readonly advice?: string } {
	return (server, tool) => {
		const about = suggestions.find((one) => one.server === server && one.tool === tool);
		return about ? { advice: `Suggestion: ${about.kind} it. ${suggestionWords(about).sentence}` } : {};
	};
}
