import { expect, test } from 'vitest';
import type { ChatModelEvent } from '../../../src/models/chatModel.ts';
import { modelErrorOf, retryDelay, withRetries } from '../../../src/models/http/retries.ts';
import { ModelError, type ModelErrorReason } from '../../../src/models/modelError.ts';

const running = new AbortController().signal;
const text: ChatModelEvent = { type: 'text', text: 'Hello' };

/** A clock that goes as fast as it is asked. */
function chance(random = 0.5) {
	const waits: number[] = [];
	return { waits, random: () => random, wait: async (ms: number) => void waits.push(ms) };
}

/** A provider that answers each time as the next of these says. */
function asking(...answers: readonly (ChatModelEvent | ModelError)[][]) {
	let times = 0;
	const ask = async function* () {
		for (const event of answers[Math.min(times++, answers.length - 1)] ?? []) {
			if (event instanceof ModelError) throw event;
			yield event;
		}
	};
	return { ask, times: () => times };
}

async function eventsOf(
	stream: AsyncIterable<ChatModelEvent>,
): Promise<{ events: ChatModelEvent[]; error?: unknown }> {
	const events: ChatModelEvent[] = [];
	try {
		for await (const event of stream) events.push(event);
		return { events };
	} catch (error) {
		return { events, error };
	}
}

const overloaded = new ModelError('overloaded', 'It is overloaded.');

test('a temporary failure is retried, and the wait is reported', async () => {
	const { ask } = asking([overloaded], [text]);
	const time = chance();
	const { events } = await eventsOf(withRetries(ask, running, time));
	expect(events).toEqual([{ type: 'retrying', afterMs: 1_000, reason: 'It is overloaded.' }, text]);
	expect(time.waits).toEqual([1_000]);
});

test('a request is sent at most five times', async () => {
	const { ask, times } = asking([overloaded]);
	const time = chance();
	const { error } = await eventsOf(withRetries(ask, running, time));
	expect(error).toBe(overloaded);
	expect(times()).toBe(5);
	expect(time.waits).toEqual([1_000, 2_000, 4_000, 8_000]);
});

test('waits vary by 20 % either way, so that windows do not retry together', () => {
	expect(retryDelay(overloaded, 1, () => 0)).toBe(800);
	expect(retryDelay(overloaded, 1, () => 1)).toBe(1_200);
});

test.each<[number, number | undefined]>([
	[0, 500],
	[499, 500],
	[20_000, 20_000],
	[60_000, 60_000],
	[60_001, undefined],
])('a requested wait of %i ms becomes %s ms', (retryAfterMs, given) => {
	const failure = new ModelError('rateLimited', 'Later.', { retryAfterMs });
	expect(retryDelay(failure, 1, () => 0)).toBe(given);
});

const passing: readonly ModelErrorReason[] = ['rateLimited', 'overloaded', 'server', 'cut'];
const lasting: readonly ModelErrorReason[] = [
	...([
		'unauthorized',
		'payment',
		'forbidden',
		'notFound',
		'contextTooLong',
		'invalidRequest',
		'refused',
	] as const),
	...(['unreachable', 'redirected', 'stalled', 'malformed', 'oversized', 'outputLimit'] as const),
];

test.each([
	...passing.map((reason) => [reason, 2] as const),
	...lasting.map((reason) => [reason, 1] as const),
])('after %s, it is asked %i times in all', async (reason, times) => {
	const provider = asking([new ModelError(reason, 'No.')], [text]);
	await eventsOf(withRetries(provider.ask, running, chance()));
	expect(provider.times()).toBe(times);
});

test('stopping ends the wait at once', async () => {
	const controller = new AbortController();
	const { ask, times } = asking([new ModelError('rateLimited', 'Later.', { retryAfterMs: 60_000 })]);
	const timersBefore = timers();
	const began = performance.now();
	const stream = withRetries(ask, controller.signal);
	expect((await stream.next()).value).toMatchObject({ type: 'retrying' });
	const next = stream.next();
	controller.abort();
	await expect(next).rejects.toMatchObject({ name: 'AbortError' });
	expect(performance.now() - began).toBeLessThan(5_000);
	expect(times()).toBe(1);
	expect(timers()).toBeLessThanOrEqual(timersBefore);
});

test('a failure after the stop is not retried', async () => {
	const controller = new AbortController();
	const ask = async function* (): AsyncGenerator<ChatModelEvent> {
		controller.abort();
		yield* [];
		throw overloaded;
	};
	const { events, error } = await eventsOf(withRetries(ask, controller.signal, chance()));
	expect(events).toEqual([]);
	expect(error).toBe(overloaded);
});

test("a provider's error is found within the SDK's error", () => {
	const wrapped = new Error('Connection error.', {
		cause: new TypeError('fetch failed', { cause: overloaded }),
	});
	expect(modelErrorOf(wrapped)).toBe(overloaded);
	expect(modelErrorOf(new Error('other'))).toBeUndefined();
	expect(modelErrorOf('text')).toBeUndefined();
});

function timers(): number {
	return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}
