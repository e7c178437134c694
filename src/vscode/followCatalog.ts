import { Catalog, type CatalogServer } from '../discovery/catalog.ts';
import type { Disposable, Event } from '../discovery/event.ts';
import type { DefinitionPins } from '../mcp/pins/definitionPins.ts';
import type { ServerPool } from '../mcp/serverPool.ts';
import type { DiscoveryHub } from './discoveryHub.ts';

/** What the catalog is made of. */
export interface CatalogParts {
	readonly hub: DiscoveryHub;
	readonly pool: ServerPool;
	readonly pins: DefinitionPins;
	/** The editor's own tools as a server, where they are wanted. */
	readonly editorTools: {
		/** Grows with each change. */
		readonly version: number;
		readonly server: CatalogServer | undefined;
		readonly onDidChange: Event<void>;
	};
}

/** What servers list becomes the catalog, as far as the user has accepted it, and what the editor has. */
export function followCatalog({ hub, pool, pins, editorTools }: CatalogParts): Disposable {
	const update = () => {
		const servers = pins.use(pool.listings());
		// All of them only grow, so the sum is another one as soon as any is.
		const version = pool.version + editorTools.version + pins.version;
		if (version === hub.catalog.version) return;
		const { server } = editorTools;
		hub.setCatalog(new Catalog([...servers, ...(server ? [server] : [])], version));
	};
	const listeners = [pool, pins, editorTools].map(({ onDidChange }) => onDidChange(update));
	return {
		dispose: () => {
			for (const listener of listeners) listener.dispose();
		},
	};
}
