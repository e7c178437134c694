import type { Clock } from '../../common/clock.ts';
import type { Disposable } from '../../common/event.ts';
import type { RemoteLaunch, ServerLaunch } from '../../config/servers/launch.ts';
import type { Grants, SecretTexts } from './grants.ts';
import type { SignIn } from './signIn.ts';

export interface SignInsOptions {
	readonly secrets: SecretTexts;
	/** Folder for locks between windows. It holds no secrets. */
	readonly folder: string;
	readonly clock: Clock;
	/** Timeout of one request to an issuer; only for tests. */
	readonly requestMs?: number;
}

/** The sign-ins of all servers; those with the same address and client share one. Their code is loaded with the first use. */
export class SignIns implements Disposable {
	readonly #options: SignInsOptions;
	readonly #signIns = new Map<string, Promise<SignIn>>();
	#grants: Promise<Grants> | undefined;
	#isDisposed = false;

	constructor(options: SignInsOptions) {
		this.#options = options;
	}

	/** The sign-in of a server that {@link takesSignIn}. */
	of({ url, oauth }: RemoteLaunch): Promise<SignIn> {
		const key = JSON.stringify([url, oauth]);
		const known = this.#signIns.get(key);
		if (known) return known;
		const made = this.#make({ url, ...(oauth && { oauth }) });
		this.#signIns.set(key, made);
		return made;
	}

	#kept(): Promise<Grants> {
		const { secrets, folder } = this.#options;
		this.#grants ??= import('./grants.ts').then(({ Grants }) => new Grants(secrets, folder));
		return this.#grants;
	}

	dispose(): void {
		this.#isDisposed = true;
		for (const signIn of this.#signIns.values()) void signIn.then((one) => one.dispose());
	}

	async #make(launch: Pick<RemoteLaunch, 'url' | 'oauth'>): Promise<SignIn> {
		const { clock, requestMs } = this.#options;
		const [{ SignIn }, grants] = await Promise.all([import('./signIn.ts'), this.#kept()]);
		const signIn = new SignIn(launch, { grants, clock, ...(requestMs !== undefined && { requestMs }) });
		if (this.#isDisposed) signIn.dispose();
		return signIn;
	}
}

/** Whether the user may have to sign in to a server. Not if the file already provides credentials. */
export function takesSignIn(launch: ServerLaunch): launch is RemoteLaunch {
	if (launch.kind !== 'remote') return false;
	const hasCredentials = Object.keys(launch.headers).some((name) => name.toLowerCase() === 'authorization');
	return launch.oauth !== undefined || !hasCredentials;
}
