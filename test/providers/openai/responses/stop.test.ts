import { describe, expect, it } from 'vitest';
import { asking, eventsOf, modelAt, patientLimits } from './asking.ts';
import { answer, failure, itemEvents, ResponsesEndpoint, said, unfinished } from './endpoint.ts';

describe('Stop', () => {
	it.each([
		['before the answer', () => {}],
		['in the middle', unfinished(...itemEvents([said('Half of')]))],
	])('%s ends quietly and closes the connection', async (_, silent) => {
		await using endpoint = new ResponsesEndpoint(silent);
		const stop = new AbortController();
		const model = modelAt(await endpoint.start(), {}, patientLimits);
		const events = eventsOf(model, asking('hello'), stop.signal);
		await expect.poll(() => endpoint.asked.length, { interval: 1 }).toBe(1);
		stop.abort();
		await expect(events).resolves.toBeDefined();
		await endpoint.closedByClient;
	});

	it('ends a wait for the next attempt', async () => {
		await using endpoint = new ResponsesEndpoint(failure(429, {}, { 'retry-after': '30' }));
		const stop = new AbortController();
		const model = modelAt(await endpoint.start(), {}, patientLimits);
		const seen: string[] = [];
		for await (const { type } of model.stream(asking('hello'), stop.signal)) {
			seen.push(type);
			setImmediate(() => stop.abort());
		}
		expect(seen).toEqual(['retrying']);
	});

	it('that came before the request sends nothing', async () => {
		await using endpoint = new ResponsesEndpoint(answer([said('ok')]));
		const model = modelAt(await endpoint.start());
		expect(await eventsOf(model, asking('hello'), AbortSignal.abort())).toEqual([]);
		expect(endpoint.asked).toEqual([]);
	});

	it('by not reading on closes the connection as well', async () => {
		await using endpoint = new ResponsesEndpoint(unfinished(...itemEvents([said('Half of')])));
		const model = modelAt(await endpoint.start(), {}, patientLimits);
		for await (const _ of model.stream(asking('hello'), new AbortController().signal)) break;
		await endpoint.closedByClient;
	});
});
