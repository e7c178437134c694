import { bodyOf } from '../loopback.ts';
import { serve } from '../poolFixture.ts';
import { sendJson } from './signInGround.ts';

/** What an authorization server says in place of its usual answer. */
export interface Ways {
	/** To a registration. `undefined`: it is refused. */
	readonly registers?: (answer: Record<string, unknown>) => unknown;
	/** To a request for tokens. `undefined`: as usual. */
	readonly grants?: (
		request: URLSearchParams,
	) => { readonly status: number; readonly type?: string; readonly body: string } | undefined;
}

/** An authorization server with false metadata, as `lie` makes it for each path; `undefined`: there is none. */
export async function startLiar(
	lie: (metadata: Record<string, unknown>, origin: string, path: string) => unknown,
	{ registers = (answer) => answer, grants = () => undefined }: Ways = {},
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
			const told = lie(metadata, origin, pathname);
			if (told === undefined) return void response.writeHead(404).end();
			if (typeof told !== 'string') return sendJson(response, 200, told);
			response.writeHead(302, { location: told }).end();
			return;
		}
		if (pathname === '/register') {
			const asked = JSON.parse(await bodyOf(request));
			const registered = registers({ ...asked, client_id: 'someone' });
			const refusal = { error: 'invalid_redirect_uri' };
			return registered ? sendJson(response, 201, registered) : sendJson(response, 400, refusal);
		}
		if (pathname === '/authorize') {
			const back = new URL(searchParams.get('redirect_uri') ?? '');
			back.search = String(new URLSearchParams({ code: 'c', state: searchParams.get('state') ?? '' }));
			response.writeHead(302, { location: back.href }).end();
			return;
		}
		if (pathname === '/token') {
			const odd = grants(new URLSearchParams(await bodyOf(request)));
			if (!odd) return sendJson(response, 200, { access_token: 'good', token_type: 'Bearer' });
			const { status, type = 'application/json', body } = odd;
			response.writeHead(status, { 'content-type': type }).end(body);
			return;
		}
		response.writeHead(404).end();
	});
	return origin;
}
