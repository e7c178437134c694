import type { Activation } from '../../discovery/activationSet.ts';
import { oneLine } from '../../discovery/text.ts';

/** Why a chat has loaded a tool, in words for people. */
export interface LoadReason {
	/** A few words, for a row. */
	readonly short: string;
	/** Half a sentence, for a tooltip. */
	readonly long: string;
}

/** Characters of searched words that a row and a tooltip have room for. */
const shortWords = 40;
const longWords = 200;

/** By {@link Activation.reason}. Not by its type: an older version reads what a newer one has kept of a chat. */
const reasons: Readonly<Record<string, LoadReason>> = {
	search: { short: 'searched', long: 'it was found by a search' },
	name: { short: 'by name', long: 'the model asked for it by its name' },
	server: { short: 'with its server', long: 'the model asked for all tools of its server' },
	user: { short: 'by you', long: 'you loaded it' },
	call: { short: 'called', long: 'the model called it without a search' },
	prefetch: {
		short: 'prefetched',
		long: 'it fits your message, so it was loaded before the model was asked',
	},
	reference: { short: 'referenced', long: 'your message refers to it' },
};

const unknownReason: LoadReason = { short: 'loaded', long: 'the last used chat has loaded it' };

/** Why a chat has loaded a tool, with the words that it was found by where there are some. */
export function loadReason({
	reason,
	words = '',
}: Pick<Activation, 'words'> & { readonly reason: string }): LoadReason {
	const { short, long } = (Object.hasOwn(reasons, reason) && reasons[reason]) || unknownReason;
	const shown = oneLine(words, shortWords);
	return shown === ''
		? { short, long }
		: { short: `${short}: “${shown}”`, long: `${long} (“${oneLine(words, longWords)}”)` };
}
