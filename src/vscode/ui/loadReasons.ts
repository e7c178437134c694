import * as l10n from '@vscode/l10n';
import { oneLine } from '../../common/text.ts';
import type { Activation } from '../../discovery/session/activations.ts';

interface LoadReason {
	/** A few words, for a row. */
	readonly short: string;
	/** Half a sentence, for a tooltip. */
	readonly long: string;
}

/** Characters of search words in a row and in a tooltip. */
const shortWords = 40;
const longWords = 200;

/** `reason`: of {@link Activation}, or unknown in a chat that a newer version has stored. `hasWords`: a search has named the tool. */
function reasonWords(reason: string, hasWords: boolean): LoadReason {
	switch (reason) {
		case 'search':
			return { short: l10n.t('found'), long: l10n.t('it was found by a search') };
		case 'name':
			return hasWords
				? {
						short: l10n.t('found'),
						long: l10n.t('a search found it, then the model asked for it by its name'),
					}
				: { short: l10n.t('by name'), long: l10n.t('the model asked for it by its name') };
		case 'server':
			return {
				short: l10n.t('with its server'),
				long: l10n.t('the model asked for all tools of this server'),
			};
		case 'user':
			return { short: l10n.t('by you'), long: l10n.t('you loaded it') };
		case 'call':
			return { short: l10n.t('called'), long: l10n.t('the model called it without a search') };
		case 'prefetch':
			return {
				short: l10n.t('preloaded'),
				long: l10n.t('it matches your message, so it was loaded before the model was asked'),
			};
		case 'reference':
			return { short: l10n.t('named by you'), long: l10n.t('your message names it') };
		default:
			return { short: l10n.t('loaded'), long: l10n.t('in the last used chat') };
	}
}

/** Why a chat has loaded a tool, with the words of the search, if any. */
export function loadReason({
	reason,
	words = '',
}: Pick<Activation, 'words'> & { readonly reason: string }): LoadReason {
	const shownWords = oneLine(words, shortWords);
	const { short, long } = reasonWords(reason, shownWords !== '');
	if (shownWords === '') return { short, long };
	return {
		short: l10n.t('{0}: “{1}”', short, shownWords),
		long: l10n.t('{0} (“{1}”)', long, oneLine(words, longWords)),
	};
}
