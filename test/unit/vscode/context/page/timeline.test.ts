import { describe, expect, test } from 'vitest';
import { eventLabels, type TurnEvent, turnsOf } from '../../../../../src/vscode/context/page/timeline.ts';
import { happened, load, namedTools, request, turn } from '../happenings.ts';

const timeline = happened(
	load('memory:read'),
	turn('hello'),
	turn('read'),
	{ kind: 'search', words: 'read', found: namedTools('files:read') },
	{ kind: 'search', words: '', found: namedTools(), fault: 'no such server' },
	load('files:read'),
	{ kind: 'evict', tools: namedTools('memory:read') },
	request(100),
	{ kind: 'call', tool: 'files:read', ms: 5, failed: false },
	{ kind: 'call', tool: 'files:read', ms: 5, failed: true },
	{ kind: 'agent', agent: 'scout', task: 'look', ms: 5, calls: 1, failed: true },
	{ kind: 'failure', message: 'stopped' },
);

function shown(): unknown {
	return turnsOf(timeline).map(({ number, events }) => [number, events.map(({ kind }) => kind)]);
}

describe('the timeline by turns', () => {
	test('starts before the first message, and includes empty turns', () => {
		expect(shown()).toEqual([
			[0, ['load']],
			[1, []],
			[2, ['search', 'search', 'load', 'evict', 'request', 'call', 'call', 'agent', 'failure']],
		]);
		expect(turnsOf(timeline)[2]?.start?.message).toBe('read');
	});

	test('takes turn numbers from the entries, even if the first entry is in the middle of a turn', () => {
		const numbered = timeline.map((entry, i) => ({ ...entry, turn: i === 0 ? 0 : i === 1 ? 7 : 8 }));
		expect(turnsOf(numbered).map(({ number }) => number)).toEqual([0, 7, 8]);
		const cut = turnsOf(numbered.slice(3));
		expect(cut.map(({ number, start }) => [number, start])).toEqual([[8, undefined]]);
	});

	test('is empty if there are no entries', () => {
		expect(turnsOf([])).toEqual([]);
	});
});

type Event = TurnEvent extends infer E
	? E extends { readonly at: number }
		? Omit<E, 'at' | 'turn'>
		: never
	: never;

function words(event: Event): string {
	const { subject: what, detail } = eventLabels({ at: 0, turn: 1, ...event } as TurnEvent);
	return detail === undefined ? what : `${what} · ${detail}`;
}

test('the text of each timeline entry', () => {
	const request = { kind: 'request', tools: 1, tokens: 1234, everyToolTokens: 5000 } as const;
	const measured = { inputTokens: 2300, cachedInputTokens: 1900, outputTokens: 12 };
	const search = { kind: 'search', words: 'read a file' } as const;
	const call = { kind: 'call', tool: 'a:b', ms: 120, failed: false } as const;
	const agent = { kind: 'agent', agent: 'scout', task: 'look', ms: 50, calls: 1, failed: false } as const;
	const events: readonly Event[] = [
		request,
		{ ...request, measured },
		{ ...request, measured: { ...measured, usd: 0.004 } },
		{ ...search, found: { names: ['files:read'], count: 3 } },
		{ ...search, found: namedTools() },
		{ ...search, words: '', found: namedTools(), fault: 'No server x.' },
		{ kind: 'load', tools: namedTools('a:b', 'c:d'), reason: 'search', words: 'read' },
		{ kind: 'load', tools: namedTools('a:b'), reason: 'of a newer version' },
		{ kind: 'evict', tools: namedTools('a:b') },
		{ kind: 'unload', tools: namedTools('a:b') },
		call,
		{ ...call, ms: 3210, failed: true },
		agent,
		{ kind: 'failure', message: 'The model has stopped.' },
	];
	expect(events.map(words).join('\n')).toMatchSnapshot();
});
