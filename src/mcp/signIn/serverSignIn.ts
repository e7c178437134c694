import { abortable } from '../../common/cancellation.ts';
import { type Disposable, DisposableStore } from '../../common/event.ts';
import { sentence } from '../../common/text.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { ServerError } from '../serverError.ts';
import type { SignIn, SignInChange } from './signIn.ts';
import { type SignIns, takesSignIn } from './signIns.ts';

/** The user's sign-in from the view of one server. Servers with the same address share the {@link SignIn}. */
export class ServerSignIn implements Disposable {
	readonly #server: string;
	readonly #launch: ServerLaunch;
	readonly #signIns: SignIns | undefined;
	readonly #onChange: (kind: SignInChange['kind']) => void;
	#signIn: SignIn | undefined;
	#listening: Disposable | undefined;

	/** @param signIns `undefined`: nobody signs in */
	constructor(
		server: string,
		launch: ServerLaunch,
		signIns: SignIns | undefined,
		onChange: (kind: SignInChange['kind']) => void,
	) {
		this.#server = server;
		this.#launch = launch;
		this.#signIns = signIns;
		this.#onChange = onChange;
	}

	get isSignedIn(): boolean {
		return this.#signIn?.isSignedIn === true;
	}

	/** Provides tokens for a connection. Its changes are reported from now on. `undefined`: the server takes no tokens. */
	async open(): Promise<SignIn | undefined> {
		if (!this.#signIns || !takesSignIn(this.#launch)) return undefined;
		this.#listening?.dispose();
		const listening = new DisposableStore();
		this.#listening = listening;
		const signIn = await this.#signIns.of(this.#launch);
		this.#signIn = signIn;
		listening.add(signIn.onDidChange(({ kind }) => this.#onChange(kind)));
		return signIn;
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
		signal: AbortSignal | undefined,
	): Promise<void> {
		if (!this.#signIn) throw why;
		const ended = Promise.withResolvers<void>();
		const listening = this.#signIn.onDidChange((change) => {
			if (change.kind === 'signed-in') ended.resolve();
			if (change.kind !== 'failed') return;
			const cause = change.error;
			const message = sentence`You are not signed in to server "${this.#server}".`;
			const failure = new ServerError(this.#server, why.reason, `${message} ${cause.message}`, { cause });
			if (cause.fault !== 'cancelled') onWaiting(failure);
			if (cause.fault === 'denied' || cause.fault === 'cancelled') ended.reject(failure);
		});
		onWaiting(why);
		await abortable(ended.promise, signal).finally(() => listening.dispose());
	}

	dispose(): void {
		this.#listening?.dispose();
	}
}

/** Whether only signing in helps. */
export function wantsSignIn(error: unknown): error is ServerError {
	return error instanceof ServerError && (error.reason === 'signed-out' || error.reason === 'more-rights');
}
