import { describe, expect, test } from 'vitest';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import { placement, withEditorServer } from '../../../../src/discovery/catalog/policy.ts';
import { SearchableSurface } from '../../../../src/vscode/agentMode/searchableSurface.ts';
import { editorServer } from '../../../../src/vscode/core/editorTools.ts';
import { toolRow } from '../../../../src/vscode/search/pickRows.ts';
import { chatScope } from '../../../../src/vscode/search/toolFinder.ts';
import { loadedRow, loadedTools } from '../../../../src/vscode/trees/loadedNodes.ts';
import { rowOf } from '../../../../src/vscode/trees/serverRows.ts';
import { commands } from '../../../../src/vscode/ui/ids.ts';
import { office, policyFor, surfaceOf } from '../../discovery/fixtures.ts';
import { modelsOf, noAgents } from '../fixtures.ts';

const schema = { type: 'object', properties: { query: { type: 'string' } } };
const tools = [
	{ name: 'other_search', description: 'Searches the code', inputSchema: schema },
	{ name: 'mcpDiscovery_callTool', description: 'Ours', inputSchema: schema },
	{ name: 'other_now', description: 'Tells the time', inputSchema: undefined },
];

describe('VS Code’s own tools', () => {
	test('form a server, which leaves out the tools of this extension', () => {
		expect(editorServer('editor', tools).tools).toEqual([
			{ server: 'editor', name: 'other_search', description: 'Searches the code', inputSchema: schema },
			{
				server: 'editor',
				name: 'other_now',
				description: 'Tells the time',
				inputSchema: { type: 'object', properties: {} },
			},
		]);
	});

	test('are all deferred, even if the configuration does not defer other servers', () => {
		const policy = withEditorServer({ ...policyFor(office), deferAll: false }, 'editor');
		const surface = surfaceOf([...office, editorServer('editor', tools)], { servers: policy.servers });
		expect(surface.get('editor__other_search')).toBeDefined();
		expect(placement({ server: 'editor', name: 'other_search' }, policy)).toMatchSnapshot();
		expect(withEditorServer(policy, undefined)).toBe(policy);
	});
});

function sessionsWithEditor(): ChatSessions {
	const sessions = new ChatSessions();
	const draw = { name: 'draw', description: 'Draws a diagram', inputSchema: { type: 'object' } };
	sessions.setPolicy(withEditorServer(policyFor(office), 'editor'), new Map());
	sessions.setCatalog([...office, editorServer('editor', [draw])]);
	return sessions;
}

describe('the server for VS Code’s own tools', () => {
	test('has a row that cannot be started, stopped, pinned or deferred', () => {
		const [node] = modelsOf(sessionsWithEditor(), () => []).servers;
		if (!node) throw new Error('the editor has no row');
		expect(rowOf(node)).toMatchObject({
			label: 'editor',
			description: expect.stringMatching(/^≈\d+ · 1 tool$/),
			icon: 'vscode',
			contextValue: 'copyName',
			isExpandable: true,
		});
	});

	test('only lets its tools be loaded and unloaded', () => {
		const sessions = sessionsWithEditor();
		const models = modelsOf(sessions, () => []);
		const nodeNow = () => models.servers[0]?.tools[0];
		const offered = () => {
			const node = nodeNow();
			return node ? toolRow(node, [], chatScope.actions).actions.map(({ name }) => commands[name]) : [];
		};
		expect(offered()).toEqual([commands.loadTool]);
		const { discovery } = sessions.open(undefined);
		discovery.load(discovery.surface.tools.filter(({ server }) => server === 'editor'));
		expect(offered()).toEqual([commands.unloadTool]);
		const node = nodeNow();
		expect(node && rowOf(node).contextValue).toBe('unloadTool+ showTool copyName');
		const shown = loadedTools(sessions, noAgents(), () => nodeNow());
		const [loaded] = shown.roots;
		expect(loaded && loadedRow(loaded, shown).contextValue).toBe('unloadTool+ showTool copyName');
	});

	test('is not searched by other chats, because they already have these tools', () => {
		const surface = new SearchableSurface(sessionsWithEditor()).get();
		expect(surface.tools.filter(({ server }) => server === 'editor')).toEqual([]);
		expect(surface.deferred).toHaveLength(6);
	});
});
