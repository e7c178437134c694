import { assertNever } from '../common/assertNever.ts';
import type { Disposable } from '../common/event.ts';
import type { ServerLaunch } from '../config/servers/launch.ts';
import type { Tool } from '../discovery/catalog/tool.ts';
import type { McpConnection, Offers } from './connection/connection.ts';
import type { DroppedTool } from './listing/toolListing.ts';
import type { PooledServer } from './pooledServer.ts';
import type { ServerError } from './serverError.ts';

/** Why VS Code's settings do not let a server start, for people. `organization`: a policy sets them. */
export interface Ban {
	readonly by: 'organization' | 'settings';
	readonly text: string;
}

/** What keeps a server from starting until somebody decides otherwise. */
export type Barred =
	/** The user has not approved what its launch does. */
	| { readonly kind: 'unapproved' }
	/** The user has disabled it. */
	| { readonly kind: 'disabled' }
	| { readonly kind: 'forbidden'; readonly ban: Ban };

/** Where a server stands. */
export type ServerState =
	| Barred
	/** `byUser`: the user has ended it; absent: nobody has needed it yet, or any more. Either way a call starts it. */
	| { readonly kind: 'stopped'; readonly byUser?: true }
	/** The user has to sign in, in a browser, before it can be used. `error` says what for. */
	| { readonly kind: 'signed-out'; readonly error: ServerError }
	/** `since`: milliseconds since the epoch; absent: others start before it. */
	| { readonly kind: 'starting'; readonly since?: number }
	/** `since`: milliseconds since the epoch. */
	| { readonly kind: 'ready'; readonly since: number }
	/** `nextAttemptAt`: when it is started again (ms since the epoch); without it, when the user says so. */
	| { readonly kind: 'failed'; readonly error: ServerError; readonly nextAttemptAt?: number };

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
	const { known, listError, wantsRights, offers } = server;
	return {
		name: server.name,
		kind: server.launch.kind,
		state: server.state,
		tools: [],
		cached: known?.from === 'cache',
		...known?.content,
		...(offers ? { offers } : {}),
		dropped: known?.dropped ?? [],
		...(known?.cutShort ? { cutShort: known.cutShort } : {}),
		...(listError ? { listError } : {}),
		...(wantsRights ? { wantsRights } : {}),
		...(server.isSignedIn ? { signedIn: true } : {}),
		...(known ? { listedAt: known.listedAt } : {}),
	};
}

/** A state together with what is held in it. */
export type ServerPhase =
	| Barred
	| {
			readonly kind: 'stopped';
			readonly byUser: boolean;
			/** Looks one day whether the list has grown old; dispose when the phase ends. */
			readonly look?: Disposable;
	  }
	| { readonly kind: 'signed-out'; readonly error: ServerError }
	| { readonly kind: 'starting'; readonly attempt: StartAttempt; readonly done: Promise<McpConnection> }
	| {
			readonly kind: 'ready';
			readonly connection: McpConnection;
			/** What has led here. */
			readonly attempt: StartAttempt;
			readonly since: number;
			/** Ends the server one day unless somebody has needed it by then; dispose when the phase ends. */
			readonly unneeded: Disposable;
	  }
	| { readonly kind: 'failed'; readonly error: ServerError; readonly retry: ServerRetry | undefined };

/** An attempt to start; aborted, it leaves nothing behind. */
export class StartAttempt extends AbortController {
	/** When it got its turn, in milliseconds since the epoch. */
	since: number | undefined;
	/** Why its connection is lost, once it is. */
	lostBy: ServerError | undefined;
}

/** A start to come. */
export interface ServerRetry extends Disposable {
	readonly at: number;
}

/** What others see of a phase. */
export function stateOf(phase: ServerPhase): ServerState {
	switch (phase.kind) {
		case 'unapproved':
		case 'disabled':
		case 'forbidden':
		case 'signed-out':
			return phase;
		case 'stopped':
			return { kind: 'stopped', ...(phase.byUser && { byUser: true }) };
		case 'starting': {
			const { since } = phase.attempt;
			return { kind: 'starting', ...(since === undefined ? {} : { since }) };
		}
		case 'ready':
			return { kind: 'ready', since: phase.since };
		case 'failed': {
			const { error, retry } = phase;
			return { kind: 'failed', error, ...(retry ? { nextAttemptAt: retry.at } : {}) };
		}
		default:
			return assertNever(phase);
	}
}
