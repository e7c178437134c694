import { isRecord, type JsonRecord } from '../../common/json.ts';
import type { Redactor } from '../../common/secrets/redactor.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { McpLimits } from '../limits.ts';
import type { ServerError } from '../serverError.ts';
import type { LogLevel } from '../serverLog.ts';
import type { EditorProxy } from '../stdio/childEnvironment.ts';
import type { GroupKeeper } from '../stdio/processReaper.ts';
import type { Offered } from './offers.ts';
import type { AskUser, QuestionAnswer } from './questions.ts';

/** What a server says of itself. */
export interface ServerInfo {
	readonly name: string;
	readonly version: string;
	readonly title?: string;
	readonly description?: string;
}

/** One page of a list of tools, as the server sent it; each entry is still to be checked. */
export interface ToolsPage {
	readonly tools: readonly unknown[];
	/** Present, though perhaps empty, if there are more. */
	readonly nextCursor?: string;
	/** How long the server says that the list is good for, in milliseconds. */
	readonly ttlMs?: number;
}

/** What a server says that it has beside tools. */
export interface Offers {
	readonly resources: boolean;
	readonly prompts: boolean;
	/** Whether it completes arguments of prompts and of templates. */
	readonly completions: boolean;
}

/** An argument that is being typed, of a prompt or of a template of addresses. */
export interface CompletionRequest {
	readonly of: { readonly prompt: string } | { readonly template: string };
	readonly argument: string;
	/** What is typed of it. */
	readonly value: string;
	/** Arguments that are filled in already. */
	readonly others: Readonly<Record<string, string>>;
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

/**
 * A connection to one MCP server after the handshake: all that the pool knows of the protocol. What it rejects with is
 * a {@link ServerError}, or the reason of the caller's signal.
 */
export interface McpConnection {
	readonly serverInfo: ServerInfo | undefined;
	readonly instructions: string | undefined;
	/** Whether the server offers tools at all. */
	readonly hasTools: boolean;
	readonly offers: Offers;
	listToolsPage(cursor: string | undefined, signal: AbortSignal): Promise<ToolsPage>;
	/** The result as the server sent it: see `callResult.ts`. */
	callTool(name: string, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown>;
	/** What there is of it: resources, prompts, completions. */
	readonly offered: Offered;
	/** Resolves when nothing of the connection is left, its processes included. */
	close(): Promise<void>;
}

/** Gives the requests to a server their token, and decides about those that it refuses. */
export interface Authorizer {
	/** `undefined`: the user is not signed in. */
	token(signal: AbortSignal): Promise<string | undefined>;
	/** The server has taken a token. */
	accepted(token: string): void;
	/** Resolves to whether the request is worth sending again; rejects where the user has to sign in, or renewing the token failed. */
	refused(response: Response, token: string | undefined, signal: AbortSignal): Promise<boolean>;
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

/** Connects to a server and shakes hands with it. */
export type Connect = (launch: ServerLaunch, options: ConnectOptions) => Promise<McpConnection>;

/** Connects with the SDK, which is loaded by the first connection and not before: it takes its time. */
export const connectWithSdk: Connect = async (launch, options) => {
	const { connect } = await import('./sdk.ts');
	return connect(launch, options);
};
