import { assertNever } from '../common/assertNever.ts';
import type { Disposable } from '../common/event.ts';
import { oneLine } from '../common/text.ts';
import type { StdioLaunch } from '../config/servers/launch.ts';
import type { McpConnection } from './connection/connection.ts';
import type { Barred, ServerError } from './serverError.ts';
import { installsItself } from './starts.ts';

/** Where a server stands. */
export type ServerState =
	| Barred
	/** `byUser`: the user has ended it; absent: nobody has needed it yet, or any more. Either way a call starts it. */
	| { readonly kind: 'stopped'; readonly byUser?: true }
	/** The user has to sign in, in a browser, before it can be used. `error` says what for. */
	| { readonly kind: 'signed-out'; readonly error: ServerError }
	/** `since`: milliseconds since the epoch; absent: others start before it. */
	| { readonly kind: 'starting'; readonly since?: number; readonly first?: FirstStart }
	/** `since`: milliseconds since the epoch. */
	| { readonly kind: 'ready'; readonly since: number }
	/** `nextAttemptAt`: when it is started again (ms since the epoch); without it, when the user says so. */
	| { readonly kind: 'failed'; readonly error: ServerError; readonly nextAttemptAt?: number };

/** The start of a process that has never answered: it may be installing itself. */
export interface FirstStart {
	/** Its command is one that installs what it runs. */
	readonly installs: boolean;
	/** What it has written last. */
	readonly said?: string;
}

/** A state together with what is held in it. */
export type ServerPhase =
	| Barred
	| { readonly kind: 'stopped'; readonly byUser: boolean }
	| { readonly kind: 'signed-out'; readonly error: ServerError }
	| { readonly kind: 'starting'; readonly attempt: StartAttempt; readonly done: Promise<McpConnection> }
	| {
			readonly kind: 'ready';
			readonly connection: McpConnection;
			/** What has led here. */
			readonly attempt: StartAttempt;
			readonly since: number;
	  }
	| { readonly kind: 'failed'; readonly error: ServerError; readonly retry: ServerRetry | undefined };

/** An attempt to start; aborted, it leaves nothing behind. */
export class StartAttempt extends AbortController {
	/** The launch, where it is that of a process which has never answered. */
	firstOf: StdioLaunch | undefined;
	/** What was last logged of it, as it came. */
	lastLine = '';
	/** When it got its turn, in milliseconds since the epoch. */
	since: number | undefined;
	/** It has shown that the server speaks the other generation of the protocol, and has started it again. */
	isSecondStart = false;
	/** Why its connection is lost, once it is. */
	lostBy: ServerError | undefined;
}

/** A start to come. */
export interface ServerRetry extends Disposable {
	readonly at: number;
}

/** Characters of the last line that a state has. */
const lastLineLength = 200;

/** What others see of a phase. `clean`: hides secrets in what a server has written. */
export function stateOf(phase: ServerPhase, clean: (line: string) => string): ServerState {
	switch (phase.kind) {
		case 'unapproved':
		case 'disabled':
		case 'forbidden':
		case 'signed-out':
			return phase;
		case 'stopped':
			return { kind: 'stopped', ...(phase.byUser && { byUser: true }) };
		case 'starting': {
			const { since, firstOf, lastLine } = phase.attempt;
			const state = { kind: 'starting' as const, ...(since === undefined ? {} : { since }) };
			if (!firstOf) return state;
			const said = oneLine(clean(lastLine), lastLineLength);
			return { ...state, first: { installs: installsItself(firstOf), ...(said && { said }) } };
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
