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

describe('stop means stop', () => {
	test('before the start: the model is not asked', async () => {
		const model = new ScriptedModel([says('Hello.')], 1);
		const { events } = await turn(model, { signal: AbortSignal.abort() });
		expect(events).toEqual([cancelled]);
		expect(model.requests).toEqual([]);
	});

	test('while the model streams and does not listen', async () => {
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

	test('while the model streams and fails because of it', async () => {
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

	test('the model is told to end its stream', async () => {
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

	test('while a tool runs that does not listen: it is told, but not waited for', async () => {
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

	test('a tool that fails later, when nobody waits for it, disturbs nothing', async () => {
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

	test('between a search and the call of what it found: the tool does not run', async () => {
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

	test('after the last tool of a round: the model is not asked again', async () => {
		const stop = new AbortController();
		const model = new ScriptedModel([asks(call('search_tools', { query: 'x' })), says('unreachable')]);
		await turn(model, {
			signal: stop.signal,
			onEvent: ({ type }) => type === 'searchFinished' && stop.abort(),
		});
		expect(model.requests).toHaveLength(1);
	});
});

test('what was loaded before the stop stays loaded', async () => {
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
