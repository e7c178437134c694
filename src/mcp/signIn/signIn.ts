import { abortable, JoinedSignal } from '../../common/cancellation.ts';
import type { Clock } from '../../common/clock.ts';
import { type Disposable, Emitter, type Event } from '../../common/event.ts';
import { reversible, type Step } from '../../common/steps.ts';
import { sentence } from '../../common/text.ts';
import type { SignInOptions } from '../../config/servers/launch.ts';
import { type Grant, Grants, received, type SecretTexts } from './grants.ts';
import { type Challenge, challengeOf, IssuerRequests } from './oauth.ts';
import { SignInError } from './signInError.ts';
import { cancelled, type SignInDemand, type SignInPerson, visitIssuer, withSecret } from './visit.ts';

/** Tokens are refreshed this long before they expire, or in the last fifth of a short life. */
const aheadMs = 60_000;
const aheadShare = 0.2;
/** Sign-ins that did not bring the rights a server wants, after which we give up. */
const maxScopeTries = 3;
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

export interface SignInContext {
	readonly secrets: SecretTexts;
	/** Folder for locks between windows. It holds no secrets. */
	readonly folder: string;
	readonly clock: Clock;
	/** Timeout of one request to an issuer; only for tests. */
	readonly requestMs?: number;
}

/** What has become of a sign-in, in any window. */
export type SignInChange =
	| { readonly kind: 'signed-in' }
	/** The user cancelled it, or it failed. */
	| { readonly kind: 'failed'; readonly error: SignInError }
	| { readonly kind: 'signed-out' };

/**
 * The sign-in to one server with one client: provides tokens for requests, refreshes them, and knows when only the user can help. It never
 * opens a browser by itself: {@link signIn} is called by the user.
 */
export class SignIn implements Disposable {
	readonly #server: string;
	readonly #options: SignInOptions;
	readonly #context: SignInContext;
	readonly #grants: Grants;
	readonly #requests: IssuerRequests;
	readonly #onDidChange = new Emitter<SignInChange>();
	readonly #closing = new AbortController();
	readonly #listening: Disposable;
	/** What is stored. Read again after each change, by any window. */
	#grant: Promise<Grant | undefined> | undefined;
	/** What was read last; absent: nothing yet. */
	#lastRead: { readonly grant: Grant | undefined } | undefined;
	/** In progress, for all requests that need it. */
	#renewing: Promise<boolean> | undefined;
	/** A refreshed token that the server has not accepted yet. It is not refreshed again. */
	#unproven: string | undefined;
	#visit: AbortController | undefined;
	/** Why the user should sign in; `undefined`: nothing needs it. */
	#demand: SignInDemand | undefined;
	/** How often the user has signed in for these permissions. */
	readonly #scopeTries = new Map<string, number>();

	constructor(server: string, options: SignInOptions, context: SignInContext) {
		this.#server = server;
		this.#options = options;
		this.#context = context;
		this.#grants = new Grants(context.secrets, context.folder, server, options.clientId ?? '');
		this.#requests = new IssuerRequests(server, context.requestMs);
		this.#listening = this.#grants.onDidChange(() => void this.#reload());
	}

	get onDidChange(): Event<SignInChange> {
		return this.#onDidChange.event;
	}

	/** Sign-ins with the same owner share their tokens. */
	get owner(): string {
		return this.#grants.owner;
	}

	get isSignedIn(): boolean {
		return this.#lastRead?.grant !== undefined;
	}

	/** What the user has granted; `undefined`: not signed in. */
	grant(): Promise<Grant | undefined> {
		this.#grant ??= this.#read();
		return this.#grant;
	}

