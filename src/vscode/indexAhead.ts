import type { Disposable } from '../discovery/event.ts';
import type { DiscoveryHub } from './discoveryHub.ts';

/** Servers that start list one after the other: the index is made when none has for so many milliseconds. */
const quietMs = 400;

/**
 * Has the index ready before the first search, which otherwise waits for it: after each change it is made for the chat that was
 * last active. What changes meanwhile has an index of its own made after it.
 */
export function indexAhead(hub: DiscoveryHub, delayMs: number = quietMs): Disposable {
	let timer: NodeJS.Timeout | undefined;
	const index = () => {
		const surface = hub.currentSurface;
		// A failure is told to whoever searches, who tries again.
		if (surface.policy.enabled && surface.deferred.length > 0) surface.index().catch(() => {});
	};
	const listener = hub.onDidChange(() => {
		clearTimeout(timer);
		timer = setTimeout(index, delayMs).unref();
	});
	return {
		dispose: () => {
			listener.dispose();
			clearTimeout(timer);
		},
	};
}
