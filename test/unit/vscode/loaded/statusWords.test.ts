import { describe, expect, test } from 'vitest';
import type { DiscoveryHub } from '../../../../src/vscode/discoveryHub.ts';
import { badgeWords, loadedCount, statusWords } from '../../../../src/vscode/loaded/statusWords.ts';
import { hubWith, toolOf } from './hub.ts';

const many = Array.from({ length: 200 }, (_, i) => `tool_${i}`);

function wordsOf(hub: DiscoveryHub) {
	return statusWords(hub.currentSurface, hub.current?.discovery.activated ?? []);
}

test('the Loaded Tools view and the badge count as the status bar does, and say what they count more', () => {
	const hub = hubWith(many, { pinned: ['tool_0'] });
	const chat = hub.open(undefined);
	chat.discovery.load(['tool_1', 'tool_2'].map((name) => toolOf(chat, name)));
	expect(wordsOf(hub).text).toContain(' 2/24 tools ');
	expect(loadedCount(hub.currentSurface, chat.discovery.activated)).toBe('2/24 tools · 1 always');
	expect(badgeWords(3, 1)).toBe('3 tools loaded: 2 by the last used chat, 1 in every chat');
	expect(badgeWords(2, 0)).toBe('2 tools loaded');
});

test('given discovery is off, the Loaded Tools view counts every tool', () => {
	const hub = hubWith(['read', 'write'], {}, { enabled: false });
	expect(loadedCount(hub.currentSurface, [])).toBe('2 tools');
	expect(badgeWords(2, 2)).toBe('2 tools loaded');
});

describe('the status bar', () => {
	test('counts what the chat has loaded, of what it may, and what that saves', () => {
		const hub = hubWith(many, { pinned: ['tool_0'] });
		expect(wordsOf(hub).text).toMatch(/^\$\(tools\) 0\/24 tools · −\d\d% tokens$/);
		const chat = hub.open(undefined);
		chat.discovery.load(['tool_1', 'tool_2', 'tool_3'].map((name) => toolOf(chat, name)));
		const { text, tooltip, accessibleLabel } = wordsOf(hub);
		expect(text).toMatch(/^\$\(tools\) 3\/24 tools · −\d\d% tokens$/);
		expect(tooltip).toMatch(/^This chat has loaded 3 tools of at most 24\. 1 more is always loaded\.\n/);
		expect(tooltip).toMatch(/≈[\d.]+k? tokens instead of ≈[\d.]+k go with every request \(estimated\)\.$/);
		expect(accessibleLabel).toContain('estimated');
	});

	test('more loaded saves less', () => {
		const hub = hubWith(many, {}, { maxActiveSchemas: null, maxRequestTools: 200 });
		const saving = () => Number(/−(\d+)%/.exec(wordsOf(hub).text)?.[1]);
		const before = saving();
		const chat = hub.open(undefined);
		chat.discovery.load(chat.discovery.surface.tools.slice(0, 100));
		expect(saving()).toBeLessThan(before - 30);
		expect(wordsOf(hub).text).toContain(' 100 tools · ');
	});

	test('says so where the search costs more than it saves', () => {
		const hub = hubWith(['read', 'write']);
		expect(wordsOf(hub).text).toMatch(/ 0\/24 tools · \+\d+% tokens$/);
	});

	test('promises no saving where nothing is deferred, or nothing is known yet', () => {
		expect(wordsOf(hubWith(['read'], { deferLoading: false })).text).toBe('$(tools) 0/24 tools');
		expect(wordsOf(hubWith([])).text).toBe('$(tools) 0/24 tools');
	});

	test('says that discovery is off, and what that costs', () => {
		const hub = hubWith(many, {}, { enabled: false });
		expect(wordsOf(hub).text).toBe('$(tools) Discovery off');
		expect(wordsOf(hub).tooltip).toMatch(/^Discovery is off: 200 tools, ≈[\d.]+k tokens \(estimated\)/);
	});
});
