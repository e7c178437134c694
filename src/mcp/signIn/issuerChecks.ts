import { sentence } from '../../common/text.ts';
import type { AuthorizationServer } from './grants.ts';
import { insistSafe, quotedIssuerText } from './issuerFetch.ts';
import { SignInError } from './signInError.ts';

/** An issuer is a URL without query and fragment (RFC 8414, 2). A user name in it could pass for its host. */
export function insistIssuer(address: string, server: URL): void {
	const issuer = URL.parse(address);
	if (issuer?.search !== '' || issuer.hash !== '') {
		const message = sentence`The server names a sign-in service that is not a plain URL: ${quotedIssuerText(address)}. Ask whoever runs it.`;
		throw new SignInError('bad-answer', message);
	}
	insistSafe(issuer, server);
}

/** Throws if a request to an endpoint would be unsafe, or would not be the one that we send. */
export function insistEndpoints(metadata: AuthorizationServer, server: URL): void {
	const { authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint } = metadata;
	for (const address of [
		authorization_endpoint,
		token_endpoint,
		registration_endpoint,
		revocation_endpoint,
	]) {
		if (address === undefined) continue;
		const endpoint = new URL(address);
		insistSafe(endpoint, server);
		const { searchParams } = endpoint;
		const name = protocolParameter(searchParams) ?? doubledParameter(searchParams);
		if (name === undefined) continue;
		const message = sentence`${quotedIssuerText(metadata.issuer)} cannot be used: one of its URLs already contains the parameter ${quotedIssuerText(name)}. Ask whoever runs it.`;
		throw new SignInError('bad-answer', message);
	}
}

/** Throws if the authorization server does not support our flow. */
export function insistUsable({
	issuer,
	code_challenge_methods_supported: methods,
	response_types_supported: types,
}: AuthorizationServer): void {
	if (types.includes('code') && (!methods || methods.includes('S256'))) return;
	const message = sentence`${quotedIssuerText(issuer)} cannot be used: it does not offer sign-in with a code and PKCE (S256).`;
	throw new SignInError('not-offered', message);
}

/** Parameters that are set in a request, or that replace others (RFC 9101). */
const protocolNames = new Set(
	[
		'client_id client_secret client_assertion client_assertion_type redirect_uri scope state resource',
		'response_type response_mode code_challenge code_challenge_method request request_uri',
		'grant_type code code_verifier refresh_token token token_type_hint',
	].flatMap((names) => names.split(' ')),
);

/**
 * A parameter that the query of an endpoint may not contain. A request would have it twice, and one part of an authorization server may read
 * the first, another the last.
 */
function protocolParameter(query: URLSearchParams): string | undefined {
	return [...query.keys()].find((name) => protocolNames.has(readName(name)));
}

/** A parameter that occurs twice, which OAuth forbids (RFC 6749, 3.1). */
export function doubledParameter(parameters: URLSearchParams): string | undefined {
	const names = [...parameters.keys()].map(readName);
	return names.find((name, index) => names.indexOf(name) < index);
}

/** A name as lenient servers read it: some ignore case, some read `redirect.uri` or `redirect_uri[]` as `redirect_uri`. */
function readName(name: string): string {
	return name
		.toLowerCase()
		.replace(/\[.*$/s, '')
		.replace(/[^a-z0-9]+/g, '_')
		.replace(/^_+|_+$/g, '');
}
