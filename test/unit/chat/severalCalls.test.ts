import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../../src/chat/loopEvent.ts';
import { maxCalls, validCalls } from '../../../src/chat/modelCalls.ts';
import type { ChatMessage, ToolCall } from '../../../src/discovery/catalog/message.ts';
import { declinedResult, resultText, textResult } from '../../../src/discovery/catalog/tool.ts';
import { callsOf } from '../../../src/models/answerParts.ts';
import { servers, sessionOf } from '../discovery/fixtures.ts';
import { asks, call, lastResults, lastTexts, ScriptedModel, says, turn } from './conversation.ts';

const five = ['a', 'b', 'c', 'd', 'e'];
const session = () => sessionOf(servers({ s: five }), { enabled: false });
const calls = () => five.map((name) => call(`s__${name}`));

test('given five parallel calls with a failed, a declined and an unknown one, then each has a result in order', async () => {
	const made = calls();
	const asked = [...made.slice(0, 4), call('s__nothing'), ...made.slice(4)];
	const model = new ScriptedModel([asks(...asked), says('Done.')]);
	const waiting: (() => void)[] = [];
	const { end } = await turn(model, {
		session: session(),
		runTool: async (tool) => {
			// Each waits until all have started, and the last one ends first.
			await new Promise<void>((resolve) => {
				waiting.push(resolve);
				if (waiting.length === five.length) for (const go of waiting.toReversed()) go();
			});
			if (tool.name === 'b') throw new Error('the disk is full');
			return tool.name === 'd' ? declinedResult(tool.id) : textResult(tool.name);
		},
	});
	expect(end).toMatchObject({ reason: 'answered' });
	expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
	expect(lastResults(model).map(({ callId }) => callId)).toEqual(asked.map(({ id }) => id));
	expect(lastTexts(model)).toEqual([
		'a',
		'Error: the disk is full',
		'c',
		'The user declined to run s:d.',
		expect.stringMatching(/^Error: /),
		'e',
	]);
});

test('given many calls of unknown tools, then only the first get the closest names, because that is slow', async () => {
	const wrong = Array.from({ length: 30 }, (_, i) => call(`s__a${i}`));
	const model = new ScriptedModel([asks(...wrong), says('Done.')]);
	await turn(model, { session: session() });
	expect(lastTexts(model).filter((text) => /^Error: There is no tool/.test(text))).toHaveLength(30);
	expect(lastTexts(model).map((text) => text.includes('Closest names'))).toEqual(wrong.map((_, i) => i < 20));
});

/** Lets so many steps pass that a program makes within one turn of the event loop, and then whole turns. */
async function steps(count: number, turns = 0): Promise<void> {
	for (let i = 0; i < count; i++) await undefined;
	for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}

test('given a stop at any moment, then finished calls keep their results, and no other call starts', async () => {
	const waits = { a: 0, b: 1, c: 5, d: 12, e: 25 } as const;
	/** The calls that had ended at each moment. */
	const seen = new Set<string>();
	for (let at = 0; at < 40; at++) {
		const stop = new AbortController();
		const ended = new Set<string>();
		let isAnyLate = false;
		const messages: ChatMessage[] = [{ role: 'user', text: 'Do it.' }];
		const { end } = await turn(new ScriptedModel([asks(...calls()), says('Done.')]), {
			session: sessionOf(servers({ s: five }), { onUndiscoveredCall: 'activate' }),
			messages,
			signal: stop.signal,
			runTool: async ({ name }, _call, { signal }) => {
				if (name === 'a') void steps(at, at % 3 === 0 ? 1 : 0).then(() => stop.abort());
				isAnyLate ||= signal.aborted;
				await steps(waits[name as keyof typeof waits], name === 'e' ? 1 : 0);
				if (signal.aborted) throw signal.reason;
				ended.add(name);
				if (name === 'c') throw new Error('the disk is full');
				return textResult(name.repeat(10_000));
			},
			fitResult: async (result) => {
				await steps(3, 1);
				return { ...result, content: [{ type: 'text', text: `kept ${resultText(result).slice(0, 1)}` }] };
			},
		});
		const [, , answers] = messages;
		const told = answers?.role === 'tool' ? answers.results.map(({ result }) => resultText(result)) : [];
		expect(told.map((text, i) => `${five[i]}: ${text.slice(0, 14)}`)).toEqual(
			five.map((name) => {
				// A failure just before the stop may be taken as its consequence.
				const kept = name === 'c' ? '(kept E|Error: [tT]he (dis|use))' : `(kept )?${name}+`;
				return expect.stringMatching(`^${name}: (${ended.has(name) ? kept : 'Error: The use'})$`);
			}),
		);
		expect(told.every(({ length }) => length < 5_000)).toBe(true);
		expect([isAnyLate, end?.reason]).toEqual([false, ended.size < five.length ? 'cancelled' : end?.reason]);
		seen.add([...ended].join(''));
	}
	expect(seen.size).toBeGreaterThan(3);
});

