import { describe, expect, test } from 'vitest';
import type { ChatSessions } from '../../../../src/chat/sessions.ts';
import { noHabits } from '../../../../src/discovery/habits/habits.ts';
import { pageView } from '../../../../src/vscode/context/pageView.ts';
import { UndoHistory, unloadedTools } from '../../../../src/vscode/placement/undo.ts';
import { hubWith, toolOf } from '../fixtures.ts';

type Sources = Parameters<typeof pageView>[0];

function viewOf(sessions: ChatSessions, more: Partial<Sources> = {}) {
	const habits = { suggestions: () => [], habits: noHabits };
	return pageView({ sessions, undo: new UndoHistory(), habits, trusted: true, configuration: 'ok', ...more });
}

function reportOf(sessions: ChatSessions, more: Partial<Sources> = {}) {
	const view = viewOf(sessions, more);
	if (view.kind !== 'report') throw new Error(`there is a report, not ${view.kind}`);
	return view;
}

describe('the context page shows', () => {
	test('that trust or a configuration is missing, if that is so', () => {
		const sessions = hubWith(['read']);
		expect(viewOf(sessions, { trusted: false })).toEqual({ kind: 'untrusted' });
		for (const configuration of ['loading', 'none', 'broken'] as const)
			expect(viewOf(sessions, { configuration })).toEqual({ kind: configuration });
	});

	test('what the tools would cost, if there is no chat', () => {
		const sessions = hubWith(['read', 'write']);
		const { report } = reportOf(sessions);
		expect(report.servers[0]?.deferred.tools).toBe(2);
		expect(report.timeline).toEqual([]);
		expect(sessions.current).toBeUndefined();
	});

	test('which tools the chat has loaded, and which change can be undone', () => {
		const sessions = hubWith(['read', 'write']);
		const chat = sessions.open(undefined);
		chat.discovery.load([toolOf(chat, 'read'), toolOf(chat, 'write')]);
		expect(reportOf(sessions).report.active.map(({ name }) => name)).toEqual(['read', 'write']);
		expect(reportOf(sessions).undo).toBeUndefined();
		const undo = new UndoHistory();
		const taken = chat.discovery.activations.slice(0, 1);
		chat.discovery.unload([toolOf(chat, 'read')]);
		undo.push(unloadedTools(sessions, chat, taken));
		expect(reportOf(sessions, { undo }).report.active.map(({ name }) => name)).toEqual(['write']);
		expect(reportOf(sessions, { undo }).undo).toBe('unload files:read');
	});

	test('suggestions from past chats', () => {
		const suggestion = {
			id: '1',
			kind: 'pin',
			server: 'files',
			tool: 'read',
			why: { used: 8, chats: 10 },
			tokens: 9,
		} as const;
		const habits = { habits: noHabits, suggestions: () => [suggestion] };
		expect(reportOf(hubWith(['read']), { habits })).toMatchObject({
			suggestions: [suggestion],
			past: { chats: 0 },
		});
	});

	test('plain JSON, because it goes to a webview', () => {
		const sessions = hubWith(['read']);
		const chat = sessions.open(undefined);
		chat.discovery.beginTurn({ model: 'gpt-4.1', loading: 'append' }, { role: 'user', text: 'read' });
		chat.discovery.nextRequest();
		const view = reportOf(sessions);
		expect(JSON.parse(JSON.stringify(view))).toEqual(view);
	});
});
