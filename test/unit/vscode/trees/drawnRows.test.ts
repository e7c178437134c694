import { describe, expect, test } from 'vitest';
import type { ChatSessions } from '../../../../src/chat/sessions.ts';
import type { ServerStatus } from '../../../../src/mcp/serverStatus.ts';
import { DrawnRows } from '../../../../src/vscode/trees/drawnRows.ts';
import { rowOf } from '../../../../src/vscode/trees/serverRows.ts';
import type { ServerNode, ToolNode } from '../../../../src/vscode/ui/nodes.ts';
import { hubWith, modelsOf, statusOf, toolOf } from '../fixtures.ts';

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
	test('when a state says the same with new objects, then nothing is drawn and the nodes stay', () => {
		const sessions = hubWith(['read']);
		const { models, update } = tree(sessions);
		expect(update()).toBe('all');
		const before = models.server('files');
		sessions.setCatalog([{ name: 'files', tools: sessions.catalog.tools.map((tool) => ({ ...tool })) }]);
		expect(update()).toEqual([]);
		expect(models.server('files')).toBe(before);
	});

	test('when a tool is loaded, then it and its server are drawn, as the objects they were', () => {
		const sessions = hubWith(['read', 'write']);
		const { models, update } = tree(sessions);
		update();
		const [files, read] = [models.server('files'), models.tool({ server: 'files', name: 'read' })];
		const chat = sessions.open(undefined);
		chat.discovery.load([toolOf(chat, 'read')]);
		expect(update()).toEqual([read, files]);
		expect(read?.state).toBe('activated');
		expect(models.tool({ server: 'files', name: 'read' })).toBe(read);
	});

	test('when a server lists another tool, then only the server is drawn', () => {
		const sessions = hubWith(['read']);
		const { models, update } = tree(sessions);
		update();
		const another = { server: 'files', name: 'write', inputSchema: { type: 'object' } };
		sessions.setCatalog([{ name: 'files', tools: [...sessions.catalog.tools, another] }]);
		expect(update()).toEqual([models.server('files')]);
	});

	test('when a server comes, or the first comes to have tools, then all is drawn: the icons of the others move', () => {
		const sessions = hubWith([]);
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

	test('when what only a tooltip says has changed, then that node is drawn', () => {
		const sessions = hubWith(['read']);
		let description = 'Reads.';
		const { models, update } = tree(sessions, () => [{ ...statusOf('files'), description }]);
		update();
		description = 'Reads and writes.';
		sessions.rebuild();
		expect(update()).toEqual([models.server('files')]);
	});
});
