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
	const { what, detail } = eventLabels({ at: 0, turn: 1, ...event } as TurnEvent);
	return detail === undefined ? what : `${what} · ${detail}`;
}

describe('the text of a timeline entry', () => {
	test('shows the estimate for a request, and the token counts of the provider', () => {
		const cost = { kind: 'request', tools: 1, tokens: 1234, everyToolTokens: 5000 } as const;
		expect(words(cost)).toBe('Sent 1 tool to the model (≈1.2k tokens of definitions)');
		const measured = { inputTokens: 2300, cachedInputTokens: 1900, outputTokens: 12 };
		expect(words({ ...cost, measured })).toMatch(
			/ · measured: 2,300 tokens in \(1,900 from the cache\), 12 out$/,
		);
		expect(words({ ...cost, measured: { ...measured, usd: 0.004 } })).toMatch(/, 12 out, \$0\.004$/);
	});

	test('shows the words of a search, and what it found or why it failed', () => {
		const search = { kind: 'search', words: 'read a file' } as const;
		expect(words({ ...search, found: { names: ['files:read'], count: 3 } })).toBe(
			'Searched “read a file” · found files:read and 2 more',
		);
		expect(words({ ...search, found: namedTools() })).toBe('Searched “read a file” · found nothing');
		expect(words({ ...search, words: '', found: namedTools(), fault: 'No server x.' })).toBe(
			'Searched the tools · No server x.',
		);
	});

	test('shows which tools were loaded or unloaded, and why', () => {
		expect(words({ kind: 'load', tools: namedTools('a:b', 'c:d'), reason: 'search', words: 'read' })).toBe(
			'Loaded a:b, c:d · found: “read”',
		);
		expect(words({ kind: 'load', tools: namedTools('a:b'), reason: 'of a newer version' })).toBe(
			'Loaded a:b · loaded',
		);
		expect(words({ kind: 'evict', tools: namedTools('a:b') })).toBe('Unloaded a:b · to make room');
		expect(words({ kind: 'unload', tools: namedTools('a:b') })).toBe('Unloaded a:b · by you');
	});

	test('shows how long a call or an agent took, and whether it failed', () => {
		expect(words({ kind: 'call', tool: 'a:b', ms: 120, failed: false })).toBe('Called a:b · 120 ms');
		expect(words({ kind: 'call', tool: 'a:b', ms: 3210, failed: true })).toBe(
			'Called a:b · failed after 3.2 s',
		);
		expect(words({ kind: 'agent', agent: 'scout', task: 'look', ms: 50, calls: 1, failed: false })).toBe(
			'Agent scout: “look” · 1 call, 50 ms',
		);
		expect(words({ kind: 'failure', message: 'The model has stopped.' })).toBe(
			'The answer ended early · The model has stopped.',
		);
	});
});