test('given calls with the same id, then only the first runs, and each call has its own result', async () => {
	const ran: unknown[] = [];
	const same = { ...call('s__a', { n: 1 }), id: 'x' };
	const asked = [same, { ...same }, { ...same, input: { n: 2 } }, { ...call('s__b'), id: 'x-2' }];
	const model = new ScriptedModel([asks(...asked), says('Done.')]);
	await turn(model, {
		session: session(),
		runTool: async ({ name }, { input }) => {
			ran.push([name, input]);
			return textResult(name);
		},
	});
	expect(ran).toEqual([
		['a', { n: 1 }],
		['b', {}],
	]);
	const ids = lastResults(model).map(({ callId }) => callId);
	expect(ids).toEqual(['x', 'x-3', 'x-4', 'x-2']);
	const said = model.requests[1]?.messages.find(({ role }) => role === 'assistant');
	expect(said?.role === 'assistant' && callsOf(said.parts).map(({ id }) => id)).toEqual(ids);
	expect(lastTexts(model)).toEqual([
		'a',
		expect.stringMatching(/^Error: .*not run/),
		expect.stringMatching(/^Error: .*not run/),
		'b',
	]);
});

test('given calls without an id, then all run, each with a new id', async () => {
	const model = new ScriptedModel([
		asks({ ...call('s__a'), id: '' }, { ...call('s__b'), id: '' }),
		says('Done.'),
	]);
	await turn(model, { session: session() });
	expect(lastTexts(model)).toEqual(['s:a done', 's:b done']);
	expect(new Set(lastResults(model).map(({ callId }) => callId)).size).toBe(2);
});

test('identical calls in one answer all run and do not count as a loop', async () => {
	let runs = 0;
	const many = Array.from({ length: 6 }, () => call('s__a', { n: 1 }));
	const model = new ScriptedModel([asks(...many), says('Done.')]);
	const { end } = await turn(model, {
		session: session(),
		runTool: async () => {
			runs++;
			return textResult('done');
		},
	});
	expect([runs, end?.reason]).toEqual([6, 'answered']);
});

test('calls that differ only in the order of their arguments count as a loop', async () => {
	const circle = [
		{ a: 1, b: { c: 2, d: 3 } },
		{ b: { d: 3, c: 2 }, a: 1 },
		{ b: { c: 2, d: 3 }, a: 1 },
	];
	const model = new ScriptedModel([...circle.map((input) => asks(call('s__a', input))), says('unreachable')]);
	const { end } = await turn(model, { session: session() });
	expect([end?.reason, model.requests.length]).toEqual(['repeating', 3]);
});

function nested(levels: number): Record<string, unknown> {
	let value: Record<string, unknown> = {};
	for (let level = 1; level < levels; level++) value = { a: [value] };
	return value;
}

