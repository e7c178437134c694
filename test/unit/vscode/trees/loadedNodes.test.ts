import { describe, expect, test } from 'vitest';
import type { ChatSessions } from '../../../../src/chat/sessions.ts';
import { loadedRow, loadedTools, loadedTooltip } from '../../../../src/vscode/trees/loadedNodes.ts';
import { modelsOf, noAgents, sessionsWith, toolOf } from '../fixtures.ts';

const shownIn = (sessions: ChatSessions, agents = noAgents()) => {
	const models = modelsOf(sessions);
	const shown = loadedTools(sessions, agents, (tool) => models.tool(tool));
	return { ...shown, rows: shown.roots.map((node) => loadedRow(node, shown)) };
};
const labels = (sessions: ChatSessions) => shownIn(sessions).rows.map(({ label }) => label);

describe('given a chat that has loaded tools', () => {
	test('then recently used tools come first, then pinned ones, then those that are never deferred', () => {
		const sessions = sessionsWith(['read', 'write', 'list', 'watch', 'zip'], {
			pinned: ['watch'],
			tools: new Map([['list', { deferLoading: false }]]),
		});
		const chat = sessions.open(undefined);
		chat.discovery.beginTurn({ model: 'm', loading: 'append' });
		chat.discovery.load([toolOf(chat, 'read')], 'search', 'read a file');
		chat.discovery.load([toolOf(chat, 'write')], 'name');
		chat.discovery.called(chat.discovery.resolve('files__read'));
		expect(labels(sessions)).toEqual(['files:read', 'files:write', 'files:watch', 'files:list']);
		expect(
			shownIn(sessions).rows.map(({ description }) => description.replace(/\d+/, 'N')),
		).toMatchSnapshot();
		const buttons = shownIn(sessions).rows.map(({ contextValue }) => contextValue.match(/\w+(?=\+)/g));
		expect(buttons).toEqual([
			['pinServer', 'unloadTool'],
			['pinServer', 'unloadTool'],
			['deferServer'],
			['pinServer', 'deferServer'],
		]);
	});

	test('then a screen reader reads the same row, and the tooltip says why it is loaded and when it was used', () => {
		const sessions = sessionsWith(['read']);
		const chat = sessions.open(undefined);
		chat.discovery.beginTurn({ model: 'm', loading: 'append' });
		chat.discovery.load([toolOf(chat, 'read')], 'search', 'read a [file](command:evil)');
		chat.discovery.called(chat.discovery.resolve('files__read'));
		const shown = shownIn(sessions);
		const [row] = shown.rows;
		const [node] = shown.roots;
		const tooltip = node?.kind === 'tool' ? loadedTooltip(node, shown) : '';
		expect(row?.accessibleLabel).toMatch(/^files:read, found: “read a .*”, about \d+ tokens$/);
		expect(tooltip).toContain('Loaded: it was found by a search');
		expect(tooltip).not.toContain('[file](');
		expect(tooltip).toContain('Last loaded or called in turn 1.');
	});

	test('when a tool was not sent to the model, then its row says so', () => {
		const sessions = sessionsWith(['read'], { deferLoading: false });
		const chat = sessions.open(undefined);
		sessions.setUnsent(chat, { model: 'gpt', reasons: new Map([['files__read', 'Too large.']]) });
		const [row] = shownIn(sessions).rows;
		expect(row?.icon).toBe('warning');
		expect(row?.description).toMatch(/^≈\d+ · not deferred · not sent to gpt$/);
	});
});

describe('given tools that are always loaded', () => {
	const names = ['a', 'b', 'c', 'd', 'e', 'f'];

	test('when there are many, then they share one row below the tools of the chat', () => {
		const sessions = sessionsWith([...names, 'read'], {
			deferLoading: false,
			tools: new Map([['read', { deferLoading: true }]]),
		});
		const chat = sessions.open(undefined);
		chat.discovery.load([toolOf(chat, 'read')]);
		const { rows, shared } = shownIn(sessions);
		expect(rows.map(({ label }) => label)).toMatchSnapshot();
		expect(shared).toHaveLength(6);
		expect(rows[1]?.description).toMatch(/^≈\d+ tokens · 6 tools$/);
	});

	test('when there are only a few, then each has its own row', () => {
		expect(shownIn(sessionsWith(names.slice(1), { deferLoading: false })).roots).toHaveLength(5);
	});
});

test('when nothing is loaded, then there are no rows, so the welcome view is shown', () => {
	const sessions = sessionsWith(['read']);
	expect(shownIn(sessions).roots).toEqual([]);
	sessions.open(undefined);
	expect(shownIn(sessions).roots).toEqual([]);
});

test('given other agents, then each has a row with what it has used, unless the user has disconnected it', () => {
	const sessions = sessionsWith(['read', 'write']);
	const agents = noAgents();
	agents.found('Gemini CLI', ['files:read', 'files:write'], 0);
	agents.called('Gemini CLI', 'files:read');
	const [row] = shownIn(sessions, agents).rows;
	expect(row?.label).toBe('Gemini CLI');
	expect(row?.description).toMatch(/^≈\d+ of \d+ tokens · 2 tools$/);
	expect(row?.tooltip).toMatch(/- `files:read`: 1 call\n- `files:write`$/);
	agents.setDisconnected('Gemini CLI', true);
	expect(shownIn(sessions, agents).rows).toEqual([]);
});
