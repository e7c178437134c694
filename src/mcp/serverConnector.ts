import { abortable } from '../common/cancellation.ts';
import { type Disposable, DisposableStore } from '../common/event.ts';
import { Redactor } from '../common/secrets/redactor.ts';
import { sentence } from '../common/text.ts';
import { launchSecrets } from '../config/servers/launch.ts';
import type { McpConnection } from './connection/connection.ts';
import type { ServerContext } from './poolContext.ts';
import { ServerError } from './serverError.ts';
import type { StartAttempt } from './serverState.ts';
import type { SignIn, SignInChange } from './signIn/signIn.ts';
import { takesSignIn } from './signIn/signIns.ts';
import { explanatoryLine } from './stdio/explanatoryLine.ts';

interface ServerConnectorParts extends ServerContext {
	/** Its tools are known from an earlier window. */
	readonly isKnown: boolean;
	readonly onSignIn: (kind: SignInChange['kind']) => void;
	readonly onLost: (attempt: StartAttempt, error: ServerError) => void;
	readonly onToolsChanged: () => void;
}

/**
 * Connects to one server, with the user's sign-in if it takes one, and remembers what its connections have shown: its secrets and its links. Servers
 * with the same address share a {@link SignIn}.
 */
export class ServerConnector implements Disposable {
	/** Addresses of resources that results have linked to. */
	readonly linkedUris = new Set<string>();
	/** Whether the server has ever answered, in this window or an earlier one. */
	hasAnswered: boolean;
	/** Hides secrets in what the server says. What is hidden once stays hidden. */
	readonly redactor: Redactor;
	readonly #parts: ServerConnectorParts;
	#signIn: SignIn | undefined;
	/** To changes of the sign-in. */
	#signInListeners: Disposable | undefined;

	constructor(parts: ServerConnectorParts) {
		this.#parts = parts;
		this.hasAnswered = parts.isKnown;
		this.redactor = new Redactor(launchSecrets(parts.launch));
	}

	get isSignedIn(): boolean {
		return this.#signIn?.isSignedIn === true;
	}

	/**
	 * Resolves when the user has signed in. A failed sign-in can be tried again, so the wait goes on; it rejects if the user declines, or
	 * with the signal's reason.
	 *
	 * @param onWaiting called when the wait begins, and after each failed sign-in with that as its `cause`
	 */
	async untilSignedIn(
		why: ServerError,
		onWaiting: (why: ServerError) => void,
		signal: AbortSignal,
	): Promise<void> {
		if (!this.#signIn) throw why;
		const ended = Promise.withResolvers<void>();
		const listening = this.#signIn.onDidChange((change) => {
			if (change.kind === 'signed-in') ended.resolve();
			if (change.kind !== 'failed') return;
			const cause = change.error;
			const message = sentence`You are not signed in to server "${why.server}".`;
			const failure = new ServerError(why.server, why.reason, `${message} ${cause.message}`, { cause });
			if (cause.fault !== 'cancelled') onWaiting(failure);
			if (cause.fault === 'denied' || cause.fault === 'cancelled') ended.reject(failure);
		});
		onWaiting(why);
		await abortable(ended.promise, signal).finally(() => listening.dispose());
	}

	/** Follows the sign-in no longer, until the next attempt. */
	dispose(): void {
		this.#signInListeners?.dispose();
	}

	async open(attempt: StartAttempt): Promise<McpConnection> {
		const { name, launch, connect, client, groups, limits, editorProxy, ask } = this.#parts;
		const { log, onLost, onToolsChanged } = this.#parts;
		const signIn = await this.#openSignIn();
		const connection = await connect(launch, {
			server: name,
			client,
			groups,
			redactor: this.redactor,
			editorProxy,
			limits,
			isFirst: !this.hasAnswered,
			signal: attempt.signal,
			onLost: (error) => onLost(attempt, error),
			onListChanged: onToolsChanged,
			linkedUris: this.linkedUris,
			ask,
			onLog: (level, line) => {
				log.write(level, line);
				if (attempt.firstOf && explanatoryLine([line]) !== undefined) attempt.lastLine = line;
			},
			signIn,
		});
		this.hasAnswered = true;
		attempt.firstOf = undefined;
		return connection;
	}

	/** `undefined`: the server takes no tokens. */
	async #openSignIn(): Promise<SignIn | undefined> {
		const { signIns, launch } = this.#parts;
		if (!signIns || !takesSignIn(launch)) return undefined;
		this.#signInListeners?.dispose();
		const listening = new DisposableStore();
		this.#signInListeners = listening;
		this.#signIn = await signIns.of(launch);
		listening.add(this.#signIn.onDidChange(({ kind }) => this.#parts.onSignIn(kind)));
		return this.#signIn;
	}
}
