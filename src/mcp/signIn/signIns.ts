import type { Clock } from '../../common/clock.ts';
import type { Disposable, Event } from '../../common/event.ts';
import type { RemoteLaunch, ServerLaunch } from '../../config/servers/launch.ts';
import { grantChanges, grantPrefix, type SecretTexts } from './grantStorage.ts';
import type { Grant, Grants } from './grants.ts';
import type { SignIn } from './signIn.ts';

/** How long to wait for an issuer when signing out. */
export const revocationMs = 20_000;

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
	readonly onDidChange: Event<void>;
	readonly #options: SignInsOptions;
	readonly #signIns = new Map<string, Promise<SignIn>>();
	#grants: Promise<Grants> | undefined;
	#isDisposed = false;

	constructor(options: SignInsOptions) {
		this.#options = options;
		this.onDidChange = grantChanges(options.secrets);
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

	/** All sign-ins, each with an id that contains no secret. */
	async all(): Promise<readonly { readonly id: string; readonly grant: Grant }[]> {
		const keys = await this.#options.secrets.keys();
		if (!keys.some((key) => key.startsWith(grantPrefix))) return [];
		const { grantId } = await import('./grants.ts');
		const grants = await (await this.#kept()).all();
		return grants.map((grant) => ({ id: grantId(grant), grant }));
	}

	/** Signs out of one of {@link all}. Resolves to whether its tokens were revoked. */
	async signOut(id: string): Promise<boolean> {
		const found = (await this.all()).find((one) => one.id === id);
		if (!found) return true;
		const { server: url, configuredClient: clientId } = found.grant;
		const made = await Promise.all(this.#signIns.values());
		const own = made.find(({ owner }) => owner.server === url && owner.configuredClient === clientId);
		// It belongs to a removed server, or to another folder. Without the client's secret, the issuer may refuse to revoke.
		const signIn = own ?? (await this.#make({ url, ...(clientId !== '' && { oauth: { clientId } }) }));
		return signIn.signOut(AbortSignal.timeout(revocationMs)).finally(() => own ?? signIn.dispose());
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
