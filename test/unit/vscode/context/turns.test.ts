import { describe, expect, test } from 'vitest';
import { type TimelineFilter, turnsOf } from '../../../../src/vscode/context/page/turns.ts';
import { happened, load, names, request, turn } from './timeline.ts';

const timeline = happened(
	load('memory:read'),
	turn('hello'),
	turn('read'),
	{ kind: 'search', words: 'read', found: names('files:read') },
	{ kind: 'search', words: '', found: names(), fault: 'no such server' },
	load('files:read'),
	{ kind: 'evict', tools: names('memory:read') },
	request(100),
	{ kind: 'call', tool: 'files:read', ms: 5, failed: false },
	{ kind: 'call', tool: 'files:read', ms: 5, failed: true },
	{ kind: 'agent', agent: 'scout', task: 'look', ms: 5, calls: 1, failed: true },
	{ kind: 'failure', message: 'stopped' },
);

function shown(filter?: TimelineFilter): unknown {
	return turnsOf(timeline, filter).map(({ number, events }) => [number, events.map(({ kind }) => kind)]);
}

describe('a timeline by turns', () => {
	test('begins with what was before the first message, and has turns in which nothing happened', () => {
		expect(shown()).toEqual([
			[0, ['load']],
			[1, []],
			[2, ['search', 'search', 'load', 'evict', 'request', 'call', 'call', 'agent', 'failure']],
		]);
		expect(turnsOf(timeline)[2]?.start?.message).toBe('read');
	});

	test('is narrowed to a kind, with the turns that have any of it', () => {
		expect(shown('searches')).toEqual([[2, ['search', 'search']]]);
		expect(shown('loads')).toEqual([
			[0, ['load']],
			[2, ['load', 'evict']],
		]);
		expect(shown('calls')).toEqual([[2, ['call', 'call', 'agent']]]);
	});

	test('is narrowed to what went wrong', () => {
		expect(shown('failures')).toEqual([[2, ['search', 'call', 'agent', 'failure']]]);
	});

	test('has the numbers that its entries have, also where it begins in the middle of a turn', () => {
		const numbered = timeline.map((entry, i) => ({ ...entry, turn: i === 0 ? 0 : i === 1 ? 7 : 8 }));
		expect(turnsOf(numbered).map(({ number }) => number)).toEqual([0, 7, 8]);
		const cut = turnsOf(numbered.slice(3));
		expect(cut.map(({ number, start }) => [number, start])).toEqual([[8, undefined]]);
	});

	test('of nothing is nothing', () => {
		expect(turnsOf([])).toEqual([]);
	});
});
