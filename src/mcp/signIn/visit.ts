import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { abortable } from '../../common/cancellation.ts';
import type { Clock } from '../../common/clock.ts';
import type { Disposable } from '../../common/event.ts';
import type { SignInOptions } from '../../config/servers/launch.ts';
import {
	type AuthorizationServer,
	type Grant,
	type Grants,
	isExpired,
	type OAuthClient,
	type Registration,
	received,
} from './grants.ts';
import { insistUsable } from './issuerChecks.ts';
import { type Challenge, type Discovery, type IssuerRequests, unionOfScopes } from './oauth.ts';
import { callbackPath, RedirectListener, type RedirectPages } from './redirectListener.ts';
import { SignInError } from './signInError.ts';

/** How long the user may take in the browser. */
const maxVisitMs = 30 * 60_000;
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
}

/** What the user, and the editor on their behalf, do in a sign-in. */
export interface SignInPerson {
	readonly pages: RedirectPages;
	/** The name under which we register. */
	readonly clientName: string;
	/** Resolves to how to open the browser, which resolves to whether that succeeded; `undefined`: the user declines. */
	ask(question: SignInQuestion): Promise<((address: string) => Promise<boolean>) | undefined>;
	/** How the browser reaches an address of this machine, which differs in a remote window. */
	reachable(address: string): Promise<string>;
	/** Called when the browser is open; `paste` takes the redirect URL, and returns whether it is the right one. */
	waiting?(paste: (address: string) => boolean): void;
}

/** Why a server wants the user to sign in. */
export interface SignInDemand {
	/** What the refused request says. */
	readonly challenge: Challenge;
	/** Further rights; absent: any sign-in. */
	readonly moreScopes?: string;
	/** Why the user is no longer signed in. */
	readonly ended?: string;
	/** Why signing in may fail at present. */
	readonly trouble?: string;
}

interface Visit {
	readonly server: string;
	readonly options: SignInOptions;
	readonly requests: IssuerRequests;
	readonly grants: Grants;
	readonly clock: Clock;
	readonly demand: SignInDemand | undefined;
	/** What is already granted. */
	readonly previousGrant: Grant | undefined;
}

/**
 * One sign-in at an issuer: finds the issuer, asks the user, listens for the redirect, registers us if necessary, opens the browser, and
 * exchanges the code that it brings for tokens. Rejects if `signal` aborts.
 */
