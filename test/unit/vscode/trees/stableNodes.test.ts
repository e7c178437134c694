import { describe, expect, test } from 'vitest';
import type { Uri } from 'vscode';
import type { ToolState } from '../../../../src/chat/sessions.ts';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import type { ServerStatus } from '../../../../src/mcp/serverStatus.ts';
import { serversDrawing, type TreeNode } from '../../../../src/vscode/trees/serverRows.ts';
import { StableNodes } from '../../../../src/vscode/trees/stableNodes.ts';
import type { ServerNode } from '../../../../src/vscode/ui/nodes.ts';

/** A server whose tools are in these states. */
function server(name: string, states: Record<string, ToolState>): ServerNode {
	const listed = Object.keys(states).map((tool) => ({
		server: name,
		name: tool,
		inputSchema: { type: 'object' },
	}));
	const tools = new Catalog([{ name, tools: listed }], 1).tools;
	const status: ServerStatus = {
		name,
		kind: 'stdio',
		state: { kind: 'ready', since: 0 },
		tools: listed,
		cached: false,
		dropped: [],
	};
	return {
		kind: 'server',
		status,
		launch: undefined,
		tools: tools.map((tool) => ({ kind: 'tool', tool, state: states[tool.name] ?? 'deferred', why: '' })),
	};
}

function drawn(...roots: ServerNode[]): StableNodes<TreeNode> {
	const nodes = new StableNodes<TreeNode>(serversDrawing);
	nodes.update(roots);
	return nodes;
}

describe('given a tree on the screen', () => {
	test('when a state says the same with new objects, then nothing is drawn and the nodes stay', () => {
		const nodes = drawn(server('files', { read: 'deferred' }));
		const [before] = nodes.roots;
		expect(nodes.update([server('files', { read: 'deferred' })])).toEqual([]);
		expect(nodes.roots[0]).toBe(before);
	});

	test('when a tool is loaded, then it and its server are drawn, as the objects they were', () => {
		const nodes = drawn(
			server('files', { read: 'deferred', write: 'deferred' }),
			server('git', { log: 'deferred' }),
		);
		const [files] = nodes.roots as ServerNode[];
		const read = files?.tools[0];
		const after = server('files', { read: 'activated', write: 'deferred' });
		const redraw = nodes.update([after, server('git', { log: 'deferred' })]);
		expect(redraw).toEqual([read, files]);
		expect(redraw[0]).toBe(read);
		expect(read?.state).toBe('activated');
	});

	test('when a server lists another tool, then only the server is drawn', () => {
		const nodes = drawn(server('files', { read: 'deferred' }));
		const [files] = nodes.roots;
		expect(nodes.update([server('files', { read: 'deferred', write: 'deferred' })])).toEqual([files]);
	});

	test('when a server is added, then all is drawn', () => {
		const nodes = drawn(server('files', {}));
		expect(nodes.update([server('files', {}), server('git', {})])).toBe('all');
	});

	test('when the first server comes to have tools, or the last loses them, then all is drawn: the icons of the others move', () => {
		const nodes = drawn(server('files', {}), server('git', {}));
		expect(nodes.update([server('files', { read: 'deferred' }), server('git', {})])).toBe('all');
		expect(nodes.update([server('files', { read: 'loaded' }), server('git', {})])).not.toBe('all');
		expect(nodes.update([server('files', {}), server('git', {})])).toBe('all');
	});

	test('when the model cannot be sent a loaded tool any more, then the tool is drawn', () => {
		const files = server('files', { read: 'loaded' });
		const nodes = drawn(files);
		const [shown] = nodes.roots as ServerNode[];
		const unsent = { model: 'gpt', reason: 'Its schema is too large.' };
		const tools = files.tools.map((tool) => ({ ...tool, unsent }));
		expect(nodes.update([{ ...files, tools }])).toEqual([shown?.tools[0]]);
		expect(nodes.update([{ ...files, tools }])).toEqual([]);
	});
});

test('below the row of a file, a server that changes is redrawn alone; one that comes is drawn with that row', () => {
	const uri = 'file:///app/casual_mcp_config.json' as unknown as Uri;
	const origin = (...servers: readonly ServerNode[]): TreeNode => ({
		kind: 'origin',
		uri,
		label: 'app',
		isUsers: false,
		servers,
	});
	const nodes = new StableNodes<TreeNode>(serversDrawing);
	nodes.update([origin(server('git', { log: 'deferred' }))]);
	const [row] = nodes.roots;
	const changed = nodes.update([origin(server('git', { log: 'pinned' }))]);
	expect(changed !== 'all' && changed.map(({ kind }) => kind)).toEqual(['tool', 'server']);
	const grown = nodes.update([origin(server('git', { log: 'pinned' }), server('web', {}))]);
	expect(grown).toEqual([row]);
});
