import * as l10n from '@vscode/l10n';
import { shownTokens } from '../../chat/counts.ts';
import { oneLine } from '../../common/text.ts';
import type { Proposal } from '../../discovery/habits/rules.ts';

interface SuggestionLabels {
	/** `Pin`: for a button beside the title. */
	readonly button: string;
	/** `Pin files:read`. */
	readonly title: string;
	/** `Dismiss: Pin files:read`, for a screen reader. */
	readonly dismiss: string;
	/** Why, and how many tokens it costs or saves, as sentences. */
	readonly sentence: string;
}

export function suggestionLabels(suggestion: Proposal): SuggestionLabels {
	const { kind, server, tool, tokens } = suggestion;
	const why = reason(suggestion);
	const subject = oneLine(tool === undefined ? server : `${server}:${tool}`, 100);
	const price = shownTokens(tokens);
	switch (kind) {
		case 'pin':
			return {
				button: l10n.t('Pin'),
				title: l10n.t('Pin {0}', subject),
				dismiss: l10n.t('Dismiss: Pin {0}', subject),
				sentence: l10n.t('{0} Pinning it adds {1} per request.', why, price),
			};
		case 'defer':
			return {
				button: l10n.t('Defer'),
				title: l10n.t('Defer {0}', subject),
				dismiss: l10n.t('Dismiss: Defer {0}', subject),
				sentence: l10n.t('{0} Deferring it saves {1} per request.', why, price),
			};
	}
}

/** `Used in 8 of 10 chats.` */
function reason({ kind, why }: Proposal): string {
	if (kind === 'pin') return l10n.t('Used in {0} of {1} chats.', why.used, why.chats);
	const { chats, tools } = why;
	if (tools === undefined) return l10n.t('Not used in {0} chats.', chats);
	return tools === 1
		? l10n.t('Its only tool was not used in {0} chats.', chats)
		: l10n.t('None of its {0} tools was used in {1} chats.', tools, chats);
}

/** Finds the suggestion for a server or a tool. */
export function suggestionOn(
	suggestions: readonly Proposal[],
): (server: string, tool?: string) => { readonly advice?: string } {
	return (server, tool) => {
		const about = suggestions.find((one) => one.server === server && one.tool === tool);
		if (!about) return {};
		const { sentence } = suggestionLabels(about);
		return {
			advice:
				about.kind === 'pin'
					? l10n.t('Suggestion: pin it. {0}', sentence)
					: l10n.t('Suggestion: defer it. {0}', sentence),
		};
	};
}
