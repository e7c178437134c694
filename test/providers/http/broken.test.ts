import { expect, test } from 'vitest';
import { endpointFetch } from '../../../src/models/http/endpointFetch.ts';
import { endpointAt, failureIn, limits, provider } from './provider.ts';

test('where nobody listens, the address and what to do are told', async () => {
	const { endpoint, stop } = await provider(() => {});
	await stop();
	const { host } = new URL(endpoint.baseUrl);
	const failure = await failureIn(endpointFetch(endpoint, limits)(endpoint.baseUrl));
	expect(failure.reason).toBe('unreachable');
	expect(failure.message).toBe(
		`${host} cannot be reached. Check the connection and "base_url", then try again.`,
	);
	const ollama = { ...endpoint, provider: 'ollama' as const };
	const advice = (await failureIn(endpointFetch(ollama, limits)(endpoint.baseUrl))).message;
	expect(advice).toMatch(/Is Ollama running\?$/);
});

test('a host that does not exist is told by the name that Node has for that', async () => {
	const ask = endpointFetch(endpointAt('http://provider.invalid/v1'), limits);
	const failure = await failureIn(ask('http://provider.invalid/v1/chat'));
	expect(failure.reason).toBe('unreachable');
	expect(failure.message).toMatch(/^provider\.invalid cannot be reached \((?:ENOTFOUND|EAI_AGAIN)\)\. Check/);
});

test('a connection that breaks before an answer began may be tried again', async () => {
	const { ask } = await provider((request) => request.socket.destroy());
	const failure = await failureIn(ask());
	expect(failure.reason).toBe('cut');
	expect(failure.message).toMatch(/broke before an answer began\. Try again\.$/);
});

test('an answer that breaks off says so', async () => {
	const { ask } = await provider((request, response) => {
		response.write('data: {"half', () => request.socket.resetAndDestroy());
	});
	const failure = await failureIn(ask().then((response) => response.text()));
	expect(failure.reason).toBe('cut');
	expect(failure.message).toMatch(
		/^The connection to 127\.0\.0\.1:\d+ broke in the middle of the answer\. Say “continue”, or ask again\.$/,
	);
});

test('so does one that is shorter than it said', async () => {
	const { ask } = await provider((request, response) => {
		response.writeHead(200, { 'content-length': '100' });
		response.write('half', () => request.socket.end());
	});
	expect((await failureIn(ask().then((response) => response.text()))).reason).toBe('cut');
});

test('an answer over the limit is left, and its connection closed', async () => {
	const { ask, connections } = await provider((_request, response) => {
		const more = () => {
			if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(more));
		};
		more();
	});
	const failure = await failureIn(ask({ ...limits, bytes: 300_000 }).then((response) => response.text()));
	expect(failure.reason).toBe('oversized');
	expect(failure.message).toMatch(
		/^The answer of 127\.0\.0\.1:\d+ is over the limit of 1 MB\. Ask for less\.$/,
	);
	await expect.poll(connections).toBe(0);
});

test('an answer of the very limit is read', async () => {
	const { ask } = await provider((_request, response) => response.end('x'.repeat(1000)));
	expect(await (await ask({ ...limits, bytes: 1000 })).text()).toHaveLength(1000);
});

test('what is not the protocol is not read as an answer', async () => {
	const { endpoint } = await provider((request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
	expect((await failureIn(endpointFetch(endpoint, limits)(endpoint.baseUrl))).reason).toBe('unreachable');
});
