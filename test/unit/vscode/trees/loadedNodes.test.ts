import { describe, expect, test } from 'vitest';
import { type LoadedTreeNode, loadedDrawing, loadedNodes } from '../../../../src/vscode/trees/loadedNodes.ts';
import { loadedTooltip } from '../../../../src/vscode/trees/rowTooltips.ts';
import { StableNodes } from '../../../../src/vscode/trees/stableNodes.ts';
import { hubWith, toolOf } from '../fixtures.ts';

const rowsOf = (nodes: readonly LoadedTreeNode[]) => nodes.map(loadedDrawing.row);
const labels = (nodes: readonly LoadedTreeNode[]) => rowsOf(nodes).map(({ label }) => label);

describe('given a chat that has loaded tools', () => {
	test('the most recently used comes first, then what is pinned, then what is never deferred', () => {
		const sessions = hubWith(['read', 'write', 'list', 'watch', 'zip'], {
			pinned: ['watch'],
			tools: new Map([['list', { deferLoading: false }]]),
		});
		const chat = sessions.open(undefined);
		chat.discovery.beginTurn({ model: 'm', loading: 'append' });
		chat.discovery.load([toolOf(chat, 'read')], 'search', 'read a file');
		chat.discovery.load([toolOf(chat, 'write')], 'name');
		chat.discovery.called(chat.discovery.resolve('files__read'));
		expect(labels(loadedNodes(sessions))).toEqual(['files:read', 'files:write', 'files:watch', 'files:list']);
		expect(rowsOf(loadedNodes(sessions)).map(({ description }) => description.replace(/\d+/, 'N'))).toEqual([
			'searched: “read a file” · ≈N tokens',
			'by name · ≈N tokens',
			'pinned · ≈N tokens',
			'always · ≈N tokens',
		]);
		const buttons = rowsOf(loadedNodes(sessions)).map(({ contextValue }) => contextValue.match(/\w+(?=\+)/g));
		expect(buttons).toEqual([
			['pinServer', 'unloadTool'],
			['pinServer', 'unloadTool'],
			['deferServer'],
			['pinServer', 'deferServer'],
		]);
	});

	test('a row says the same to a screen reader, and its tooltip why, and when it was used', () => {
		const sessions = hubWith(['read']);
		const chat = sessions.open(undefined);
		chat.discovery.beginTurn({ model: 'm', loading: 'append' });
		chat.discovery.load([toolOf(chat, 'read')], 'search', 'read a [file](command:evil)');
		chat.discovery.called(chat.discovery.resolve('files__read'));
		const nodes = loadedNodes(sessions);
		const [row] = rowsOf(nodes);
		const tooltip = nodes[0]?.kind === 'tool' ? loadedTooltip(nodes[0]) : '';
		expect(row?.accessibleLabel).toMatch(/^files:read, searched: “read a .*”, about \d+ tokens$/);
		expect(tooltip).toContain('Loaded: it was found by a search');
		expect(tooltip).not.toContain('[file](');
		expect(tooltip).toContain('Loaded or called last in turn 1 of the chat.');
	});

	test('a tool that its model was not sent says so', () => {
		const sessions = hubWith(['read'], { deferLoading: false });
		const chat = sessions.open(undefined);
		sessions.setUnsent(chat, { model: 'gpt', reasons: new Map([['files__read', 'Too large.']]) });
		const [row] = rowsOf(loadedNodes(sessions));
		expect(row?.icon).toBe('warning');
		expect(row?.description).toMatch(/^always · not sent to gpt · ≈\d+ tokens$/);
	});
});

describe('given many tools that are always loaded', () => {
	const names = ['a', 'b', 'c', 'd', 'e', 'f'];

	test('they are in one row below those of the chat', () => {
		const sessions = hubWith([...names, 'read'], {
			deferLoading: false,
			tools: new Map([['read', { deferLoading: true }]]),
		});
		const chat = sessions.open(undefined);
		chat.discovery.load([toolOf(chat, 'read')]);
		const nodes = loadedNodes(sessions);
		expect(labels(nodes)).toEqual(['files:read', 'Always Loaded']);
		expect(rowsOf(nodes)[1]?.description).toMatch(/^6 tools · ≈\d+ tokens$/);
	});

	test('a handful stands by itself', () => {
		expect(loadedNodes(hubWith(names.slice(1), { deferLoading: false }))).toHaveLength(5);
	});
});

test('given the view shows a tool, when it is called, then its node stays and only it is drawn anew', () => {
	const sessions = hubWith(['read', 'write']);
	const chat = sessions.open(undefined);
	chat.discovery.load([toolOf(chat, 'write')]);
	chat.discovery.load([toolOf(chat, 'read')]);
	const view = new StableNodes<LoadedTreeNode>(loadedDrawing);
	expect(view.update(loadedNodes(sessions))).toBe('all');
	const [read] = view.roots;
	expect(view.update(loadedNodes(sessions))).toEqual([]);
	chat.discovery.beginTurn({ model: 'm', loading: 'append' });
	chat.discovery.called(chat.discovery.resolve('files__read'));
	expect(view.update(loadedNodes(sessions))).toEqual([read]);
	expect(view.roots[0]).toBe(read);
});

test('given nothing is loaded, then there is no row, and the view can say what to do', () => {
	const sessions = hubWith(['read']);
	expect(loadedNodes(sessions)).toEqual([]);
	sessions.open(undefined);
	expect(loadedNodes(sessions)).toEqual([]);
});
