import { expect, test } from 'vitest';
import { endpointFetch } from '../../../src/models/http/endpointFetch.ts';
import { failureIn, limits, provider } from './provider.ts';

const statuses = [301, 302, 303, 307, 308];

test.each(statuses)(
	'a redirect (%i) to another server is refused, and that server sees nothing',
	async (status) => {
		const other = await provider((_request, response) => response.end('stolen'));
		const { ask, requests } = await provider((_request, response) => {
			response.writeHead(status, { location: other.endpoint.baseUrl }).end('moved');
		});
		const failure = await failureIn(ask(limits, { method: 'POST', body: '{}', redirect: 'follow' }));
		expect(failure.reason).toBe('redirected');
		expect(failure.message).toMatch(
			/leads to another address.*Write the final address into "base_url" of the client “router”/,
		);
		expect(requests).toHaveLength(1);
		expect(other.requests).toHaveLength(0);
	},
);

test.each(statuses)('a redirect (%i) within the server is refused too', async (status) => {
	const { endpoint, requests } = await provider((request, response) => {
		if (request.url === '/v1/moved') response.end('here');
		else response.writeHead(status, { location: '/v1/moved' }).end();
	});
	const failure = await failureIn(endpointFetch(endpoint, limits)(`${endpoint.baseUrl}/chat`));
	expect(failure.reason).toBe('redirected');
	expect(requests.map(({ url }) => url)).toEqual(['/v1/chat']);
});
