import type { ChatSessions } from '../chat/sessions.ts';
import type { Disposable, Event } from '../common/event.ts';
import type { CatalogServer } from '../discovery/catalog/catalog.ts';
import type { Services } from '../services.ts';

/** What the catalog is made from. */
type CatalogSources = Pick<Services, 'sessions' | 'pool'> &
	Pick<Services['trust'], 'accepted'> &
	Pick<Services['learning'], 'expansions'> & {
		/** The editor's own tools as a server, where they are wanted. */
		readonly editorTools: {
			readonly server: CatalogServer | undefined;
			readonly onDidChange: Event<void>;
		};
	};

/** Makes the catalog of the tools that servers list, as far as the user has accepted them, and of the editor's, with what search has learned of them. */
export function registerCatalogUpdates({
	sessions,
	pool,
	accepted,
	expansions,
	editorTools,
}: CatalogSources): Disposable {
	const update = () => {
		const servers = accepted.use(pool.listings());
		const { server } = editorTools;
		sessions.setCatalog(expansions.applied([...servers, ...(server ? [server] : [])]));
	};
	const listeners = [pool, accepted, expansions, editorTools].map(({ onDidChange }) => onDidChange(update));
	return {
		dispose: () => {
			for (const listener of listeners) listener.dispose();
		},
	};
}

/** Starting servers list their tools one after the other: the index is made once none has for so many milliseconds. */
const quietMs = 400;

/**
 * Makes the index before a search needs it. Once somebody has written to a chat, it is made after each change, for the chat that was last
 * active; a window in which nobody chats never pays for it.
 */
export function registerIndexAhead(sessions: ChatSessions, delayMs: number = quietMs): Disposable {
	let timer: NodeJS.Timeout | undefined;
	const index = () => {
		const surface = sessions.currentSurface;
		// A failure is told to whoever searches, who tries again.
		if (sessions.isInUse && surface.policy.enabled && surface.deferred.length > 0)
			surface.index().catch(() => {});
	};
	const listener = sessions.onDidChange(() => {
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