	/** The token for a request, refreshed if it is about to expire; `undefined`: the user is not signed in. */
	async token(signal: AbortSignal): Promise<string | undefined> {
		const grant = await abortable(this.grant(), signal);
		if (!grant?.refresh_token || !this.#isDue(grant)) return grant?.access_token;
		try {
			await this.#renewOnce(() => this.#refresh(grant, {}), signal);
		} catch (error) {
			signal.throwIfAborted();
			// Our clock may be wrong: let the server decide whether the token has expired.
			if (!(error instanceof SignInError && error.fault === 'unavailable')) throw error;
		}
		return (await this.grant())?.access_token;
	}

	/** The server has accepted a token. */
	accepted(token: string): void {
		if (this.#unproven === token) this.#unproven = undefined;
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
		if (response.status === forbidden) return this.#lacksScopes(challenge);
		return this.#renewOnce(() => this.#renew(grant, challenge), signal);
	}

	/**
	 * Lets the user sign in. A sign-in in progress is cancelled: the user has closed its browser and wants another. Rejects with a {@link
	 * SignInError}; `cancelled` if `signal` aborts or the user declines.
	 */
	async signIn(person: SignInPerson, signal: AbortSignal): Promise<void> {
		this.endVisit();
		const visit = new AbortController();
		this.#visit = visit;
		const ending = new JoinedSignal(signal, visit.signal, this.#closing.signal);
		try {
			await this.#visitIssuer(person, ending.signal);
		} catch (error) {
			const failure = ending.signal.aborted ? cancelled() : asSignInError(error);
			if (this.#visit === visit) this.#onDidChange.fire({ kind: 'failed', error: failure });
			throw failure;
		} finally {
			ending.dispose();
			if (this.#visit === visit) this.#visit = undefined;
		}
	}

	/** Cancels a sign-in in progress. */
	endVisit(): void {
		this.#visit?.abort();
	}

	/** Deletes the tokens of a server that leaves the configuration. They are not revoked, so that it can be taken back. */
	forgetting(): Step {
		return reversible(async () => {
			const removed = await this.#forget();
			return () => removed && this.#store(removed);
		});
	}

	/** Signs out: revokes the tokens if the issuer can, and deletes them in any case. Resolves to whether they were revoked. */
	async signOut(signal: AbortSignal): Promise<boolean> {
		const removed = await this.#forget();
		if (!removed) return true;
		return this.#requests.revoke(this.#withSecret(removed), signal).catch(() => false);
	}

	dispose(): void {
		this.#closing.abort();
		this.#listening.dispose();
		this.#onDidChange.dispose();
	}

	/** Reads what is stored, and reports what has changed. */
	async #read(): Promise<Grant | undefined> {
		const grant = await this.#grants.latest();
		const previous = this.#lastRead;
		this.#lastRead = { grant };
		if (previous?.grant && !grant) this.#onDidChange.fire({ kind: 'signed-out' });
		if (previous && grant && grant.id !== previous.grant?.id) {
			this.#demand = undefined;
			this.#onDidChange.fire({ kind: 'signed-in' });
		}
		return grant;
	}

	#reload(): Promise<Grant | undefined> {
		this.#grant = this.grant().then(() => this.#read());
		return this.#grant;
	}

	async #store(grant: Grant): Promise<void> {
		await this.#grants.change(async () => grant);
		await this.#reload();
	}

	/** Resolves to the last state of the grant; `undefined`: nobody was signed in. */
	async #forget(): Promise<Grant | undefined> {
		this.endVisit();
		await this.grant();
		const removed = await this.#grants.change(async () => undefined);
		this.#scopeTries.clear();
		await this.#reload();
		return removed;
	}

	async #visitIssuer(person: SignInPerson, signal: AbortSignal): Promise<void> {
		const previousGrant = await this.grant();
		const demand = this.#demand;
		const target = { server: this.#server, options: this.#options, requests: this.#requests };
		const visit = {
			...target,
			grants: this.#grants,
			clock: this.#context.clock,
			demand,
			previousGrant,
		};
		const grant = await visitIssuer(visit, person, signal);
		const moreScopes = demand?.moreScopes;
		if (moreScopes !== undefined)
			this.#scopeTries.set(moreScopes, (this.#scopeTries.get(moreScopes) ?? 0) + 1);
		await this.#store(grant);
	}

	#lacksScopes(challenge: Challenge): boolean {
		const { error, scope = '' } = challenge;
		if (error !== 'insufficient_scope') return false;
		if ((this.#scopeTries.get(scope) ?? 0) < maxScopeTries)
			throw this.#need({ challenge, moreScopes: scope });
		throw new SignInError(
			'refused',
			sentence`It keeps asking for more permissions (${scope || 'it does not say which'}) although you have signed in for them ${maxScopeTries} times. Ask whoever runs it.`,
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

	#renewOnce(renew: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
		this.#renewing ??= renew().finally(() => {
			this.#renewing = undefined;
		});
		return abortable(this.#renewing, signal);
	}

	/** Replaces a token that the server refuses. `false`: signing in is not the problem. */
	async #renew(grant: Grant | undefined, challenge: Challenge): Promise<boolean> {
		// Do not reuse an earlier discovery: the server may have moved to another issuer.
		const found = await this.#requests.discover(challenge, this.#closing.signal).catch(asSignInError);
		if (!grant) {
			if (!(found instanceof SignInError)) throw this.#need({ challenge });
			if (found.fault === 'not-offered') return false;
			throw this.#need({ challenge, trouble: found.message });
		}
		const issuer = found instanceof SignInError ? undefined : found.authorizationServer.issuer;
		if (issuer !== undefined && issuer !== grant.authorizationServer.issuer)
			throw this.#need({
				challenge,
				ended: sentence`The server now uses another sign-in service: ${issuer}.`,
			});
		if (!grant.refresh_token || grant.access_token === this.#unproven)
			throw this.#need({ challenge, ended: 'The server no longer accepts the sign-in.' });
		return this.#refresh(grant, challenge);
	}

	async #refresh(old: Grant, challenge: Challenge): Promise<boolean> {
		let failure: SignInError | undefined;
		await this.#grants.change(async (latest) => {
			// Another window has refreshed it, or signed out.
			if (!latest?.refresh_token || latest.access_token !== old.access_token) return latest;
			try {
				const tokens = await this.#requests.refresh(this.#withSecret(latest), this.#closing.signal);
				return { ...latest, ...received(tokens, latest.scope, this.#context.clock.now()) };
			} catch (error) {
				failure = asSignInError(error);
				if (!this.#isOver(failure)) return latest;
				// Those who wait for the token learn why it is gone.
				this.#lastRead = undefined;
				return undefined;
			}
		});
		const renewed = await this.#reload();
		if (failure?.fault === 'unavailable') throw failure;
		if (failure?.fault === 'client-refused' && this.#options.clientId === undefined)
			await this.#grants.forgetRegistration(old.authorizationServer.issuer);
		if (failure || !renewed) throw this.#need({ challenge, ...(failure && { ended: failure.message }) });
		this.#unproven = renewed.access_token;
		return true;
	}

	/** Whether the tokens are useless for good. A configured secret may still be corrected. */
	#isOver({ fault }: SignInError): boolean {
		return fault === 'grant-ended' || (fault === 'client-refused' && this.#options.clientId === undefined);
	}

	#withSecret(grant: Grant): Grant {
		return { ...grant, client: withSecret(grant.client, this.#options) };
	}
}

function asSignInError(error: unknown): SignInError {
	if (error instanceof SignInError) return error;
	return new SignInError(
		'bad-answer',
		'The answer of the authorization server cannot be used. Ask whoever runs it.',
	);
}
