import { defined } from '../common/json.ts';
import type { ServerLaunch } from '../config/servers/launch.ts';
import type { Tool } from '../discovery/catalog/tool.ts';
import type { Offers } from './connection/offerTypes.ts';
import type { UnusableTool } from './listing/toolListing.ts';
import type { PooledServer } from './pooledServer.ts';
import type { ServerError } from './serverError.ts';
import type { ServerState } from './serverState.ts';

/** A snapshot of a server for views and messages. */
export interface ServerStatus {
	readonly name: string;
	readonly kind: ServerLaunch['kind'];
	readonly state: ServerState;
	readonly tools: readonly Tool[];
	/** The tools come from the cache on disk; the server has not listed them in this window. */
	readonly cached: boolean;
	readonly title?: string;
	readonly description?: string;
	readonly instructions?: string;
	/** What it has besides tools; absent while it does not run. */
	readonly offers?: Offers;
	readonly dropped: readonly UnusableTool[];
	/** Why the list may be incomplete. */
	readonly cutShort?: string;
	/** Why the last listing failed. The tools of an earlier one are shown. */
	readonly listError?: ServerError;
	/** Why the user should sign in again, for more permissions; everything else keeps working. */
	readonly wantsRights?: ServerError;
	readonly signedIn?: true;
	/** Milliseconds since the epoch; absent: never listed. */
	readonly listedAt?: number;
}

export function statusOf(server: PooledServer): ServerStatus {
	const { wantsRights, offers, list } = server;
	const { known, error: listError } = list;
	return {
		name: server.name,
		kind: server.launch.kind,
		state: server.state,
		tools: [],
		cached: known?.from === 'cache',
		...known?.server,
		dropped: known?.dropped ?? [],
		...(server.connector.isSignedIn ? { signedIn: true } : {}),
		...defined({ offers, cutShort: known?.cutShort, listError, wantsRights, listedAt: known?.listedAt }),
	};
}
