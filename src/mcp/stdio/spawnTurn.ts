import { setImmediate as nextTurn } from 'node:timers/promises';

let latest = Promise.resolve();

/**
 * Resolves in a turn of the event loop in which no other process is started. Node.js blocks until the new process runs its program: 10 to
 * 40 ms while many servers start. Several in a row would freeze the editor.
 */
export function turnToSpawn(): Promise<void> {
	latest = latest.then(() => nextTurn());
	return latest;
}
