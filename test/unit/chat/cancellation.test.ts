import { describe, expect, test } from 'vitest';
import type { ToolRunner } from '../../../src/chat/loopOptions.ts';
import { servers, sessionOf } from '../discovery/fixtures.ts';
import { asks, call, type Round, ScriptedModel, says, turn } from './conversation.ts';

const never = new Promise<never>(() => undefined);

/** Runs a turn and stops it as soon as `when` is called; without an end of its own, the turn would never return. */
async function stopped(round: (stop: () => void) => Round, runTool?: (stop: () => void) => ToolRunner) {
	const session = sessionOf(servers({ s: ['a'] }), { enabled: false });
	const stop = new AbortController();
	const abort = () => stop.abort();
	const model = new ScriptedModel([round(abort), says('unreachable')]);
	const done = await turn(model, {
		session,
		signal: stop.signal,
		...(runTool && { runTool: runTool(abort) }),
	});
	return { ...done, session };
}

const cancelled = { type: 'end', reason: 'cancelled' };

describe('given that the user stops', () => {
	test('when the turn has not started, then no request is sent to the model', async () => {
		const model = new ScriptedModel([says('Hello.')], 1);
		const { events } = await turn(model, { signal: AbortSignal.abort() });
		expect(events).toEqual([cancelled]);
		expect(model.requests).toEqual([]);
	});

	test('when the model streams and ignores the signal, then the turn still ends', async () => {
		const { events } = await stopped(
			(stop) =>
				async function* () {
					yield { type: 'text', text: 'Well' } as const;
					setImmediate(stop);
					await never;
				},
		);
		expect(events).toEqual([{ type: 'text', text: 'Well' }, cancelled]);
	});

	test('when the model streams and the stop makes it fail, then the turn ends as cancelled', async () => {
		const { events } = await stopped(
			(stop) =>
				async function* (_request, signal) {
					queueMicrotask(stop);
					await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
				},
		);
		expect(events).toEqual([cancelled]);
	});

	test('when the model streams, then its stream is closed', async () => {
		let ended = false;
		await stopped(
			(stop) =>
				async function* () {
					try {
						for (;;) {
							yield { type: 'text', text: '.' } as const;
							stop();
						}
					} finally {
						ended = true;
					}
				},
		);
		expect(ended).toBe(true);
	});

	test('when a running tool ignores the signal, then the turn does not wait for it', async () => {
		let told = false;
		const { events } = await stopped(
			() => asks(call('s__a')),
			(stop) =>
				(_tool, _call, { signal }) => {
					signal.addEventListener('abort', () => {
						told = true;
					});
					queueMicrotask(stop);
					return never;
				},
		);
		expect(told).toBe(true);
		expect(events.map(({ type }) => type)).toEqual(['toolStarted', 'end']);
		expect(events.at(-1)).toEqual(cancelled);
	});

	test.each([
		['a server has got the call', true, [{ server: 's', tool: 'a', calls: 1, failures: 1 }]],
		['the user is still asked', false, []],
	])('when %s, then the chat counts it or does not', async (_, begins, expected) => {
		const { session } = await stopped(
			() => asks(call('s__a')),
			(stop) =>
				(_tool, _call, { onBegun }) => {
					if (begins) onBegun();
					queueMicrotask(stop);
					return never;
				},
		);
		expect(session.log.usage.calls.map(({ totalMs: _ms, ...one }) => one)).toEqual(expected);
	});

	test('when a tool fails after the turn has ended, then nothing breaks', async () => {
		let fail: (error: Error) => void = () => undefined;
		const { events } = await stopped(
			() => asks(call('s__a')),
			(stop) => () => {
				queueMicrotask(stop);
				return new Promise((_, reject) => {
					fail = reject;
				});
			},
		);
		fail(new Error('too late'));
		// An unhandled rejection would fail the run.
		await new Promise((resolve) => setTimeout(resolve));
		expect(events.at(-1)).toEqual(cancelled);
	});
});
