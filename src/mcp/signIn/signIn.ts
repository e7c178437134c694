import { abortable, JoinedSignal } from '../../common/cancellation.ts';
import type { Clock } from '../../common/clock.ts';
import { type Disposable, Emitter, type Event } from '../../common/event.ts';
import { reversible, type Step } from '../../common/steps.ts';
import { sentence } from '../../common/text.ts';
import type { RemoteLaunch, SignInOptions } from '../../config/servers/launch.ts';
import type { Grant, GrantOwner, Grants } from './grants.ts';
import { type Challenge, challengeOf, type Discovery, IssuerRequests } from './oauth.ts';
import { SignInError } from './signInError.ts';
import {
	cancelled,
	IssuerVisit,
	receivedGrant,
	type SignInDemand,
	type SignInPerson,
	withSecret,
} from './visit.ts';

/** Tokens are refreshed this long before they expire, or in the last fifth of a short life. */
const aheadMs = 60_000;
const aheadShare = 0.2;
/** Wait after a refresh that failed temporarily, unless the issuer asks for longer. */
const pauseMs = 2_000;
const longestPauseMs = 60_000;
/** Sign-ins that did not bring the rights a server wants, after which we give up. */
const mostScopeTries = 3;
const forbidden = 403;

/** A request was refused, and only the user's sign-in helps. Nothing of it was carried out. */
export class SignInNeeded extends Error {
	override readonly name = 'SignInNeeded';
	readonly demand: SignInDemand;

	constructor(demand: SignInDemand) {
		super('The user has to sign in first.');
		this.demand = demand;
	}
}

/** What has become of a sign-in, in any window. */
export type SignInChange =
	| { readonly kind: 'signed-in' }
	/** The user cancelled it, or it failed. */
	| { readonly kind: 'failed'; readonly error: SignInError }
	| { readonly kind: 'signed-out' };

export interface SignInContext {
	readonly grants: Grants;
	readonly clock: Clock;
	/** Timeout of one request to an issuer; only for tests. */
	readonly requestMs?: number;
}

