import { describe, expect, test } from 'vitest';
import type { ChatSessions } from '../../../../src/chat/sessions.ts';
import type { ServerStatus } from '../../../../src/mcp/serverStatus.ts';
import { DrawnRows } from '../../../../src/vscode/trees/drawnRows.ts';
import { rowOf } from '../../../../src/vscode/trees/serverRows.ts';
import type { ServerNode, ToolNode } from '../../../../src/vscode/ui/nodes.ts';
import { modelsOf, sessionsWith, statusOf, toolOf } from '../fixtures.ts';

/** The tree of the servers on the screen. */
function tree(sessions: ChatSessions, servers: () => readonly ServerStatus[] = () => [statusOf('files')]) {
	const models = modelsOf(sessions, servers);
	const rows = new DrawnRows<ServerNode | ToolNode>({
		children: (node) => (node.kind === 'server' ? node.tools : []),
		row: (node) => rowOf(node),
		revision: (node) => models.revisionOf(node),
	});
	return { models, rows, update: () => rows.update(models.servers) };
}

describe('given a tree on the screen', () => {
	test('when new objects have the same content, then nothing is redrawn, and the nodes stay the same objects', () => {
		const sessions = sessionsWith(['read']);
		const { models, update } = tree(sessions);
		expect(update()).toBe('all');
		const before = models.server('files');
		sessions.setCatalog([{ name: 'files', tools: sessions.catalog.tools.map((tool) => ({ ...tool })) }]);
		expect(update()).toEqual([]);
		expect(models.server('files')).toBe(before);
	});

	test('when a tool is loaded, then it and its server are redrawn as the same objects', () => {
		const sessions = sessionsWith(['read', 'write']);
		const { models, update } = tree(sessions);
		update();
		const [files, read] = [models.server('files'), models.tool({ server: 'files', name: 'read' })];
		const chat = sessions.open(undefined);
		chat.discovery.load([toolOf(chat, 'read')]);
		expect(update()).toEqual([read, files]);
		expect(read?.state).toBe('activated');
		expect(models.tool({ server: 'files', name: 'read' })).toBe(read);
	});

	test('when a server lists another tool, then only the server is redrawn', () => {
		const sessions = sessionsWith(['read']);
		const { models, update } = tree(sessions);
		update();
		const another = { server: 'files', name: 'write', inputSchema: { type: 'object' } };
		sessions.setCatalog([{ name: 'files', tools: [...sessions.catalog.tools, another] }]);
		expect(update()).toEqual([models.server('files')]);
	});

	test('when a server is added, or the first tools appear, then the whole tree is redrawn: icons move', () => {
		const sessions = sessionsWith([]);
		const servers = [statusOf('files')];
		const { update } = tree(sessions, () => servers);
		update();
		servers.push(statusOf('git'));
		sessions.rebuild();
		expect(update()).toBe('all');
		const read = { server: 'files', name: 'read', inputSchema: { type: 'object' } };
		sessions.setCatalog([{ name: 'files', tools: [read] }]);
		expect(update()).toBe('all');
		sessions.setCatalog([{ name: 'files', tools: [] }]);
		expect(update()).toBe('all');
	});

	test('when only a tooltip changes, then that node is redrawn', () => {
		const sessions = sessionsWith(['read']);
		let description = 'Reads.';
		const { models, update } = tree(sessions, () => [{ ...statusOf('files'), description }]);
		update();
		description = 'Reads and writes.';
		sessions.rebuild();
		expect(update()).toEqual([models.server('files')]);
	});
});
