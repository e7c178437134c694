import type { Clock } from '../../common/clock.ts';
import type { Disposable } from '../../common/event.ts';
import type { RemoteLaunch, ServerLaunch } from '../../config/servers/launch.ts';
import type { Grant, Grants, SecretTexts } from './grants.ts';
import type { SignIn } from './signIn.ts';

export interface SignInsOptions {
	readonly secrets: SecretTexts;
	/** Where windows see whose turn it is; nothing secret is in it. */
	readonly folder: string;
	readonly clock: Clock;
	/** How long one request to an issuer may take; only tests want another time. */
	readonly requestMs?: number;
}

/** The sign-ins of all servers. Servers of one address and one client share theirs. The code behind it is loaded by the first use. */
export class SignIns implements Disposable {
	readonly #options: SignInsOptions;
	readonly #signIns = new Map<string, Promise<SignIn>>();
	#grants: Promise<Grants> | undefined;
	#isDisposed = false;

	constructor(options: SignInsOptions) {
		this.#options = options;
	}

	/** Signs in to a server by its launch; asked only for one that {@link takesSignIn}. */
	of({ url, oauth }: RemoteLaunch): Promise<SignIn> {
		const key = JSON.stringify([url, oauth]);
		const known = this.#signIns.get(key);
		if (known) return known;
		const made = this.#make({ url, ...(oauth && { oauth }) });
		this.#signIns.set(key, made);
		return made;
	}

	/** Whatever the user is signed in to. */
	async all(): Promise<readonly Grant[]> {
		return (await this.grants()).all();
	}

	/** What is kept of sign-ins. */
	grants(): Promise<Grants> {
		const { secrets, folder } = this.#options;
		this.#grants ??= import('./grants.ts').then(({ Grants }) => new Grants(secrets, folder));
		return this.#grants;
	}

	dispose(): void {
		this.#isDisposed = true;
		for (const signIn of this.#signIns.values()) void signIn.then((one) => one.dispose());
		void this.#grants?.then((grants) => grants.dispose());
	}

	async #make(launch: Pick<RemoteLaunch, 'url' | 'oauth'>): Promise<SignIn> {
		const { clock, requestMs } = this.#options;
		const [{ SignIn }, grants] = await Promise.all([import('./signIn.ts'), this.grants()]);
		const signIn = new SignIn(launch, { grants, clock, ...(requestMs !== undefined && { requestMs }) });
		if (this.#isDisposed) signIn.dispose();
		return signIn;
	}
}

/** Whether the user may have to sign in to a server. One that is given credentials by the file is not asked for others. */
export function takesSignIn(launch: ServerLaunch): launch is RemoteLaunch {
	if (launch.kind !== 'remote') return false;
	const hasCredentials = Object.keys(launch.headers).some((name) => name.toLowerCase() === 'authorization');
	return launch.oauth !== undefined || !hasCredentials;
}
