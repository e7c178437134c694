import type { DiscoverySession } from '../discovery/discoverySession.ts';
import { oneLine } from '../discovery/text.ts';
import type { LoopEvent } from './loopEvent.ts';

/** Tools that are named, and characters of a name. */
const namedTools = 5;
const nameLimit = 60;

/** Tells the user which loaded tools have changed; to be asked before the model is told, which is once. Nothing where none has. */
export function* changedTools({ changedTools: tools }: DiscoverySession): Generator<LoopEvent> {
	if (tools.length === 0) return;
	const names = tools.slice(0, namedTools).map(({ id }) => oneLine(id, nameLimit));
	const rest = tools.length > namedTools ? ` and ${tools.length - namedTools} more` : '';
	const text = `Changed by their servers since they were loaded, and loaded anew: ${names.join(', ')}${rest}.`;
	yield { type: 'notice', text };
}
