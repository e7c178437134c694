import { describe, expect, test } from 'vitest';
import type { ToolRunner } from '../../../src/chat/loopOptions.ts';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import { office, servers, sessionOf } from '../discovery/fixtures.ts';
import { asks, call, ScriptedModel, says, turn } from './conversation.ts';

const never = new Promise<never>(() => undefined);

/** Runs a turn and stops it as soon as `when` is called; without an end of its own, the turn would never return. */
async function stopped(
	model: (stop: () => void) => ScriptedModel,
	runTool?: (stop: () => void) => ToolRunner,
	session = sessionOf(servers({ s: ['a', 'b', 'c'] }), { enabled: false }),
) {
	const stop = new AbortController();
	const abort = () => stop.abort();
	const runner = runTool?.(abort);
	return turn(model(abort), { session, signal: stop.signal, ...(runner && { runTool: runner }) });
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
				new ScriptedModel([
					async function* () {
						yield { type: 'text', text: 'Well' } as const;
						queueMicrotask(stop);
						await never;
					},
				]),
		);
		expect(events).toEqual([{ type: 'text', text: 'Well' }, cancelled]);
	});

	test('when the model streams and the stop makes it fail, then the turn ends as cancelled', async () => {
		const { events } = await stopped(
			(stop) =>
				new ScriptedModel([
					async function* (_request, signal) {
						queueMicrotask(stop);
						await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
					},
				]),
		);
		expect(events).toEqual([cancelled]);
	});

	test('when the model streams, then its stream is closed', async () => {
		let ended = false;
		await stopped(
			(stop) =>
				new ScriptedModel([
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
				]),
		);
		expect(ended).toBe(true);
	});

	test('when a running tool ignores the signal, then the turn does not wait for it', async () => {
		let told = false;
		const { events } = await stopped(
			() => new ScriptedModel([asks(call('s__a')), says('unreachable')]),
			(stop) => (_tool, _call, signal) => {
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

	test('when a tool fails after the turn has ended, then nothing breaks', async () => {
		let fail: (error: Error) => void = () => undefined;
		const { events } = await stopped(
			() => new ScriptedModel([asks(call('s__a')), says('unreachable')]),
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

	test('when a search has finished but the call has not started, then the tool does not run', async () => {
		const stop = new AbortController();
		const ran: string[] = [];
		const model = new ScriptedModel([
			asks(call('search_tools', { tool_names: ['send_message'] }), call('slack__send_message')),
		]);
		const { events } = await turn(model, {
			session: sessionOf(office),
			signal: stop.signal,
			runTool: async ({ name }) => {
				ran.push(name);
				return textResult('');
			},
			onEvent: ({ type }) => type === 'activated' && stop.abort(),
		});
		expect(ran).toEqual([]);
		expect(events.at(-1)).toEqual(cancelled);
	});

	test('when the last tool of a round has finished, then no other request is sent', async () => {
		const stop = new AbortController();
		const model = new ScriptedModel([asks(call('search_tools', { query: 'x' })), says('unreachable')]);
		await turn(model, {
			signal: stop.signal,
			onEvent: ({ type }) => type === 'searchFinished' && stop.abort(),
		});
		expect(model.requests).toHaveLength(1);
	});
});

test('what was loaded before a stop stays loaded', async () => {
	const session = sessionOf(office);
	await stopped(
		(stop) =>
			new ScriptedModel([
				asks(call('search_tools', { tool_names: ['send_message'] })),
				async function* () {
					queueMicrotask(stop);
					await never;
					yield* [];
				},
			]),
		undefined,
		session,
	);
	expect(session.activated.map(({ id }) => id)).toEqual(['slack:send_message']);
});
