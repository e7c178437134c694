import { isRecord, type JsonRecord } from '../../common/json.ts';
import type { Redactor } from '../../common/secrets/redactor.ts';
import type { McpLimits } from '../limits.ts';
import type { ServerError } from '../serverError.ts';
import type { LogLevel } from '../serverLog.ts';
import type { EditorProxy } from '../stdio/childEnvironment.ts';
import type { GroupKeeper } from '../stdio/processReaper.ts';
import type { AskUser, QuestionAnswer } from './questions.ts';

/** Gives the requests to a server their token, and decides about those that it refuses. */
export interface Authorizer {
	/** `undefined`: the user is not signed in. */
	token(signal: AbortSignal): Promise<string | undefined>;
	/** The server has taken a token. */
	accepted(token: string): void;
	/** Resolves to whether the request is worth sending again; rejects where the user has to sign in, or renewing the token failed. */
	refused(response: Response, token: string | undefined, signal: AbortSignal): Promise<boolean>;
}

export interface ConnectOptions {
	/** Name of the server, for messages. */
	readonly server: string;
	/** What we call ourselves in the handshake. */
	readonly client: { readonly name: string; readonly version: string };
	readonly limits: McpLimits;
	/** The server has never answered: if it is a process, it may be installing itself, and has longer. */
	readonly isFirst: boolean;
	readonly groups: GroupKeeper;
	/** Hides the secrets of the servers in what this one says; which they are may change while it runs. */
	readonly redactor: () => Redactor;
	/** Hides further secrets in what the server says: those that it inherits. */
	readonly hide: (secrets: readonly string[]) => void;
	/** What VS Code's settings say about proxies when the server is started. */
	readonly editorProxy?: (() => EditorProxy) | undefined;
	/** What is known of the protocol that the server speaks, so that it need not be asked. */
	readonly era: KnownEra | undefined;
	/** What has become known of it, whether or not the attempt succeeds; `undefined`: what was known has turned out wrong. */
	readonly onEra: (era: KnownEra | undefined) => void;
	/** Aborting ends the attempt; the promise rejects with the signal's reason when all is closed again. */
	readonly signal: AbortSignal;
	/** The connection is lost; not called for one that was closed on purpose or never came to be. */
	readonly onLost: (error: ServerError) => void;
	readonly onToolsChanged: () => void;
	/** The server says that one of its other lists has changed. */
	readonly onOffersChanged: (what: 'resources' | 'prompts') => void;
	/** Addresses of resources that the server has linked to, in earlier connections too: those may be read. */
	readonly linked: Set<string>;
	/** Asks the user what the server wants to know. Absent: the server is told that nobody is asked. */
	readonly ask?: AskUser | undefined;
	readonly onLog: (level: LogLevel, line: string) => void;
	/** Left out: the server is sent what its launch has, and nothing else. */
	readonly authorizer?: Authorizer;
}

/** Progress within a call, as MCP reports it. */
export interface CallProgress {
	readonly progress: number;
	readonly total?: number;
	readonly message?: string;
}

export interface CallOptions {
	/** Aborting tells the server so and rejects at once with the signal's reason. */
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: CallProgress) => void;
	/**
	 * The call waits until the user has signed in, for which `why` gives the reason; left out, such a call fails with it. Called once more
	 * when a sign-in has failed, which is then the `cause` of `why`. If it throws, the call fails with that.
	 */
	readonly onSignIn?: (why: ServerError) => void;
	/** The server has asked the user something for this call, or has been answered; what was asked and said is not told. */
	readonly onQuestion?: (what: 'asked' | QuestionAnswer['action']) => void;
	/** Who makes it, where that is not the user nor their chat: whoever is asked something for it is told. */
	readonly agent?: string | undefined;
}

/** Which generation a server speaks, as far as it is known. */
export interface Era {
	readonly kind: 'legacy' | 'modern';
	/** What a modern server has answered to the probe; left out where it was too long to keep. */
	readonly discover?: JsonRecord;
}

/** What was found out at a time, in milliseconds since the epoch. */
export interface KnownEra extends Era {
	readonly since: number;
}

/** What was written of an era, read back; nothing where it is not as it was written. */
export function readKnownEra(value: unknown): KnownEra | undefined {
	if (!isRecord(value) || typeof value.since !== 'number') return undefined;
	const { kind, since, discover } = value;
	if (kind === 'legacy') return { kind, since };
	if (kind !== 'modern') return undefined;
	return { kind, since, ...(isRecord(discover) ? { discover } : {}) };
}
