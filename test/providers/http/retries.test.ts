import { expect, test } from 'vitest';
import { Answer } from '../../../src/models/answer.ts';
import type { TextOrThinking } from '../../../src/models/answerParts.ts';
import type { ChatModelEvent } from '../../../src/models/chatModel.ts';
import { retryDelay, withRetries } from '../../../src/models/http/retries.ts';
import { ModelError, type ModelErrorReason } from '../../../src/models/modelError.ts';

const running = new AbortController().signal;
type Said = TextOrThinking | ModelError;
const text: Said = { type: 'text', text: 'Hello' };

/** A clock that goes as fast as it is asked. */
function chance(random = 0.5) {
	const waits: number[] = [];
	return { waits, random: () => random, wait: async (ms: number) => void waits.push(ms) };
}

/** A provider that answers each time as the next of these says. */
function asking(...answers: readonly Said[][]) {
	let times = 0;
	const events: ChatModelEvent[] = [];
	const begin = () => new Answer((event) => void events.push(event));
	const ask = async (answer: Answer) => {
		for (const part of answers[Math.min(times++, answers.length - 1)] ?? []) {
			if (part instanceof ModelError) throw part;
			answer.say(part);
		}
	};
	return {
		events,
		times: () => times,
		outcome: (signal: AbortSignal, time?: Parameters<typeof withRetries>[3]) =>
			withRetries(begin, ask, signal, time).then(
				({ parts }) => ({ parts, error: undefined }),
				(error: unknown) => ({ parts: [], error }),
			),
	};
}

const overloaded = new ModelError('overloaded', 'It is overloaded.');

test('a temporary failure is retried, and the wait is reported', async () => {
	const provider = asking([overloaded], [text]);
	const time = chance();
	await provider.outcome(running, time);
	expect(provider.events).toEqual([{ type: 'retrying', afterMs: 1_000, reason: 'It is overloaded.' }, text]);
	expect(time.waits).toEqual([1_000]);
});

test('a request is sent at most five times', async () => {
	const provider = asking([overloaded]);
	const time = chance();
	expect((await provider.outcome(running, time)).error).toBe(overloaded);
	expect(provider.times()).toBe(5);
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
	...(['unreachable', 'redirected', 'stalled', 'malformed', 'oversized', 'outputLimit', 'unknown'] as const),
];

test.each([
	...passing.map((reason) => [reason, 2] as const),
	...lasting.map((reason) => [reason, 1] as const),
])('after %s, it is asked %i times in all', async (reason, times) => {
	const provider = asking([new ModelError(reason, 'No.')], [text]);
	await provider.outcome(running, chance());
	expect(provider.times()).toBe(times);
});

test('stopping ends the wait at once', async () => {
	const controller = new AbortController();
	const provider = asking([new ModelError('rateLimited', 'Later.', { retryAfterMs: 60_000 })]);
	const timersBefore = timers();
	const began = performance.now();
	const outcome = provider.outcome(controller.signal);
	await expect.poll(() => provider.events).toMatchObject([{ type: 'retrying' }]);
	controller.abort();
	expect((await outcome).error).toMatchObject({ name: 'AbortError' });
	expect(performance.now() - began).toBeLessThan(5_000);
	expect(provider.times()).toBe(1);
	expect(timers()).toBeLessThanOrEqual(timersBefore);
});

test('a failure after the stop is not retried', async () => {
	const provider = asking([overloaded]);
	expect(await provider.outcome(AbortSignal.abort(), chance())).toEqual({ parts: [], error: overloaded });
	expect(provider.events).toEqual([]);
});

const torn = new ModelError('cut', 'It broke.');
const thought: Said = { type: 'thinking', text: 'Hm.' };

test('what a torn attempt left is not joined to the next', async () => {
	const provider = asking([{ type: 'thinking', text: 'TORN' }, torn], [thought, text]);
	expect((await provider.outcome(running, chance())).parts).toEqual([thought, text]);
});

test('an attempt is not repeated once the user has read some of it', async () => {
	const provider = asking([thought, text, torn], [text]);
	expect((await provider.outcome(running, chance())).error).toBe(torn);
	expect(provider.times()).toBe(1);
});

test('a failure after a thought is not taken for a refusal of the request', async () => {
	const provider = asking([thought, torn], [text]);
	let refusals = 0;
	const recover = () => void refusals++;
	await provider.outcome(running, { ...chance(), recover });
	expect([refusals, provider.times()]).toEqual([0, 2]);
});

function timers(): number {
	return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}
