import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { resultText } from '../../../src/discovery/catalog/tool.ts';
import type { SignIn } from '../../../src/mcp/signIn/signIn.ts';
import type { SignInError } from '../../../src/mcp/signIn/signInError.ts';
import type { SignInQuestion } from '../../../src/mcp/signIn/visit.ts';
import { bodyOf } from '../loopback.ts';
import { eventually, serve, statusOf, temporaryFolder } from '../poolFixture.ts';
import {
	type Interception,
	openWindow,
	type ProtectedServer,
	person,
	SharedSecrets,
	sendJson,
	serverName,
	startBehind,
	startIssuer,
	startProtectedServer,
	visit,
	WrongClock,
} from './signInGround.ts';

const hourMs = 3_600_000;

/** An authorization server that redirects the browser back at once, with its own answer. */
function redirected(address: string, answer: Record<string, string>, iss: string): Promise<Response> {
	const { searchParams } = new URL(address);
	const redirect = new URL(searchParams.get('redirect_uri') ?? '');
	redirect.search = String(new URLSearchParams({ ...answer, state: searchParams.get('state') ?? '', iss }));
	return fetch(redirect);
}
const never = new AbortController().signal;

/** The error of a sign-in. */
async function failureOf(signIn: SignIn, ...[browse, more]: Parameters<typeof person>): Promise<SignInError> {
	return signIn.signIn(person(browse, more), never).then(
		() => {
			throw new Error('it should have failed');
		},
		(error: SignInError) => error,
	);
}

/** A signed-in window whose token the server no longer accepts. */
async function withStaleToken() {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const [secrets, folder] = [new SharedSecrets(50), temporaryFolder()];
	const window = await openWindow(server.url, { secrets, folder });
	await window.signInAs('ada');
	await window.pool.callTool(serverName, 'read', {});
	const makeStale = () => {
		for (const token of server.seenTokens) server.refused.add(token);
	};
	return { issuer, server, secrets, folder, window, makeStale };
}

