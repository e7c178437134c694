import { expect, test } from 'vitest';
import { resultText } from '../../../src/discovery/catalog/tool.ts';
import { FakeClock } from '../../unit/mcp/fakeClock.ts';
import { eventually, statusOf } from '../poolFixture.ts';
import { startLiar } from './liar.ts';
import { SharedSecrets } from './sharedSecrets.ts';
import {
	never,
	openWindow,
	person,
	sendJson,
	serverName,
	startGuarded,
	startIssuer,
	startProtectedServer,
	troubles,
	visit,
	withStaleToken,
} from './signInGround.ts';

const hourMs = 3_600_000;

test.each([3, 30])(
	'%i calls at once with an expired token need one refresh and no browser',
	async (count) => {
		const { issuer, server, window, makeStale, secrets } = await withStaleToken();
		makeStale();
		const calls = Array.from({ length: count }, () => window.pool.callTool(serverName, 'read', {}));
		const answers = await Promise.all(calls);
		expect(answers.map(resultText)).toEqual(Array.from({ length: count }, () => 'read for ada'));
		expect(issuer.tokenRequests).toEqual(['authorization_code', 'refresh_token']);
		expect(window.questions).toHaveLength(1);
		expect(server.calls).toHaveLength(count + 1);
		expect([...secrets.texts.keys()].some((key) => key.includes('grant'))).toBe(true);
	},
);

test('two windows use each refresh token only once, although storage lags behind', async () => {
	const { issuer, server, window, makeStale, secrets, folder } = await withStaleToken();
	const other = await openWindow(server.url, { secrets, folder });
	for (let round = 1; round <= 3; round += 1) {
		makeStale();
		const before = issuer.tokenRequests.length;
		const answers = await Promise.all(
			[window, other, window, other].map(({ pool }) => pool.callTool(serverName, 'read', {})),
		);
		expect(answers.map(resultText)).toEqual(Array.from({ length: 4 }, () => 'read for ada'));
		expect(issuer.tokenRequests.length - before).toBe(1);
	}
	expect(window.questions).toHaveLength(1);
});

test('a token is refreshed before it expires, so that the server never refuses it', async () => {
	const clock = new FakeClock();
	const { issuer, window } = await startGuarded({ clock, tokenSeconds: 3_600 });
	await window.signInAs('ada');
	await window.pool.callTool(serverName, 'read', {});
	expect(issuer.tokenRequests).toEqual(['authorization_code']);
	await clock.pass(hourMs - 30_000);
	expect(resultText(await window.pool.callTool(serverName, 'read', {}))).toBe('read for ada');
	expect(issuer.tokenRequests).toEqual(['authorization_code', 'refresh_token']);
});

test.each([-hourMs, hourMs])('a clock that is corrected by %i ms costs at most one refresh', async (ms) => {
	const clock = new FakeClock();
	const { issuer, window } = await startGuarded({ clock });
	await window.signInAs('ada');
	await window.pool.callTool(serverName, 'read', {});
	expect(issuer.tokenRequests).toEqual(['authorization_code']);
	await clock.pass(ms);
	for (const _ of [1, 2, 3]) await window.pool.callTool(serverName, 'read', {});
	expect(issuer.tokenRequests.length).toBeLessThanOrEqual(2);
	expect(window.questions).toHaveLength(1);
});

test.each(Object.keys(troubles))('when the token endpoint %s, then no token is lost', async (what) => {
	const clock = new FakeClock();
	const { issuer, server, window } = await startGuarded({ clock, requestMs: 500 });
	await window.signInAs('ada');
	await window.pool.callTool(serverName, 'read', {});
	const trouble = troubles[what];
	issuer.intercept = (request, response) =>
		request.url === '/token' && trouble !== undefined && trouble(request, response);
	for (const token of server.seenTokens) server.refused.add(token);

	const failed = await window.pool.callTool(serverName, 'read', {}).catch((error: unknown) => error);
	expect(failed).toMatchObject({ reason: 'sign-in-unavailable' });
	expect((failed as Error).message).toContain('Try again');
	expect((failed as Error).message).not.toContain('<');
	expect(await window.signIn.grant()).toMatchObject({ refresh_token: expect.any(String) });

	issuer.intercept = undefined;
	await clock.pass(61_000);
	expect(resultText(await window.pool.callTool(serverName, 'read', {}))).toBe('read for ada');
	expect(window.questions).toHaveLength(1);
});

test('a token that seems expired is still used while it cannot be refreshed', async () => {
	const clock = new FakeClock();
	const { issuer, window } = await startGuarded({ clock });
	await window.signInAs('ada');
	issuer.intercept = (request, response) =>
		request.url === '/token' && Boolean(response.writeHead(503).end());
	await clock.pass(2 * hourMs);
	expect(resultText(await window.pool.callTool(serverName, 'read', {}))).toBe('read for ada');
});

