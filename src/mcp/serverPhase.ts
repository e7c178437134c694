import { assertNever } from '../discovery/assertNever.ts';
import type { Disposable } from '../discovery/event.ts';
import type { McpConnection } from './connection/connection.ts';
import type { ServerError } from './serverError.ts';
import type { ServerState } from './serverState.ts';

/** A state together with what is held in it. */
export type ServerPhase =
	| { readonly kind: 'unapproved' }
	| {
			readonly kind: 'stopped';
			readonly byUser: boolean;
			/** Looks one day whether the list has grown old; dispose when the phase ends. */
			readonly look?: Disposable;
	  }
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
