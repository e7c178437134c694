import type { CatalogServer } from '../../discovery/catalog/catalog.ts';
import type { KnownEra } from '../connection/knownEra.ts';
import type { DroppedTool } from './toolListing.ts';

/** What a server says of itself and offers: the part of it that the catalog is made of. */
export type ServerContent = Omit<CatalogServer, 'name'>;

/** What is known of a server's tools, and since when. */
export interface FetchedTools {
	/** Kept on disk from an earlier time, or listed by the server since we started. */
	readonly from: 'cache' | 'live';
	readonly content: ServerContent;
	readonly dropped: readonly DroppedTool[];
	/** Why the list may not be all that the server has. */
	readonly cutShort: string | undefined;
	/** Milliseconds since the epoch. */
	readonly listedAt: number;
	/** How long the server says that the list is good for, in milliseconds. */
	readonly ttlMs?: number;
	/** Which protocol the server spoke then. */
	readonly era?: KnownEra;
}
