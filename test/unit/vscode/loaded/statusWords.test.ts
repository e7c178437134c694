import { describe, expect, test } from 'vitest';
import type { DiscoveryHub } from '../../../../src/vscode/discoveryHub.ts';
import { statusWords } from '../../../../src/vscode/loaded/statusWords.ts';
import { hubWith, toolOf } from './hub.ts';

const many = Array.from({ length: 200 }, (_, i) => `tool_${i}`);

function wordsOf(hub: DiscoveryHub) {
	return statusWords(hub.currentSurface, hub.current?.discovery.activated ?? []);
}

describe('the status bar', () => {
	test('counts what the chat has loaded, of what it may, and what that saves', () => {
		const hub = hubWith(many, { pinned: ['tool_0'] });
		expect(wordsOf(hub).text).toMatch(/^\$\(tools\) 0\/24 tools · −\d\d% tokens$/);
		const chat = hub.open(undefined);
		chat.discovery.load(['tool_1', 'tool_2', 'tool_3'].map((name) => toolOf(chat, name)));
		const { text, tooltip, accessibleLabel } = wordsOf(hub);
		expect(text).toMatch(/^\$\(tools\) 3\/24 tools · −\d\d% tokens$/);
		expect(tooltip).toMatch(/^This chat has loaded 3 tools of at most 24; 1 more is always loaded\.\n/);
		expect(tooltip).toMatch(/≈[\d.]+k? tokens instead of ≈[\d.]+k go with every request \(estimated\)\.$/);
		expect(accessibleLabel).toContain('estimated');
	});

	test('more loaded saves less', () => {
		const hub = hubWith(many, {}, { maxActiveSchemas: null });
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
