import { ResultFolder } from '../../chat/resultFiles/resultFolder.ts';
import type { Disposable } from '../../discovery/event.ts';

/** How often a window that stays open looks for results that nobody has used for a day. */
const sweepEveryMs = 60 * 60 * 1000;

/** Removes what is too old from the folder of large results, of earlier windows too: now, and as long as the window is open. */
export function sweepResults(folder: string): Disposable {
	const results = new ResultFolder(folder);
	// What cannot be removed now may be so later; nobody waits for it.
	const sweep = () => void results.sweep().catch(() => undefined);
	sweep();
	const timer = setInterval(sweep, sweepEveryMs).unref();
	return { dispose: () => clearInterval(timer) };
}