test.each([3, 30])(
	'%i calls at once with an expired token: one refresh, every call answered, no browser',
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

test('two windows refresh: refresh tokens rotate, and each is used once though storage lags behind', async () => {
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

test('tokens are refreshed ahead of their end, without a refusal', async () => {
	const issuer = await startIssuer({ tokenSeconds: 3_600 });
	const server = await startBehind(issuer);
	const clock = new WrongClock();
	const window = await openWindow(server.url, { clock });
	await window.signInAs('ada');
	await window.pool.callTool(serverName, 'read', {});
	expect(issuer.tokenRequests).toEqual(['authorization_code']);
	clock.offsetMs = hourMs - 30_000;
	expect(resultText(await window.pool.callTool(serverName, 'read', {}))).toBe('read for ada');
	expect(issuer.tokenRequests).toEqual(['authorization_code', 'refresh_token']);
});

test.each([-hourMs, hourMs])(
	'a clock that is wrong by %i ms, and one that is put right, cost at most a refresh',
	async (offset) => {
		const issuer = await startIssuer();
		const server = await startBehind(issuer);
		const clock = new WrongClock();
		clock.offsetMs = offset;
		const window = await openWindow(server.url, { clock });
		await window.signInAs('ada');
		await window.pool.callTool(serverName, 'read', {});
		expect(issuer.tokenRequests).toEqual(['authorization_code']);
		clock.offsetMs = 0;
		for (const _ of [1, 2, 3]) await window.pool.callTool(serverName, 'read', {});
		expect(issuer.tokenRequests.length).toBeLessThanOrEqual(2);
		expect(window.questions).toHaveLength(1);
	},
);

const troubles: Readonly<Record<string, Interception>> = {
	'is slow': () => true,
	'resets the connection': (request) => {
		request.socket.destroy();
		return true;
	},
	'gives 500': (_, response) => {
		response.writeHead(500).end('trouble');
		return true;
	},
	'gives 429': (_, response) => {
		response.writeHead(429, { 'retry-after': '1' }).end();
		return true;
	},
	'gives HTML': (_, response) => {
		response.writeHead(200, { 'content-type': 'text/html' }).end('<html><b>be right back</b></html>');
		return true;
	},
	'gives HTML with 400': (_, response) => {
		response.writeHead(400, { 'content-type': 'text/html' }).end('<html><b>blocked</b></html>');
		return true;
	},
};

test.each(Object.keys(troubles))('a token endpoint that %s throws no token away', async (what) => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const clock = new WrongClock();
	const window = await openWindow(server.url, { clock, requestMs: 500 });
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
	clock.offsetMs = 61_000;
	expect(resultText(await window.pool.callTool(serverName, 'read', {}))).toBe('read for ada');
	expect(window.questions).toHaveLength(1);
});

test('a token that we take for expired is used all the same while it cannot be refreshed', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const clock = new WrongClock();
	const window = await openWindow(server.url, { clock });
	await window.signInAs('ada');
	issuer.intercept = (request, response) =>
		request.url === '/token' && Boolean(response.writeHead(503).end());
	clock.offsetMs = 2 * hourMs;
	expect(resultText(await window.pool.callTool(serverName, 'read', {}))).toBe('read for ada');
});

test('a sign-in that the issuer has ended is forgotten, and the user is told', async () => {
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

test('a server that takes no token, however new, is asked a bounded number of times', async () => {
	const issuer = await startIssuer();
	const server = await startProtectedServer(issuer.origin, async () => undefined);
	const window = await openWindow(server.url);
	await window.signInAs('ada');
	await eventually(() => statusOf(window.pool, serverName).state.kind === 'signed-out');
	await expect(window.pool.callTool(serverName, 'read', {})).rejects.toMatchObject({ reason: 'signed-out' });
	expect(issuer.tokenRequests.filter((grant) => grant === 'refresh_token').length).toBeLessThanOrEqual(2);
});

test('a user who closes the browser cancels, and the waiting call says so; the next sign-in works', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const { pool, signIn, signInAs } = await openWindow(server.url);
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

test('a user who comes back after ten minutes is signed in, one who stays away is not waited for', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const clock = new WrongClock();
	const { signIn } = await openWindow(server.url, { clock });
	const after = (minutes: number, browse: (address: string) => unknown) => {
		let opened = '';
		const waiting = async () => {
			clock.pass(minutes * 60_000);
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

test('each step can be cancelled: before the question, at it, at the browser and at the last request', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const { signIn } = await openWindow(server.url);
	for (const step of ['discovery', 'question', 'no', 'registration', 'token']) {
		const stop = new AbortController();
		issuer.intercept = (request) => {
			const at = { discovery: '/.well-known/', registration: '/reg', token: '/token' }[step];
			if (at === undefined || !request.url?.startsWith(at)) return false;
			stop.abort();
			return true;
		};
		const ask = async (question: SignInQuestion): Promise<boolean> => {
			if (step === 'question') stop.abort();
			if (step === 'token') void visit(await question.address()).catch(() => {});
			return step === 'question' ? new Promise(() => {}) : step !== 'no';
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

test('a second sign-in takes the place of one whose browser was closed', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const { pool, signIn, signInAs } = await openWindow(server.url);
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

test('thirty calls that find nobody signed in wait for one sign-in, and each runs once', async () => {
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

test('a user who signs in as someone else is that one from then on', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const secrets = new SharedSecrets();
	const { pool, signInAs } = await openWindow(server.url, { secrets });
	await signInAs('ada');
	await signInAs('bob');
	expect(resultText(await pool.callTool(serverName, 'read', {}))).toBe('read for bob');
	expect([...secrets.texts.keys()].filter((key) => key.includes('grant'))).toHaveLength(1);
});

test('a redirect with a wrong state is refused with a plain page, and the right one still counts', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const { signIn } = await openWindow(server.url);
	const pages: [number, string][] = [];
	await signIn.signIn(
		person(async (address) => {
			const redirect = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
			for (const state of ['', 'guessed', '<b>x</b>']) {
				const forged = new URL(redirect);
				forged.search = String(new URLSearchParams({ code: 'stolen', state }));
				const response = await fetch(forged);
				pages.push([response.status, await response.text()]);
			}
			await visit(address);
		}),
		never,
	);
	expect(pages).toEqual([1, 2, 3].map(() => [400, 'Nobody waits for this.\n']));
	expect(await signIn.grant()).toBeDefined();
});

test('a redirect that comes a second time is refused', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const { signIn } = await openWindow(server.url);
	const answers: number[] = [];
	let go = () => {};
	issuer.intercept = (request, response) => {
		if (request.url !== '/token' || answers.length > 1) return false;
		// The exchange waits until the second redirect was answered.
		go = () => void response.writeHead(503).end();
		return true;
	};
	const failure = await failureOf(
		signIn,
		async (address) => {
			const state = new URL(address).searchParams.get('state') ?? '';
			const redirect = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
			redirect.search = String(new URLSearchParams({ code: 'first', state, iss: issuer.origin }));
			for (const _ of [1, 2]) answers.push((await fetch(redirect)).status);
			await eventually(() => go.length === 0);
			go();
		},
		{},
	);
	expect(answers).toEqual([200, 400]);
	expect(failure.fault).toBe('unavailable');
});

test('a redirect with an error says which, as text', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const { signIn } = await openWindow(server.url);
	const failure = await failureOf(signIn, (address) =>
		redirected(address, { error: 'invalid_scope', error_description: 'Ask <b>for</b>\nless' }, issuer.origin),
	);
	expect(failure.fault).toBe('refused');
	expect(failure.message).toContain('invalid_scope');
	expect(failure.message).toContain('"Ask b for /b less"');
	expect(failure.message).not.toMatch(/[<>\n]/);
});

test('a user who refuses at the issuer reads so in the browser, and the call that waits ends with it', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const { pool, signIn } = await openWindow(server.url);
	const reasons: string[] = [];
	const call = pool.callTool(serverName, 'read', {}, { onSignIn: (why) => reasons.push(why.message) });
	const outcome = call.catch((error: unknown) => error);
	await eventually(() => reasons.length === 1);
	let page = '';
	const failure = await failureOf(signIn, async (address) => {
		const told = { error: 'access_denied', error_description: 'The user said no' };
		page = await (await redirected(address, told, issuer.origin)).text();
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

const downs: Readonly<Record<string, Interception>> = {
	...troubles,
	'gives 404': (_, response) => {
		response.writeHead(404).end();
		return true;
	},
};

test.each(Object.keys(downs))(
	'an issuer that %s: the user reads that it does not answer, and the call waits on until it does',
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

test.each([
	['of another issuer', { iss: 'https://evil.example' }],
	['without the issuer that was promised', {}],
])('an answer %s is not sent to anybody', async (_, more) => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const { signIn } = await openWindow(server.url);
	const failure = await failureOf(signIn, (address) => {
		const state = new URL(address).searchParams.get('state') ?? '';
		const redirect = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
		redirect.search = String(new URLSearchParams({ code: 'a code', state, ...more }));
		return fetch(redirect);
	});
	expect(failure.fault).toBe('wrong-issuer');
	expect(issuer.tokenRequests).toEqual([]);
});

test('the address that the browser was led to can be pasted; another one cannot', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const { signIn } = await openWindow(server.url);
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

test('a port that is taken meanwhile: another one is registered', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const { signIn, signInAs, addresses } = await openWindow(server.url);
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

test('a port of the configuration that is taken is said to be', async () => {
	const issuer = await startIssuer();
	const server = await startBehind(issuer);
	const redirectPort = Number(new URL(await serve(() => {})).port);
	const { signIn } = await openWindow(server.url, { oauth: { redirectPort } });
	const failure = await failureOf(signIn, () => {});
	expect(failure.fault).toBe('port-taken');
	expect(failure.message).toContain(String(redirectPort));
});

/** An authorization server with false metadata, as `lie` makes it. */
async function startLiar(
	lie: (metadata: Record<string, unknown>, origin: string) => unknown,
): Promise<string> {
	const origin = await serve(async (request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', origin);
		if (pathname.startsWith('/.well-known/')) {
			const metadata = {
				issuer: origin,
				authorization_endpoint: `${origin}/authorize`,
				token_endpoint: `${origin}/token`,
				registration_endpoint: `${origin}/register`,
				response_types_supported: ['code'],
				code_challenge_methods_supported: ['S256'],
			};
			const told = lie(metadata, origin);
			if (typeof told !== 'string') return sendJson(response, 200, told);
			response.writeHead(302, { location: told }).end();
			return;
		}
		if (pathname === '/register') {
			const asked = JSON.parse(await bodyOf(request));
			return sendJson(response, 201, { ...asked, client_id: 'someone' });
		}
		if (pathname === '/authorize') {
			const back = new URL(searchParams.get('redirect_uri') ?? '');
			back.search = String(new URLSearchParams({ code: 'c', state: searchParams.get('state') ?? '' }));
			response.writeHead(302, { location: back.href }).end();
			return;
		}
		if (pathname === '/token') return sendJson(response, 200, { access_token: 'good', token_type: 'Bearer' });
		response.writeHead(404).end();
	});
	return origin;
}

const lies: Readonly<
	Record<
		string,
		readonly [fault: string, lie: (metadata: Record<string, unknown>, origin: string) => unknown]
	>
> = {
	'names another issuer': ['wrong-issuer', (metadata) => ({ ...metadata, issuer: 'https://evil.example' })],
	'leads in a circle': ['unavailable', (_, origin) => `${origin}/.well-known/oauth-authorization-server`],
	'redirects to elsewhere': ['unavailable', () => 'https://evil.example/metadata'],
	'is 10 MB': ['bad-answer', (metadata) => ({ ...metadata, padding: 'x'.repeat(10_000_000) })],
	'has javascript: for a page': [
		'bad-answer',
		(metadata) => ({ ...metadata, authorization_endpoint: 'javascript:alert(1)' }),
	],
	'has plain http to another machine for tokens': [
		'unsafe-address',
		(metadata) => ({ ...metadata, token_endpoint: 'http://192.0.2.1/token' }),
	],
	'has plain http to another machine for its page': [
		'unsafe-address',
		(metadata) => ({ ...metadata, authorization_endpoint: 'http://192.0.2.1/authorize' }),
	],
	'has a password in an address': [
		'unsafe-address',
		(metadata) => ({ ...metadata, token_endpoint: 'https://a:b@evil.example/token' }),
	],
	'has nothing but a list': ['unavailable', () => []],
	'lacks what it must have': ['bad-answer', ({ issuer }) => ({ issuer })],
	'knows no PKCE of the kind that is safe': [
		'not-offered',
		(metadata) => ({ ...metadata, code_challenge_methods_supported: ['plain'] }),
	],
};

test.each(Object.keys(lies))('metadata that %s: no browser opens, and the reason is told', async (what) => {
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
});

test('a server that names another one as what the token is for gets none', async () => {
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

test('metadata that cannot be had for now do not lead to another issuer', async () => {
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

test('an authorization server that has moved is found, and gets nothing of what the old one gave', async () => {
	const { issuer: old, server, window, secrets } = await withStaleToken();
	const moved = await startIssuer();
	move(server, moved.origin);
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

function move(server: ProtectedServer, issuer: string): void {
	server.issuer = issuer;
	for (const token of server.seenTokens) server.refused.add(token);
}

test('rights that a sign-in never brings are asked for three times at most', async () => {
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
