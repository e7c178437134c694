import { describe, expect, test } from 'vitest';
import { eventWords } from '../../../../src/vscode/context/page/eventWords.ts';
import type { TurnEvent } from '../../../../src/vscode/context/page/turns.ts';
import { names } from './timeline.ts';

type Event = TurnEvent extends infer E ? (E extends { readonly at: number } ? Omit<E, 'at'> : never) : never;

function words(event: Event): string {
	const { what, detail } = eventWords({ at: 0, ...event } as TurnEvent);
	return detail === undefined ? what : `${what} · ${detail}`;
}

describe('what the timeline says', () => {
	test('of a request: estimates, and beside them what the provider has counted', () => {
		const cost = { kind: 'request', tools: 1, tokens: 1234, everyToolTokens: 5000 } as const;
		expect(words(cost)).toBe('Asked the model with 1 tool, ≈1.2k tokens of definitions');
		const measured = { inputTokens: 2300, cachedInputTokens: 1900, outputTokens: 12 };
		expect(words({ ...cost, measured })).toMatch(
			/ · measured: 2,300 tokens in \(1,900 from the cache\), 12 out$/,
		);
		expect(words({ ...cost, measured: { ...measured, usd: 0.004 } })).toMatch(/, 12 out, \$0\.004$/);
	});

	test('of a search: its words, and what it found or why not', () => {
		const search = { kind: 'search', words: 'read a file' } as const;
		expect(words({ ...search, found: { names: ['files:read'], count: 3 } })).toBe(
			'Searched “read a file” · found files:read and 2 more',
		);
		expect(words({ ...search, found: names() })).toBe('Searched “read a file” · found nothing');
		expect(words({ ...search, words: '', found: names(), fault: 'No server x.' })).toBe(
			'Searched the tools · No server x.',
		);
	});

	test('of loading and unloading: the tools and why', () => {
		expect(words({ kind: 'load', tools: names('a:b', 'c:d'), reason: 'search', words: 'read' })).toBe(
			'Loaded a:b, c:d · searched: “read”',
		);
		expect(words({ kind: 'load', tools: names('a:b'), reason: 'of a newer version' })).toBe(
			'Loaded a:b · loaded',
		);
		expect(words({ kind: 'evict', tools: names('a:b') })).toBe('Unloaded a:b · to make room');
		expect(words({ kind: 'unload', tools: names('a:b') })).toBe('Unloaded a:b · by you');
	});

	test('of calls and agents: how long they took, and whether they failed', () => {
		expect(words({ kind: 'call', tool: 'a:b', ms: 120, failed: false })).toBe('Called a:b · 120 ms');
		expect(words({ kind: 'call', tool: 'a:b', ms: 3210, failed: true })).toBe(
			'Called a:b · failed after 3.2 s',
		);
		expect(words({ kind: 'agent', agent: 'scout', task: 'look', ms: 50, calls: 1, failed: false })).toBe(
			'Agent scout: “look” · 1 call, 50 ms',
		);
		expect(words({ kind: 'failure', message: 'The model has stopped.' })).toBe(
			'The turn ended early · The model has stopped.',
		);
	});
});
