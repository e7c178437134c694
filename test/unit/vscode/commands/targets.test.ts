import { describe, expect, test } from 'vitest';
import { findTargets } from '../../../../src/vscode/commands/targets.ts';
import type { CommandName } from '../../../../src/vscode/ui/ids.ts';
import { answers, commands, messages, questions } from '../editor.ts';
import { openServers } from '../openServers.ts';

const TEXT = JSON.stringify({
	servers: {
		files: { command: 'node', defer_loading: true, pinned: ['list'] },
		git: { command: 'node' },
		odd: {},
	},
	tool_discovery: { enabled: true },
});

/** A window with two servers, and a view with this selection. */
async function openWindow(
	selection: (of: Awaited<ReturnType<typeof openServers>>) => readonly unknown[] = () => [],
) {
	const window = await openServers({ work: TEXT }, { files: ['read', 'list'], git: ['log'] });
	const view: { selection: readonly unknown[] } = { selection: selection(window) };
	const views = new Map([['servers', view]]);
	const { serverModels } = window;
	const targets = async (name: CommandName, ...called: readonly unknown[]) => {
		const found = await findTargets(name, called, { serverModels, views });
		return found && [found.name, found.nodes.map(nameOf)];
	};
	return { ...window, view, targets };
}

function nameOf(node: object): string {
	if ('tool' in node) return (node.tool as { id: string }).id;
	return 'status' in node ? (node.status as { name: string }).name : (node as { name: string }).name;
}

describe('given rows of a view', () => {
	test('when the clicked row is outside the selection, then the action runs on that row alone', async () => {
		const { targets, toolNode } = await openWindow();
		const [read, log] = [toolNode('files', 'read'), toolNode('git', 'log')];
		expect(await targets('pinServer', read, [log])).toEqual(['pinServer', ['files:read']]);
		expect(await targets('pinServer', read, [log, read])).toEqual(['pinServer', ['git:log', 'files:read']]);
	});

	test('when rows that do not fit are selected, too, then they are left out; if none fits, it is an error', async () => {
		const { targets, toolNode, serverNode } = await openWindow();
		const [read, list, files] = [toolNode('files', 'read'), toolNode('files', 'list'), serverNode('files')];
		expect(await targets('loadTool', read, [read, list, files])).toEqual(['loadTool', ['files:read']]);
		await expect(targets('loadTool', list, [list, files])).rejects.toThrow('does not apply to the selection');
		await expect(targets('loadTool', list)).rejects.toThrow('“Load” does not apply to files:list now.');
	});

	test('when a row is redrawn or gone, then nothing runs on another one', async () => {
		const { targets } = await openWindow();
		await expect(targets('pinServer', undefined, [])).rejects.toThrow('that row has just changed');
		await expect(targets('pinServer', { server: 'files', tool: 'gone' })).rejects.toThrow(
			'files:gone no longer exists.',
		);
	});

	test('when an action of servers is called on a tool, then it runs on its server, once', async () => {
		const { targets, toolNode } = await openWindow();
		const tools = [toolNode('files', 'read'), toolNode('files', 'list')];
		expect(await targets('restartServer', tools[0], tools)).toEqual(['restartServer', ['files']]);
	});
});

describe('given a key is pressed in a view', () => {
	test('then it acts on all selected rows that it applies to', async () => {
		const { targets } = await openWindow(({ toolNode }) => [
			toolNode('files', 'read'),
			toolNode('git', 'log'),
		]);
		expect(await targets('pinServer', 'servers')).toEqual(['pinServer', ['files:read', 'git:log']]);
	});

	test('when it applies to none of them, then its other action runs, or the user is told', async () => {
		const { targets, switches, view, toolNode } = await openWindow();
		await switches.changing([[{ server: 'git', tool: 'log' }, true]]).take();
		view.selection = [toolNode('git', 'log')];
		expect(await targets('disable', 'servers')).toEqual(['enable', ['git:log']]);
		view.selection = [toolNode('files', 'list')];
		expect(await targets('loadTool', 'servers')).toBeUndefined();
		expect(messages).toEqual(['Discovery: “Load” does not apply to the selection now.']);
	});

	test('when another row has the focus than the one that is selected, then it acts on the one with the focus', async () => {
		const { targets, view, toolNode } = await openWindow(({ toolNode }) => [toolNode('files', 'read')]);
		const focused = toolNode('git', 'log');
		commands.run = async (name) => {
			if (name !== 'list.toggleSelection') return;
			const isIn = view.selection.includes(focused);
			view.selection = isIn ? view.selection.filter((row) => row !== focused) : [...view.selection, focused];
		};
		expect(await targets('pinServer', 'servers')).toEqual(['pinServer', ['git:log']]);
		expect(view.selection).toEqual([toolNode('files', 'read')]);
	});
});

describe('given the palette', () => {
	test('then the user picks among what the action applies to', async () => {
		const { targets } = await openWindow();
		answers.push('files:read');
		expect(await targets('pinServer')).toEqual(['pinServer', ['files:read']]);
		expect(questions).toMatchInlineSnapshot(`
			[
			  "files · Running
			git · Running
			files:read · deferred
			git:log · loaded",
			]
		`);
		expect(await targets('pinServer')).toBeUndefined();
	});

	test('when it applies to nothing, then the user is told instead of asked', async () => {
		const { targets } = await openWindow();
		expect(await targets('unloadTool')).toBeUndefined();
		expect([questions, messages]).toMatchInlineSnapshot(`
			[
			  [],
			  [
			    "Discovery: search has loaded no tool in this chat.",
			  ],
			]
		`);
	});
});
