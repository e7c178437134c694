import { describe, expect, test } from 'vitest';
import type { Origin } from '../../../src/discovery/catalog/message.ts';
import { Answer } from '../../../src/models/answer.ts';
import { callsOf, faultlessCalls } from '../../../src/models/answerParts.ts';
import type { CallPiece } from '../../../src/models/arrivingCalls.ts';
import type { ChatModelEvent } from '../../../src/models/chatModel.ts';
import { Thinker } from '../../../src/models/thinker.ts';

/** A call as an endpoint sends it in one piece. */
function whole(id: string, path = 'a'): CallPiece {
	return { id, name: 'files__read', json: JSON.stringify({ path }), step: 'begins' };
}

function callsAfter(...pieces: readonly CallPiece[]) {
	const answer = new Answer(() => undefined);
	for (const piece of pieces) answer.call(piece);
	answer.finish();
	return callsOf(answer.parts);
}

describe('the calls of an answer', () => {
	test('have ids of our own, which every provider accepts', () => {
		const ids = ['', '', 'x', 'functions.read:0', 'y'.repeat(100)];
		const calls = callsAfter(...ids.map((id, i) => whole(id, `${i}`)));
		expect(new Set(calls.map(({ id }) => id)).size).toBe(5);
		for (const { id } of calls) expect(id).toMatch(/^[a-z0-9]{9}$/);
	});

	test('count as two if they share an id but differ', () => {
		expect(callsAfter(whole('x', 'a'), whole('x', 'b')).map(({ input }) => input.path)).toEqual(['a', 'b']);
	});

	test('count as one if they are identical, and as two if they have no id', () => {
		expect(callsAfter(whole('x'), whole('x'))).toHaveLength(1);
		expect(callsAfter(whole(''), whole(''))).toHaveLength(2);
	});

	test('are told only with the finished answer, where they began', () => {
		const events: ChatModelEvent[] = [];
		const answer = new Answer((event) => events.push(event), new Thinker({ baseUrl: '' }, 'test', 'm'));
		answer.say({ type: 'text', text: 'Read' }, { type: 'text', text: 'ing.' });
		answer.call(whole('x'));
		answer.say({ type: 'text', text: 'Done.' });

		expect(answer.parts.map(({ type }) => type)).toEqual(['text', 'text']);
		answer.finish();

		expect(answer.parts).toMatchObject([
			{ type: 'text', text: 'Reading.' },
			{ type: 'toolCall', origin: { data: { id: 'x' } } },
			{ type: 'text', text: 'Done.' },
		]);
		expect(events).toEqual(['Read', 'ing.', 'Done.'].map((text) => ({ type: 'text', text })));
	});
});

test('a signature ends a thought, and a piece with the same origin continues it', () => {
	const answer = new Answer(() => undefined);
	const origin: Origin = { by: 'm', data: 'signed' };
	const field: Origin = { by: 'm', data: 'field' };
	answer.say(
		{ type: 'thinking', text: 'a' },
		{ type: 'thinking', text: 'b' },
		{ type: 'thinking', text: '', origin },
	);
	answer.say({ type: 'thinking', text: 'c', origin: field }, { type: 'thinking', text: 'd', origin: field });
	expect(answer.parts).toEqual([
		{ type: 'thinking', text: 'ab', origin },
		{ type: 'thinking', text: 'cd', origin: field },
	]);
});

test.each<[string, (answer: Answer) => void, boolean]>([
	['nothing', () => undefined, false],
	['a thought', (answer) => answer.say({ type: 'thinking', text: 'Hm.' }), false],
	['a call', (answer) => answer.call(whole('x')), false],
	['text', (answer) => answer.say({ type: 'text', text: 'Well' }), true],
])('after %s, the user has read some of the answer: %s', (_, come, isRead) => {
	const answer = new Answer(() => undefined);
	come(answer);
	expect(answer.isRead).toBe(isRead);
});

describe('for a caller that knows no faults', () => {
	const half: CallPiece = { id: 'y', name: 'files__delete', json: '{"path":', step: 'begins' };
	const partsOf = (...pieces: readonly CallPiece[]) =>
		callsAfter(...pieces).map((call) => ({ type: 'toolCall' as const, call }));

	test('whole calls are passed on', () => {
		expect(faultlessCalls(partsOf(whole('x'), whole('y', 'b')), 'M')).toHaveLength(2);
	});

	test('a call with a fault is not passed on, nor are the others, and the error names it', () => {
		expect(() => faultlessCalls(partsOf(whole('x'), half), 'M')).toThrow(
			/“M” called files__delete .*not valid JSON/,
		);
	});
});

test('arguments in any number of pieces are parsed once', () => {
	const answer = new Answer(() => undefined);
	let parsed = 0;
	const parse = JSON.parse;
	JSON.parse = (text: string) => {
		parsed += text.length;
		return parse(text);
	};
	try {
		for (const json of ['{"a":"', ...Array.from({ length: 2_000 }, () => '}'), '"}'])
			answer.call({ index: 0, name: 'read', json });
		answer.finish();
	} finally {
		JSON.parse = parse;
	}
	expect(callsOf(answer.parts).map(({ input }) => input)).toEqual([{ a: '}'.repeat(2_000) }]);
	expect(parsed).toBe(2_000 + 8);
});
