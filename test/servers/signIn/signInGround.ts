import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { onTestFinished, vi } from 'vitest';
import { type Clock, systemClock } from '../../../src/common/clock.ts';
import type { RemoteLaunch, SignInOptions } from '../../../src/config/servers/launch.ts';
import type { ServerPool } from '../../../src/mcp/serverPool.ts';
import type { SignIn } from '../../../src/mcp/signIn/signIn.ts';
import type { SignInError } from '../../../src/mcp/signIn/signInError.ts';
import { SignIns } from '../../../src/mcp/signIn/signIns.ts';
import type { SignInPerson, SignInQuestion } from '../../../src/mcp/signIn/visit.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { handshake, type Json, text, tool } from '../faults/server/messages.ts';
import { bodyOf } from '../loopback.ts';
import { newPool, serve } from '../poolFixture.ts';
import { SharedSecrets } from './sharedSecrets.ts';

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** May handle a request; `true`: it has answered. */
export type Interception = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A real authorization server. Any name and password sign in. */
export interface Issuer {
	readonly origin: string;
	readonly provider: Provider;
	/** Grant types that were requested at the token endpoint, in order. */
	readonly tokenRequests: readonly string[];
	readonly registrations: readonly string[];
	readonly revocations: readonly string[];
	/** While set, answers instead of the authorization server. */
	intercept: Interception | undefined;
}

/** Scopes that the authorization server knows. */
const scopes = ['tools:read', 'tools:write'];

export async function startIssuer(
	options: {
		readonly tokenSeconds?: number;
		/** A client that is registered beforehand, with one redirect URL. */
		readonly client?: { readonly id: string; readonly redirectUri: string };
	} = {},
): Promise<Issuer> {
	// It warns of everything that is only allowed in tests.
	for (const level of ['warn', 'info'] as const) vi.spyOn(console, level).mockReturnValue();
	let callback: RequestListener = (_, response) => response.writeHead(503).end();
	const tokenRequests: string[] = [];
	const registrations: string[] = [];
	const revocations: string[] = [];
	const origin = await serve((request, response) => {
		const of = (path: string) => request.method === 'POST' && request.url === path;
		if (issuer.intercept?.(request, response)) return;
		if (of('/reg')) registrations.push(request.url ?? '');
		if (of('/token/revocation')) revocations.push(request.url ?? '');
		if (!of('/token')) return callback(request, response);
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const grant = new URLSearchParams(Buffer.concat(chunks).toString()).get('grant_type') ?? '';
			tokenRequests.push(grant);
		});
		return callback(request, response);
	});
	const { client } = options;
	const provider = new Provider(origin, {
		clients: client
			? [
					{
						client_id: client.id,
						redirect_uris: [client.redirectUri],
						application_type: 'native',
						token_endpoint_auth_method: 'none',
						grant_types: ['authorization_code', 'refresh_token'],
					},
				]
			: [],
		scopes: ['openid', 'offline_access', ...scopes],
		features: {
			registration: { enabled: true },
			revocation: { enabled: true },
			resourceIndicators: {
				enabled: true,
				useGrantedResource: () => true,
				getResourceServerInfo: (_: unknown, audience: string) => ({
					audience,
					scope: scopes.join(' '),
					accessTokenFormat: 'opaque',
					accessTokenTTL: options.tokenSeconds ?? 3_600,
				}),
			},
		},
		issueRefreshToken: async () => true,
		rotateRefreshToken: () => true,
		clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
		cookies: { keys: ['only for tests'] },
		ttl: { Interaction: 600, Session: 600, Grant: 3_600, RefreshToken: 3_600, AccessToken: 3_600 },
	});
	callback = provider.callback();
	const issuer: Issuer = {
		origin,
		provider,
		tokenRequests,
		registrations,
		revocations,
		intercept: undefined,
	};
	return issuer;
}

/** An MCP server that requires tokens of an authorization server. */
export interface ProtectedServer {
	readonly origin: string;
	readonly url: string;
	/** The authorization server that its metadata names; may change. */
	issuer: string;
	/** The scope that the tool `write` requires. */
	needs: string | undefined;
	/** Tokens that it no longer accepts, although the authorization server does. */
	readonly refused: Set<string>;
	readonly calls: readonly { readonly tool: string; readonly account: string }[];
	readonly seenTokens: ReadonlySet<string>;
	intercept: Interception | undefined;
}

/** @param account whose token it is; `undefined`: nobody's */
export async function startProtectedServer(
	issuer: string,
	account: (
		token: string,
		resource: string,
	) => Promise<{ readonly id: string; readonly scope: string } | undefined>,
): Promise<ProtectedServer> {
	const calls: { tool: string; account: string }[] = [];
	const seenTokens = new Set<string>();
	const origin = await serve(async (request, response) => {
		if (server.intercept?.(request, response)) return;
		const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
		if (request.url === '/.well-known/oauth-protected-resource/mcp') {
			sendJson(response, 200, {
				resource: server.url,
				authorization_servers: [server.issuer],
				scopes_supported: ['tools:read'],
			});
			return;
		}
		if (request.url !== '/mcp' || request.method !== 'POST') {
			response.writeHead(404).end();
			return;
		}
		const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
		if (token !== undefined) seenTokens.add(token);
		const who =
			token === undefined || server.refused.has(token) ? undefined : await account(token, server.url);
		const body = await bodyOf(request);
		if (!who) {
			response.setHeader('www-authenticate', `Bearer resource_metadata="${metadata}"`);
			response.writeHead(401).end();
			return;
		}
		const { method, id, params = {} } = JSON.parse(body) as { method: string; id?: number; params?: Json };
		const answer = (result: Json) => sendJson(response, 200, { jsonrpc: '2.0', id, result });
		if (id === undefined) response.writeHead(202).end();
		else if (method === 'initialize') answer(handshake(params));
		else if (method === 'tools/list') answer({ tools: [tool('read'), tool('write')] });
		else if (method !== 'tools/call')
			sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32601, message: 'none' } });
		else if (params.name === 'write' && server.needs && !who.scope.split(' ').includes(server.needs)) {
			const challenge = `Bearer error="insufficient_scope", scope="${server.needs}", resource_metadata="${metadata}"`;
			response.setHeader('www-authenticate', challenge);
			response.writeHead(403).end();
		} else {
			calls.push({ tool: String(params.name), account: who.id });
			// A careless server returns its token.
			const { say } = (params.arguments ?? {}) as Json;
			answer(text(say === 'token' ? `sent with ${token}` : `${params.name} for ${who.id}`));
		}
	});
	const server: ProtectedServer = {
		origin,
		url: `${origin}/mcp`,
		issuer,
		needs: undefined,
		refused: new Set(),
		calls,
		seenTokens,
		intercept: undefined,
	};
	return server;
}

