import type { ActivationSet } from './activationSet.ts';
import type { LogEntry } from './logEntry.ts';

/** Does to a set of loaded tools what an entry of the log did to it; which of them had to go, the log says. */
export function replay(active: ActivationSet, entry: LogEntry): void {
	switch (entry.kind) {
		case 'turn':
			active.beginTurn();
			break;
		case 'request':
			active.requestSent();
			break;
		case 'byHand':
			active.release();
			break;
		case 'reset':
			active.clear();
			break;
		case 'use':
			active.call(entry.wireName);
			break;
		case 'load': {
			const names = entry.tools.map(({ wireName }) => wireName);
			active.activate([...entry.renewed, ...names], entry.reason, entry.words);
			break;
		}
		case 'evict':
		case 'unload':
		case 'drop':
			for (const name of entry.wireNames) active.remove(name);
			break;
	}
}
