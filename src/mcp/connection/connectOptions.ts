import type { Redactor } from '../../common/secrets/redactor.ts';
import type { McpLimits } from '../limits.ts';
import type { ServerError } from '../serverError.ts';
import type { ServerLogLevel } from '../serverLog.ts';
import type { SignIn } from '../signIn/signIn.ts';
import type { EditorProxy } from '../stdio/childEnvironment.ts';
import type { ProcessReaper } from '../stdio/processReaper.ts';
import type { AskUser, QuestionAnswer } from './questions.ts';

export interface ConnectOptions {
	/** For messages. */
	readonly server: string;
	/** How we introduce ourselves in the handshake. */
	readonly client: { readonly name: string; readonly version: string };
	readonly limits: McpLimits;
	/** The server has never answered. A process may be installing itself, and gets more time. */
	readonly isFirst: boolean;
	readonly groups: Pick<ProcessReaper, 'track' | 'forget'>;
	/** Hides secrets in the server's output. The connection adds inherited secrets and the user's tokens. */
	readonly redactor: Redactor;
	/** VS Code's proxy settings, read when the server starts. */
	readonly editorProxy?: (() => EditorProxy) | undefined;
	/** Aborting ends the attempt; the promise rejects with the signal's reason once everything is closed. */
	readonly signal: AbortSignal;
	/** The connection is lost. Not called if it was closed on purpose or never established. */
	readonly onLost: (error: ServerError) => void;
	/** The server announces that its tools have changed. */
	readonly onListChanged: () => void;
	/** Resource addresses that the server has linked to, in earlier connections too. They may be read. */
	readonly linkedUris: Set<string>;
	/** Asks the user what the server wants to know. Absent: the server is told that nobody can be asked. */
	readonly ask?: AskUser | undefined;
	readonly onLog: (level: ServerLogLevel, line: string) => void;
	/** Absent: the server is sent only what its launch contains. */
	readonly signIn?: SignIn | undefined;
}

/** Progress within a call. */
export interface CallProgress {
	readonly progress: number;
	readonly total?: number | undefined;
	readonly message?: string | undefined;
}

export interface CallOptions {
	/** Aborting tells the server and rejects at once with the signal's reason. */
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: CallProgress) => void;
	/**
	 * Lets the call wait until the user has signed in; `why` says what for. Absent: such a call fails. Called again after a failed sign-in,
	 * which is the `cause` of `why`. If it throws, the call fails with that error.
	 */
	readonly onSignIn?: (why: ServerError) => void;
	/** The server has asked the user something for this call, or got an answer. The content is not reported. */
	readonly onQuestion?: (what: 'asked' | QuestionAnswer['action']) => void;
	/** The agent that makes the call, so that the user is told when asked something for it. Absent: the user or their chat. */
	readonly agent?: string | undefined;
}