test('when the issuer has ended a sign-in, then it is forgotten and the user is told', async () => {
	const { issuer, window, makeStale, secrets } = await withStaleToken();
	makeStale();
	issuer.intercept = (request, response) => {
		if (request.url !== '/token') return false;
		sendJson(response, 400, { error: 'invalid_grant', error_description: 'refresh token gone' });
		return true;
	};
	await expect(window.pool.callTool(serverName, 'read', {})).rejects.toMatchObject({
		reason: 'signed-out',
		message: expect.stringContaining('has ended your sign-in'),
	});
	expect([...secrets.texts.keys()].filter((key) => key.includes('grant'))).toEqual([]);
	expect(statusOf(window.pool, serverName).state.kind).toBe('signed-out');
	issuer.intercept = undefined;
	await window.signInAs('ada');
	expect(resultText(await window.pool.callTool(serverName, 'read', {}))).toBe('read for ada');
});

test('a server that accepts no token is not asked forever', async () => {
	const issuer = await startIssuer();
	const server = await startProtectedServer(issuer.origin, async () => undefined);
	const window = await openWindow(server.url);
	await window.signInAs('ada');
	await eventually(() => statusOf(window.pool, serverName).state.kind === 'signed-out');
	await expect(window.pool.callTool(serverName, 'read', {})).rejects.toMatchObject({ reason: 'signed-out' });
	expect(issuer.tokenRequests.filter((grant) => grant === 'refresh_token').length).toBeLessThanOrEqual(2);
});

test('thirty calls with nobody signed in wait for one sign-in, and each runs once', async () => {
	const { issuer, server, window, makeStale } = await withStaleToken();
	makeStale();
	issuer.intercept = (request, response) => {
		if (request.url !== '/token') return false;
		sendJson(response, 400, { error: 'invalid_grant' });
		return true;
	};
	let waiting = 0;
	const calls = Array.from({ length: 30 }, () =>
		window.pool.callTool(serverName, 'read', {}, { onSignIn: () => (waiting += 1) }),
	);
	await eventually(() => waiting === 30);
	issuer.intercept = undefined;
	await window.signInAs('bob');
	expect((await Promise.all(calls)).map(resultText)).toEqual(
		Array.from({ length: 30 }, () => 'read for bob'),
	);
	expect(server.calls.filter(({ account }) => account === 'bob')).toHaveLength(30);
});

test('when the user signs in as someone else, then later calls are made as that person', async () => {
	const secrets = new SharedSecrets();
	const { pool, signInAs } = await startGuarded({ secrets });
	await signInAs('ada');
	await signInAs('bob');
	expect(resultText(await pool.callTool(serverName, 'read', {}))).toBe('read for bob');
	expect([...secrets.texts.keys()].filter((key) => key.includes('grant'))).toHaveLength(1);
});

test('when the server moves to another issuer, then that one gets nothing that the old one gave', async () => {
	const { issuer: old, server, window, secrets, makeStale } = await withStaleToken();
	const moved = await startIssuer();
	server.issuer = moved.origin;
	makeStale();
	await expect(window.pool.callTool(serverName, 'read', {})).rejects.toMatchObject({
		reason: 'signed-out',
		message: expect.stringContaining(moved.origin),
	});
	expect(old.tokenRequests).toEqual(['authorization_code']);
	await window.signIn.signIn(
		person((address) => visit(address)),
		never,
	);
	expect(moved.registrations).toHaveLength(1);
	const grants = [...secrets.texts].filter(([key]) => key.includes('grant'));
	expect(grants).toHaveLength(1);
	expect(grants[0]?.[1]).toContain(moved.origin);
});

test('scopes that a sign-in never grants are requested at most three times', async () => {
	const origin = await startLiar((metadata) => metadata);
	const server = await startProtectedServer(origin, async () => ({ id: 'ada', scope: 'tools:read' }));
	server.needs = 'tools:never';
	const { pool, signInAs, questions } = await openWindow(server.url);
	await signInAs('ada');
	let asked = 0;
	const ask = () => {
		asked += 1;
		void signInAs('ada');
	};
	await expect(pool.callTool(serverName, 'write', {}, { onSignIn: ask })).rejects.toMatchObject({
		reason: expect.stringMatching(/more-rights|unauthorized/),
	});
	expect(asked).toBe(3);
	expect(questions).toHaveLength(4);
	await expect(pool.callTool(serverName, 'write', {}, { onSignIn: ask })).rejects.toThrow();
	expect(asked).toBe(3);
});
