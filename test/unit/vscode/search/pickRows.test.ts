import { describe, expect, test } from 'vitest';
import type { ToolState } from '../../../../src/chat/sessions.ts';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import type { WordMatch } from '../../../../src/discovery/search/explain.ts';
import { headingRow, leadRows, type ToolRow, toolRow } from '../../../../src/vscode/search/pickRows.ts';
import { chatScope } from '../../../../src/vscode/search/toolFinder.ts';
import { commands } from '../../../../src/vscode/ui/ids.ts';
import type { ToolNode } from '../../../../src/vscode/ui/nodes.ts';
import { tool } from '../../discovery/fixtures.ts';

function node(state: ToolState, name = 'post', description = 'Writes to a channel. Loudly.'): ToolNode {
	const [its] = new Catalog([{ name: 'slack', tools: [tool('slack', name, description)] }], 1).tools;
	if (!its) throw new Error('the catalog is empty');
	return { kind: 'tool', tool: its, label: its.name, state, why: '' };
}

const rowOf = (tool: ToolNode, matches: readonly WordMatch[] = []) =>
	toolRow(tool, matches, chatScope.actions);

describe('a tool in the quick pick', () => {
	test('shows its server, state, tokens and description', () => {
		const row = rowOf(node('deferred'));
		expect(row.label).toBe('post');
		expect(row.description).toMatch(/^slack · deferred · ≈\d+ tokens$/);
		expect(row.detail).toBe('Writes to a channel.');
	});

	test('says what it does, then the matching words, unless they are in its name or server', () => {
		const matches = [
			{ word: 'post', field: 'name' },
			{ word: 'slack', field: 'server' },
			{ word: 'chanel', field: 'summary', as: 'channel' },
			{ word: 'loud', field: 'description', as: 'loudly' },
		] as const;
		expect(rowOf(node('deferred'), matches).detail).toMatchSnapshot();
		expect(rowOf(node('deferred'), matches.slice(0, 2)).detail).toBe('Writes to a channel.');
		expect(rowOf(node('deferred', 'post', ''), matches.slice(2, 3)).detail).toMatchSnapshot();
		expect(rowOf(node('deferred', 'post', ''))).not.toHaveProperty('detail');
	});

	test.each<[ToolState, string[]]>([
		['deferred', [commands.loadTool, commands.pinServer, commands.runTool]],
		['activated', [commands.unloadTool, commands.pinServer, commands.runTool]],
		['loaded', [commands.pinServer, commands.deferServer, commands.runTool]],
		['pinned', [commands.deferServer, commands.runTool]],
		['outside', [commands.runTool]],
		['changed', []],
	])('offers, in the state %s, the actions %j', (state, offered) => {
		expect(rowOf(node(state)).actions.map(({ name }) => commands[name])).toEqual(offered);
	});
});

describe("servers' and users' text in the quick pick", () => {
	const iconsOf = (text: string | undefined) => text?.match(/\$\([\w-]+\)/g);
	const hostile = '$(trash)\\$(bug) two\nlines\u202e';

	test('shows no icons and no line breaks', () => {
		const row: ToolRow = rowOf(node('deferred', hostile, hostile), [
			{ word: hostile, field: 'title', as: hostile },
		]);
		for (const text of [
			row.label,
			row.description,
			row.detail,
			leadRows(hostile, false)[0]?.label,
			headingRow(hostile).label,
		]) {
			expect(iconsOf(text)).toBeNull();
			expect(text).not.toMatch(/[\n\u202e]/);
		}
	});
});