/**
 * The sign-in to one server with one client: provides tokens for requests, refreshes them, and knows when only the user can help. It never
 * opens a browser by itself: {@link signIn} is called by the user.
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
	/** Why the user should sign in; `undefined`: nothing needs it. */
	#demand: SignInDemand | undefined;
	#challenge: Challenge = {};
	/** Cached until a window stores another one. */
	#grant: Promise<Grant | undefined> | undefined;
	/** The last temporary failure of a refresh, and when to try again. */
	#paused: { readonly error: SignInError; readonly until: number } | undefined;
	/** The last token that a server accepted. A refreshed token that was never accepted is not refreshed again. */
	#accepted: string | undefined;
	#renewed: string | undefined;
	/** Sign-ins so far, and the rights that the latest requested. */
	#signIns = 0;
	#asked: string | undefined;
	/** Sign-ins that requested these rights and did not bring them. */
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

	/** What the user has granted; `undefined`: not signed in. */
	grant(): Promise<Grant | undefined> {
		this.#grant ??= this.#context.grants.of(this.owner);
		return this.#grant;
	}

	/** The token for a request, refreshed if it is about to expire; `undefined`: the user is not signed in. */
	async token(signal: AbortSignal): Promise<string | undefined> {
		const grant = await abortable(this.grant(), signal);
		if (!grant?.refresh_token || !this.#isDue(grant)) return grant?.access_token;
		try {
			return (await abortable(this.#refresh(grant), signal)).access_token;
		} catch (error) {
			signal.throwIfAborted();
			// Our clock may be wrong: let the server decide whether the token has expired.
			if (error instanceof SignInError && error.fault === 'unavailable') return grant.access_token;
			throw error;
		}
	}

	accepted(token: string): void {
		this.#accepted = token;
	}

	/**
	 * Decides about a request that was refused with 401 or 403. `true`: send it again with another token; `false`: signing in is not the
	 * problem. Rejects with {@link SignInNeeded}, or with a {@link SignInError}.
	 *
	 * @param token what the request was sent with
	 */
	async refused(response: Response, token: string | undefined, signal: AbortSignal): Promise<boolean> {
		const challenge = challengeOf(response);
		const grant = await abortable(this.grant(), signal);
		// Another request has refreshed it, or the user has signed in.
		if (grant && token !== grant.access_token) return true;
		this.#challenge = challenge;
		if (response.status === forbidden) return this.#scopesLacking(challenge, grant);
		// Do not reuse an earlier discovery: the server may have moved to another issuer.
		const discovery = await abortable(this.#discover(challenge), signal).catch((error: unknown) => {
			signal.throwIfAborted();
			return error instanceof SignInError ? error : Promise.reject(error);
		});
		if (discovery instanceof SignInError && discovery.fault === 'not-offered' && !grant) return false;
		if (!grant) throw this.#need(discovery instanceof SignInError ? { trouble: discovery.message } : {});
		const hasMoved =
			!(discovery instanceof SignInError) &&
			discovery.authorizationServer.issuer !== grant.authorizationServer.issuer;
		if (hasMoved)
			throw this.#need({
				ended: sentence`The server now uses another sign-in service: ${discovery.authorizationServer.issuer}.`,
			});
		const isUseless = grant.access_token === this.#renewed && grant.access_token !== this.#accepted;
		if (!grant.refresh_token || isUseless)
			throw this.#need({ ended: 'The server no longer accepts the sign-in.' });
		await abortable(this.#refresh(grant), signal);
		return true;
	}

	/**
	 * Lets the user sign in. A sign-in in progress is cancelled: the user has closed its browser and wants another. Rejects with a {@link
	 * SignInError}; `cancelled` if `signal` aborts or the user declines.
	 */
	async signIn(person: SignInPerson, signal: AbortSignal): Promise<void> {
		this.#visit?.abort();
		const visit = new AbortController();
		this.#visit = visit;
		const ending = new JoinedSignal(signal, visit.signal, this.#closing.signal);
		try {
			await this.#visitIssuer(person, ending.signal);
			this.#onDidChange.fire({ kind: 'signed-in' });
		} catch (error) {
			const failure = ending.signal.aborted ? cancelled() : asSignInError(error);
			if (this.#visit === visit) this.#onDidChange.fire({ kind: 'failed', error: failure });
			throw failure;
		} finally {
			ending.dispose();
			if (this.#visit === visit) this.#visit = undefined;
		}
	}

	/** Resolves when the user has signed in; rejects with a {@link SignInError} if they cancel, or with the signal's reason. */
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

	/** Deletes the tokens of a server that leaves the configuration. They are not revoked, so that it can be taken back. */
	forgetting(): Step {
		return reversible(async () => {
			const grant = await this.#deleteGrant();
			return async () => {
				if (!grant) return;
				await this.#context.grants.add(grant);
				this.#grant = undefined;
			};
		});
	}

	/** Signs out: revokes the tokens if the issuer can, and deletes them in any case. Resolves to whether they were revoked. */
	async signOut(signal: AbortSignal): Promise<boolean> {
		const removed = await this.#deleteGrant();
		if (!removed) return true;
		const { authorizationServer, refresh_token: refreshToken, access_token: accessToken } = removed;
		const client = withSecret(removed.client, this.#options);
		const taken = refreshToken
			? ({ token: refreshToken, kind: 'refresh_token' } as const)
			: ({ token: accessToken, kind: 'access_token' } as const);
		return this.#requests.revoke(authorizationServer, { client, ...taken }, signal).catch(() => false);
	}

	/** Resolves to the last state of the grant; `undefined`: nobody was signed in. */
	async #deleteGrant(): Promise<Grant | undefined> {
		const grant = await this.grant();
		this.#visit?.abort();
		if (!grant) return undefined;
		const removed = await this.#context.grants.remove(grant);
		this.#grant = undefined;
		this.#renewed = undefined;
		this.#paused = undefined;
		this.#scopeTries.clear();
		this.#onDidChange.fire({ kind: 'signed-out' });
		return removed;
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
			sentence`It keeps asking for further rights (${scope || 'it does not say which'}) although you have signed in for them ${mostScopeTries} times. Ask whoever runs it.`,
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
			// Another window has refreshed it, or signed out.
			if (!latest?.refresh_token || latest.access_token !== old.access_token) return latest;
			try {
				const { authorizationServer, resource } = latest;
				const client = withSecret(latest.client, this.#options);
				const options = { client, refreshToken: latest.refresh_token, resource };
				const tokens = await this.#requests.refresh(authorizationServer, options, this.#closing.signal);
				return { ...latest, ...receivedGrant(tokens, latest.scope, clock.now()) };
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

	/** Whether the tokens are useless for good. A configured secret may still be corrected. */
	#isOver({ fault }: SignInError): boolean {
		return fault === 'grant-ended' || (fault === 'client-refused' && this.#options.clientId === undefined);
	}

	#discover(challenge: Challenge): Promise<Discovery> {
		this.#discovering ??= this.#requests.discover(challenge, this.#closing.signal).finally(() => {
			this.#discovering = undefined;
		});
		return this.#discovering;
	}

	async #visitIssuer(person: SignInPerson, signal: AbortSignal): Promise<void> {
		const { grants, clock } = this.#context;
		const about = { owner: this.owner, options: this.#options, requests: this.#requests, grants, clock };
		const before = await this.grant();
		const visit = new IssuerVisit({ ...about, before, challenge: this.#challenge, demand: this.#demand });
		this.#asked = await visit.make(person, signal);
		this.#signIns += 1;
		this.#grant = undefined;
		this.#demand = undefined;
		this.#challenge = {};
		this.#paused = undefined;
	}

	/** A window has stored or deleted something: perhaps the user has signed in there. */
	async #reread(): Promise<void> {
		// Our own change, which is reported when it is complete.
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

function asSignInError(error: unknown): SignInError {
	if (error instanceof SignInError) return error;
	return new SignInError(
		'bad-answer',
		'The answer of the authorization server cannot be used. Ask whoever runs it.',
	);
}
