import type { NamedTools } from '../../../discovery/journal/timeline.ts';
import { loadReason } from '../../loaded/loadReasons.ts';
import { counted, duration, short, whole } from './numbers.ts';
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
				what: entry.words === '' ? 'Searched the tools' : `Searched “${entry.words}”`,
				detail: entry.fault ?? found(entry.found),
			};
		case 'load':
			return { what: `Loaded ${listed(entry.tools)}`, detail: reasonOf(entry) };
		case 'evict':
			return { what: `Unloaded ${listed(entry.tools)}`, detail: 'to make room' };
		case 'unload':
			return { what: `Unloaded ${listed(entry.tools)}`, detail: 'by you' };
		case 'call':
			return { what: `Called ${entry.tool}`, detail: outcome(entry) };
		case 'agent':
			return {
				what: `Agent ${entry.agent}: “${entry.task}”`,
				detail: `${counted(entry.calls, 'call')}, ${outcome(entry)}`,
			};
		case 'failure':
			return { what: 'The turn ended early', detail: entry.message };
	}
}

/** Some names, and how many more there are. */
export function listed({ names, count }: NamedTools): string {
	const more = count - names.length;
	return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

function requestWords({ tools, tokens, measured }: TurnEvent & { kind: 'request' }): EventWords {
	const what = `Asked the model with ${counted(tools, 'tool')}, ≈${short(tokens)} tokens of definitions`;
	if (!measured) return { what };
	const { inputTokens, cachedInputTokens: cached = 0, outputTokens } = measured;
	const fromCache = cached > 0 ? ` (${whole(cached)} from the cache)` : '';
	return {
		what,
		detail: `measured: ${whole(inputTokens)} tokens in${fromCache}, ${whole(outputTokens)} out`,
	};
}

function found(tools: NamedTools): string {
	return tools.count === 0 ? 'found nothing' : `found ${listed(tools)}`;
}

function outcome({ ms, failed }: { readonly ms: number; readonly failed: boolean }): string {
	return failed ? `failed after ${duration(ms)}` : duration(ms);
}

function reasonOf({ reason, words }: TurnEvent & { kind: 'load' }): string {
	return loadReason({ reason, ...(words !== undefined && { words }) }).short;
}
