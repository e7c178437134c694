import type { Clock } from '../../common/clock.ts';
import type { Disposable, Event } from '../../common/event.ts';
import type { RemoteLaunch, ServerLaunch } from '../../config/servers/launch.ts';
import type { SecretTexts } from './grantStorage.ts';
import { grantPrefix } from './grantStorage.ts';
import type { Grant, Grants } from './grants.ts';
import type { SignIn } from './signIn.ts';

/** How long an issuer may take to hear that somebody signs out. */
export const revocationMs = 20_000;

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

	/** Somebody has signed in or out somewhere, or a token was renewed. */
	readonly onDidChange: Event<void> = (listener) =>
		this.#options.secrets.onDidChange(({ key }) => {
			if (key.startsWith(grantPrefix)) listener();
		});

	/** Whatever the user is signed in to, each by a name that holds no secret. */
	async all(): Promise<readonly { readonly id: string; readonly grant: Grant }[]> {
		const keys = await this.#options.secrets.keys();
		if (!keys.some((key) => key.startsWith(grantPrefix))) return [];
		const { grantId } = await import('./grants.ts');
		const grants = await (await this.#kept()).all();
		return grants.map((grant) => ({ id: grantId(grant), grant }));
	}

	/** Signs out of one of {@link all}. Resolves to whether the issuer could be told. */
	async signOut(id: string): Promise<boolean> {
		const found = (await this.all()).find((one) => one.id === id);
		if (!found) return true;
		const { server: url, configuredClient: clientId } = found.grant;
		const made = await Promise.all(this.#signIns.values());
		const own = made.find(({ owner }) => owner.server === url && owner.configuredClient === clientId);
		// That of no server any more, or of another folder: without the secret of a client the issuer may not listen.
		const signIn = own ?? (await this.#make({ url, ...(clientId !== '' && { oauth: { clientId } }) }));
		return signIn.signOut(AbortSignal.timeout(revocationMs)).finally(() => own ?? signIn.dispose());
	}

	/** What is kept of sign-ins. */
	#kept(): Promise<Grants> {
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
		const [{ SignIn }, grants] = await Promise.all([import('./signIn.ts'), this.#kept()]);
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
