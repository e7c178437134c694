import { expect, test } from 'vitest';
import { resultText } from '../../../src/discovery/catalog/tool.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { eventually, statusOf } from '../poolFixture.ts';
import { SharedSecrets } from './sharedSecrets.ts';
import { openWindow, serverName, startBehind, startGuarded, startIssuer } from './signInGround.ts';

test('a server that wants a sign-in is signed out, never failed, and no browser opens', async () => {
	const { issuer, pool, questions } = await startGuarded();
	expect(statusOf(pool, serverName).state).toMatchObject({
		kind: 'signed-out',
		error: { reason: 'signed-out', message: expect.stringContaining('Sign In…') },
	});
	expect(questions).toEqual([]);
	expect(issuer.registrations).toEqual([]);
	await expect(pool.callTool(serverName, 'read', {})).rejects.toMatchObject({ reason: 'signed-out' });
});

test('a call waits for the sign-in and then goes on, once', async () => {
	const { issuer, server, pool, questions, addresses, signInAs } = await startGuarded();
	let waiting = '';
	const call = pool.callTool(serverName, 'read', {}, { onSignIn: (why) => (waiting = why.message) });
	await eventually(() => waiting !== '');
	expect(waiting).toContain('asks you to sign in');
	expect(server.calls).toEqual([]);
	await signInAs('ada');
	expect(resultText(await call)).toBe('read for ada');
	expect(server.calls).toHaveLength(1);
	expect(questions).toMatchObject([
		{ issuer: issuer.origin, scopes: ['tools:read', 'offline_access'], moreScopes: [] },
	]);
	const address = new URL(addresses[0] ?? '');
	expect(questions[0]?.opens).toBe(`${address.origin}${address.pathname}`);
	expect(Object.fromEntries(address.searchParams)).toMatchObject({
		response_type: 'code',
		code_challenge_method: 'S256',
		resource: server.url,
		state: expect.stringMatching(/^[\w-]{40,}$/),
		redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback\/[0-9a-f]{16}$/),
	});
	await eventually(() => statusOf(pool, serverName).state.kind === 'ready');
});

test('the next window is signed in at once, with the registration and the tokens of the first', async () => {
	const [secrets, folder] = [new SharedSecrets(), temporaryFolder()];
	const { issuer, server, window: first } = await startGuarded({ secrets, folder });
	await first.signInAs('ada');
	const second = await openWindow(server.url, { secrets, folder });
	expect(statusOf(second.pool, serverName).state.kind).toBe('ready');
	expect(resultText(await second.pool.callTool(serverName, 'read', {}))).toBe('read for ada');
	expect(issuer.registrations).toHaveLength(1);
	expect(issuer.tokenRequests).toEqual(['authorization_code']);
});

test('another window that waits goes on when the user has signed in here', async () => {
	const [secrets, folder] = [new SharedSecrets(20), temporaryFolder()];
	const { server, window: first } = await startGuarded({ secrets, folder });
	const second = await openWindow(server.url, { secrets, folder });
	expect(statusOf(second.pool, serverName).state.kind).toBe('signed-out');
	await first.signInAs('ada');
	await eventually(() => statusOf(second.pool, serverName).state.kind === 'ready');
});

test('signing out revokes and forgets the tokens, here and in other windows', async () => {
	const [secrets, folder] = [new SharedSecrets(20), temporaryFolder()];
	const { issuer, server, window: first } = await startGuarded({ secrets, folder });
	await first.signInAs('ada');
	const second = await openWindow(server.url, { secrets, folder });
	const [token = ''] = [...server.seenTokens].slice(-1);
	expect((await issuer.provider.AccessToken.find(token))?.isValid).toBe(true);

	expect(await first.signIn.signOut(AbortSignal.timeout(30_000))).toBe(true);

	expect(issuer.revocations).toHaveLength(1);
	expect(await issuer.provider.AccessToken.find(token)).toBeUndefined();
	expect([...secrets.texts.keys()].filter((key) => key.includes('grant'))).toEqual([]);
	expect(statusOf(first.pool, serverName).state.kind).toBe('signed-out');
	await eventually(() => statusOf(second.pool, serverName).state.kind === 'signed-out');
});

