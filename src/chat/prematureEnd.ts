import { nameLimit, oneLine } from '../discovery/text.ts';
import type { LoopEnd } from './loopEvent.ts';

/** Why a turn ended before the model was done, in a sentence; `undefined` where it was, or the user stopped it. */
export function prematureEnd(end: LoopEnd): string | undefined {
	switch (end.reason) {
		case 'answered':
		case 'cancelled':
			return undefined;
		case 'roundLimit':
			return `Stopped after ${end.rounds} rounds of tool calls.`;
		case 'repeating':
			return `Stopped: ${oneLine(end.call.name, nameLimit)} was called again and again with the same input.`;
		case 'tooManyTools':
			return `${end.tools} tools are loaded, and the model takes at most ${end.limit}, so nothing was sent.`;
		case 'failed':
			return end.error instanceof Error ? end.error.message : String(end.error);
	}
}