/** A server behind a real authorization server. */
export async function startBehind({ origin, provider }: Issuer): Promise<ProtectedServer> {
	return startProtectedServer(origin, async (value, resource) => {
		const token = await provider.AccessToken.find(value);
		if (!token?.isValid || ![token.aud].flat().includes(resource)) return undefined;
		return { id: token.accountId, scope: token.scope ?? '' };
	});
}

/**
 * What a browser does with the pages of the authorization server: signs in as `name`, agrees, and follows the redirects to the last page,
 * which it returns. If that cannot be reached, it rejects with an error that has its `address`.
 */
export async function visit(address: string, name = 'ada'): Promise<Response> {
	const jar = new Map<string, string>();
	let [url, init]: [string, RequestInit] = [address, {}];
	for (let steps = 0; steps < 30; steps += 1) {
		const cookie = [...jar].map(([key, value]) => `${key}=${value}`).join('; ');
		const headers = { ...init.headers, cookie };
		const response = await fetch(url, { ...init, redirect: 'manual', headers }).catch((error: Error) => {
			throw Object.assign(error, { address: url });
		});
		for (const set of response.headers.getSetCookie()) {
			const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
			jar.set(key, value);
		}
		init = {};
		const location = response.headers.get('location');
		if (location !== null) {
			url = new URL(location, url).href;
			continue;
		}
		const page = await response.clone().text();
		const action = /<form[^>]*action="([^"]+)"[^>]*method="post"/.exec(page)?.[1];
		if (action === undefined) return response;
		const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
		url = new URL(action.replaceAll('&#x2F;', '/'), url).href;
		init = { method: 'POST', body: new URLSearchParams({ prompt, login: name, password: 'any' }) };
	}
	throw new Error(`no end of redirects at ${url}`);
}

/** One window of the editor: its pool and the sign-in to one server. */
export interface EditorWindow {
	readonly pool: ServerPool;
	readonly signIn: SignIn;
	readonly launch: RemoteLaunch;
	/** Questions that the user was asked. */
	readonly questions: readonly SignInQuestion[];
	/** Addresses that the browser was sent to. */
	readonly addresses: readonly string[];
	/** Signs in with a browser that visits the authorization server as `name`. */
	signInAs(name: string): Promise<void>;
}

export const serverName = 'guarded';

export async function openWindow(
	url: string,
	options: {
		readonly oauth?: SignInOptions;
		readonly secrets?: SharedSecrets;
		readonly folder?: string;
		readonly clock?: Clock;
		readonly requestMs?: number;
		readonly catalog?: string;
	} = {},
): Promise<EditorWindow> {
	const clock = options.clock ?? systemClock;
	const signIns = new SignIns({
		secrets: (options.secrets ?? new SharedSecrets()).window(),
		folder: options.folder ?? temporaryFolder(),
		clock,
		...(options.requestMs !== undefined && { requestMs: options.requestMs }),
	});
	// After the pool.
	onTestFinished(() => signIns.dispose());
	const pool = await newPool({
		limits: { restartDelaysMs: [60_000] },
		signIns,
		...(options.catalog !== undefined && { folder: options.catalog }),
	});
	const launch: RemoteLaunch = {
		kind: 'remote',
		url,
		transport: 'streamable-http',
		headers: {},
		...(options.oauth && { oauth: options.oauth }),
	};
	pool.setLaunches(new Map([[serverName, launch]]));
	await pool.whenReady([serverName], { timeoutMs: 30_000 });
	const signIn = await signIns.of(launch);
	const questions: SignInQuestion[] = [];
	const addresses: string[] = [];
	return {
		pool,
		signIn,
		launch,
		questions,
		addresses,
		signInAs: async (name) => {
			const asked = person((address, question) => {
				questions.push(question);
				addresses.push(address);
				return visit(address, name);
			});
			await signIn.signIn(asked, new AbortController().signal);
		},
	};
}

/** A user who agrees, and whose browser does what `browse` does. */
export function person(
	browse: (address: string, question: SignInQuestion) => unknown,
	more: Partial<SignInPerson> = {},
): SignInPerson {
	return {
		pages: {
			received: 'Go back to the editor.',
			denied: 'Access was denied.',
			refused: 'Nobody waits for this.',
		},
		clientName: 'MCP Discovery',
		reachable: async (address) => address,
		ask: async (question) => async (address) => {
			// A browser works on its own: only where it ends tells what happened.
			void (async () => browse(address, question))().catch(() => {});
			return true;
		},
		...more,
	};
}

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
