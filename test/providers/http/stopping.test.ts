import { expect, test } from 'vitest';
import { limits, provider } from './provider.ts';

const stop = new Error('the user stops');

test('a request that is stopped before it is sent never is', async () => {
	const { ask, requests } = await provider((_request, response) => response.end('{}'));
	await expect(ask(limits, { signal: AbortSignal.abort(stop) })).rejects.toBe(stop);
	expect(requests).toHaveLength(0);
});

test('a request that is stopped while it waits ends with the caller’s reason, and leaves nothing', async () => {
	const controller = new AbortController();
	const { ask, connections } = await provider(() => controller.abort(stop));
	const timersBefore = timers();
	await expect(ask(limits, { signal: controller.signal })).rejects.toBe(stop);
	expect(timers()).toBeLessThanOrEqual(timersBefore);
	await expect.poll(connections).toBe(0);
});

test('so does one that is stopped while its answer is read', async () => {
	const { ask, connections } = await provider((_request, response) => void response.write('data: 1\n\n'));
	const controller = new AbortController();
	const timersBefore = timers();
	const response = await ask(limits, { signal: controller.signal });
	const reading = response.text();
	setImmediate(() => controller.abort(stop));
	await expect(reading).rejects.toBe(stop);
	expect(timers()).toBeLessThanOrEqual(timersBefore);
	await expect.poll(connections).toBe(0);
});

test('so does one that is stopped while nobody reads', async () => {
	const { ask, connections } = await provider((_request, response) => void response.write('data: 1\n\n'));
	const controller = new AbortController();
	const timersBefore = timers();
	const response = await ask(limits, { signal: controller.signal });
	controller.abort(stop);
	expect(timers()).toBeLessThanOrEqual(timersBefore);
	await expect.poll(connections).toBe(0);
	await expect(response.text()).rejects.toBe(stop);
});

test('a reader that has enough closes the connection', async () => {
	const { ask, connections } = await provider((_request, response) => void response.write('data: 1\n\n'));
	const timersBefore = timers();
	const response = await ask();
	for await (const _piece of response.body ?? []) break;
	expect(timers()).toBeLessThanOrEqual(timersBefore);
	await expect.poll(connections).toBe(0);
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
