import { expect, test } from 'vitest';
import { bodyOf } from '../loopback.ts';
import { serve } from '../poolFixture.ts';
import { failureOf, openWindow, person, sendJson, startProtectedServer, visit } from './signInGround.ts';

interface HonestIssuer {
	readonly origin: string;
	/** What its page adds to an answer; `iss` is missing, as on many issuers. */
	answers: Readonly<Record<string, string>>;
	/** Its own metadata; `undefined`: it has none at its origin. */
	metadata: Readonly<Record<string, unknown>> | undefined;
	/** Paths of the redirect URLs that it knows; `undefined`: any. On this machine, any port is accepted (RFC 8252, 7.3). */
	redirectPaths: readonly string[] | undefined;
}

/** An issuer that signs everybody in and does not name itself in its answers. */
async function startHonest(): Promise<HonestIssuer> {
	const origin = await serve((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', origin);
		if (pathname.startsWith('/.well-known/') && honest.metadata)
			return sendJson(response, 200, honest.metadata);
		const back = searchParams.get('redirect_uri') ?? '';
		const isKnown =
			honest.redirectPaths === undefined || honest.redirectPaths.includes(new URL(back).pathname);
		if (pathname !== '/authorize' || !isKnown) return response.writeHead(404).end();
		const answer = { code: 'honest code', state: searchParams.get('state') ?? '', ...honest.answers };
		return response.writeHead(302, { location: `${back}?${new URLSearchParams(answer)}` }).end();
	});
	const honest: HonestIssuer = { origin, answers: {}, metadata: undefined, redirectPaths: undefined };
	return honest;
}

/** A window with a server whose issuer is false. `lie`: what its metadata says beyond the usual. */
async function startFalse(
	lie: (origin: string) => Readonly<Record<string, unknown>>,
	issuerOf = (origin: string) => origin,
) {
	const received: string[] = [];
	const origin = await serve(async (request, response) => {
		const { pathname, search } = new URL(request.url ?? '', origin);
		if (pathname.startsWith('/.well-known/'))
			return sendJson(response, 200, {
				issuer: issuerOf(origin),
				authorization_endpoint: `${origin}/authorize`,
				token_endpoint: `${origin}/token`,
				registration_endpoint: `${origin}/register`,
				response_types_supported: ['code'],
				code_challenge_methods_supported: ['S256'],
				...lie(origin),
			});
		const body = await bodyOf(request);
		if (pathname === '/register')
			return sendJson(response, 201, { ...JSON.parse(body), client_id: 'someone' });
		if (pathname === '/token') {
			received.push(body);
			return sendJson(response, 200, { access_token: 'good', token_type: 'Bearer' });
		}
		// Its own page sends the browser to the page of the honest issuer.
		const location = `${lie(origin).leadsTo}${search}`;
		return response.writeHead(302, { location }).end();
	});
	const server = await startProtectedServer(issuerOf(origin), async (token) => ({ id: token, scope: '' }));
	return { ...(await openWindow(server.url)), origin, received };
}

test('the code of a page that does not name its issuer goes to no other issuer', async () => {
	const honest = await startHonest();
	const { signIn, received } = await startFalse(() => ({
		authorization_endpoint: `${honest.origin}/authorize`,
	}));
	expect((await failureOf(signIn, (address) => visit(address))).fault).toBe('wrong-issuer');
	expect(received).toEqual([]);
	expect(await signIn.grant()).toBeUndefined();
});

test('it goes there neither if the page’s issuer names another token endpoint', async () => {
	const honest = await startHonest();
	honest.metadata = {
		issuer: honest.origin,
		authorization_endpoint: `${honest.origin}/authorize`,
		token_endpoint: `${honest.origin}/token`,
		response_types_supported: ['code'],
	};
	const { signIn, received } = await startFalse(() => ({
		authorization_endpoint: `${honest.origin}/authorize`,
	}));
	expect((await failureOf(signIn, (address) => visit(address))).fault).toBe('wrong-issuer');
	expect(received).toEqual([]);
});

test('nor if the false issuer promises to name itself, or the page names the honest one', async () => {
	const honest = await startHonest();
	const { signIn, received } = await startFalse(() => ({
		authorization_endpoint: `${honest.origin}/authorize`,
		authorization_response_iss_parameter_supported: true,
	}));
	expect((await failureOf(signIn, (address) => visit(address))).fault).toBe('wrong-issuer');
	honest.answers = { iss: honest.origin };
	expect((await failureOf(signIn, (address) => visit(address))).fault).toBe('wrong-issuer');
	expect(received).toEqual([]);
});

test('an honest issuer may have its page at another origin that names the token endpoint, or may name itself', async () => {
	const page = await startHonest();
	const { signIn, received, origin } = await startFalse(() => ({
		authorization_endpoint: `${page.origin}/authorize`,
	}));
	page.metadata = {
		issuer: origin,
		authorization_endpoint: `${page.origin}/authorize`,
		token_endpoint: `${origin}/token`,
		response_types_supported: ['code'],
	};
	await signIn.signIn(
		person((address) => visit(address)),
		new AbortController().signal,
	);
	expect(received).toHaveLength(1);
	page.metadata = undefined;
	page.answers = { iss: origin };
	await signIn.signIn(
		person((address) => visit(address)),
		new AbortController().signal,
	);
	expect(received).toHaveLength(2);
});

