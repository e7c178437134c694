import {
	type AuthorizationServerMetadata,
	checkResourceAllowed,
	computeScopeUnion,
	discoverAuthorizationServerMetadata,
	discoverOAuthProtectedResourceMetadata,
	exchangeAuthorization,
	extractWWWAuthenticateParams,
	IssuerMismatchError,
	OAuthError,
	OAuthErrorCode,
	type OAuthTokens,
	RegistrationRejectedError,
	refreshAuthorization,
	registerClient,
	resourceUrlFromServerUrl,
	selectClientAuthMethod,
	startAuthorization,
	validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { sentence } from '../../common/text.ts';
import { holdsCredentials } from '../../config/servers/address.ts';
import {
	type AuthorizationServer,
	authorizationServerSchema,
	clientSchema,
	type OAuthClient,
} from './grants.ts';
import { doubledParameter, insistEndpoints, insistIssuer, insistSafe } from './issuerChecks.ts';
import { IssuerFetch, quoted, tooLong, unavailable } from './issuerFetch.ts';
import { SignInError } from './signInError.ts';

/**
 * The OAuth 2.1 requests of a sign-in, built and checked by the SDK. Its own `auth()` is not used: it opens the browser whenever a refresh
 * fails, falls back to another issuer on any error, and ignores refreshes in progress.
 *
 * All addresses come from outside, and every request goes through {@link IssuerFetch}.
 */

/** Timeout of one request. */
const longestRequestMs = 20_000;
/** Longest address to open in a browser: the user is shown all of it. */
const longestAddress = 4_096;
/** The form of RFC 6749's error codes. Anything else is not repeated. */
const errorCode = /^[a-z][a-z0-9_.-]{0,60}$/i;

export type { OAuthTokens };

/** What a refused request says. */
export interface Challenge {
	readonly resourceMetadataUrl?: URL;
	readonly scope?: string;
	readonly error?: string;
}

/** Where to sign in, and for what. */
export interface Discovery {
	readonly authorizationServer: AuthorizationServer;
	/** What tokens are for (RFC 8707), from the server's metadata; absent on servers of older revisions. */
	readonly resource?: string;
	readonly scopesSupported?: readonly string[];
}

/** Reads the header `WWW-Authenticate` of a refusal. */
export function challengeOf(response: Response): Challenge {
	const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
	return {
		...(resourceMetadataUrl && { resourceMetadataUrl }),
		...(scope && { scope }),
		...(error && { error }),
	};
}

/** All scopes of several lists, deduplicated. */
export function unionOfScopes(...scopes: readonly (string | undefined)[]): string | undefined {
	return computeScopeUnion(...scopes);
}

/** The requests for one server. */
export class IssuerRequests {
	readonly #server: URL;
	readonly #requestMs: number;

	/** @param server the address of the MCP server */
	constructor(server: string, requestMs = longestRequestMs) {
		this.#server = new URL(server);
		this.#requestMs = requestMs;
	}

	/**
	 * Finds the authorization server: by the metadata that the refusal names or that is at the well-known places (RFC 9728), else at the
	 * server's origin, as in older revisions. Then reads its own metadata (RFC 8414, OpenID Connect).
	 */
	async discover({ resourceMetadataUrl }: Challenge, signal: AbortSignal): Promise<Discovery> {
		const request = this.#sender(signal);
		const metadata = await request.lookUp((fetch) =>
			discoverOAuthProtectedResourceMetadata(
				this.#server,
				resourceMetadataUrl && { resourceMetadataUrl },
				fetch,
			),
		);
		const expected = resourceUrlFromServerUrl(this.#server);
		if (metadata && !isResourceOf(metadata.resource, expected)) {
			const message = sentence`The server at ${expected.host} asks you to sign in to "${quoted(metadata.resource)}", which is another server. Nothing was sent there.`;
			throw new SignInError('wrong-resource', message);
		}
		const named = metadata?.authorization_servers?.[0];
		const address = named ?? new URL('/', this.#server).href;
		insistIssuer(address, this.#server);
		const found = await request.lookUp((fetch) =>
			discoverAuthorizationServerMetadata(address, { fetchFn: fetch }),
		);
		// A gateway whose service is down looks the same.
		if (!found && named !== undefined) throw unavailable(named);
		if (!found) {
			const message = sentence`The server at ${expected.host} offers no sign-in. If it needs a key, add it to "headers".`;
			throw new SignInError('not-offered', message);
		}
		const authorizationServer = authorizationServerSchema.parse(found);
		insistEndpoints(authorizationServer, this.#server);
		return {
			authorizationServer,
			...(metadata && { resource: metadata.resource }),
			...(metadata?.scopes_supported && { scopesSupported: metadata.scopes_supported }),
		};
	}

	/** Registers us with an authorization server (RFC 7591). */
	async register(
		authorizationServer: AuthorizationServer,
		{
			redirectUri,
			name,
			scope,
		}: { readonly redirectUri: string; readonly name: string; readonly scope?: string | undefined },
		signal: AbortSignal,
	): Promise<OAuthClient> {
		const { issuer, registration_endpoint } = authorizationServer;
		if (registration_endpoint === undefined) {
			const message = sentence`${quoted(issuer)} does not allow automatic registration. Register a client there, and set "client_id" in the server's "oauth".`;
			throw new SignInError('client-refused', message);
		}
		const clientMetadata = {
			client_name: name,
			redirect_uris: [redirectUri],
			grant_types: ['authorization_code', 'refresh_token'],
			response_types: ['code'],
			token_endpoint_auth_method: registrationMethod(authorizationServer),
			application_type: 'native',
		};
		const registered = await this.#sender(signal).send(issuer, (fetchFn) =>
			registerClient(issuer, {
				metadata: authorizationServer as AuthorizationServerMetadata,
				clientMetadata,
				...(scope !== undefined && { scope }),
				fetchFn,
			}),
		);
		return clientSchema.parse(registered);
	}

	/** The address to open in a browser, and the secret that later proves it was us. */
	async authorizationAddress(
		authorizationServer: AuthorizationServer,
		options: {
			readonly client: OAuthClient;
			readonly redirectUri: string;
			readonly state: string;
			readonly scope: string | undefined;
			readonly resource: string | undefined;
		},
	): Promise<{ readonly address: URL; readonly verifier: string }> {
		const { client, redirectUri, state, scope, resource } = options;
		const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServer.issuer, {
			metadata: authorizationServer as AuthorizationServerMetadata,
			clientInformation: client,
			redirectUrl: redirectUri,
			state,
			...(scope !== undefined && { scope }),
			...(resource !== undefined && { resource }),
		});
		// The SDK adds `prompt` to one that the endpoint has.
		const prompt = authorizationUrl.searchParams.getAll('prompt').at(-1);
		if (prompt !== undefined) authorizationUrl.searchParams.set('prompt', prompt);
		insistSafe(authorizationUrl, this.#server);
		if (authorizationUrl.href.length > longestAddress) throw tooLong(authorizationUrl);
		return { address: authorizationUrl, verifier: codeVerifier };
	}

	/** Reads the parameters of the redirect, after checking which issuer they come from. */
	codeOf({ issuer, ...server }: AuthorizationServer, answer: URLSearchParams): string {
		const doubled = doubledParameter(answer);
		if (doubled !== undefined) {
			const message = sentence`The answer of ${quoted(issuer)} has the parameter ${quoted(doubled)} twice. Nothing was sent there.`;
			throw new SignInError('bad-answer', message);
		}
		try {
			validateAuthorizationResponseIssuer({
				iss: answer.get('iss') ?? undefined,
				expectedIssuer: issuer,
				issParameterSupported: server.authorization_response_iss_parameter_supported === true,
			});
		} catch (error) {
			throw explained(error, issuer, 'bad-answer');
		}
		const code = answer.get('code');
		const error = answer.get('error');
		if (error === null && code) return code;
		const who = quoted(issuer);
		const description = answer.get('error_description');
		const more = description ? sentence` It says: "${quoted(description)}"` : '';
		switch (error) {
			case OAuthErrorCode.AccessDenied:
				throw new SignInError('denied', sentence`Access was denied at ${who}.` + more);
			case OAuthErrorCode.ServerError:
			case OAuthErrorCode.TemporarilyUnavailable:
				throw unavailable(issuer);
			default: {
				const what = error !== null && errorCode.test(error) ? error : 'no code';
				throw new SignInError('refused', sentence`${who} did not sign you in: ${what}.` + more);
			}
		}
	}

	async exchange(
		authorizationServer: AuthorizationServer,
		options: {
			readonly client: OAuthClient;
			readonly answer: URLSearchParams;
			readonly verifier: string;
			readonly redirectUri: string;
			readonly resource: string | undefined;
		},
		signal: AbortSignal,
	): Promise<OAuthTokens> {
		const { issuer } = authorizationServer;
		const { client, answer, verifier, redirectUri, resource } = options;
		const code = this.codeOf(authorizationServer, answer);
		if (!answer.has('iss')) await this.#insistOneIssuer(authorizationServer, signal);
		return this.#sender(signal).send(issuer, (fetchFn) =>
			exchangeAuthorization(issuer, {
				metadata: authorizationServer as AuthorizationServerMetadata,
				clientInformation: client,
				authorizationCode: code,
				...(answer.has('iss') && { iss: answer.get('iss') ?? '' }),
				codeVerifier: verifier,
				redirectUri,
				...(resource !== undefined && { resource }),
				fetchFn,
			}),
		);
	}

	refresh(
		authorizationServer: AuthorizationServer,
		options: {
			readonly client: OAuthClient;
			readonly refreshToken: string;
			readonly resource: string | undefined;
		},
		signal: AbortSignal,
	): Promise<OAuthTokens> {
		const { issuer } = authorizationServer;
		const { client, refreshToken, resource } = options;
		return this.#sender(signal).send(issuer, (fetchFn) =>
			refreshAuthorization(issuer, {
				metadata: authorizationServer as AuthorizationServerMetadata,
				clientInformation: client,
				refreshToken,
				...(resource !== undefined && { resource }),
				fetchFn,
			}),
		);
	}

	/** Revokes a token (RFC 7009); resolves to whether that succeeded. */
	async revoke(
		authorizationServer: AuthorizationServer,
		{
			client,
			token,
			kind,
		}: {
			readonly client: OAuthClient;
			readonly token: string;
			readonly kind: 'refresh_token' | 'access_token';
		},
		signal: AbortSignal,
	): Promise<boolean> {
		const { issuer, revocation_endpoint: endpoint } = authorizationServer;
		if (endpoint === undefined) return false;
		const methods =
			authorizationServer.revocation_endpoint_auth_methods_supported ??
			authorizationServer.token_endpoint_auth_methods_supported ??
			[];
		const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
		const body = new URLSearchParams({ token, token_type_hint: kind });
		const { client_id: id, client_secret: secret = '' } = client;
		const method = selectClientAuthMethod(client, methods);
		if (method === 'client_secret_basic') headers.set('authorization', `Basic ${btoa(`${id}:${secret}`)}`);
		else body.set('client_id', id);
		if (method === 'client_secret_post') body.set('client_secret', secret);
		const request = this.#sender(signal);
		const { ok } = await request.send(issuer, (fetchFn) =>
			fetchFn(endpoint, { method: 'POST', headers, body }),
		);
		return ok;
	}

	#sender(signal: AbortSignal): IssuerFetch {
		return new IssuerFetch(this.#server, this.#requestMs, signal, explained);
	}

	/**
	 * Without `iss`, an answer does not say who gave it, and a false issuer could name the page of an honest one to get its code (mix-up, RFC
	 * 9207). The code goes to a token endpoint at the origin of the page, or to one that this origin names as its own.
	 */
	async #insistOneIssuer(
		{ issuer, authorization_endpoint: page, token_endpoint: tokens }: AuthorizationServer,
		signal: AbortSignal,
	): Promise<void> {
		const { origin, host } = new URL(page);
		if (new URL(tokens).origin === origin) return;
		const own = await this.#sender(signal).lookUp((fetchFn) =>
			discoverAuthorizationServerMetadata(origin, { fetchFn, skipIssuerValidation: true }),
		);
		if (own?.authorization_endpoint === page && own.token_endpoint === tokens) return;
		const message = sentence`The page at ${host} did not say that it belongs to ${quoted(issuer)}, so its code was not sent there. Ask whoever runs the server.`;
		throw new SignInError('wrong-issuer', message);
	}
}

