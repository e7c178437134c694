import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const BYTES_PER_MB = 1_000_000;
/** How long timers (flexsearch clears a cache after 50 ms) and running compilations may hold memory. */
const SETTLE_MS = 100;

setFlagsFromString('--expose-gc');
/** V8 exposes its function only to contexts that are created after the flag is set. */
const collect: (options?: { type: 'major'; flavor: 'last-resort' }) => void = runInNewContext('gc');

/** Collects garbage, so that the next measurement does not pay for it. */
export function collectGarbage(): void {
	collect();
}

/**
 * Memory in use after a garbage collection, in MB (10⁶ bytes): objects and the contents of typed arrays. To measure a few
 * megabytes, the collection is as thorough as V8 allows: several rounds, including unused compiled code. The next run of any code
 * is therefore a cold one.
 */
export async function heldMegabytes(): Promise<number> {
	await delay(SETTLE_MS);
	collect({ type: 'major', flavor: 'last-resort' });
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return (heapUsed + arrayBuffers) / BYTES_PER_MB;
}
