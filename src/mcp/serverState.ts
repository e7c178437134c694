import { assertNever } from '../discovery/assertNever.ts';
import type { ServerError } from './serverError.ts';

/** Where a server stands. */
export type ServerState =
	/** The user has not approved what its launch does: nothing starts it. */
	| { readonly kind: 'unapproved' }
	/** `byUser`: the user has ended it; absent: nobody has needed it yet, or any more. Either way a call starts it. */
	| { readonly kind: 'stopped'; readonly byUser?: true }
	/** `since`: milliseconds since the epoch; absent: others start before it. */
	| { readonly kind: 'starting'; readonly since?: number }
	/** `since`: milliseconds since the epoch. */
	| { readonly kind: 'ready'; readonly since: number }
	/** `nextAttemptAt`: when it is started again (ms since the epoch); without it, when the user says so. */
	| { readonly kind: 'failed'; readonly error: ServerError; readonly nextAttemptAt?: number };

/** Whether waiting may still change something before the user does. */
export function isUnderWay(state: ServerState): boolean {
	switch (state.kind) {
		case 'starting':
			return true;
		case 'unapproved':
		case 'stopped':
		case 'ready':
		case 'failed':
			return false;
		default:
			return assertNever(state);
	}
}
