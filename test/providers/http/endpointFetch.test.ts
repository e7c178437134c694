import { expect, onTestFinished, test, vi } from 'vitest';
import { endpointFetch } from '../../../src/models/http/endpointFetch.ts';
import { endpointAt, key } from '../loopback.ts';
import { failureIn, limits, provider } from './provider.ts';

const ok = (_request: unknown, response: { end(text: string): void }) => response.end('{}');

test.each([
	['openai', 'authorization', `Bearer ${key}`, 'x-api-key'],
	['anthropic', 'x-api-key', key, 'authorization'],
] as const)('%s gets the key as %s, in place of one in other headers', async (name, header, value, other) => {
	const { ask, requests } = await provider(ok, { provider: name });
	await ask(limits, { headers: { authorization: 'Bearer stray', 'x-api-key': 'stray' } });
	expect(requests[0]?.headers).toMatchObject({ [header]: value });
	expect(requests[0]?.headers).not.toHaveProperty(other);
});

test('without a key none is sent, not even one in other headers', async () => {
	const { ask, requests } = await provider(ok, { key: async () => undefined });
	await ask(limits, {
		headers: { Authorization: 'Bearer stray', 'X-API-Key': 'stray', 'api-key': 'stray', accept: 'a/b' },
	});
	expect(requests[0]?.rawHeaders.join().toLowerCase()).not.toMatch(/stray|authorization|api-key/);
	expect(requests[0]?.headers.accept).toBe('a/b');
});

test('the key is asked for each time', async () => {
	const keys = ['first-key', undefined, 'second-key'];
	const { ask, requests } = await provider(ok, { key: async () => keys.shift() });
	for (let time = 0; time < 3; time++) await ask();
	expect(requests.map(({ headers }) => headers.authorization)).toEqual([
		'Bearer first-key',
		undefined,
		'Bearer second-key',
	]);
});

test('blanks around a key, as they come of copying, are no part of it', async () => {
	const { ask, requests } = await provider(ok, { key: async () => ` ${key}\n` });
	await ask();
	expect(requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
});

test('a key that no header can hold is not sent, and not repeated in the error', async () => {
	const { ask, requests } = await provider(ok, { key: async () => 'sk-secret\nx-injected: 1' });
	const failure = await failureIn(ask());
	expect(failure.reason).toBe('unauthorized');
	expect(failure.message).toContain('Set the key');
	expect(`${failure.stack} ${failure.cause}`).not.toContain('sk-secret');
	expect(requests).toHaveLength(0);
});

test.each(['not an address', 'file:///etc/passwd', 'data:text/plain,x', 'https://user:secret@127.0.0.1/v1'])(
	'an address such as %s is told to be none, without being repeated',
	async (baseUrl) => {
		const failure = await failureIn(endpointFetch(endpointAt(baseUrl), ''));
		expect(failure.message).toBe(
			'"base_url" of the client “router” in the configuration file is not an http or https URL. Correct it there.',
		);
	},
);

test('a proxy of the environment is not used', async () => {
	const proxy = await provider(ok);
	const { ask, requests } = await provider(ok);
	const address = new URL(proxy.endpoint.baseUrl).origin;
	onTestFinished(() => void vi.unstubAllEnvs());
	for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, address);
	await ask();
	expect(requests).toHaveLength(1);
	expect(proxy.requests).toHaveLength(0);
});

const statuses = [301, 302, 303, 307, 308];

test.each(statuses)(
	'a redirect (%i) to another server is refused, and that server sees nothing',
	async (status) => {
		const other = await provider((_request, response) => response.end('stolen'));
		const { ask, requests } = await provider((_request, response) => {
			response.writeHead(status, { location: other.endpoint.baseUrl }).end('moved');
		});
		const failure = await failureIn(ask(limits, { body: {} }));
		expect(failure.reason).toBe('redirected');
		expect(failure.message).toMatch(
			/redirects to another URL.*Write the final URL into "base_url" of the client “router”/,
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
	const failure = await failureIn(endpointFetch(endpoint, '/chat'));
	expect(failure.reason).toBe('redirected');
	expect(requests.map(({ url }) => url)).toEqual(['/v1/chat']);
});

const stop = new Error('the user stops');

test('a request that is stopped while nobody reads its answer ends with the caller’s reason', async () => {
	const { ask, connections } = await provider((_request, response) => void response.write('data: 1\n\n'));
	const controller = new AbortController();
	const timersBefore = timers();
	const response = await ask(limits, { signal: controller.signal });
	controller.abort(stop);
	expect(timers()).toBeLessThanOrEqual(timersBefore);
	await expect.poll(connections).toBe(0);
	await expect(response.text()).rejects.toBe(stop);
});

test('a request that was stopped before leaves no timer', async () => {
	const { ask, requests } = await provider(ok);
	const timersBefore = timers();
	await expect(ask(limits, { signal: AbortSignal.abort(stop) })).rejects.toBe(stop);
	expect(timers()).toBeLessThanOrEqual(timersBefore);
	expect(requests).toHaveLength(0);
});

test('a request that is stopped while a failing answer is read ends with the caller’s reason', async () => {
	const controller = new AbortController();
	const { ask } = await provider((_request, response) => {
		response.writeHead(500).write('half', () => setImmediate(() => controller.abort(stop)));
	});
	await expect(ask(limits, { signal: controller.signal })).rejects.toBe(stop);
});

/** How many timers run; those of an earlier test's server may end meanwhile, so only more of them would be ours. */
function timers(): number {
	return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}