test.each<[string, unknown]>([
	['null', null],
	['undefined', undefined],
	['a list', [1]],
	['a text', 'x'],
	['a number', 7],
	['nested ten thousand deep', nested(10_000)],
	['nested a hundred thousand deep', nested(100_000)],
])(
	'invalid arguments (%s) give an error result without running the tool, in every result format',
	async (_, input) => {
		for (const resultFormat of ['result', 'function_args_result'] as const) {
			let runs = 0;
			const bad = { ...call('s__a'), input } as unknown as ToolCall;
			const wrapped = call('call_tool', { name: 's__a', arguments: input === undefined ? null : input });
			const inText = call('call_tool', {
				name: 's__a',
				arguments: `${'{"a":'.repeat(20_000)}null${'}'.repeat(20_000)}`,
			});
			const model = new ScriptedModel([asks(bad, wrapped, inText, call('s__b')), says('Done.')]);
			const { end } = await turn(model, {
				session: sessionOf(servers({ s: five }), { onUndiscoveredCall: 'activate' }),
				resultFormat,
				runTool: async ({ name }) => {
					runs++;
					return textResult(name);
				},
			});
			expect([end?.reason, runs]).toEqual(['answered', 1]);
			const texts = lastTexts(model);
			expect(texts.slice(0, 3).map((text) => text.slice(0, 7))).toEqual(Array(3).fill('Error: '));
			expect(texts.join()).not.toMatch(/RangeError|TypeError|stack|undefined \(/);
			// What the provider is sent next can be written as JSON.
			expect(JSON.stringify(model.requests[1]?.messages).length).toBeLessThan(400_000);
		}
	},
);

test('whatever a call throws becomes its own error result', async () => {
	const thrown: Readonly<Record<string, unknown>> = {
		a: new TypeError('at once'),
		b: 'just a text',
		c: Object.create(null),
	};
	const model = new ScriptedModel([asks(...calls().slice(0, 3)), says('Done.')]);
	await turn(model, {
		session: session(),
		runTool: ({ name }) => {
			throw thrown[name];
		},
	});
	expect(lastTexts(model)).toEqual([
		'Error: at once',
		'Error: just a text',
		'Error: It failed without giving a reason.',
	]);
});

test('when a large result cannot be stored, then the model still gets its beginning', async () => {
	const model = new ScriptedModel([asks(call('s__a')), says('Done.')]);
	const { end } = await turn(model, {
		session: sessionOf(servers({ s: five }), { onUndiscoveredCall: 'activate' }),
		runTool: async () => textResult('x'.repeat(100_000)),
		fitResult: () => Promise.reject(new Error('ENOSPC')),
	});
	expect(end?.reason).toBe('answered');
	expect(lastTexts(model)[0]).toMatch(/^x{3000}.*not kept/s);
	expect(lastTexts(model)[0]?.length).toBeLessThan(4_200);
});

test('when discovery is off, then the model gets a large result in full, and nothing is stored', async () => {
	const model = new ScriptedModel([asks(call('s__a')), says('Done.')]);
	const text = 'x'.repeat(100_000);
	await turn(model, {
		session: session(),
		runTool: async () => textResult(text),
		fitResult: () => Promise.reject(new Error('This must not be asked.')),
	});
	expect(lastTexts(model)).toEqual([text]);
});

test('invisible characters in a result or an error do not reach the model', async () => {
	const model = new ScriptedModel([asks(call('s__a'), call('s__b')), says('Done.')]);
	await turn(model, {
		session: session(),
		runTool: async ({ name }) => {
			const text = `⚠️ plain\u{e0069}\u{e0067}\u202e \u001b[31mred\u001b[0m\u200b\n\ttext`;
			if (name === 'b') throw new Error(text);
			return textResult(text);
		},
	});
	expect(lastTexts(model)).toEqual(['⚠️ plain red\n\ttext', 'Error: ⚠️ plain red\n\ttext']);
});

describe('given an answer with more calls than may run', () => {
	/** A turn whose model makes these calls at once. */
	async function madeAtOnce(made: readonly ToolCall[]) {
		const model = new ScriptedModel([asks(...made), says('Done.')]);
		let runs = 0;
		const { events, end } = await turn(model, {
			session: session(),
			runTool: async () => {
				runs++;
				return textResult('done');
			},
		});
		const count = (type: LoopEvent['type']) => events.filter((event) => event.type === type).length;
		return { model, runs, end, count, events };
	}
	const many = (count: number) => Array.from({ length: count }, (_, n) => call('s__a', { n }));

	test.each([maxCalls + 1, 3_451, 5_000])(
		'when it makes %i, then the first ones run, and each has a result in order',
		async (calls) => {
			const made = many(calls);
			const { model, runs, end, count } = await madeAtOnce(made);
			expect([end?.reason, runs, count('toolStarted'), count('toolFinished'), count('notice')]).toEqual([
				'answered',
				maxCalls,
				maxCalls,
				maxCalls,
				1,
			]);
			expect(lastResults(model).map(({ callId }) => callId)).toEqual(made.map(({ id }) => id));
			const [first, ...others] = lastResults(model).slice(maxCalls);
			expect(first?.result.isError).toBe(true);
			expect(first && resultText(first.result)).toMatch(new RegExp(`^Error: Not run: .* ${maxCalls} calls`));
			// Thousands of results are read by the model again and again.
			for (const { result } of others) expect(resultText(result).length).toBeLessThan(60);
		},
	);

	test('when it makes just as many as may run, then all run, and nothing is said', async () => {
		const { runs, count } = await madeAtOnce(many(maxCalls));
		expect([runs, count('notice')]).toEqual([maxCalls, 0]);
	});

	test('when a search is among the others, then it loads nothing', async () => {
		const search = call('search_tools', { tool_names: ['send_message'] });
		const model = new ScriptedModel([
			asks(...Array.from({ length: maxCalls }, (_, n) => call(`x${n}`)), search),
			says('Done.'),
		]);
		const chat = sessionOf();
		await turn(model, { session: chat });
		expect(chat.activated).toEqual([]);
	});

	test('when the user stops, then the calls that were not to run say so, and each still has its result', async () => {
		const stop = new AbortController();
		const messages: ChatMessage[] = [{ role: 'user', text: 'Do it.' }];
		await turn(new ScriptedModel([asks(...many(maxCalls + 2))]), {
			session: session(),
			messages,
			signal: stop.signal,
			runTool: async () => {
				stop.abort();
				return new Promise(() => undefined);
			},
		});
		const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
		expect(results).toHaveLength(maxCalls + 2);
		expect(resultText(results.at(-1)?.result ?? textResult(''))).toContain('Not run');
	});
});

test('calls with the same id get unique ids in linear time', () => {
	const many = 3_000;
	const calls = [
		...Array.from({ length: many }, () => ({ ...call('read'), id: 'a' })),
		...Array.from({ length: 2 * many }, (_, n) => ({ ...call('read'), id: `a-${n}` })),
	];
	let looked = 0;
	const has = Set.prototype.has;
	Set.prototype.has = function (value) {
		looked++;
		return has.call(this, value);
	};
	try {
		expect(new Set(validCalls(calls).map(({ id }) => id)).size).toBe(calls.length);
	} finally {
		Set.prototype.has = has;
	}
	expect(looked).toBeLessThan(10 * calls.length);
});
