import { describe, expect, test } from 'vitest';
import {
	keptCalls,
	keptSearches,
	keptTools,
	keptTurns,
	keptWords,
	type LearnedUse,
	maxStoredCharacters,
	nothingLearned,
	searchCount,
	withUse,
} from '../../../../src/discovery/session/learnedUse.ts';
import type { TimelineEntry, TimelineEvent } from '../../../../src/discovery/session/timeline.ts';

/** What happened in a chat, one thing after the other; its first entry at `from`. */
function timeline(from: number, ...happenings: readonly TimelineEvent[]): TimelineEntry[] {
	return happenings.map((happening, i) => ({ at: from + i, turn: 1, ...happening }));
}

const turn: TimelineEvent = { kind: 'turn', model: 'm', message: 'do it' };
const search = (words: string, ...names: readonly string[]): TimelineEvent => ({
	kind: 'search',
	words,
	found: { names, count: names.length },
});
const call = (tool: string, failed = false): TimelineEvent => ({ kind: 'call', tool, ms: 1, failed });
const load = (reason: string, ...names: readonly string[]): TimelineEvent => ({
	kind: 'load',
	tools: { names, count: names.length },
	reason,
});

function learnedFrom(...happenings: readonly TimelineEvent[]): LearnedUse {
	return withUse(nothingLearned, { id: 'a', timeline: timeline(1000, turn, ...happenings) });
}

describe('given a chat', () => {
	test('when a search found the called tool, then its words are learned as found', () => {
		expect(learnedFrom(search('send a message', 's:send', 's:list'), call('s:send'))).toEqual({
			turns: [
				{
					chat: 'a',
					at: 1000,
					searches: [{ words: ['send', 'messag'], found: ['s:send'], missed: [] }],
					calls: ['s:send'],
				},
			],
		});
	});

	test('when a search did not find the called tool, then its words are learned as missed', () => {
		const [its] = learnedFrom(
			search('ping people', 's:list'),
			search('send', 's:send'),
			call('s:send'),
		).turns;
		expect(its?.searches).toEqual([
			{ words: ['ping', 'peopl'], found: [], missed: ['s:send'] },
			{ words: ['send'], found: ['s:send'], missed: [] },
		]);
	});

	test('when a search found one called tool and the model named another, then both are learned', () => {
		const [its] = learnedFrom(
			search('plan a meeting', 'c:new'),
			load('search', 'c:new'),
			call('c:new'),
			load('name', 'c:invite'),
			call('c:invite'),
			call('s:send'),
		).turns;
		expect(its?.searches).toEqual([{ words: ['plan', 'meet'], found: ['c:new'], missed: ['c:invite'] }]);
	});

	test.each<[string, readonly TimelineEvent[]]>([
		['nothing was called', [search('send a message', 's:send')]],
		['the call failed', [search('send a message', 's:send'), call('s:send', true)]],
		['it was called before the search', [call('s:send'), search('send a message', 's:send')]],
		['the search only gave names', [search('select:s:send, s:list', 's:send'), call('s:send')]],
		[
			'the search could not be done',
			[{ ...search('send'), fault: 'no such server' } as TimelineEvent, call('s:send')],
		],
		['its words are nothing but names', [search('"Ada" 4711 /home/ada', 's:send'), call('s:send')]],
		['it was called for the next message', [search('send a message', 's:send'), turn, call('s:send')]],
	])('when %s, then no words are learned', (_, happenings) => {
		expect(searchCount(learnedFrom(...happenings))).toBe(0);
	});

	test('when the timeline truncated a query, then its last, incomplete word is not learned', () => {
		const [its] = learnedFrom(search('send the passw...', 's:send'), call('s:send')).turns;
		expect(its?.searches[0]?.words).toEqual(['send']);
	});

	test('then the order of its successful calls is learned without repetitions', () => {
		const calls = [call('a:b'), call('a:b'), call('x:y', true), call('c:d'), call('a:b')];
		expect(learnedFrom(...calls).turns[0]?.calls).toEqual(['a:b', 'c:d', 'a:b']);
	});

	test('when it continues and is read again, then nothing is counted twice', () => {
		const first = [turn, search('send a message', 's:send'), call('s:send')];
		const second = [turn, search('new event', 'c:new'), call('c:new')];
		const one = withUse(nothingLearned, { id: 'a', timeline: timeline(1, ...first) });
		const two = withUse(one, { id: 'a', timeline: timeline(1, ...first, ...second) });
		expect(searchCount(two)).toBe(2);
		expect(withUse(two, { id: 'a', timeline: timeline(1, ...first, ...second) })).toBe(two);
		const more = withUse(two, { id: 'a', timeline: timeline(1, ...first, ...second, call('s:send')) });
		expect(more.turns.map(({ calls }) => calls)).toEqual([['s:send'], ['c:new', 's:send']]);
		expect(withUse(more, { id: 'b', timeline: timeline(9, ...first) }).turns).toHaveLength(3);
	});

	test('when old timeline entries are dropped or the chat is reset, then learned use is kept', () => {
		const all = timeline(1, turn, search('send mail', 's:send'), call('s:send'), turn, call('c:new'));
		const known = withUse(nothingLearned, { id: 'a', timeline: all });
		expect(withUse(known, { id: 'a', timeline: all.slice(1) })).toBe(known);
		expect(withUse(known, { id: 'a', timeline: [] })).toBe(known);
	});

	test('when the history is cleared during a turn, then learning resumes with the next turn', () => {
		const first = [turn, search('send mail', 's:send'), call('s:send')];
		const forgotten = { turns: [], since: 2 };
		expect(withUse(forgotten, { id: 'a', timeline: timeline(1, ...first) })).toBe(forgotten);
		const both = withUse(forgotten, { id: 'a', timeline: timeline(1, ...first, ...first) });
		expect(both.turns.map(({ at }) => at)).toEqual([4]);
	});
});

