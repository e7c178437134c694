import type { Disposable } from '../../common/event.ts';
import type { RemoteLaunch, ServerLaunch } from '../../config/servers/launch.ts';
import type { SignIn, SignInContext } from './signIn.ts';

/** The sign-ins of all servers; those with the same address and client share one. Their code is loaded with the first use. */
export class SignIns implements Disposable {
	readonly #context: SignInContext;
	readonly #signIns = new Map<string, Promise<SignIn>>();

	constructor(context: SignInContext) {
		this.#context = context;
	}

	/** The sign-in of a server that {@link takesSignIn}. */
	of({ url, oauth = {} }: RemoteLaunch): Promise<SignIn> {
		const key = JSON.stringify([url, oauth]);
		const known = this.#signIns.get(key);
		if (known) return known;
		const made = import('./signIn.ts').then(({ SignIn }) => new SignIn(url, oauth, this.#context));
		this.#signIns.set(key, made);
		return made;
	}

	dispose(): void {
		for (const signIn of this.#signIns.values()) void signIn.then((one) => one.dispose());
	}
}

/** Whether the user may have to sign in to a server. Not if the file already provides credentials. */
export function takesSignIn(launch: ServerLaunch): launch is RemoteLaunch {
	if (launch.kind !== 'remote') return false;
	const hasCredentials = Object.keys(launch.headers).some((name) => name.toLowerCase() === 'authorization');
	return launch.oauth !== undefined || !hasCredentials;
}
