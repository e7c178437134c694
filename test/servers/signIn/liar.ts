import { bodyOf } from '../loopback.ts';
import { serve } from '../poolFixture.ts';
import { sendJson } from './signInGround.ts';

/** An authorization server with false metadata, as `lie` makes it. */
export async function startLiar(
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
