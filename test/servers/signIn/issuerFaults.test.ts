import { expect, test } from 'vitest';
import { resultText } from '../../../src/discovery/catalog/tool.ts';
import { eventually, statusOf } from '../poolFixture.ts';
import { startLiar } from './liar.ts';
import {
	failureOf,
	type Interception,
	openWindow,
	sendJson,
	serverName,
	startBehind,
	startIssuer,
	startProtectedServer,
	troubles,
} from './signInGround.ts';

const downs: Readonly<Record<string, Interception>> = {
	...troubles,
	'returns 404': (_, response) => {
		response.writeHead(404).end();
		return true;
	},
};

test.each(Object.keys(downs))(
	'when the issuer %s, then the user reads that it does not answer, and the call waits until it does',
	async (what) => {
		const issuer = await startIssuer();
		const server = await startBehind(issuer);
		const down = downs[what];
		issuer.intercept = (request, response) => down?.(request, response) ?? false;
		const { pool, signIn, signInAs } = await openWindow(server.url, { requestMs: 500 });
		const { state } = statusOf(pool, serverName);
		expect(state).toMatchObject({
			kind: 'signed-out',
			error: { message: expect.stringMatching(/sign-in service at .* does not answer.*Sign In…/) },
		});
		const reasons: string[] = [];
		const call = pool.callTool(serverName, 'read', {}, { onSignIn: (why) => reasons.push(why.message) });
		await eventually(() => reasons.length === 1);
		expect((await failureOf(signIn, () => {})).fault).toBe('unavailable');
		await eventually(() => reasons.length === 2);
		expect(reasons[1]).toMatch(/^You are not signed in .* sign-in service at \S+ does not answer[. ]/);
		issuer.intercept = undefined;
		await signInAs('ada');
		expect(resultText(await call)).toBe('read for ada');
	},
);

const lies: Readonly<
	Record<
		string,
		readonly [fault: string, lie: (metadata: Record<string, unknown>, origin: string) => unknown]
	>
> = {
	'names another issuer': ['wrong-issuer', (metadata) => ({ ...metadata, issuer: 'https://evil.example' })],
	'redirects to itself': ['unavailable', (_, origin) => `${origin}/.well-known/oauth-authorization-server`],
	'redirects elsewhere': ['unavailable', () => 'https://evil.example/metadata'],
	'is 10 MB': ['bad-answer', (metadata) => ({ ...metadata, padding: 'x'.repeat(10_000_000) })],
	'has a javascript: page': [
		'bad-answer',
		(metadata) => ({ ...metadata, authorization_endpoint: 'javascript:alert(1)' }),
	],
	'has a token endpoint with plain http': [
		'unsafe-address',
		(metadata) => ({ ...metadata, token_endpoint: 'http://192.0.2.1/token' }),
	],
	'has a page with plain http': [
		'unsafe-address',
		(metadata) => ({ ...metadata, authorization_endpoint: 'http://192.0.2.1/authorize' }),
	],
	'has a password in an address': [
		'unsafe-address',
		(metadata) => ({ ...metadata, token_endpoint: 'https://a:b@evil.example/token' }),
	],
	'is only a list': ['unavailable', () => []],
	'lacks required fields': ['bad-answer', ({ issuer }) => ({ issuer })],
	'does not support safe PKCE': [
		'not-offered',
		(metadata) => ({ ...metadata, code_challenge_methods_supported: ['plain'] }),
	],
};

test.each(Object.keys(lies))(
	'when the metadata %s, then no browser opens and the user is told why',
	async (what) => {
		const [fault, lie] = lies[what] ?? ['', () => undefined];
		const origin = await startLiar(lie);
		const server = await startProtectedServer(origin, async (token) => ({ id: token, scope: '' }));
		const { signIn, pool } = await openWindow(server.url);
		const visited: string[] = [];
		const failure = await failureOf(signIn, (address) => visited.push(address));
		expect(failure.fault).toBe(fault);
		expect(failure.message).not.toMatch(/[<>]/);
		expect(visited).toEqual([]);
		expect(statusOf(pool, serverName).state.kind).toBe('signed-out');
	},
);

test('a server that names another resource gets no token', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	server.intercept = (request, response) => {
		if (!request.url?.startsWith('/.well-known/oauth-protected-resource')) return false;
		sendJson(response, 200, { resource: 'https://bank.example/mcp', authorization_servers: [issuer.origin] });
		return true;
	};
	const { signIn } = await openWindow(server.url);
	expect((await failureOf(signIn, () => {})).fault).toBe('wrong-resource');
});

test('when metadata is temporarily unavailable, then no other issuer is tried', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const asked: string[] = [];
	server.intercept = (request, response) => {
		if (!request.url?.startsWith('/.well-known/')) return false;
		asked.push(request.url);
		response.writeHead(500).end();
		return true;
	};
	const { signIn, pool } = await openWindow(server.url);
	expect(statusOf(pool, serverName).state.kind).toBe('signed-out');
	expect((await failureOf(signIn, () => {})).fault).toBe('unavailable');
	expect(asked.every((url) => url.includes('oauth-protected-resource'))).toBe(true);
});
