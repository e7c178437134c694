import { oneLine } from '../common/text.ts';
import type { StdioLaunch } from '../config/servers/launch.ts';
import type { McpConnection } from './connection/connection.ts';
import type { ServerError, StartBarrier } from './serverError.ts';
import { installsItself } from './starts.ts';

export type ServerState =
	| StartBarrier
	/** `byUser`: the user has stopped it; absent: nobody needs it. In both cases a call starts it. */
	| { readonly kind: 'stopped'; readonly byUser?: true }
	/** The user has to sign in, in a browser. `error` says what for. */
	| { readonly kind: 'signed-out'; readonly error: ServerError }
	/** `since`: milliseconds since the epoch; absent: it waits for its turn. */
	| { readonly kind: 'starting'; readonly since?: number; readonly first?: FirstStart }
	/** `since`: milliseconds since the epoch. */
	| { readonly kind: 'ready'; readonly since: number }
	/** `nextAttemptAt`: when it is restarted (ms since the epoch); absent: when the user says so. */
	| { readonly kind: 'failed'; readonly error: ServerError; readonly nextAttemptAt?: number };

/** The start of a process that has never answered. It may be installing itself. */
export interface FirstStart {
	/** Its command installs what it runs, and it has written nothing. */
	readonly installs: boolean;
	/** Its last output. */
	readonly lastOutput?: string;
}

/** A state together with what it is about. */
export type ServerPhase =
	| Exclude<ServerState, { readonly kind: 'starting' | 'ready' }>
	| { readonly kind: 'starting'; readonly attempt: StartAttempt; readonly done: Promise<McpConnection> }
	| {
			readonly kind: 'ready';
			readonly connection: McpConnection;
			/** The attempt that led here. */
			readonly attempt: StartAttempt;
			readonly since: number;
	  };

/** An attempt to start. Aborting it leaves nothing behind. */
export class StartAttempt extends AbortController {
	/** The launch, if it is a process that has never answered. */
	firstOf: StdioLaunch | undefined;
	/** The last line that such a process wrote and that says something, unfiltered. */
	lastLine = '';
	/** When its turn came, in milliseconds since the epoch. */
	since: number | undefined;
	/** Why its connection was lost, if it was. */
	lostBy: ServerError | undefined;
}

/** Longest last line in a state, in characters. */
const lastLineLength = 200;

/** The public part of a phase. `clean` hides secrets in the server's output. */
export function stateOf(phase: ServerPhase, clean: (line: string) => string): ServerState {
	switch (phase.kind) {
		case 'starting': {
			const { since, firstOf, lastLine } = phase.attempt;
			const state = { kind: 'starting' as const, ...(since === undefined ? {} : { since }) };
			if (!firstOf) return state;
			const lastOutput = oneLine(clean(lastLine), lastLineLength);
			return {
				...state,
				first: lastOutput ? { installs: false, lastOutput } : { installs: installsItself(firstOf) },
			};
		}
		case 'ready':
			return { kind: 'ready', since: phase.since };
		default:
			return phase;
	}
}
