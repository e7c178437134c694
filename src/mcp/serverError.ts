import { errorMessage } from '../common/errors.ts';
import type { Redactor } from '../common/secrets/redactor.ts';
import { cut, oneLine, sentence } from '../common/text.ts';

/** Characters of a stderr line in an error. The log has all of it. */
const tailCharacters = 200;

/** Why something went wrong. Code tests this, never message texts. */
export type ServerErrorReason =
	| 'command-not-found'
	| 'not-executable'
	| 'folder-missing'
	| 'spawn-failed'
	| 'exited-at-once'
	| 'crashed'
	| 'connect-timeout'
	| 'never-answered'
	| 'unreachable'
	| 'unauthorized'
	| 'signed-out'
	| 'more-rights'
	| 'sign-in-unavailable'
	| 'http-error'
	| 'session-lost'
	| 'protocol'
	| 'list-timeout'
	| 'call-idle'
	| 'call-too-long'
	| 'stream-cut'
	| 'message-too-large'
	| 'request-refused'
	| 'question-refused'
	| 'address-unknown'
	| 'stopped'
	| 'not-approved'
	| 'disabled'
	| 'forbidden'
	| 'tool-changed'
	| 'tool-gone'
	| 'unknown-server';

const singleRequestReasons: ReadonlySet<ServerErrorReason> = new Set([
	'http-error',
	'protocol',
	'list-timeout',
	'stream-cut',
	'message-too-large',
	'request-refused',
]);

/** Whether an error concerns one request, so that others may still be answered. */
export function concernsOneRequest({ reason }: ServerError): boolean {
	return singleRequestReasons.has(reason);
}

/** How a server's process ended. */
export interface ProcessExit {
	readonly code: number | null;
	readonly signal: string | null;
	/** Milliseconds from start to end. */
	readonly afterMs: number;
	/** Whether it ever wrote to stdout. */
	readonly wroteToStdout: boolean;
}

export interface ServerErrorDetails {
	readonly cause?: unknown;
	/** The last lines of stderr, oldest first. */
	readonly stderr?: readonly string[];
	/** What best explains the failure, in others' words: a line of the process's output, or the network's error. */
	readonly explanation?: string | undefined;
	/** How long the server asks us to wait, in milliseconds. */
	readonly retryAfterMs?: number | undefined;
	/** The server refused the request before it did anything, and would now take it. */
	readonly isNotRun?: boolean;
	/** The URL does not take the transport, or does not exist. */
	readonly isTransportRefused?: boolean;
}

/** Something went wrong with one server. The message says in one or two sentences what happened and what to do. */
export class ServerError extends Error {
	override readonly name = 'ServerError';
	readonly server: string;
	readonly reason: ServerErrorReason;
	readonly details: ServerErrorDetails;

	constructor(server: string, reason: ServerErrorReason, message: string, details: ServerErrorDetails = {}) {
		super(message, details);
		this.server = server;
		this.reason = reason;
		this.details = details;
	}

	/** The message, followed by the last lines of stderr. */
	describe(): string {
		const { stderr = [] } = this.details;
		return [this.message, ...stderr.map((line) => cut(line, tailCharacters))].join('\n');
	}
}

/** The user has not accepted the tool's new definition yet. */
export function toolChangedError(server: string, tool: string): ServerError {
	return new ServerError(
		server,
		'tool-changed',
		sentence`Tool "${tool}" of server "${server}" was not called: it has changed since you accepted it. Review it in the Servers view.`,
	);
}

/** A server that has just started no longer lists a tool that it had before. */
export function toolGoneError(server: string, tool: string): ServerError {
	return new ServerError(
		server,
		'tool-gone',
		sentence`Tool "${tool}" was not called: server "${server}" no longer offers it. Search for another tool.`,
	);
}

export function stoppedError(server: string): ServerError {
	return new ServerError(server, 'stopped', sentence`Server "${server}" was stopped.`);
}

/** The user has signed out during a call, which may have been carried out. */
export function signedOutDuringCallError(server: string): ServerError {
	const message = sentence`You signed out of server "${server}" before it answered. It may have done what was asked.`;
	return new ServerError(server, 'stopped', message);
}

/** Longest list of permissions in an error, in characters. */
const maxScopeCharacters = 200;

/** The user has to sign in. The request was refused as a whole: nothing was done. */
export function signedOutError(
	server: string,
	{
		moreScopes,
		ended,
		trouble,
	}: { readonly moreScopes?: string; readonly ended?: string; readonly trouble?: string } = {},
): ServerError {
	const remedy = 'Choose "Sign In…" at the server in the Servers view.';
	if (moreScopes !== undefined) {
		const rights = oneLine(moreScopes, maxScopeCharacters) || 'it does not say which';
		const message = sentence`Server "${server}" asks you to sign in again, for more permissions (${rights}).`;
		return new ServerError(server, 'more-rights', `${message} ${remedy}`);
	}
	const message = sentence`Server "${server}" asks you to sign in.`;
	const parts = [message, ended, trouble, remedy].filter((part) => part !== undefined);
	return new ServerError(server, 'signed-out', parts.join(' '));
}

/** Whether only signing in helps. */
export function wantsSignIn(error: unknown): error is ServerError {
	return error instanceof ServerError && (error.reason === 'signed-out' || error.reason === 'more-rights');
}

export function disabledError(server: string, tool?: string): ServerError {
	const what =
		tool === undefined ? sentence`Server "${server}"` : sentence`Tool "${tool}" of server "${server}"`;
	return new ServerError(server, 'disabled', `${what} is disabled. It can be enabled in the Servers view.`);
}

/** Why VS Code's settings do not allow a server. `organization`: a policy decides. */
export interface Ban {
	readonly by: 'organization' | 'settings';
	readonly text: string;
}

/** What keeps a server from starting until somebody decides otherwise. */
export type StartBarrier =
	/** The user has not approved its launch. */
	| { readonly kind: 'unapproved' }
	/** The user has disabled it. */
	| { readonly kind: 'disabled' }
	| { readonly kind: 'forbidden'; readonly ban: Ban };

export function barredStartError(server: string, barred: StartBarrier): ServerError {
	if (barred.kind === 'unapproved') {
		const message = sentence`Server "${server}" was not started: you have not approved it yet. Run the command "Discovery: Review Servers…".`;
		return new ServerError(server, 'not-approved', message);
	}
	if (barred.kind === 'disabled') return disabledError(server);
	const who =
		barred.ban.by === 'organization' ? "the user's organization does" : "the user's VS Code settings do";
	return new ServerError(
		server,
		'forbidden',
		sentence`Server "${server}" was not started: ${who} not allow it.`,
	);
}

/** Explains a failed start. */
export function startError(server: string, error: unknown, redactor: Redactor): ServerError {
	if (error instanceof ServerError) return error;
	const errorText = redactor.hide(errorMessage(error));
	const message = sentence`Server "${server}" cannot start: ${errorText}`;
	return new ServerError(server, 'protocol', message, { cause: error });
}
