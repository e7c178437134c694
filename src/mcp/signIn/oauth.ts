import {
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
import { defined } from '../../common/json.ts';
import { sentence } from '../../common/text.ts';
import { holdsCredentials } from '../../config/servers/address.ts';
import {
	type AuthorizationServer,
	authorizationServerSchema,
	clientSchema,
	type Grant,
	type OAuthClient,
} from './grants.ts';
import { doubledParameter, insistEndpoints, insistIssuer } from './issuerChecks.ts';
import { IssuerFetch, insistSafe, quotedIssuerText, tooLong, unavailable } from './issuerFetch.ts';
import { SignInError } from './signInError.ts';

/**
 * The OAuth 2.1 requests of a sign-in, built and checked by the SDK. Its own `auth()` is not used: it opens the browser whenever a refresh
 * fails, falls back to another issuer on any error, and ignores refreshes in progress.
 *
 * All addresses come from outside, and every request goes through {@link IssuerFetch}.
 */

/** Timeout of one request. */
const maxRequestMs = 20_000;
/** Longest address to open in a browser: the user is shown all of it. */
const maxAddressCharacters = 4_096;
/** The form of RFC 6749's error codes. Anything else is not repeated. */
const errorCode = /^[a-z][a-z0-9_.-]{0,60}$/i;

/** Puts scopes together. */
export { computeScopeUnion as unionOfScopes };

/** What a refused request says. */
export type Challenge = ReturnType<typeof extractWWWAuthenticateParams>;

/** Reads the header `WWW-Authenticate` of a refusal. The SDK reads only a challenge that comes first and has no spaces around its signs. */
export function challengeOf({ headers }: Response): Challenge {
	const header = headers.get('www-authenticate') ?? '';
	const challenge = /(?:^|,\s*)((?:bearer|dpop)\s.*)/i.exec(header)?.[1] ?? header;
	const tidy = { 'www-authenticate': challenge.replaceAll(/ ?= ?/g, '=') };
	return extractWWWAuthenticateParams(new Response(null, { headers: tidy }));
}

/** What the request for a code contains, and the exchange of the code repeats. */
interface CodeRequest {
	readonly client: OAuthClient;
	readonly redirectUri: string;
	readonly scope: string | undefined;
	readonly resource: string | undefined;
}

/** Where to sign in, and for what. */
export interface Discovery {
	readonly authorizationServer: AuthorizationServer;
	/** What tokens are for (RFC 8707), from the server's metadata; absent on servers of older revisions. */
	readonly resource?: string;
	readonly scopesSupported?: readonly string[];
}

/** The requests for one server. */
export class IssuerRequests {
	readonly #server: URL;
	readonly #fetch: IssuerFetch;

	/** @param server the address of the MCP server */
	constructor(server: string, requestMs = maxRequestMs) {
		this.#server = new URL(server);
		this.#fetch = new IssuerFetch(this.#server, requestMs, explainError);
	}

	/**
	 * Finds the authorization server: by the metadata that the refusal names or that is at the well-known places (RFC 9728), else at the
	 * server's origin, as in older revisions. Then reads its own metadata (RFC 8414, OpenID Connect).
	 */
	async discover({ resourceMetadataUrl }: Challenge, signal: AbortSignal): Promise<Discovery> {
		const read = (place: { readonly resourceMetadataUrl?: URL }) =>
			this.#fetch.lookUp(signal, (fetchFn) =>
				discoverOAuthProtectedResourceMetadata(this.#server, place, fetchFn),
			);
		// A refusal may name a document that does not exist.
		const namedMetadata = resourceMetadataUrl && (await read({ resourceMetadataUrl }));
		const metadata = namedMetadata ?? (await read({}));
		const expected = resourceUrlFromServerUrl(this.#server);
		if (metadata && !isResourceOf(metadata.resource, expected)) {
			const message = sentence`The server at ${expected.host} asks you to sign in to "${quotedIssuerText(metadata.resource)}", which is another server. Nothing was sent there.`;
			throw new SignInError('wrong-resource', message);
		}
		const [issuer] = metadata?.authorization_servers ?? [];
		const address = issuer ?? new URL('/', this.#server).href;
		insistIssuer(address, this.#server);
		const found = await this.#fetch.lookUp(signal, (fetchFn) =>
			discoverAuthorizationServerMetadata(address, { fetchFn, skipIssuerValidation: true }),
		);
		// A gateway whose service is down looks the same.
		if (!found && issuer !== undefined) throw unavailable(issuer);
		if (!found) {
			const message = sentence`The server at ${expected.host} offers no sign-in. If it needs a key, add it to "headers".`;
			throw new SignInError('not-offered', message);
		}
		// With and without a slash at the end, it is the same issuer: its metadata is in the same place (RFC 8414, 3.1).
		if (withoutSlash(found.issuer) !== withoutSlash(address)) throw wrongIssuer(expected.host);
		const authorizationServer = authorizationServerSchema.parse(found);
		insistEndpoints(authorizationServer, this.#server);
		return defined({
			authorizationServer,
			resource: metadata?.resource,
			scopesSupported: metadata?.scopes_supported,
		});
	}

	/** Registers us with an authorization server (RFC 7591). */
	async register(
		metadata: AuthorizationServer,
		{
			redirectUri,
			name,
			scope,
		}: { readonly redirectUri: string; readonly name: string; readonly scope: string | undefined },
		signal: AbortSignal,
	): Promise<OAuthClient> {
		const { issuer, registration_endpoint } = metadata;
		if (registration_endpoint === undefined) {
			const message = sentence`${quotedIssuerText(issuer)} does not allow automatic registration. Register a client there, and set "client_id" in the server's "oauth".`;
			throw new SignInError('client-refused', message);
		}
		const clientMetadata = {
			client_name: name,
			redirect_uris: [redirectUri],
			grant_types: ['authorization_code', 'refresh_token'],
			response_types: ['code'],
			token_endpoint_auth_method: registrationMethod(metadata),
			application_type: 'native',
		};
		const registered = await this.#fetch.send(issuer, signal, (fetchFn) =>
			registerClient(issuer, { metadata, clientMetadata, ...defined({ scope }), fetchFn }),
		);
		return clientSchema.parse(registered);
	}

	/** The address to open in a browser, and the secret that later proves it was us. */
	async authorizationAddress(
		metadata: AuthorizationServer,
		{ client, redirectUri, state, scope, resource }: CodeRequest & { readonly state: string },
	): Promise<{ readonly address: URL; readonly verifier: string }> {
		const { authorizationUrl, codeVerifier } = await startAuthorization(metadata.issuer, {
			metadata,
			clientInformation: client,
			redirectUrl: redirectUri,
			state,
			...defined({ scope, resource }),
		});
		// The SDK adds `prompt` to one that the endpoint has.
		const prompt = authorizationUrl.searchParams.getAll('prompt').at(-1);
		if (prompt !== undefined) authorizationUrl.searchParams.set('prompt', prompt);
		insistSafe(authorizationUrl, this.#server);
		if (authorizationUrl.href.length > maxAddressCharacters) throw tooLong(authorizationUrl);
		return { address: authorizationUrl, verifier: codeVerifier };
	}

	/** Reads the parameters of the redirect, after checking which issuer they come from. */
	#codeOf({ issuer, ...server }: AuthorizationServer, answer: URLSearchParams): string {
		const doubled = doubledParameter(answer);
		if (doubled !== undefined) {
			const message = sentence`The answer of ${quotedIssuerText(issuer)} has the parameter ${quotedIssuerText(doubled)} twice. Nothing was sent there.`;
			throw new SignInError('bad-answer', message);
		}
		try {
			validateAuthorizationResponseIssuer({
				iss: answer.get('iss') ?? undefined,
				expectedIssuer: issuer,
				issParameterSupported: server.authorization_response_iss_parameter_supported === true,
			});
		} catch (error) {
			throw explainError(error, issuer, 'bad-answer');
		}
		const code = answer.get('code');
		const error = answer.get('error');
		if (error === null && code) return code;
		const issuerText = quotedIssuerText(issuer);
		const description = answer.get('error_description');
		const more = description ? sentence` It says: "${quotedIssuerText(description)}"` : '';
		switch (error) {
			case OAuthErrorCode.AccessDenied:
				throw new SignInError('denied', sentence`Access was denied at ${issuerText}.` + more);
			case OAuthErrorCode.ServerError:
			case OAuthErrorCode.TemporarilyUnavailable:
				throw unavailable(issuer);
			default: {
				const what = error !== null && errorCode.test(error) ? error : 'no code';
				throw new SignInError('refused', sentence`${issuerText} did not sign you in: ${what}.` + more);
			}
		}
	}

	async exchange(
		metadata: AuthorizationServer,
		request: CodeRequest & { readonly answer: URLSearchParams; readonly verifier: string },
		signal: AbortSignal,
	): Promise<OAuthTokens> {
		const { issuer } = metadata;
		const { client, answer, verifier, redirectUri, resource } = request;
		const code = this.#codeOf(metadata, answer);
		const iss = answer.get('iss') ?? undefined;
		if (iss === undefined) await this.#insistOneIssuer(metadata, signal);
		return this.#fetch.send(issuer, signal, (fetchFn) =>
			exchangeAuthorization(issuer, {
				metadata,
				clientInformation: client,
				authorizationCode: code,
				codeVerifier: verifier,
				redirectUri,
				...defined({ iss, resource }),
				fetchFn,
			}),
		);
	}

	async refresh(
		{ authorizationServer: metadata, client, refresh_token = '', resource }: Grant,
		signal: AbortSignal,
	): Promise<OAuthTokens> {
		const { issuer } = metadata;
		const ask = (options: { readonly resource?: string }) =>
			this.#fetch.send(issuer, signal, (fetchFn) =>
				refreshAuthorization(issuer, {
					metadata,
					clientInformation: client,
					refreshToken: refresh_token,
					...options,
					fetchFn,
				}),
			);
		try {
			return await ask(defined({ resource }));
		} catch (error) {
			// Some know this parameter only when a grant begins. What was granted is for that resource in any case (RFC 8707, 2.2).
			const isRefused = error instanceof SignInError && error.fault === 'refused';
			if (resource === undefined || !isRefused) throw error;
			return ask({});
		}
	}

	/** Revokes the refresh token, or else the access token (RFC 7009); resolves to whether that succeeded. */
	async revoke(grant: Grant, signal: AbortSignal): Promise<boolean> {
		const { authorizationServer, client, access_token, refresh_token } = grant;
		const { issuer, revocation_endpoint: endpoint } = authorizationServer;
		if (endpoint === undefined) return false;
		const methods =
			authorizationServer.revocation_endpoint_auth_methods_supported ??
			authorizationServer.token_endpoint_auth_methods_supported ??
			[];
		const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
		const body = new URLSearchParams({
			token: refresh_token ?? access_token,
			token_type_hint: refresh_token ? 'refresh_token' : 'access_token',
		});
		const { client_id: id, client_secret: secret = '' } = client;
		const method = selectClientAuthMethod(client, methods);
		if (method === 'client_secret_basic') headers.set('authorization', `Basic ${btoa(`${id}:${secret}`)}`);
		else body.set('client_id', id);
		if (method === 'client_secret_post') body.set('client_secret', secret);
		const { ok } = await this.#fetch.send(issuer, signal, (fetchFn) =>
			fetchFn(endpoint, { method: 'POST', headers, body }),
		);
		return ok;
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
		const pageMetadata = await this.#fetch.lookUp(signal, (fetchFn) =>
			discoverAuthorizationServerMetadata(origin, { fetchFn, skipIssuerValidation: true }),
		);
		if (pageMetadata?.authorization_endpoint === page && pageMetadata.token_endpoint === tokens) return;
		const message = sentence`The page at ${host} did not say that it belongs to ${quotedIssuerText(issuer)}, so its code was not sent there. Ask whoever runs the server.`;
		throw new SignInError('wrong-issuer', message);
	}
}

/** Explains a failed step. `otherwise`: for errors without an OAuth code. */
function explainError(error: unknown, issuer: string, otherwise: 'unavailable' | 'bad-answer'): SignInError {
	if (error instanceof SignInError) return error;
	const who = quotedIssuerText(issuer);
	if (error instanceof IssuerMismatchError) return wrongIssuer(who);
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

function wrongIssuer(who: string): SignInError {
	const message = sentence`An answer in the name of ${who} came from another authorization server. Nothing was sent there.`;
	return new SignInError('wrong-issuer', message);
}

function withoutSlash(address: string): string {
	return address.replace(/\/$/, '');
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