/** Explains a failed step. `otherwise`: for errors without an OAuth code. */
function explained(error: unknown, issuer: string, otherwise: 'unavailable' | 'bad-answer'): SignInError {
	if (error instanceof SignInError) return error;
	const who = quoted(issuer);
	if (error instanceof IssuerMismatchError) {
		const message = sentence`An answer in the name of ${who} came from another authorization server. Nothing was sent there.`;
		return new SignInError('wrong-issuer', message);
	}
	if (error instanceof RegistrationRejectedError) {
		const message = sentence`${who} refused to register this extension (HTTP ${error.status}). Register a client there yourself, and set "client_id" in the server's "oauth".`;
		return new SignInError('client-refused', message);
	}
	const code = error instanceof OAuthError ? error.code : undefined;
	switch (code) {
		case OAuthErrorCode.InvalidGrant:
			return new SignInError('grant-ended', sentence`${who} has ended your sign-in. Sign in again.`);
		case OAuthErrorCode.InvalidClient:
		case OAuthErrorCode.UnauthorizedClient: {
			const message = sentence`${who} no longer knows this extension, or refused its secret. Sign in again, or check the server's "oauth".`;
			return new SignInError('client-refused', message);
		}
		case undefined:
			break;
		case OAuthErrorCode.ServerError:
		case OAuthErrorCode.TemporarilyUnavailable:
		case OAuthErrorCode.TooManyRequests:
			return unavailable(issuer);
		default: {
			const reason = errorCode.test(code) ? code : 'an error';
			return new SignInError('refused', sentence`${who} refused: ${reason}. Sign in again.`);
		}
	}
	if (otherwise === 'unavailable') return unavailable(issuer);
	return new SignInError(
		'bad-answer',
		sentence`The sign-in information of ${who} cannot be read. Ask whoever runs it.`,
	);
}

function isResourceOf(resource: string, server: URL): boolean {
	return (
		URL.canParse(resource) &&
		!holdsCredentials(resource) &&
		checkResourceAllowed({ requestedResource: server, configuredResource: resource })
	);
}

/** Programs on people's machines cannot keep a secret. They get one only if nothing else is offered. */
function registrationMethod({ token_endpoint_auth_methods_supported: methods }: AuthorizationServer): string {
	if (!methods || methods.includes('none')) return 'none';
	return methods.find((method) => method.startsWith('client_secret_')) ?? 'none';
}