describe('given more than the limits allow', () => {
	test('then the oldest turns are dropped, and each turn is truncated', () => {
		const many = Array.from({ length: 40 }, (_, i) => `tool:number_${i}`);
		const words =
			'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma';
		const happenings = [
			turn,
			...Array.from({ length: 20 }, () => search(words, ...many)),
			...many.map((name) => call(name)),
		];
		const [its] = withUse(nothingLearned, { id: 'a', timeline: timeline(1, ...happenings) }).turns;
		expect(its?.searches).toHaveLength(keptSearches);
		expect(its?.calls).toHaveLength(keptCalls);
		expect(its?.searches[0]?.words).toHaveLength(keptWords);
		expect(its?.searches[0]?.found).toHaveLength(keptTools);
		const turns = Array.from({ length: keptTurns + 5 }, () => [
			turn,
			search('send mail', 's:send'),
			call('s:send'),
		]);
		const kept = withUse(nothingLearned, { id: 'a', timeline: timeline(1, ...turns.flat()) }).turns;
		expect(kept).toHaveLength(keptTurns);
		expect(kept[0]?.at).toBe(16);
	});

	test('then the total size stays below the character limit', () => {
		const long = Array.from({ length: 20 }, (_, i) => `${'x'.repeat(190)}:${i}`);
		const words = Array.from({ length: 16 }, (_, i) => `${'w'.repeat(20)}${'abcdefghijklmnop'[i]}`).join(' ');
		const one = [
			turn,
			...Array.from({ length: 8 }, () => search(words, ...long)),
			...long.map((name) => call(name)),
		];
		const all = Array.from({ length: 50 }, () => one).flat();
		const { turns } = withUse(nothingLearned, { id: 'a', timeline: timeline(1, ...all) });
		expect(turns.length).toBeGreaterThan(1);
		expect(turns.length).toBeLessThan(50);
		expect(JSON.stringify(turns).length).toBeLessThanOrEqual(maxStoredCharacters + 2);
		expect(turns.at(-1)?.at).toBe(1 + 49 * one.length);
	});
});
