import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const BYTES_PER_MB = 1_000_000;
/** How long what is done may be held by timers (flexsearch empties a cache after 50 ms) and by compilations under way. */
const SETTLE_MS = 100;

setFlagsFromString('--expose-gc');
/** V8's own function is only given to contexts that are made after the flag is set. */
const collect: (options?: { type: 'major'; flavor: 'last-resort' }) => void = runInNewContext('gc');

/** Frees most of what nothing holds, so that what comes next does not pay for it. */
export function collectGarbage(): void {
	collect();
}

/**
 * Memory that is still held after a collection, in MB (10⁶ bytes): objects, and the contents of typed arrays. To measure some
 * megabytes, the collection is as thorough as V8 can make it: several rounds, and code that is not in use goes as well, so
 * that the next run of anything is a cold one.
 */
export async function heldMegabytes(): Promise<number> {
	await delay(SETTLE_MS);
	collect({ type: 'major', flavor: 'last-resort' });
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return (heapUsed + arrayBuffers) / BYTES_PER_MB;
}
