import type { SignIn } from '../../../src/mcp/signIn/signIn.ts';
import type { SignInError } from '../../../src/mcp/signIn/signInError.ts';
import { temporaryFolder } from '../poolFixture.ts';
import { SharedSecrets } from './sharedSecrets.ts';
import {
	type Interception,
	openWindow,
	person,
	serverName,
	startBehind,
	startIssuer,
} from './signInGround.ts';

/** A window with a server behind an issuer. Nobody is signed in yet. */
export async function startGuarded({
	tokenSeconds,
	...options
}: Parameters<typeof openWindow>[1] & { readonly tokenSeconds?: number } = {}) {
	const issuer = await startIssuer(tokenSeconds === undefined ? {} : { tokenSeconds });
	const server = await startBehind(issuer);
	const window = await openWindow(server.url, options);
	return { issuer, server, window, ...window };
}

/** A signed-in window. `makeStale`: the server no longer accepts its token. */
export async function withStaleToken() {
	const [secrets, folder] = [new SharedSecrets(50), temporaryFolder()];
	const guarded = await startGuarded({ secrets, folder });
	await guarded.signInAs('ada');
	await guarded.pool.callTool(serverName, 'read', {});
	const { seenTokens, refused } = guarded.server;
	const makeStale = () => {
		for (const token of seenTokens) refused.add(token);
	};
	return { ...guarded, secrets, folder, makeStale };
}

export const never = new AbortController().signal;

/** The error of a sign-in. */
export async function failureOf(
	signIn: SignIn,
	...[browse, more]: Parameters<typeof person>
): Promise<SignInError> {
	return signIn.signIn(person(browse, more), never).then(
		() => {
			throw new Error('it should have failed');
		},
		(error: SignInError) => error,
	);
}

/** Sends the browser back at once, as an authorization server does with this answer. */
export function redirected(address: string, answer: Record<string, string>): Promise<Response> {
	const { searchParams } = new URL(address);
	const redirect = new URL(searchParams.get('redirect_uri') ?? '');
	redirect.search = String(new URLSearchParams({ state: searchParams.get('state') ?? '', ...answer }));
	return fetch(redirect);
}

/** What an issuer does when something is wrong with it. */
export const troubles: Readonly<Record<string, Interception>> = {
	'is slow': () => true,
	'resets the connection': (request) => {
		request.socket.destroy();
		return true;
	},
	'returns 500': (_, response) => {
		response.writeHead(500).end('trouble');
		return true;
	},
	'returns 429': (_, response) => {
		response.writeHead(429, { 'retry-after': '1' }).end();
		return true;
	},
	'returns HTML': (_, response) => {
		response.writeHead(200, { 'content-type': 'text/html' }).end('<html><b>be right back</b></html>');
		return true;
	},
	'returns HTML with 400': (_, response) => {
		response.writeHead(400, { 'content-type': 'text/html' }).end('<html><b>blocked</b></html>');
		return true;
	},
};
