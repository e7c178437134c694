import type { Disposable } from '../discovery/event.ts';
import type { DiscoveryHub } from './discoveryHub.ts';

/** Servers that start list one after the other: the index is made when none has for so many milliseconds. */
const quietMs = 400;

/**
 * Has the index ready before a search, which otherwise waits for it: once somebody has written to a chat, it is made after each change
 * for the chat that was last active. Before that nobody searches, and a window in which nobody chats never reads the synonyms.
 */
export function indexAhead(hub: DiscoveryHub, delayMs: number = quietMs): Disposable {
	let timer: NodeJS.Timeout | undefined;
	const index = () => {
		const surface = hub.currentSurface;
		// A failure is told to whoever searches, who tries again.
		if (hub.isInUse && surface.policy.enabled && surface.deferred.length > 0) surface.index().catch(() => {});
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
