import { describe, expect, test } from 'vitest';
import type { ChatSessions } from '../../../../src/chat/sessions.ts';
import { badgeOf, chatLabel, loadedCount, statusLabel } from '../../../../src/vscode/ui/statusLabels.ts';
import { hubWith, toolOf } from '../fixtures.ts';

const many = Array.from({ length: 200 }, (_, i) => `tool_${i}`);

function wordsOf(hub: ChatSessions) {
	return statusLabel(hub.currentSurface, hub.current?.discovery.activated ?? []);
}

test('the Loaded Tools view and the badge count as the status bar does, and say what they count more', () => {
	const hub = hubWith(many, { pinned: ['tool_0'] });
	const chat = hub.open(undefined);
	chat.discovery.load(['tool_1', 'tool_2'].map((name) => toolOf(chat, name)));
	expect(wordsOf(hub).text).toContain(' 2/24 tools ');
	expect(loadedCount(hub.currentSurface, chat.discovery.activated)).toBe('2/24 tools · 1 always');
	expect(badgeOf(hub.currentSurface, chat.discovery.activated)).toEqual({
		value: 2,
		tooltip: 'This chat has loaded 2 tools of at most 24. 1 more is always loaded.',
	});
	expect(badgeOf(hub.currentSurface, [])).toBeUndefined();
});

test('given discovery is off, the Loaded Tools view counts every tool', () => {
	const hub = hubWith(['read', 'write'], {}, { enabled: false });
	expect(loadedCount(hub.currentSurface, [])).toBe('2 tools');
	expect(badgeOf(hub.currentSurface, [])).toEqual({ value: 2, tooltip: '2 tools loaded' });
});

describe('the chat whose tools are shown', () => {
	function spokenIn(hub: ChatSessions, message: string) {
		const chat = hub.open(undefined);
		chat.discovery.beginTurn({ model: 'gpt', loading: 'append', hosted: [] }, message);
		return chat;
	}

	test('is named after a reload, until it is used', () => {
		const hub = hubWith(many);
		spokenIn(hub, 'read the file [docs](x)');
		const { saved } = hub;
		if (!saved) throw new Error('there is a chat');
		const next = hubWith(many);
		next.restore(saved);
		expect(chatLabel(next)).toBe('Last used chat: “read the file [docs](x)”');
		next.open(saved);
		expect(chatLabel(next)).toBe('');
	});

	test('is named where there are several, and not where it is the only one, or nameless', () => {
		const hub = hubWith(many);
		expect(chatLabel(hub)).toBe('');
		spokenIn(hub, 'first');
		expect(chatLabel(hub)).toBe('');
		hub.open({ id: 'other', state: hub.open(undefined).discovery.state });
		expect(chatLabel(hub)).toBe('');
		spokenIn(hub, 'second');
		expect(chatLabel(hub)).toBe('Last used chat: “second”');
	});
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

	test('never says that nothing is sent', () => {
		const bulky = { type: 'object', properties: { text: { description: 'word '.repeat(3_000) } } };
		const { text } = wordsOf(hubWith(many, {}, {}, bulky));
		expect(text).toMatch(/ · −99% tokens$/);
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
