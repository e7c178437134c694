import type { ServerLaunch } from '../../config/launch.ts';
import type { CatalogServer } from '../../discovery/catalog.ts';

/** What a server lists, and the launch that it came from. */
export interface ServerListing {
	readonly launch: ServerLaunch;
	readonly server: CatalogServer;
}
