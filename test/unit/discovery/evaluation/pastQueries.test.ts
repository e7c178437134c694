import { describe, expect, test } from 'vitest';
import { pastQueries, pastSearches } from '../../../../src/discovery/evaluation/pastQueries.ts';
import type { Happened, TimelineEntry } from '../../../../src/discovery/session/timeline.ts';
import { asks } from './evaluating.ts';

const at = (happening: Happened): TimelineEntry => ({ at: 0, turn: 1, ...happening });
const turn = (message: string) => at({ kind: 'turn', model: 'm', message });
const search = (words: string, ...names: string[]) =>
	at({ kind: 'search', words, found: { names, count: names.length } });
const call = (tool: string, failed = false) => at({ kind: 'call', tool, ms: 1, failed });

describe('queries out of what happened in chats', () => {
	test('a search and the message before it count with what was called for them', () => {
		const timeline = [turn('tell the team'), search('send message', 's:send', 's:list'), call('s:send')];
		expect(pastQueries([timeline])).toEqual([
			asks('tell the team', 's:send'),
			asks('send message', 's:send'),
		]);
	});

	test('where only searches count, what the user said does not', () => {
		const timeline = [turn('tell the team'), search('send message', 's:send'), call('s:send')];
		expect(pastSearches([timeline])).toEqual([asks('send message', 's:send')]);
		expect(pastSearches([[turn('tell the team'), call('s:send')]])).toEqual([]);
	});

	test('of two searches in a turn each counts with what it found', () => {
		const timeline = [
			search('send message', 's:send'),
			search('new event', 'c:new'),
			call('c:new'),
			call('s:send'),
		];
		expect(pastQueries([timeline])).toEqual([asks('send message', 's:send'), asks('new event', 'c:new')]);
	});

	test('a search that did not find what was called later is how a miss looks', () => {
		const timeline = [search('ping people', 's:list'), search('send message', 's:send'), call('s:send')];
		expect(pastQueries([timeline])).toEqual([asks('ping people', 's:send'), asks('send message', 's:send')]);
	});

	test('what is said next belongs to the next', () => {
		const timeline = [turn('one thing'), turn('other thing'), call('s:send')];
		expect(pastQueries([timeline])).toEqual([asks('other thing', 's:send')]);
	});

	test('names, failures, and what led to no call say nothing; the same is told once', () => {
		const timeline = [
			search('select:s:send', 's:send'),
			search('s:send', 's:send'),
			call('s:send'),
			turn('break it'),
			call('s:break', true),
			turn('hello'),
		];
		expect(pastQueries([timeline])).toEqual([]);
		const twice = [turn('tell them'), call('s:send'), turn('tell them'), call('s:send')];
		expect(pastQueries([twice, twice])).toEqual([asks('tell them', 's:send')]);
	});
});
