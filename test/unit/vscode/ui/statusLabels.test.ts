import { describe, expect, test } from 'vitest';
import type { ChatSessions } from '../../../../src/chat/sessions.ts';
import { badgeOf, chatLabel, loadedCount, statusLabel } from '../../../../src/vscode/ui/statusLabels.ts';
import { hubWith, toolOf } from '../fixtures.ts';

const many = Array.from({ length: 200 }, (_, i) => `tool_${i}`);

function wordsOf(sessions: ChatSessions) {
	return statusLabel(sessions.currentSurface, sessions.current?.discovery);
}

test('the Loaded Tools view and the badge count as the status bar does, and say what they count more', () => {
	const sessions = hubWith(many, { pinned: ['tool_0'] });
	const chat = sessions.open(undefined);
	chat.discovery.load(['tool_1', 'tool_2'].map((name) => toolOf(chat, name)));
	expect(wordsOf(sessions).text).toContain(' 2/24 tools ');
	expect(loadedCount(sessions.currentSurface, chat.discovery.activated)).toBe('2/24 tools · 1 always');
	expect(badgeOf(sessions.currentSurface, chat.discovery.activated)).toEqual({
		value: 2,
		tooltip: 'This chat has loaded 2 tools of at most 24. 1 more is always loaded.',
	});
	expect(badgeOf(sessions.currentSurface, [])).toBeUndefined();
});

test('given discovery is off, the Loaded Tools view counts every tool', () => {
	const sessions = hubWith(['read', 'write'], {}, { enabled: false });
	expect(loadedCount(sessions.currentSurface, [])).toBe('2 tools');
	expect(badgeOf(sessions.currentSurface, [])).toEqual({ value: 2, tooltip: '2 tools loaded' });
});

describe('the chat whose tools are shown', () => {
	function spokenIn(sessions: ChatSessions, message: string) {
		const chat = sessions.open(undefined);
		chat.discovery.beginTurn(
			{ model: 'gpt', loading: 'append', hosted: [] },
			{ role: 'user', text: message },
		);
		return chat;
	}

	test('is named after a reload, until it is used', () => {
		const sessions = hubWith(many);
		spokenIn(sessions, 'read the file [docs](x)');
		const { saved, current } = sessions;
		if (!saved || !current) throw new Error('there is a chat');
		const next = hubWith(many);
		next.restore(saved, current.discovery.log.entries);
		expect(chatLabel(next)).toBe('Last used chat: “read the file [docs](x)”');
		next.open({ ...saved, log: [] });
		expect(chatLabel(next)).toBe('');
	});

	test('is named where there are several, and not where it is the only one, or nameless', () => {
		const sessions = hubWith(many);
		expect(chatLabel(sessions)).toBe('');
		spokenIn(sessions, 'first');
		expect(chatLabel(sessions)).toBe('');
		sessions.open({ id: 'other', answers: 0, log: [] });
		expect(chatLabel(sessions)).toBe('');
		spokenIn(sessions, 'second');
		expect(chatLabel(sessions)).toBe('Last used chat: “second”');
	});
});

describe('the status bar', () => {
	test('counts what the chat has loaded, of what it may, and what that saves', () => {
		const sessions = hubWith(many, { pinned: ['tool_0'] });
		expect(wordsOf(sessions).text).toMatch(/^\$\(tools\) 0\/24 tools · −\d\d% tokens$/);
		const chat = sessions.open(undefined);
		chat.discovery.load(['tool_1', 'tool_2', 'tool_3'].map((name) => toolOf(chat, name)));
		const { text, tooltip, accessibleLabel } = wordsOf(sessions);
		expect(text).toMatch(/^\$\(tools\) 3\/24 tools · −\d\d% tokens$/);
		expect(tooltip).toMatch(/^This chat has loaded 3 tools of at most 24\. 1 more is always loaded\.\n/);
		expect(tooltip).toMatch(/≈[\d.]+k? tokens instead of ≈[\d.]+k go with every request \(estimated\)\.$/);
		expect(accessibleLabel).toContain('estimated');
	});

	test('more loaded saves less', () => {
		const sessions = hubWith(many, {}, { maxActiveSchemas: null, maxRequestTools: 200 });
		const saving = () => Number(/−(\d+)%/.exec(wordsOf(sessions).text)?.[1]);
		const before = saving();
		const chat = sessions.open(undefined);
		chat.discovery.load(chat.discovery.surface.tools.slice(0, 100));
		expect(saving()).toBeLessThan(before - 30);
		expect(wordsOf(sessions).text).toContain(' 100 tools · ');
	});

	test('never says that nothing is sent', () => {
		const bulky = { type: 'object', properties: { text: { description: 'word '.repeat(3_000) } } };
		const { text } = wordsOf(hubWith(many, {}, {}, bulky));
		expect(text).toMatch(/ · −99% tokens$/);
	});

	test('counts only tools where the search costs more than it saves, and says why in the tooltip', () => {
		const { text, tooltip } = wordsOf(hubWith(['read', 'write']));
		expect(text).toBe('$(tools) 0/24 tools');
		expect(tooltip).toMatch(/≈\d+ tokens go with every request, more than the ≈\d+ of all tools/);
	});

	test('promises no saving where nothing is deferred, or nothing is known yet', () => {
		expect(wordsOf(hubWith(['read'], { deferLoading: false })).text).toBe('$(tools) 0/24 tools');
		expect(wordsOf(hubWith([])).text).toBe('$(tools) 0/24 tools');
	});

	test('says that discovery is off, and what that costs', () => {
		const sessions = hubWith(many, {}, { enabled: false });
		expect(wordsOf(sessions).text).toBe('$(tools) Discovery off');
		expect(wordsOf(sessions).tooltip).toMatch(/^Discovery is off: 200 tools, ≈[\d.]+k tokens \(estimated\)/);
	});
});
