import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { resultText } from '../../../src/discovery/catalog/tool.ts';
import type { SignInPerson } from '../../../src/mcp/signIn/visit.ts';
import { FakeClock } from '../../unit/mcp/fakeClock.ts';
import { eventually, serve } from '../poolFixture.ts';
import {
	failureOf,
	never,
	openWindow,
	person,
	redirected,
	serverName,
	startBehind,
	startGuarded,
	startIssuer,
	visit,
} from './signInGround.ts';

test('when the user closes the browser, then the waiting call says so, and the next sign-in works', async () => {
	const { pool, signIn, signInAs } = await startGuarded();
	let asked = false;
	const call = pool.callTool(serverName, 'read', {}, { onSignIn: () => (asked = true) });
	const outcome = call.catch((error: unknown) => error);
	await eventually(() => asked);
	const stop = new AbortController();
	const visited = signIn.signIn(
		person(() => {}, { waiting: () => stop.abort() }),
		stop.signal,
	);
	await expect(visited).rejects.toMatchObject({ fault: 'cancelled' });
	expect(await outcome).toMatchObject({
		reason: 'signed-out',
		message: expect.stringContaining('was cancelled'),
	});
	await signInAs('ada');
	expect(resultText(await pool.callTool(serverName, 'read', {}))).toBe('read for ada');
});

test('when the user signs out during a call, then the call says so', async () => {
	const { pool, server, signIn, signInAs } = await startGuarded();
	await signInAs('ada');
	await pool.whenReady([serverName], { timeoutMs: 30_000 });
	let isCalled = false;
	server.intercept = ({ method }) => {
		isCalled ||= method === 'POST';
		return true;
	};
	const outcome = pool.callTool(serverName, 'read', {}).catch((error: unknown) => error);
	await eventually(() => isCalled);
	await signIn.signOut(never);
	expect(await outcome).toMatchObject({
		reason: 'stopped',
		message: expect.stringContaining('You signed out of server "guarded"'),
	});
});

test('a sign-in can take ten minutes, but not half an hour', async () => {
	const clock = new FakeClock();
	const { signIn } = await startGuarded({ clock });
	const after = (minutes: number, browse: (address: string) => unknown) => {
		let opened = '';
		const waiting = async () => {
			await clock.pass(minutes * 60_000);
			await browse(opened);
		};
		return signIn.signIn(
			person((address) => (opened = address), { waiting: () => setImmediate(() => void waiting()) }),
			never,
		);
	};
	await after(10, (address) => visit(address));
	expect(await signIn.grant()).toBeDefined();
	await expect(after(31, () => {})).rejects.toMatchObject({ fault: 'timed-out' });
	expect(await signIn.grant()).toBeDefined();
});

test('each step of a sign-in can be cancelled', async () => {
	const { issuer, signIn } = await startGuarded();
	for (const step of ['discovery', 'question', 'no', 'registration', 'token']) {
		const stop = new AbortController();
		issuer.intercept = (request) => {
			const at = { discovery: '/.well-known/', registration: '/reg', token: '/token' }[step];
			if (at === undefined || !request.url?.startsWith(at)) return false;
			stop.abort();
			return true;
		};
		const ask: SignInPerson['ask'] = async () => {
			if (step === 'question') stop.abort();
			if (step === 'question') return new Promise(() => {});
			if (step === 'no') return undefined;
			return async (address) => {
				if (step === 'token') void visit(address).catch(() => {});
				return true;
			};
		};
		const signing = signIn.signIn(
			person(() => {}, { ask }),
			stop.signal,
		);
		await expect(signing, step).rejects.toMatchObject({ fault: 'cancelled' });
		expect(await signIn.grant(), step).toBeUndefined();
		// Before the user has agreed, nothing is registered with the authorization server.
		if (step !== 'token') expect(issuer.registrations, step).toEqual([]);
	}
});

test('a second sign-in replaces one whose browser was closed', async () => {
	const { pool, signIn, signInAs } = await startGuarded();
	let isOpen = false;
	const first = signIn.signIn(
		person(() => {}, { waiting: () => (isOpen = true) }),
		never,
	);
	const ended = first.catch((error: unknown) => error);
	await eventually(() => isOpen);
	const call = pool.callTool(serverName, 'read', {}, { onSignIn: () => void signInAs('ada') });
	expect(resultText(await call)).toBe('read for ada');
	expect(await ended).toMatchObject({ fault: 'cancelled' });
});

test('the error in a redirect is reported as plain text', async () => {
	const { issuer, signIn } = await startGuarded();
	const failure = await failureOf(signIn, (address) =>
		redirected(address, {
			error: 'invalid_scope',
			error_description: 'Ask <b>for</b>\nless',
			iss: issuer.origin,
		}),
	);
	expect(failure.fault).toBe('refused');
	expect(failure.message).toContain('invalid_scope');
	expect(failure.message).toContain('"Ask b for /b less"');
	expect(failure.message).not.toMatch(/[<>\n]/);
});

