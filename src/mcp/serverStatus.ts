import type { ServerLaunch } from '../config/servers/launch.ts';
import type { Tool } from '../discovery/catalog/tool.ts';
import type { Offers } from './connection/offerTypes.ts';
import type { DroppedTool } from './listing/toolListing.ts';
import type { PooledServer } from './pooledServer.ts';
import type { ServerError } from './serverError.ts';
import type { ServerState } from './serverState.ts';

/** What a server is seen to be at one moment. */
export interface ServerStatus {
	readonly name: string;
	readonly kind: ServerLaunch['kind'];
	readonly state: ServerState;
	readonly tools: readonly Tool[];
	/** Whether the tools are those of an earlier time, kept on disk; the server has not listed them since we started. */
	readonly cached: boolean;
	readonly title?: string;
	readonly description?: string;
	readonly instructions?: string;
	/** What it has beside tools; absent while it does not run. */
	readonly offers?: Offers;
	readonly dropped: readonly DroppedTool[];
	/** Why the list may not be all that the server has. */
	readonly cutShort?: string;
	/** Why the last listing failed, while the tools of an earlier one are shown. */
	readonly listError?: ServerError;
	/** What the user is to sign in again for, while all else goes on as it is. */
	readonly wantsRights?: ServerError;
	/** The user is signed in to it. */
	readonly signedIn?: true;
	/** Milliseconds since the epoch; absent: the server was never listed. */
	readonly listedAt?: number;
}

/** What is seen of a server now. */
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
		...(offers ? { offers } : {}),
		dropped: known?.dropped ?? [],
		...(known?.cutShort ? { cutShort: known.cutShort } : {}),
		...(listError ? { listError } : {}),
		...(wantsRights ? { wantsRights } : {}),
		...(server.signIn.isSignedIn ? { signedIn: true } : {}),
		...(known ? { listedAt: known.listedAt } : {}),
	};
}
