import type { ChatSessions } from '../chat/sessions.ts';
import type { Disposable, Event } from '../common/event.ts';
import { Catalog, type CatalogServer } from '../discovery/catalog/catalog.ts';
import type { Services } from '../services.ts';

/** What the catalog is made of. */
type CatalogSources = Pick<Services, 'sessions' | 'pool' | 'accepted'> & {
	/** The editor's own tools as a server, where they are wanted. */
	readonly editorTools: {
		/** Grows with each change. */
		readonly version: number;
		readonly server: CatalogServer | undefined;
		readonly onDidChange: Event<void>;
	};
};

/** What servers list becomes the catalog, as far as the user has accepted it, and what the editor has. */
export function registerCatalogUpdates({
	sessions,
	pool,
	accepted,
	editorTools,
}: CatalogSources): Disposable {
	const update = () => {
		const servers = accepted.use(pool.listings());
		// All of them only grow, so the sum is another one as soon as any is.
		const version = pool.version + editorTools.version + accepted.version;
		if (version === sessions.catalog.version) return;
		const { server } = editorTools;
		sessions.setCatalog(new Catalog([...servers, ...(server ? [server] : [])], version));
	};
	const listeners = [pool, accepted, editorTools].map(({ onDidChange }) => onDidChange(update));
	return {
		dispose: () => {
			for (const listener of listeners) listener.dispose();
		},
	};
}

/** Servers that start list one after the other: the index is made when none has for so many milliseconds. */
const quietMs = 400;

/**
 * Has the index ready before a search, which otherwise waits for it: once somebody has written to a chat, it is made after each change
 * for the chat that was last active. Before that nobody searches, and a window in which nobody chats never reads the synonyms.
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
