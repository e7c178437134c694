import { randomBytes } from 'node:crypto';
import { abortable } from '../../common/cancellation.ts';
import type { Clock } from '../../common/clock.ts';
import { type Disposable, Emitter, type Event } from '../../common/event.ts';
import { sentence } from '../../common/text.ts';
import type { RemoteLaunch, SignInOptions } from '../../config/servers/launch.ts';
import {
	type AuthorizationServer,
	type Grant,
	type GrantOwner,
	type Grants,
	isExpired,
	type OAuthClient,
} from './grants.ts';
import {
	type Challenge,
	challengeOf,
	type Discovery,
	IssuerRequests,
	type OAuthTokens,
	unionOfScopes,
} from './oauth.ts';
import { RedirectListener, type RedirectPages } from './redirectListener.ts';
import { SignInError } from './signIns.ts';

/** Tokens are renewed this long before their end, or in the last fifth of a short life. */
const aheadMs = 60_000;
const aheadShare = 0.2;
/** After a refresh that failed for a time, the next one waits this long, or as long as the issuer says. */
const pauseMs = 2_000;
const longestPauseMs = 60_000;
/** People come back from the browser within this. */
const longestVisitMs = 30 * 60_000;
/** Sign-ins that do not give what a server wants, after which it is not asked for any more. */
const mostScopeTries = 3;
const stateBytes = 32;
const forbidden = 403;

/** What a server wants the user to sign in for. */
export interface SignInDemand {
	/** Further rights; absent: the server wants to know at all who it is. */
	readonly moreScopes?: string;
	/** Why who was signed in is so no more. */
	readonly ended?: string;
}

/** A request was refused, and nothing but the user's sign-in helps. Nothing of it was carried out. */
export class SignInNeeded extends Error {
	override readonly name = 'SignInNeeded';
	readonly demand: SignInDemand;

	constructor(demand: SignInDemand) {
		super('The user has to sign in first.');
		this.demand = demand;
	}
}

/** What the user is asked before a browser opens. */
export interface SignInQuestion {
	readonly issuer: string;
	/** Host of the server that the sign-in is for. */
	readonly resource: string;
	readonly scopes: readonly string[];
	readonly moreScopes: readonly string[];
	/** Where the browser would go, whole. */
	readonly address: string;
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

/** What has become of a sign-in, in whichever window. */
export type SignInChange =
	| { readonly kind: 'signed-in' }
	/** The user has given it up, or it could not be done. */
	| { readonly kind: 'failed'; readonly error: SignInError }
	| { readonly kind: 'signed-out' };

export interface SignInContext {
	readonly grants: Grants;
	readonly clock: Clock;
	/** How long one request to an issuer may take; only tests want another time. */
	readonly requestMs?: number;
}

/**
 * The sign-in to one server with one client: gives requests their token, renews it, and knows when only the user can help. No browser opens
 * by itself: {@link signIn} is the user's own doing.
 */
export class SignIn implements Disposable {
	readonly owner: GrantOwner;
	readonly #options: SignInOptions;
	readonly #context: SignInContext;
	readonly #requests: IssuerRequests;
	readonly #onDidChange = new Emitter<SignInChange>();
	readonly #closing = new AbortController();
	readonly #listening: Disposable;
	#refreshing: Promise<Grant> | undefined;
	#discovering: Promise<Discovery> | undefined;
	#visit: AbortController | undefined;
	#demand: SignInDemand | undefined;
	#challenge: Challenge = {};
	/** Read once, until a window stores another. */
	#grant: Promise<Grant | undefined> | undefined;
	/** The refresh that failed last for a time, and when the next may be tried. */
	#paused: { readonly error: SignInError; readonly until: number } | undefined;
	/** The latest token that a server has taken. A renewed one that was never taken is not renewed again. */
	#accepted: string | undefined;
	#renewed: string | undefined;
	/** Sign-ins so far, and what the latest asked for. */
	#signIns = 0;
	#asked: string | undefined;
	/** The sign-ins that asked for rights, by those rights, and did not bring them. */
	readonly #scopeTries = new Map<string, Set<number>>();

