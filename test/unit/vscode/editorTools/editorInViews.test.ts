import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog.ts';
import { SearchableSurface } from '../../../../src/vscode/agentMode/searchableSurface.ts';
import { DiscoveryHub } from '../../../../src/vscode/discoveryHub.ts';
import { editorServer, withEditorServer } from '../../../../src/vscode/editorTools/editorServer.ts';
import { loadedNodes } from '../../../../src/vscode/loaded/loadedNodes.ts';
import { loadedDrawing } from '../../../../src/vscode/loaded/loadedRows.ts';
import { toolRow } from '../../../../src/vscode/search/pickRows.ts';
import { serverNodes } from '../../../../src/vscode/servers/serverNodes.ts';
import { rowOf } from '../../../../src/vscode/servers/treeRows.ts';
import { office, policyFor } from '../../discovery/fixtures.ts';

function hubWithEditor(): DiscoveryHub {
	const hub = new DiscoveryHub();
	const draw = { name: 'draw', description: 'Draws a diagram', inputSchema: { type: 'object' } };
	hub.setPolicy(withEditorServer(policyFor(office), 'editor'), new Map());
	hub.setCatalog(new Catalog([...office, editorServer('editor', [draw])], 1));
	return hub;
}

describe('the editor among the servers', () => {
	test('has a row that says what it is, and offers neither start nor stop, pin nor defer', () => {
		const [node] = serverNodes(hubWithEditor(), [], new Map(), []);
		if (!node) throw new Error('the editor has no row');
		expect(rowOf(node)).toMatchObject({
			label: 'editor',
			description: expect.stringMatching(/^1 tool · ≈\d+ tokens$/),
			icon: 'vscode',
			contextValue: 'editorServer',
			expandable: true,
		});
	});

	test('has tools that can be loaded and unloaded, and no more', () => {
		const hub = hubWithEditor();
		const nodeNow = () => serverNodes(hub, [], new Map(), [])[0]?.tools[0];
		const titles = () => {
			const node = nodeNow();
			return node ? toolRow(node).actions.map(({ title }) => title) : [];
		};
		expect(titles()).toEqual(['Load Tool for the Last Used Chat']);
		const { discovery } = hub.open(undefined);
		discovery.load(discovery.surface.tools.filter(({ server }) => server === 'editor'));
		expect(titles()).toEqual(['Unload Tool from the Last Used Chat']);
		const node = nodeNow();
		expect(node && rowOf(node).contextValue).toBe('editorTool.activated');
		const [loaded] = loadedNodes(hub);
		expect(loaded && loadedDrawing.row(loaded).contextValue).toBe('editorTool.activated');
	});

	test('is not found through us by other chats, which have these tools themselves', () => {
		const surface = new SearchableSurface(hubWithEditor()).get();
		expect(surface.tools.filter(({ server }) => server === 'editor')).toEqual([]);
		expect(surface.deferred).toHaveLength(6);
	});
});
