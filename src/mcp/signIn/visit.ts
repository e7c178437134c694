import { randomBytes } from 'node:crypto';
import { abortable } from '../../common/cancellation.ts';
import type { Clock } from '../../common/clock.ts';
import type { Disposable } from '../../common/event.ts';
import type { SignInOptions } from '../../config/servers/launch.ts';
import { type Grant, type GrantOwner, type Grants, isExpired, type OAuthClient } from './grants.ts';
import {
	type Challenge,
	type Discovery,
	type IssuerRequests,
	type OAuthTokens,
	unionOfScopes,
} from './oauth.ts';
import { RedirectListener, type RedirectPages } from './redirectListener.ts';
import { SignInError } from './signInError.ts';

/** People come back from the browser within this. */
const longestVisitMs = 30 * 60_000;
const stateBytes = 32;

/** What the user is asked before a browser opens. */
export interface SignInQuestion {
	readonly issuer: string;
	/** Host of the server that the sign-in is for. */
	readonly resource: string;
	readonly scopes: readonly string[];
	readonly moreScopes: readonly string[];
	/** Where the browser would go, without what we would tell there. */
	readonly opens: string;
	/** The address to open, once the user has said yes: only then the issuer is told of us. */
	address(): Promise<string>;
}

/** What a person does in a sign-in, and what the editor does for them. */
export interface SignInPerson {
	readonly pages: RedirectPages;
	/** What the issuer is told that we are called. */
	readonly clientName: string;
	/** How the browser reaches an address of this machine: elsewhere where the window is a remote one. */
	reachable(address: string): Promise<string>;
	/** Asks, and opens the browser if the user says so; resolves to whether it was opened. */
	ask(question: SignInQuestion): Promise<boolean>;
	/** Called when the browser is open; `paste` takes the address it was led to, and returns whether it is the right one. */
	waiting?(paste: (address: string) => boolean): void;
}

/** What a server wants the user to sign in for. */
export interface SignInDemand {
	/** Further rights; absent: the server wants to know at all who it is. */
	readonly moreScopes?: string;
	/** Why the user is not signed in any more. */
	readonly ended?: string;
	/** Why signing in may fail now. */
	readonly trouble?: string;
}

interface VisitOptions {
	readonly owner: GrantOwner;
	readonly options: SignInOptions;
	readonly requests: IssuerRequests;
	readonly grants: Grants;
	readonly clock: Clock;
	/** What the server has refused a request with. */
	readonly challenge: Challenge;
	readonly demand: SignInDemand | undefined;
	/** What is granted already. */
	readonly before: Grant | undefined;
}

/**
 * One visit of the user to who signs them in: finds out who that is, listens for the browser before anything leads it back here, asks the
 * user, and changes what the browser brings for tokens.
 */
export class IssuerVisit {
	readonly #about: VisitOptions;

	constructor(about: VisitOptions) {
		this.#about = about;
	}

	/** Signs in, and keeps what that brings. Resolves to the rights that were asked for; rejects where `signal` aborts. */
	async make(person: SignInPerson, signal: AbortSignal): Promise<string | undefined> {
		const { grants, requests, owner, challenge, demand } = this.#about;
		const discovery = await requests.discover(challenge, signal);
		const { authorizationServer, resource } = discovery;
		const kept = await grants.registration(authorizationServer.issuer);
		const state = randomBytes(stateBytes).toString('base64url');
		const listener = await this.#listen(kept?.port, state, person.pages);
		try {
			const redirectUri = await abortable(person.reachable(listener.address), signal);
			const scope = this.#scopeFor(discovery);
			requests.insistUsable(authorizationServer);
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
			person.waiting?.((text) => listener.paste(text));
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
					generation: 0,
				});
				return scope;
			} catch (error) {
				// An issuer that has forgotten us says so in the browser only: the next try registers anew.
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

	/** At the port that the issuer knows, if it is free. */
	async #listen(known: number | undefined, state: string, pages: RedirectPages): Promise<RedirectListener> {
		const { redirectPort } = this.#about.options;
		if (redirectPort !== undefined) return RedirectListener.open(redirectPort, state, pages);
		if (known === undefined) return RedirectListener.open(0, state, pages);
		return RedirectListener.open(known, state, pages).catch(() => RedirectListener.open(0, state, pages));
	}

	/** Who we are to the issuer: as configured, by the address of a document about us, or as registered. */
	async #client(
		{ authorizationServer }: Discovery,
		about: {
			readonly redirectUri: string;
			readonly port: number;
			readonly scope: string | undefined;
			readonly name: string;
		},
		signal: AbortSignal,
	): Promise<{ readonly client: OAuthClient; readonly isKept: boolean }> {
		const { grants, clock, requests, options } = this.#about;
		const { clientId, clientMetadataUrl } = options;
		if (clientId !== undefined)
			return { client: withSecret({ client_id: clientId }, options), isKept: false };
		if (clientMetadataUrl !== undefined && authorizationServer.client_id_metadata_document_supported)
			return { client: { client_id: clientMetadataUrl }, isKept: false };
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
	 * What to ask for: as configured, else what the refusal names, else all that the server has; with what is granted already, where more is
	 * wanted. `offline_access` where the issuer has it, or it would give nothing to renew tokens with.
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

/** A client with the secret that the configuration has for it. */
export function withSecret(client: OAuthClient, { clientId, clientSecret }: SignInOptions): OAuthClient {
	const isOurs = clientId !== undefined && clientSecret !== undefined;
	return isOurs ? { ...client, client_secret: clientSecret } : client;
}

/** What tokens say, as it is kept. `scope`: what was asked for. */
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
		// Counted from here and by our own clock, so that it does not matter which time that shows.
		expiresAt:
			seconds === undefined || !Number.isFinite(seconds) ? undefined : now + Math.max(0, seconds) * 1_000,
	};
}

function namesIn(scope: string | undefined): readonly string[] {
	return scope?.split(' ').filter((name) => name !== '') ?? [];
}

/** The user has said no, or has gone on to something else. */
export function cancelled(): SignInError {
	return new SignInError('cancelled', 'Signing in was cancelled.');
}

function tooLate(): SignInError {
	return new SignInError(
		'timed-out',
		'Nobody came back from the browser within half an hour. Sign in again.',
	);
}