test('a page that leads to another issuer’s has a redirect URL that the other issuer does not know', async () => {
	const honest = await startHonest();
	const { signIn, received } = await startFalse(() => ({ leadsTo: `${honest.origin}/authorize` }));
	const honestWindow = await startFalse(() => ({ authorization_endpoint: `${honest.origin}/authorize` }));
	const redirectPaths: string[] = [];
	const note = (address: string) => {
		redirectPaths.push(new URL(new URL(address).searchParams.get('redirect_uri') ?? '').pathname);
		return visit(address);
	};
	await failureOf(honestWindow.signIn, note);
	honest.redirectPaths = redirectPaths;
	const stop = new AbortController();
	const pages: number[] = [];
	const signing = signIn.signIn(
		person(async (address) => {
			pages.push((await visit(address)).status);
			stop.abort();
		}),
		stop.signal,
	);
	await expect(signing).rejects.toMatchObject({ fault: 'cancelled' });
	expect(pages).toEqual([404]);
	expect(received).toEqual([]);
});

test.each(['code', 'state', 'iss', 'error', 'Code', 'code[]', 'scope'])(
	'an answer that has “%s” twice is not used',
	async (name) => {
		const { signIn, received } = await startFalse(() => ({}));
		const failure = await failureOf(signIn, (address) => {
			const { searchParams } = new URL(address);
			const state = searchParams.get('state') ?? '';
			const answer = new URLSearchParams({ code: 'x', state, scope: 'a', [name]: 'y' });
			answer.set('state', state);
			answer.append(name.replace(/\W/g, '').toLowerCase(), name === 'state' ? state : 'z');
			return fetch(`${searchParams.get('redirect_uri')}?${answer}`);
		});
		expect(failure.fault).toBe('bad-answer');
		expect(received).toEqual([]);
	},
);

test.each([
	['authorization_endpoint', 'redirect_uri=https://evil.example'],
	['authorization_endpoint', 'REDIRECT_URI=https://evil.example'],
	['authorization_endpoint', 'redirect_uri%5B%5D=https://evil.example'],
	['authorization_endpoint', 'redirect.uri=https://evil.example'],
	['authorization_endpoint', '%72edirect%5furi=https://evil.example'],
	['authorization_endpoint', 'a=1&a=2'],
	['authorization_endpoint', 'client_id=another'],
	['authorization_endpoint', 'state=known'],
	['authorization_endpoint', 'code_challenge=known'],
	['authorization_endpoint', 'request_uri=https://evil.example/request'],
	['authorization_endpoint', 'request=eyJhbGciOiJub25lIn0'],
	['authorization_endpoint', 'response_mode=form_post'],
	['token_endpoint', 'redirect_uri=https://evil.example'],
	['token_endpoint', 'code=another'],
	['token_endpoint', 'client_id=another'],
	['revocation_endpoint', 'token=another'],
	['registration_endpoint', 'redirect_uri=https://evil.example'],
])('an issuer whose %s already has %s is refused before a browser opens', async (endpoint, query) => {
	const { signIn, received } = await startFalse((origin) => ({ [endpoint]: `${origin}/authorize?${query}` }));
	const visited: string[] = [];
	const failure = await failureOf(signIn, (address) => {
		visited.push(address);
		return visit(address);
	});
	expect(failure.fault).toBe('bad-answer');
	expect([visited, received]).toEqual([[], []]);
});

test('a parameter that is none of ours stays, and one that we add is sent once', async () => {
	const { signIn } = await startFalse((origin) => ({
		authorization_endpoint: `${origin}/authorize?tenant=a&prompt=login`,
		scopes_supported: ['offline_access'],
	}));
	const visited: URL[] = [];
	const failure = await failureOf(signIn, (address) => {
		const url = new URL(address);
		visited.push(url);
		return fetch(
			`${url.searchParams.get('redirect_uri')}?error=access_denied&state=${url.searchParams.get('state')}`,
		);
	});
	expect(failure.fault).toBe('denied');
	const names = [...(visited[0]?.searchParams.keys() ?? [])];
	expect(names).toEqual([...new Set(names)]);
	expect(visited[0]?.searchParams.get('tenant')).toBe('a');
});

test.each([
	['a user name', (origin: string) => origin.replace('//', '//honest.example@'), 'unsafe-address'],
	['a password', (origin: string) => origin.replace('//', '//honest.example:x@'), 'unsafe-address'],
	['an empty user name', (origin: string) => origin.replace('//', '//:x@'), 'unsafe-address'],
	['an encoded user name', (origin: string) => origin.replace('//', '//honest%2eexample@'), 'unsafe-address'],
	['a query', (origin: string) => `${origin}/?tenant=honest.example`, 'bad-answer'],
	['a fragment', (origin: string) => `${origin}/#honest.example`, 'bad-answer'],
])('an issuer with %s in its address is refused', async (_, issuerOf, fault) => {
	const { signIn, received } = await startFalse(() => ({}), issuerOf);
	const visited: string[] = [];
	expect(
		(
			await failureOf(signIn, (address) => {
				visited.push(address);
				return visit(address);
			})
		).fault,
	).toBe(fault);
	expect([visited, received]).toEqual([[], []]);
});