test('when the user denies access, then the browser says so and the waiting call ends', async () => {
	const { issuer, pool, signIn } = await startGuarded();
	const reasons: string[] = [];
	const call = pool.callTool(serverName, 'read', {}, { onSignIn: (why) => reasons.push(why.message) });
	const outcome = call.catch((error: unknown) => error);
	await eventually(() => reasons.length === 1);
	let page = '';
	const failure = await failureOf(signIn, async (address) => {
		const told = { error: 'access_denied', error_description: 'The user said no', iss: issuer.origin };
		page = await (await redirected(address, told)).text();
	});
	expect(failure.fault).toBe('denied');
	await eventually(() => page !== '');
	expect(page).toBe('Access was denied.\n');
	const { message } = (await outcome) as Error;
	expect(message).toBe(
		`You are not signed in to server "${serverName}". Access was denied at ${issuer.origin}. It says: "The user said no"`,
	);
	// The chat shows this next to "Sign In…".
	expect(reasons).toEqual([expect.any(String), message]);
});

test.each([
	['of another issuer', { iss: 'https://evil.example' }],
	['without the issuer that was promised', {}],
])('a code %s is sent to nobody', async (_, more) => {
	const { issuer, signIn } = await startGuarded();
	const failure = await failureOf(signIn, (address) => redirected(address, { code: 'a code', ...more }));
	expect(failure.fault).toBe('wrong-issuer');
	expect(issuer.tokenRequests).toEqual([]);
});

test('the redirect URL can be pasted, other addresses cannot', async () => {
	const { signIn } = await startGuarded();
	const taken: boolean[] = [];
	let opened = '';
	await signIn.signIn(
		person(
			(address) => {
				opened = address;
			},
			{
				// As on another machine, whose browser cannot reach this address.
				reachable: async () => 'http://127.0.0.1:9/callback',
				waiting: async (paste) => {
					const end = await visit(opened).catch((error: unknown) => error);
					taken.push(paste('not an address'), paste('http://127.0.0.1:9/callback?code=x&state=y'));
					taken.push(paste(` ${lastAddress(end)} `));
				},
			},
		),
		never,
	);
	expect(taken).toEqual([false, false, true]);
	expect(await signIn.grant()).toBeDefined();
});

/** Where a browser ended that could not follow a redirect. */
function lastAddress(end: unknown): string {
	return end instanceof Error ? String((end as Error & { address?: string }).address) : '';
}

test('when the port is taken, then another one is registered', async () => {
	const { issuer, signIn, signInAs, addresses } = await startGuarded();
	await signInAs('ada');
	await signInAs('ada');
	const ports = () =>
		addresses.map((address) => new URL(new URL(address).searchParams.get('redirect_uri') ?? '').port);
	expect(new Set(ports()).size).toBe(1);
	expect(issuer.registrations).toHaveLength(1);
	const squatter = createServer().listen(Number(ports()[0]), '127.0.0.1');
	await once(squatter, 'listening');
	onTestFinished(() => void squatter.close());
	await signInAs('ada');
	expect(new Set(ports()).size).toBe(2);
	expect(issuer.registrations).toHaveLength(2);
	expect(await signIn.grant()).toBeDefined();
});

test('the redirect URL of one’s own client may name localhost, as some services demand (anthropics/claude-code#86233, cognizant-ai-lab/nsflow#233)', async () => {
	const free = createServer().listen(0, '127.0.0.1');
	await once(free, 'listening');
	const { port: redirectPort } = free.address() as AddressInfo;
	free.close();
	const redirectUri = `http://localhost:${redirectPort}/callback`;
	const server = await startBehind(await startIssuer({ client: { id: 'mine', redirectUri } }));
	const oauth = { clientId: 'mine', redirectPort, redirectHost: 'localhost' } as const;
	const { signInAs, pool, addresses } = await openWindow(server.url, { oauth });
	await signInAs('ada');
	expect(new URL(addresses[0] ?? '').searchParams.get('redirect_uri')).toBe(redirectUri);
	expect(resultText(await pool.callTool(serverName, 'read', {}))).toBe('read for ada');
});

test('when the configured port is taken, then the error names it', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const redirectPort = Number(new URL(await serve(() => {})).port);
	const { signIn } = await openWindow(server.url, { oauth: { redirectPort } });
	const failure = await failureOf(signIn, () => {});
	expect(failure.fault).toBe('port-taken');
	expect(failure.message).toContain(String(redirectPort));
});
