import { createHash, randomBytes } from 'node:crypto';
import { abortable } from '../../common/cancellation.ts';
import type { Clock } from '../../common/clock.ts';
import type { Disposable } from '../../common/event.ts';
import type { SignInOptions } from '../../config/servers/launch.ts';
import { type Grant, type GrantOwner, type Grants, isExpired, type OAuthClient } from './grants.ts';
import { insistUsable } from './issuerChecks.ts';
import {
	type Challenge,
	type Discovery,
	type IssuerRequests,
	type OAuthTokens,
	unionOfScopes,
} from './oauth.ts';
import { callbackPath, RedirectListener, type RedirectPages } from './redirectListener.ts';
import { SignInError } from './signInError.ts';

/** How long the user may take in the browser. */
const longestVisitMs = 30 * 60_000;
const stateBytes = 32;

/** What the user is asked before a browser opens. */
export interface SignInQuestion {
	readonly issuer: string;
	/** Host of the server that the sign-in is for. */
	readonly resource: string;
	readonly scopes: readonly string[];
	readonly moreScopes: readonly string[];
	/** Where the browser would go, without our parameters. */
	readonly opens: string;
	/** The address to open after the user has agreed. Only this registers us with the issuer. */
	address(): Promise<string>;
}

/** What the user, and the editor on their behalf, do in a sign-in. */
export interface SignInPerson {
	readonly pages: RedirectPages;
	/** The name under which we register. */
	readonly clientName: string;
	/** How the browser reaches an address of this machine, which differs in a remote window. */
	reachable(address: string): Promise<string>;
	/** Asks the user, and opens the browser if they agree; resolves to whether it was opened. */
	ask(question: SignInQuestion): Promise<boolean>;
	/** Called when the browser is open; `paste` takes the redirect URL, and returns whether it is the right one. */
	waiting?(paste: (address: string) => boolean): void;
}

/** Why a server wants the user to sign in. */
export interface SignInDemand {
	/** Further rights; absent: any sign-in. */
	readonly moreScopes?: string;
	/** Why the user is no longer signed in. */
	readonly ended?: string;
	/** Why signing in may fail at present. */
	readonly trouble?: string;
}

interface VisitOptions {
	readonly owner: GrantOwner;
	readonly options: SignInOptions;
	readonly requests: IssuerRequests;
	readonly grants: Grants;
	readonly clock: Clock;
	/** The refused request. */
	readonly challenge: Challenge;
	readonly demand: SignInDemand | undefined;
	/** What is already granted. */
	readonly before: Grant | undefined;
}

/**
 * One sign-in at an issuer: finds the issuer, listens for the redirect before anything can lead there, asks the user, and exchanges the
 * code for tokens.
 */
export class IssuerVisit {
	readonly #about: VisitOptions;

	constructor(about: VisitOptions) {
		this.#about = about;
	}

	/** Signs in and stores the grant. Resolves to the requested rights; rejects if `signal` aborts. */
	async make(person: SignInPerson, signal: AbortSignal): Promise<string | undefined> {
		const { grants, requests, owner, challenge, demand } = this.#about;
		const discovery = await requests.discover(challenge, signal);
		const { authorizationServer, resource } = discovery;
		const kept = await grants.registration(authorizationServer.issuer);
		const state = randomBytes(stateBytes).toString('base64url');
		const path = this.#registers(discovery) ? redirectPathOf(authorizationServer.issuer) : callbackPath;
		const open = (port: number) => RedirectListener.open(port, state, person.pages, path);
		const listener = await this.#listen(kept?.port, open);
		try {
			const redirectUri = await abortable(person.reachable(listener.address), signal);
			const scope = this.#scopeFor(discovery);
			insistUsable(authorizationServer);
			const prepare = async () => {
				const about = { redirectUri, port: listener.port, scope, name: person.clientName };
				const known = await this.#client(discovery, about, signal);
				const { client } = known;
				const request = { client, redirectUri, state, scope, resource };
				return { ...known, ...(await requests.authorizationAddress(authorizationServer, request)) };
			};
			let prepared: ReturnType<typeof prepare> | undefined;
			const once = () => {
				prepared ??= prepare();
				return prepared;
			};
			const question = {
				issuer: authorizationServer.issuer,
				resource: new URL(owner.server).host,
				scopes: namesIn(scope),
				moreScopes: namesIn(demand?.moreScopes),
				opens: authorizationServer.authorization_endpoint,
				address: async () => (await once()).address.href,
			};
			if (!(await abortable(person.ask(question), signal))) throw cancelled();
			const { client, isKept, verifier } = await once();
			person.waiting?.((text) => listener.paste(text, redirectUri));
			try {
				const answer = await this.#comeBack(listener, signal);
				const options = { client, answer, verifier, redirectUri, resource };
				const tokens = await requests.exchange(authorizationServer, options, signal);
				const { client_secret: _, ...withoutSecret } = client;
				await grants.add({
					...owner,
					...(resource !== undefined && { resource }),
					authorizationServer,
					client: this.#about.options.clientId === undefined ? client : withoutSecret,
					...receivedGrant(tokens, scope, this.#about.clock.now()),
				});
				return scope;
			} catch (error) {
				// An issuer that has forgotten us says so only in the browser: register again next time.
				if (isKept) await grants.forgetRegistration(authorizationServer.issuer);
				throw error;
			}
		} finally {
			listener.dispose();
		}
	}

	async #comeBack(listener: RedirectListener, signal: AbortSignal): Promise<URLSearchParams> {
		let timer: Disposable | undefined;
		const late = new Promise<never>((_, reject) => {
			timer = this.#about.clock.after(longestVisitMs, () => reject(tooLate()));
		});
		return abortable(Promise.race([listener.answer, late]), signal).finally(() => timer?.dispose());
	}