test('the tokens of a removed server are deleted, and are back if the removal is undone', async () => {
	const secrets = new SharedSecrets();
	const { issuer, window: first } = await startGuarded({ secrets });
	await first.signInAs('ada');
	const grants = () => [...secrets.texts.keys()].filter((key) => key.includes('grant')).length;
	expect(grants()).toBe(1);

	const back = await first.signIn.forgetting().take();
	expect(grants()).toBe(0);
	await eventually(() => statusOf(first.pool, serverName).state.kind === 'signed-out');

	await back.take();
	expect([grants(), issuer.revocations.length]).toEqual([1, 0]);
	expect(await first.signIn.token(AbortSignal.timeout(30_000))).toBeTypeOf('string');
});

test('tools that are known from last time stay known while nobody is signed in', async () => {
	const [secrets, folder, catalog] = [new SharedSecrets(), temporaryFolder(), temporaryFolder()];
	const { server, window: first } = await startGuarded({ secrets, folder, catalog });
	await first.signInAs('ada');
	await eventually(() => statusOf(first.pool, serverName).tools.length === 2);
	await first.signIn.signOut(AbortSignal.timeout(30_000));
	await first.pool.dispose();
	const second = await openWindow(server.url, { secrets, folder, catalog });
	expect(statusOf(second.pool, serverName)).toMatchObject({
		state: { kind: 'signed-out' },
		tools: [{ name: 'read' }, { name: 'write' }],
	});
	const call = second.pool.callTool(serverName, 'read', {}, { onSignIn: () => void second.signInAs('bob') });
	expect(resultText(await call)).toBe('read for bob');
});

test('more permissions are asked for with what they are, in addition to those that were given', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	server.needs = 'tools:write';
	const { pool, questions, signInAs } = await openWindow(server.url);
	await signInAs('ada');
	const reasons: string[] = [];
	const call = pool.callTool(serverName, 'write', {}, { onSignIn: (why) => reasons.push(why.message) });
	await eventually(() => reasons.length === 1);
	expect(reasons[0]).toContain('more permissions (tools:write)');
	expect(statusOf(pool, serverName)).toMatchObject({
		state: { kind: 'ready' },
		wantsRights: { reason: 'more-rights' },
	});
	expect(resultText(await pool.callTool(serverName, 'read', {}))).toBe('read for ada');
	await signInAs('ada');
	expect(resultText(await call)).toBe('write for ada');
	expect(questions[1]).toMatchObject({
		moreScopes: ['tools:write'],
		scopes: expect.arrayContaining(['tools:read', 'tools:write']),
	});
	expect(statusOf(pool, serverName)).not.toHaveProperty('wantsRights');
});

test('a server that the file gives credentials is not signed in to', async () => {
	const { pool, launch } = await startGuarded();
	pool.setLaunches(new Map([['keyed', { ...launch, headers: { Authorization: 'Bearer wrong' } }]]));
	await pool.whenReady(['keyed'], { timeoutMs: 30_000 });
	expect(statusOf(pool, 'keyed').state).toMatchObject({ kind: 'failed', error: { reason: 'unauthorized' } });
});

test('no token, code or secret is in the log, in errors or in the catalog', async () => {
	const secrets = new SharedSecrets();
	const { pool, signIn, signInAs } = await startGuarded({ secrets });
	await signInAs('ada');
	const said = await pool.callTool(serverName, 'read', { say: 'token' });
	expect(resultText(said)).toBe('sent with ***');
	const grant = await signIn.grant();
	const hidden = [grant?.access_token, grant?.refresh_token, grant?.client.client_secret].filter(
		(one) => one !== undefined,
	);
	expect(hidden.length).toBeGreaterThan(1);
	const told = JSON.stringify([pool.log(serverName), pool.servers(), pool.listings()]);
	for (const secret of hidden) expect(told).not.toContain(secret);
});
