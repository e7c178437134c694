import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endpointFetch } from '../../../src/models/http/endpointFetch.ts';
import { endpointAt } from '../loopback.ts';
import { failureIn, limits, provider } from './provider.ts';

test('keep-alive comments count as progress', async () => {
	const { ask } = await provider(async (_request, response) => {
		for (let time = 0; time < 8; time++) {
			response.write(': OPENROUTER PROCESSING\n\n');
			await pause(200);
		}
		response.end('data: [DONE]\n\n');
	});
	const response = await ask({ ...limits, firstByteMs: 1_500, gapMs: 1_500 });
	expect(await response.text()).toMatch(/DONE/);
});

test('an answer of keep-alive comments ends at the time limit', async () => {
	let timer: NodeJS.Timeout | undefined;
	const { ask } = await provider((request, response) => {
		timer = setInterval(() => response.write(': alive\n\n'), 5);
		request.once('close', () => clearInterval(timer));
	});
	const failure = await failureIn(ask({ ...limits, totalMs: 80 }).then((response) => response.text()));
	expect(failure.reason).toBe('stalled');
	expect(failure.message).toContain('did not end its answer within');
	clearInterval(timer);
});

test('a process that is busy for longer than the limit does not mistake the provider for a stalled one', async () => {
	const { ask } = await provider(async (_request, response) => {
		response.write('first');
		await pause(100);
		response.end('second');
	});
	const response = await ask({ ...limits, gapMs: 200 });
	const text = response.text();
	await pause(20);
	const begun = performance.now();
	while (performance.now() < begun + 600);
	expect(await text).toBe('firstsecond');
});

test('a failure whose body never ends is recognized by its status', async () => {
	const { ask, connections } = await provider((_request, response) => {
		response.writeHead(500, { 'content-type': 'text/plain' });
		response.write('out of');
	});
	const failure = await failureIn(ask({ ...limits, gapMs: 40 }));
	expect(failure).toMatchObject({ reason: 'server', status: 500 });
	expect(failure.message).toContain('(500): out of.');
	await expect.poll(connections).toBe(0);
});

test('if nobody listens, the error names the address and what to do', async () => {
	const { endpoint, stop } = await provider(() => {});
	await stop();
	const { host } = new URL(endpoint.baseUrl);
	const failure = await failureIn(endpointFetch(endpoint, ''));
	expect(failure.reason).toBe('unreachable');
	expect(failure.message).toBe(
		`${endpoint.name} (${host}) cannot be reached. Check the connection and "base_url", then try again.`,
	);
	const ollama = { ...endpoint, provider: 'ollama' as const };
	const advice = (await failureIn(endpointFetch(ollama, ''))).message;
	expect(advice).toMatch(/Is Ollama running\?$/);
});

test("if the host does not exist, the error contains Node's code", async () => {
	const asking = endpointFetch(endpointAt('http://provider.invalid/v1'), '/chat');
	const failure = await failureIn(asking);
	expect(failure.reason).toBe('unreachable');
	expect(failure.message).toMatch(
		/^router \(provider\.invalid\) cannot be reached \((?:ENOTFOUND|EAI_AGAIN)\)\. Check/,
	);
});

test('a connection that breaks before an answer began may be tried again', async () => {
	const { ask } = await provider((request) => request.socket.destroy());
	const failure = await failureIn(ask());
	expect(failure.reason).toBe('cut');
	expect(failure.message).toMatch(/broke before an answer began\. Try again\.$/);
});

test('an answer over the size limit is given up, and its connection is closed', async () => {
	const { ask, connections } = await provider((_request, response) => {
		const more = () => {
			if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(more));
		};
		more();
	});
	const failure = await failureIn(ask({ ...limits, bytes: 300_000 }).then((response) => response.text()));
	expect(failure.reason).toBe('oversized');
	expect(failure.message).toMatch(
		/^router \(127\.0\.0\.1:\d+\) sent more than the limit of 1 MB\. Ask for less\.$/,
	);
	await expect.poll(connections).toBe(0);
});

test('an answer of exactly the size limit is read', async () => {
	const { ask } = await provider((_request, response) => response.end('x'.repeat(1000)));
	expect(await (await ask({ ...limits, bytes: 1000 })).text()).toHaveLength(1000);
});

test('a server that does not speak HTTP is unreachable', async () => {
	const { endpoint } = await provider((request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
	expect((await failureIn(endpointFetch(endpoint, ''))).reason).toBe('unreachable');
});
