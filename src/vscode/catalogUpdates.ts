import type { ChatSessions } from '../chat/sessions.ts';
import type { Disposable, Event } from '../common/event.ts';
import type { CatalogServer } from '../discovery/catalog/catalog.ts';
import type { AcceptedDefinitions } from '../mcp/accepted/acceptedDefinitions.ts';
import type { ServerPool } from '../mcp/serverPool.ts';
import type { ExpansionStore } from './core/expansionStore.ts';
import { Debounce } from './ui/throttle.ts';

interface CatalogSources {
	readonly sessions: ChatSessions;
	readonly pool: ServerPool;
	readonly accepted: AcceptedDefinitions;
	readonly expansions: ExpansionStore;
	/** VS Code's own tools as a server, if they are wanted. */
	readonly editorTools: {
		readonly server: CatalogServer | undefined;
		readonly onDidChange: Event<void>;
	};
}

/** Builds the catalog from the accepted tools of all servers and VS Code's own tools, with what search has learned about them. */
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
		sessions.setCatalog(expansions.withExpansions([...servers, ...(server ? [server] : [])]));
	};
	const listeners = [pool, accepted, expansions, editorTools].map(({ onDidChange }) => onDidChange(update));
	return {
		dispose: () => {
			for (const listener of listeners) listener.dispose();
		},
	};
}

/** Starting servers list their tools one after the other: the index is built once none has for this long, in milliseconds. */
const quietMs = 400;

/** Builds the index before a search needs it, for the last used chat. A window without chats never builds it. */
export function registerIndexAhead(sessions: ChatSessions): Disposable {
	const quiet = new Debounce(quietMs);
	const index = () => {
		const surface = sessions.currentSurface;
		// The next search tries again, and reports a failure.
		if (sessions.isInUse && surface.policy.enabled && surface.deferred.length > 0)
			surface.index().catch(() => {});
	};
	const listener = sessions.onDidChange(() => quiet.request('index', index));
	return {
		dispose: () => {
			listener.dispose();
			quiet.dispose();
		},
	};
}
