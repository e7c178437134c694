import { type Disposable, DisposableStore } from '../../common/event.ts';
import { sentence } from '../../common/text.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { Authorizer } from '../connection/connectOptions.ts';
import { ServerError } from '../serverError.ts';
import type { SignIn, SignInChange } from './signIn.ts';
import { SignInError } from './signInError.ts';
import { type SignIns, takesSignIn } from './signIns.ts';

interface ServerSignInEvents {
	/** A token that the server is now sent, and may repeat. */
	readonly onToken: (token: string) => void;
	readonly onChange: (kind: SignInChange['kind']) => void;
}

/** The user's sign-in from the view of one server. Servers with the same address share the {@link SignIn}. */
export class ServerSignIn implements Disposable {
	readonly #server: string;
	readonly #launch: ServerLaunch;
	readonly #signIns: SignIns | undefined;
	readonly #events: ServerSignInEvents;
	#listening: DisposableStore | undefined;
	/** Whether the last request was sent with a token. */
	isSignedIn = false;

	/** @param signIns `undefined`: nobody signs in */
	constructor(
		server: string,
		launch: ServerLaunch,
		signIns: SignIns | undefined,
		events: ServerSignInEvents,
	) {
		this.#server = server;
		this.#launch = launch;
		this.#signIns = signIns;
		this.#events = events;
	}

	/** Provides tokens for a connection, and from now on reports changes of the sign-in. `undefined`: the server takes no tokens. */
	authorizer(): Authorizer | undefined {
		const made = this.#signIn();
		if (!made) return undefined;
		this.#listen(made);
		return {
			token: async (signal) => {
				const token = await (await made).token(signal);
				this.isSignedIn = token !== undefined;
				if (token !== undefined) this.#events.onToken(token);
				return token;
			},
			accepted: (token) => void made.then((signIn) => signIn.accepted(token)),
			refused: async (response, token, signal) => (await made).refused(response, token, signal),
		};
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
		const signIn = await this.#signIn();
		if (!signIn) throw why;
		for (let now = why; ; ) {
			const signedIn = signIn.signedIn(signal).then(
				() => undefined,
				(error: unknown) => error,
			);
			onWaiting(now);
			const cause = await signedIn;
			if (cause === undefined) return;
			signal?.throwIfAborted();
			if (!(cause instanceof SignInError)) throw cause;
			const message = sentence`You are not signed in to server "${this.#server}".`;
			now = new ServerError(this.#server, why.reason, `${message} ${cause.message}`, { cause });
			if (cause.fault === 'denied') onWaiting(now);
			if (cause.fault === 'denied' || cause.fault === 'cancelled') throw now;
		}
	}

	dispose(): void {
		this.#listening?.dispose();
	}

	#listen(made: Promise<SignIn>): void {
		this.#listening?.dispose();
		const listening = new DisposableStore();
		this.#listening = listening;
		const onChange = ({ kind }: SignInChange) => {
			if (kind !== 'failed') this.isSignedIn = kind === 'signed-in';
			this.#events.onChange(kind);
		};
		void made.then((signIn) => listening.add(signIn.onDidChange(onChange)));
	}

	#signIn(): Promise<SignIn> | undefined {
		return this.#signIns && takesSignIn(this.#launch) ? this.#signIns.of(this.#launch) : undefined;
	}
}

/** Whether only signing in helps. */
export function wantsSignIn(error: unknown): error is ServerError {
	return error instanceof ServerError && (error.reason === 'signed-out' || error.reason === 'more-rights');
}
