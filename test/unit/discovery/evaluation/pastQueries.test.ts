import { describe, expect, test } from 'vitest';
import { pastQueries, pastSearches } from '../../../../src/discovery/evaluation/pastQueries.ts';
import type { Happened, TimelineEntry } from '../../../../src/discovery/session/timeline.ts';
import { asks } from './evaluating.ts';

const at = (happening: Happened): TimelineEntry => ({ at: 0, turn: 1, ...happening });
const turn = (message: string) => at({ kind: 'turn', model: 'm', message });
const search = (words: string, ...names: string[]) =>
	at({ kind: 'search', words, found: { names, count: names.length } });
const call = (tool: string, failed = false) => at({ kind: 'call', tool, ms: 1, failed });

describe('queries collected from past chats', () => {
	test('a search and the message before it are both labelled with the tool called afterwards', () => {
		const timeline = [turn('tell the team'), search('send message', 's:send', 's:list'), call('s:send')];
		expect(pastQueries([timeline])).toEqual([
			asks('tell the team', 's:send'),
			asks('send message', 's:send'),
		]);
	});

	test('when only searches are collected, then user messages are left out', () => {
		const timeline = [turn('tell the team'), search('send message', 's:send'), call('s:send')];
		expect(pastSearches([timeline])).toEqual([asks('send message', 's:send')]);
		expect(pastSearches([[turn('tell the team'), call('s:send')]])).toEqual([]);
	});

	test('each of two searches in a turn is labelled with the called tool that it found', () => {
		const timeline = [
			search('send message', 's:send'),
			search('new event', 'c:new'),
			call('c:new'),
			call('s:send'),
		];
		expect(pastQueries([timeline])).toEqual([asks('send message', 's:send'), asks('new event', 'c:new')]);
	});

	test('a search that missed the tool called later is labelled with that tool', () => {
		const timeline = [search('ping people', 's:list'), search('send message', 's:send'), call('s:send')];
		expect(pastQueries([timeline])).toEqual([asks('ping people', 's:send'), asks('send message', 's:send')]);
	});

	test('a call belongs to the latest user message', () => {
		const timeline = [turn('one thing'), turn('other thing'), call('s:send')];
		expect(pastQueries([timeline])).toEqual([asks('other thing', 's:send')]);
	});

	test('searches by name, failed calls and messages without a call are ignored; duplicates appear once', () => {
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