	constructor(launch: Pick<RemoteLaunch, 'url' | 'oauth'>, context: SignInContext) {
		this.#options = launch.oauth ?? {};
		this.#context = context;
		this.owner = { server: launch.url, configuredClient: this.#options.clientId ?? '' };
		this.#requests = new IssuerRequests(launch.url, context.requestMs);
		this.#listening = context.grants.onDidChange(() => void this.#reread());
	}

	get onDidChange(): Event<SignInChange> {
		return this.#onDidChange.event;
	}

	/** What the user is to sign in for; `undefined`: nothing is known to need it. */
	get demand(): SignInDemand | undefined {
		return this.#demand;
	}

	/** What the user has granted; `undefined`: not signed in. */
	grant(): Promise<Grant | undefined> {
		this.#grant ??= this.#context.grants.of(this.owner);
		return this.#grant;
	}

	/** The token for a request, renewed if it is about to end; `undefined`: the user is not signed in. */
	async token(signal: AbortSignal): Promise<string | undefined> {
		const grant = await abortable(this.grant(), signal);
		if (!grant?.refresh_token || !this.#isDue(grant)) return grant?.access_token;
		try {
			return (await abortable(this.#refresh(grant), signal)).access_token;
		} catch (error) {
			signal.throwIfAborted();
			// Our clock may be wrong: the server itself says whether a token is over.
			if (error instanceof SignInError && error.fault === 'unavailable') return grant.access_token;
			throw error;
		}
	}

	/** Notes that a server has taken a token. */
	accepted(token: string): void {
		this.#accepted = token;
	}

	/**
	 * Decides about a request that was refused with 401 or 403: `true`: another token may be taken, so that it is worth sending again;
	 * `false`: signing in has nothing to do with it. Rejects with {@link SignInNeeded}, or with a {@link SignInError}.
	 *
	 * @param token what the request was sent with
	 */
	async refused(response: Response, token: string | undefined, signal: AbortSignal): Promise<boolean> {
		const challenge = challengeOf(response);
		const grant = await abortable(this.grant(), signal);
		// Another request has renewed it meanwhile, or the user has signed in.
		if (grant && token !== grant.access_token) return true;
		this.#challenge = challenge;
		if (response.status === forbidden) return this.#scopesLacking(challenge, grant);
		// What was discovered is forgotten: the server may have moved to another issuer.
		const discovery = await abortable(this.#discover(challenge), signal).catch((error: unknown) => {
			signal.throwIfAborted();
			return error instanceof SignInError ? error : Promise.reject(error);
		});
		if (discovery instanceof SignInError && discovery.fault === 'not-offered' && !grant) return false;
		if (!grant) throw this.#need({});
		const hasMoved =
			!(discovery instanceof SignInError) &&
			discovery.authorizationServer.issuer !== grant.authorizationServer.issuer;
		if (hasMoved)
			throw this.#need({
				ended: sentence`It now has people sign in at ${discovery.authorizationServer.issuer}.`,
			});
		const isUseless = grant.access_token === this.#renewed && grant.access_token !== this.#accepted;
		if (!grant.refresh_token || isUseless)
			throw this.#need({ ended: 'The server does not take the sign-in any more.' });
		await abortable(this.#refresh(grant), signal);
		return true;
	}

	/**
	 * Has the user sign in. A sign-in that is under way ends: the user has closed its browser, and wants another. Rejects with a
	 * {@link SignInError}; `cancelled` where `signal` aborts or the user says no.
	 */
	async signIn(person: SignInPerson, signal: AbortSignal): Promise<void> {
		this.#visit?.abort();
		const visit = new AbortController();
		this.#visit = visit;
		const ended = AbortSignal.any([signal, visit.signal, this.#closing.signal]);
		try {
			await this.#signIn(person, ended);
			this.#onDidChange.fire({ kind: 'signed-in' });
		} catch (error) {
			const failure = ended.aborted ? cancelled() : asSignInError(error);
			if (this.#visit === visit) this.#onDidChange.fire({ kind: 'failed', error: failure });
			throw failure;
		} finally {
			if (this.#visit === visit) this.#visit = undefined;
		}
	}

	/** Resolves when the user has signed in; rejects with a {@link SignInError} when they give it up, or with the signal's reason. */
	async signedIn(signal: AbortSignal | undefined): Promise<void> {
		let listening: Disposable | undefined;
		const ended = new Promise<void>((resolve, reject) => {
			listening = this.onDidChange((change) => {
				if (change.kind === 'signed-in') resolve();
				if (change.kind === 'failed') reject(change.error);
			});
		});
		await abortable(ended, signal).finally(() => listening?.dispose());
	}

	/** Ends the sign-in: the issuer takes the tokens back where it can, and they are forgotten either way. Resolves to whether it could. */
	async signOut(signal: AbortSignal): Promise<boolean> {
		const grant = await this.grant();
		this.#visit?.abort();
		if (!grant) return true;
		await this.#context.grants.remove(grant);
		this.#forget();
		this.#onDidChange.fire({ kind: 'signed-out' });
		const { authorizationServer, refresh_token: refreshToken, access_token: accessToken } = grant;
		const client = this.#withSecret(grant.client);
		const taken = refreshToken
			? ({ token: refreshToken, kind: 'refresh_token' } as const)
			: ({ token: accessToken, kind: 'access_token' } as const);
		return this.#requests.revoke(authorizationServer, { client, ...taken }, signal).catch(() => false);
	}

	dispose(): void {
		this.#closing.abort();
		this.#listening.dispose();
		this.#onDidChange.dispose();
	}

	#scopesLacking({ error, scope = '' }: Challenge, grant: Grant | undefined): boolean {
		if (error !== 'insufficient_scope') return false;
		const asked = new Set((this.#asked ?? grant?.scope)?.split(' '));
		const wasAsked = grant !== undefined && scope.split(' ').every((one) => one === '' || asked.has(one));
		const tries = this.#scopeTries.get(scope) ?? new Set();
		if (wasAsked) this.#scopeTries.set(scope, tries.add(this.#signIns));
		if (tries.size < mostScopeTries) throw this.#need({ moreScopes: scope });
		throw new SignInError(
			'refused',
			sentence`It wants further rights (${scope || 'which, it does not say'}), also after you have signed in for them ${mostScopeTries} times. Ask who runs it.`,
		);
	}

	#need(demand: SignInDemand): SignInNeeded {
		this.#demand = demand;
		return new SignInNeeded(demand);
	}

	#isDue({ receivedAt, expiresAt }: Grant): boolean {
		if (expiresAt === undefined) return false;
		const ahead = Math.min(aheadMs, aheadShare * (expiresAt - receivedAt));
		return this.#context.clock.now() >= expiresAt - ahead;
	}

	/** One refresh for all requests that need it. */
	#refresh(old: Grant): Promise<Grant> {
		const { clock } = this.#context;
		if (this.#paused && clock.now() < this.#paused.until) return Promise.reject(this.#paused.error);
		this.#refreshing ??= this.#refreshNow(old).finally(() => {
			this.#refreshing = undefined;
		});
		return this.#refreshing;
	}

	async #refreshNow(old: Grant): Promise<Grant> {
		const { grants, clock } = this.#context;
		let failure: SignInError | undefined;
		const renewed = await grants.renew(old, async (latest) => {
			// Another window has renewed it, or signed out.
			if (!latest?.refresh_token || latest.access_token !== old.access_token) return latest;
			try {
				const { authorizationServer, resource } = latest;
				const client = this.#withSecret(latest.client);
				const options = { client, refreshToken: latest.refresh_token, resource };
				const tokens = await this.#requests.refresh(authorizationServer, options, this.#closing.signal);
				return { ...latest, ...this.#received(tokens, latest.scope) };
			} catch (error) {
				failure = asSignInError(error);
				return this.#isOver(failure) ? undefined : latest;
			}
		});
		this.#grant = Promise.resolve(renewed);
		if (failure?.fault === 'unavailable') {
			const wait = Math.min(Math.max(failure.retryAfterMs ?? 0, pauseMs), longestPauseMs);
			this.#paused = { error: failure, until: clock.now() + wait };
			throw failure;
		}
		if (failure?.fault === 'client-refused' && this.#options.clientId === undefined)
			await grants.forgetRegistration(old.authorizationServer.issuer);
		if (failure) throw this.#need({ ended: failure.message });
		if (!renewed) throw this.#need({});
		this.#paused = undefined;
		this.#renewed = renewed.access_token;
		return renewed;
	}

	/** Whether tokens are of no use to anybody any more. A secret of the configuration can be put right. */
	#isOver({ fault }: SignInError): boolean {
		return fault === 'grant-ended' || (fault === 'client-refused' && this.#options.clientId === undefined);
	}

	#received(
		tokens: OAuthTokens,
		scope: string | undefined,
	): Pick<Grant, 'access_token' | 'receivedAt'> & Partial<Grant> {
		const now = this.#context.clock.now();
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

	#discover(challenge: Challenge): Promise<Discovery> {
		this.#discovering ??= this.#requests.discover(challenge, this.#closing.signal).finally(() => {
			this.#discovering = undefined;
		});
		return this.#discovering;
	}

	async #signIn(person: SignInPerson, signal: AbortSignal): Promise<void> {
		const { grants } = this.#context;
		const discovery = await this.#requests.discover(this.#challenge, signal);
		const { authorizationServer, resource } = discovery;
		const kept = await grants.registration(authorizationServer.issuer);
		const state = randomBytes(stateBytes).toString('base64url');
		const listener = await this.#listen(kept?.port, state, person.pages);
		try {
			const redirectUri = await abortable(person.reachable(listener.address), signal);
			const before = await this.grant();
			const scope = this.#scopeFor(discovery, before);
			const { client, isKept } = await this.#client(
				discovery,
				{ redirectUri, port: listener.port, scope, name: person.clientName },
				signal,
			);
			const { address, verifier } = await this.#requests.authorizationAddress(authorizationServer, {
				client,
				redirectUri,
				state,
				scope,
				resource,
			});
			const question = questionOf(this.owner.server, authorizationServer, {
				address,
				scope,
				demand: this.#demand,
			});
			if (!(await abortable(person.ask(question), signal))) throw cancelled();
			person.waiting?.((text) => listener.paste(text));
			try {
				const answer = await this.#comeBack(listener, signal);
				const options = { client, answer, verifier, redirectUri, resource };
				const tokens = await this.#requests.exchange(authorizationServer, options, signal);
				await this.#keep({ authorizationServer, resource, client, tokens, scope });
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
			timer = this.#context.clock.after(longestVisitMs, () => reject(tooLate()));
		});
		return abortable(Promise.race([listener.answer, late]), signal).finally(() => timer?.dispose());
	}

	/** At the port that the issuer knows, if it is free. */
	async #listen(known: number | undefined, state: string, pages: RedirectPages): Promise<RedirectListener> {
		const { redirectPort } = this.#options;
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
		const { grants, clock } = this.#context;
		const { clientId, clientMetadataUrl } = this.#options;
		if (clientId !== undefined) return { client: this.#withSecret({ client_id: clientId }), isKept: false };
		if (clientMetadataUrl !== undefined && authorizationServer.client_id_metadata_document_supported)
			return { client: { client_id: clientMetadataUrl }, isKept: false };
		const { issuer } = authorizationServer;
		const kept = await grants.registration(issuer);
		const scope = unionOfScopes(kept?.scope, about.scope);
		const isValid = kept?.redirectUri === about.redirectUri && !isExpired(kept.client, clock.now());
		if (isValid && scope === kept.scope) return { client: kept.client, isKept: true };
		const client = await this.#requests.register(authorizationServer, { ...about, scope }, signal);
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

	#withSecret(client: OAuthClient): OAuthClient {
		const { clientId, clientSecret } = this.#options;
		return clientId === undefined || clientSecret === undefined
			? client
			: { ...client, client_secret: clientSecret };
	}

	/**
	 * What to ask for: as configured, else what the refusal names, else all that the server has; with what is granted already, where more is
	 * wanted. `offline_access` where the issuer has it, or it would give nothing to renew tokens with.
	 */
	#scopeFor(
		{ authorizationServer, scopesSupported }: Discovery,
		before: Grant | undefined,
	): string | undefined {
		const more = this.#demand?.moreScopes;
		const wanted =
			this.#options.scopes?.join(' ') || this.#challenge.scope || scopesSupported?.join(' ') || undefined;
		const scope = more === undefined ? wanted : unionOfScopes(before?.scope, wanted, more);
		const isOffline = authorizationServer.scopes_supported?.includes('offline_access') === true;
		return scope !== undefined && isOffline ? unionOfScopes(scope, 'offline_access') : scope;
	}

	async #keep({
		authorizationServer,
		resource,
		client,
		tokens,
		scope,
	}: {
		readonly authorizationServer: AuthorizationServer;
		readonly resource: string | undefined;
		readonly client: OAuthClient;
		readonly tokens: OAuthTokens;
		readonly scope: string | undefined;
	}): Promise<void> {
		const { client_secret: _, ...withoutSecret } = client;
		await this.#context.grants.add({
			...this.owner,
			...(resource !== undefined && { resource }),
			authorizationServer,
			client: this.#options.clientId === undefined ? client : withoutSecret,
			...this.#received(tokens, scope),
			generation: 0,
		});
		this.#signIns += 1;
		this.#asked = scope;
		this.#grant = undefined;
		this.#demand = undefined;
		this.#challenge = {};
		this.#paused = undefined;
	}

	#forget(): void {
		this.#grant = undefined;
		this.#renewed = undefined;
		this.#paused = undefined;
		this.#scopeTries.clear();
	}

	/** A window has stored or removed something: perhaps the user has signed in there. */
	async #reread(): Promise<void> {
		// Our own doing, of which others hear when it is done.
		if (this.#visit || this.#refreshing) {
			this.#grant = undefined;
			return;
		}
		const before = await this.#grant?.catch(() => undefined);
		const now = await this.#context.grants.of(this.owner).catch(() => undefined);
		this.#grant = Promise.resolve(now);
		if (before && !now) this.#onDidChange.fire({ kind: 'signed-out' });
		if (!now || now.access_token === before?.access_token || this.#demand === undefined) return;
		this.#demand = undefined;
		this.#onDidChange.fire({ kind: 'signed-in' });
	}
}

function questionOf(
	server: string,
	{ issuer }: AuthorizationServer,
	{
		address,
		scope,
		demand,
	}: { readonly address: URL; readonly scope: string | undefined; readonly demand: SignInDemand | undefined },
): SignInQuestion {
	return {
		issuer,
		resource: new URL(server).host,
		scopes: scope?.split(' ') ?? [],
		moreScopes: demand?.moreScopes?.split(' ').filter((one) => one !== '') ?? [],
		address: address.href,
	};
}

function cancelled(): SignInError {
	return new SignInError('cancelled', 'Signing in was cancelled.');
}

function tooLate(): SignInError {
	return new SignInError(
		'timed-out',
		'Nobody came back from the browser within half an hour. Sign in again.',
	);
}

function asSignInError(error: unknown): SignInError {
	if (error instanceof SignInError) return error;
	return new SignInError('bad-answer', 'What the authorization server says cannot be used. Ask who runs it.');
}
