import type { ChatSessions } from '../../chat/sessions.ts';
import type { Disposable } from '../../common/event.ts';
import type { ObservedTimeline } from '../../discovery/session/learnedUse.ts';
import { Throttle } from '../ui/throttle.ts';

/** Shortest time between two lessons, in milliseconds. */
export const learnEveryMs = 1000;

/** Teaches search from the chats of this window as they go on, and once more when the window closes. */
export function learnFromChats(
	sessions: ChatSessions,
	learn: (chats: readonly ObservedTimeline[]) => Promise<void>,
): Disposable {
	const teach = () => {
		const chats = sessions.chats.map(({ id, discovery }) => ({ id, timeline: discovery.log.timeline }));
		// A failure is repaired by the next event.
		if (chats.length > 0) learn(chats).catch(() => undefined);
	};
	const throttle = new Throttle(teach, learnEveryMs);
	const listener = sessions.onDidChange(() => throttle.request());
	return {
		dispose: () => {
			listener.dispose();
			throttle.dispose();
			teach();
		},
	};
}
