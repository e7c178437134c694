import { describe, expect, test } from 'vitest';
import type { ChatSessions } from '../../../../src/chat/sessions.ts';
import { pageView } from '../../../../src/vscode/context/pageView.ts';
import { unloadedTools } from '../../../../src/vscode/core/loadByHand.ts';
import { UndoHistory } from '../../../../src/vscode/core/undo.ts';
import { noAgents, sessionsWith, toolOf } from '../fixtures.ts';

type Sources = Parameters<typeof pageView>[0];

function viewOf(sessions: ChatSessions, more: Partial<Sources> = {}) {
	return pageView({
		sessions,
		agents: noAgents(),
		undo: new UndoHistory(),
		isTrusted: true,
		configuration: 'ok',
		...more,
	});
}

function reportOf(sessions: ChatSessions, more: Partial<Sources> = {}) {
	const view = viewOf(sessions, more);
	if (view.kind !== 'report') throw new Error(`there is a report, not ${view.kind}`);
	return view;
}

describe('the context page shows', () => {
	test('that trust or a configuration is missing, if that is so', () => {
		const sessions = sessionsWith(['read']);
		expect(viewOf(sessions, { isTrusted: false })).toEqual({ kind: 'untrusted' });
		for (const configuration of ['loading', 'none', 'broken'] as const)
			expect(viewOf(sessions, { configuration })).toEqual({ kind: configuration });
	});

	test('what the tools would cost, if there is no chat', () => {
		const sessions = sessionsWith(['read', 'write']);
		const { report } = reportOf(sessions);
		expect(report.servers[0]?.deferred.tools).toBe(2);
		expect(report.timeline).toEqual([]);
		expect(sessions.current).toBeUndefined();
	});

	test('which tools the chat has loaded, and which change can be undone', () => {
		const sessions = sessionsWith(['read', 'write']);
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

	test('other agents, with their tokens and those of all tools, even after the user has disconnected them', () => {
		const sessions = sessionsWith(['read', 'write']);
		const agents = noAgents();
		agents.called('codex', 'files:read');
		agents.setDisconnected('codex', true);
		const [shown] = reportOf(sessions, { agents }).agents;
		expect(shown).toMatchObject({ name: 'codex', isDisconnected: true, tools: [['files:read', 1]] });
		expect(shown?.having).toBeGreaterThan(0);
		expect(shown?.without).toBeGreaterThan(0);
	});

	test('plain JSON, because it goes to a webview', () => {
		const sessions = sessionsWith(['read']);
		const chat = sessions.open(undefined);
		chat.discovery.beginTurn({ model: 'gpt-4.1', loading: 'append' }, { role: 'user', text: 'read' });
		chat.discovery.nextRequest();
		const view = reportOf(sessions);
		expect(JSON.parse(JSON.stringify(view))).toEqual(view);
	});
});