	/** Uses the port that the issuer knows, if it is free. */
	async #listen(
		known: number | undefined,
		open: (port: number) => Promise<RedirectListener>,
	): Promise<RedirectListener> {
		const { redirectPort } = this.#about.options;
		if (redirectPort !== undefined) return open(redirectPort);
		return known === undefined ? open(0) : open(known).catch(() => open(0));
	}

	/** Whether the client is one that we register, rather than one of the configuration. */
	#registers({ authorizationServer }: Discovery): boolean {
		const { clientId, clientMetadataUrl } = this.#about.options;
		const isDescribed =
			clientMetadataUrl !== undefined && authorizationServer.client_id_metadata_document_supported === true;
		return clientId === undefined && !isDescribed;
	}

	/** Our client: configured, or described by a metadata document, or registered. */
	async #client(
		discovery: Discovery,
		about: {
			readonly redirectUri: string;
			readonly port: number;
			readonly scope: string | undefined;
			readonly name: string;
		},
		signal: AbortSignal,
	): Promise<{ readonly client: OAuthClient; readonly isKept: boolean }> {
		const { grants, clock, requests, options } = this.#about;
		const clientId = options.clientId ?? options.clientMetadataUrl;
		if (clientId !== undefined && !this.#registers(discovery))
			return { client: withSecret({ client_id: clientId }, options), isKept: false };
		const { authorizationServer } = discovery;
		const { issuer } = authorizationServer;
		const kept = await grants.registration(issuer);
		const scope = unionOfScopes(kept?.scope, about.scope);
		const isValid = kept?.redirectUri === about.redirectUri && !isExpired(kept.client, clock.now());
		if (isValid && scope === kept.scope) return { client: kept.client, isKept: true };
		const client = await requests.register(authorizationServer, { ...about, scope }, signal);
		const { redirectUri, port } = about;
		await grants.keepRegistration({
			issuer,
			redirectUri,
			port,
			client,
			...(scope !== undefined && { scope }),
		});
		return { client, isKept: false };
	}

	/**
	 * The scopes to request: those configured, else those in the refusal, else all that the server has; plus those already granted if more
	 * are wanted. And `offline_access` if the issuer has it: without it there may be no refresh token.
	 */
	#scopeFor({ authorizationServer, scopesSupported }: Discovery): string | undefined {
		const { options, challenge, demand, before } = this.#about;
		const more = demand?.moreScopes;
		const wanted = options.scopes?.join(' ') || challenge.scope || scopesSupported?.join(' ') || undefined;
		const scope = more === undefined ? wanted : unionOfScopes(before?.scope, wanted, more);
		const isOffline = authorizationServer.scopes_supported?.includes('offline_access') === true;
		return scope !== undefined && isOffline ? unionOfScopes(scope, 'offline_access') : scope;
	}
}

/**
 * Each issuer that registers us has a redirect URL of its own. If the page of one issuer leads to another, whose answers do not name it, the
 * other knows no such redirect URL (RFC 9700, 4.4.2.2).
 */
function redirectPathOf(issuer: string): string {
	return `${callbackPath}/${createHash('sha256').update(issuer).digest('hex').slice(0, 16)}`;
}

/** A client with its configured secret. */
export function withSecret(client: OAuthClient, { clientId, clientSecret }: SignInOptions): OAuthClient {
	const isOurs = clientId !== undefined && clientSecret !== undefined;
	return isOurs ? { ...client, client_secret: clientSecret } : client;
}

/** The parts of a token response that are stored. `scope`: what was requested. */
export function receivedGrant(
	tokens: OAuthTokens,
	scope: string | undefined,
	now: number,
): Pick<Grant, 'access_token' | 'receivedAt'> & Partial<Grant> {
	const { access_token, refresh_token, expires_in: seconds } = tokens;
	const granted = tokens.scope ?? scope;
	return {
		access_token,
		...(refresh_token !== undefined && { refresh_token }),
		...(granted !== undefined && { scope: granted }),
		receivedAt: now,
		// Measured by our own clock from now on, so that the issuer's clock does not matter.
		expiresAt:
			seconds === undefined || !Number.isFinite(seconds) ? undefined : now + Math.max(0, seconds) * 1_000,
	};
}

function namesIn(scope: string | undefined): readonly string[] {
	return scope?.split(' ').filter((name) => name !== '') ?? [];
}

export function cancelled(): SignInError {
	return new SignInError('cancelled', 'Signing in was cancelled.');
}

function tooLate(): SignInError {
	return new SignInError(
		'timed-out',
		'The sign-in was not completed in the browser within half an hour. Sign in again.',
	);
}
