import * as l10n from '@vscode/l10n';
import { dollars } from '../../../chat/counts.ts';
import type { NamedTools } from '../../../discovery/journal/timeline.ts';
import { loadReason } from '../../loaded/loadReasons.ts';
import { callCount, toolCount } from './counts.ts';
import { duration, short, whole } from './numbers.ts';
import type { TurnEvent } from './turns.ts';

/** What an entry of the timeline says. */
export interface EventWords {
	readonly what: string;
	/** More of it, which is less important. */
	readonly detail?: string;
}

/** An entry in words for people. */
export function eventWords(entry: TurnEvent): EventWords {
	switch (entry.kind) {
		case 'request':
			return requestWords(entry);
		case 'search':
			return {
				what: entry.words === '' ? l10n.t('Searched the tools') : l10n.t('Searched “{0}”', entry.words),
				detail: entry.fault ?? found(entry.found),
			};
		case 'load':
			return { what: l10n.t('Loaded {0}', listed(entry.tools)), detail: reasonOf(entry) };
		case 'evict':
			return { what: l10n.t('Unloaded {0}', listed(entry.tools)), detail: l10n.t('to make room') };
		case 'unload':
			return { what: l10n.t('Unloaded {0}', listed(entry.tools)), detail: l10n.t('by you') };
		case 'call':
			return { what: l10n.t('Called {0}', entry.tool), detail: outcome(entry) };
		case 'agent':
			return {
				what: l10n.t('Agent {0}: “{1}”', entry.agent, entry.task),
				detail: `${callCount(entry.calls)}, ${outcome(entry)}`,
			};
		case 'failure':
			return { what: l10n.t('The turn ended early'), detail: entry.message };
	}
}

/** Some names, and how many more there are. */
export function listed({ names, count }: NamedTools): string {
	const more = count - names.length;
	return more > 0 ? l10n.t('{0} and {1} more', names.join(', '), more) : names.join(', ');
}

function requestWords({ tools, tokens, measured }: TurnEvent & { kind: 'request' }): EventWords {
	const what = l10n.t(
		'Asked the model with {0}, ≈{1} tokens of definitions',
		toolCount(tools),
		short(tokens),
	);
	if (!measured) return { what };
	const { inputTokens, cachedInputTokens: cached = 0, outputTokens } = measured;
	const [input, output] = [whole(inputTokens), whole(outputTokens)];
	const detail =
		cached > 0
			? l10n.t('measured: {0} tokens in ({1} from the cache), {2} out', input, whole(cached), output)
			: l10n.t('measured: {0} tokens in, {1} out', input, output);
	return { what, detail: measured.usd === undefined ? detail : `${detail}, ${dollars(measured.usd)}` };
}

function found(tools: NamedTools): string {
	return tools.count === 0 ? l10n.t('found nothing') : l10n.t('found {0}', listed(tools));
}

function outcome({ ms, failed }: { readonly ms: number; readonly failed: boolean }): string {
	return failed ? l10n.t('failed after {0}', duration(ms)) : duration(ms);
}

function reasonOf({ reason, words }: TurnEvent & { kind: 'load' }): string {
	return loadReason({ reason, ...(words !== undefined && { words }) }).short;
}