export async function visitIssuer(visit: Visit, person: SignInPerson, signal: AbortSignal): Promise<Grant> {
	const { options, requests, grants, clock, demand } = visit;
	const discovery = await requests.discover(demand?.challenge ?? {}, signal);
	const { authorizationServer, resource } = discovery;
	const { issuer } = authorizationServer;
	insistUsable(authorizationServer);
	const scope = scopeFor(discovery, visit);
	const open = await abortable(person.ask(questionOf(visit, authorizationServer, scope)), signal);
	if (!open) throw cancelled();
	const configured = configuredClient(options, authorizationServer);
	const storedRegistration = configured ? undefined : await grants.registration(issuer);
	const state = randomBytes(stateBytes).toString('base64url');
	const path = configured ? callbackPath : redirectPathOf(issuer);
	const listen = (port: number) => RedirectListener.open(port, state, person.pages, path);
	const { redirectPort, redirectHost } = options;
	// The port that the issuer knows, if it is free.
	const listener = await (storedRegistration && redirectPort === undefined
		? listen(storedRegistration.port).catch(() => listen(0))
		: listen(redirectPort ?? 0));
	try {
		const redirectAddress = await abortable(person.reachable(listener.address), signal);
		const fullScope = unionOfScopes(storedRegistration?.scope, scope);
		const localhostUri = redirectAddress.replace('//127.0.0.1:', '//localhost:');
		// Some issuers register only one of the two.
		const redirectUris =
			redirectHost === 'localhost'
				? ([localhostUri, redirectAddress] as const)
				: ([redirectAddress, localhostUri] as const);
		const register = async (redirectUri: string): Promise<Registration> => {
			const registrationRequest = { redirectUri, name: person.clientName, scope: fullScope };
			const client = await requests.register(authorizationServer, registrationRequest, signal);
			const registration = { redirectUri, port: listener.port, scope: fullScope, client };
			await grants.keepRegistration(issuer, registration);
			return registration;
		};
		const { client, redirectUri } = configured
			? { client: configured, redirectUri: redirectUris[0] }
			: isUsable(storedRegistration, redirectUris, fullScope, clock.now())
				? storedRegistration
				: await register(redirectUris[0]).catch((error: unknown) => {
						if (error instanceof SignInError && error.fault === 'client-refused')
							return register(redirectUris[1]);
						throw error;
					});
		const request = { client, redirectUri, scope, resource };
		const authorizationRequest = { ...request, state };
		const { address, verifier } = await requests.authorizationAddress(
			authorizationServer,
			authorizationRequest,
		);
		if (!(await abortable(open(address.href), signal))) throw cancelled();
		person.waiting?.((text) => listener.paste(text, redirectUri));
		const answer = await withVisitTimeout(listener.answer, clock, signal);
		const tokens = await requests.exchange(authorizationServer, { ...request, answer, verifier }, signal);
		const { client_secret: _, ...withoutSecret } = client;
		return {
			id: randomUUID(),
			resource,
			authorizationServer,
			client: options.clientId === undefined ? client : withoutSecret,
			...received(tokens, scope, clock.now()),
		};
	} catch (error) {
		// An issuer that has forgotten us says so only in the browser: register again next time.
		if (storedRegistration) await grants.forgetRegistration(issuer);
		throw error;
	} finally {
		listener.dispose();
	}
}

function questionOf(
	{ server, demand }: Visit,
	{ issuer, authorization_endpoint: opens }: AuthorizationServer,
	scope: string | undefined,
): SignInQuestion {
	const resource = new URL(server).host;
	return { issuer, resource, scopes: namesIn(scope), moreScopes: namesIn(demand?.moreScopes), opens };
}

/** The answer of the browser, if it comes in time. */
function withVisitTimeout(
	answer: Promise<URLSearchParams>,
	clock: Clock,
	signal: AbortSignal,
): Promise<URLSearchParams> {
	let timer: Disposable | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = clock.after(maxVisitMs, () => reject(tooLate()));
	});
	return abortable(Promise.race([answer, late]), signal).finally(() => timer?.dispose());
}

/** A client of the configuration, or described by a metadata document; `undefined`: we register one. */
function configuredClient(
	options: SignInOptions,
	{ client_id_metadata_document_supported: takesDocuments }: AuthorizationServer,
): OAuthClient | undefined {
	const { clientId, clientMetadataUrl } = options;
	const id = clientId ?? (takesDocuments === true ? clientMetadataUrl : undefined);
	return id === undefined ? undefined : withSecret({ client_id: id }, options);
}

function isUsable(
	registration: Registration | undefined,
	redirectUris: readonly string[],
	scope: string | undefined,
	now: number,
): registration is Registration {
	if (!registration || !redirectUris.includes(registration.redirectUri)) return false;
	return registration.scope === scope && !isExpired(registration.client, now);
}

/**
 * The scopes to request: those configured, else those in the refusal, else all that the server has; plus those already granted if more
 * are wanted. And `offline_access` if the issuer has it: without it there may be no refresh token.
 */
function scopeFor(
	{ authorizationServer, scopesSupported }: Discovery,
	{ options, demand, previousGrant }: Visit,
): string | undefined {
	const moreScopes = demand?.moreScopes;
	const defaultScope =
		options.scopes?.join(' ') || demand?.challenge.scope || scopesSupported?.join(' ') || undefined;
	const scope =
		moreScopes === undefined ? defaultScope : unionOfScopes(previousGrant?.scope, defaultScope, moreScopes);
	const isOffline = authorizationServer.scopes_supported?.includes('offline_access') === true;
	return scope !== undefined && isOffline ? unionOfScopes(scope, 'offline_access') : scope;
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
