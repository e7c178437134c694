import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { withContributions, withTexts } from '../../../../scripts/actions/manifest.ts';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import type { ServerState } from '../../../../src/mcp/serverState.ts';
import { contextValue, contributions } from '../../../../src/vscode/actions/contributions.ts';
import { actions } from '../../../../src/vscode/actions/table.ts';
import type { CommandName } from '../../../../src/vscode/ui/ids.ts';
import type { ServerNode, ToolNode } from '../../../../src/vscode/ui/nodes.ts';
import { modelsOf, statusOf } from '../fixtures.ts';

const contents = (name: string) => JSON.parse(readFileSync(name, 'utf8'));

test('package.json and package.nls.json are up to date with the table of actions', () => {
	const manifest = contents('package.json');
	expect(withContributions(manifest)).toEqual(manifest);
	const texts = contents('package.nls.json');
	expect(withTexts(texts)).toEqual(texts);
});

test('the palette shows these commands', () => {
	const { commandPalette = [] } = contributions().menus as Record<
		string,
		{ command: string; when: string }[]
	>;
	const hidden = commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command);
	for (const name of ['rebuildIndex', 'pinServer', 'deferServer'])
		expect(hidden).not.toContain(`mcpDiscovery.${name}`);
});

test('an action that the UI offers only in trusted workspaces cannot run in untrusted ones', () => {
	const { menus } = contributions();
	const offered = Object.entries(menus)
		.filter(([menu]) => menu !== 'view/item/context')
		.flatMap(([, items]) => items as { command: string; when: string }[]);
	// What is typed into the chat is answered there.
	const harmless = ['ask', 'openConfig'];
	const unguarded = offered
		.filter(({ when }) => when.includes('isWorkspaceTrusted'))
		.map(({ command }) => command.replace('mcpDiscovery.', '') as CommandName)
		.filter((name) => actions[name].withoutTrust && !harmless.includes(name));
	expect(unguarded).toEqual([]);
	for (const name of ['startServer', 'enableDiscovery', 'addServer'] as const)
		expect(actions[name].withoutTrust, name).toBeUndefined();
});

const states: readonly ServerState[] = [
	{ kind: 'unapproved' },
	{ kind: 'disabled' },
	{ kind: 'stopped' },
	{ kind: 'starting' },
	{ kind: 'starting', first: { installs: true }, since: 0 },
	{ kind: 'ready', since: 0 },
] as readonly ServerState[];
const toolStates = ['pinned', 'loaded', 'activated', 'deferred', 'changed', 'outside', 'disabled'] as const;

function toolIn(state: ToolNode['state'], isOfEditor?: true): ToolNode {
	const tool = { server: 's', name: state, id: `s:${state}`, wireName: `s__${state}`, inputSchema: {} };
	return { kind: 'tool', tool, state, why: '', ...(isOfEditor && { isOfEditor }) } as unknown as ToolNode;
}

function serverIn(state: ServerState, tools: readonly ToolNode[], signedIn?: true): ServerNode {
	const status = statusOf('s', { state, ...(signedIn && { signedIn }) });
	const [node] = modelsOf(new ChatSessions(), () => [status]).servers;
	if (!node) throw new Error('the server has no row');
	return { ...node, tools, place: { replacesUsers: false } };
}

const nodes = [
	...states.flatMap((state) =>
		[[], ...toolStates.map((one) => [toolIn(one)]), toolStates.map((one) => toolIn(one))].flatMap((tools) => [
			serverIn(state, tools),
			serverIn(state, tools, true),
		]),
	),
	...toolStates.map((state) => toolIn(state)),
	...(['activated', 'deferred', 'outside'] as const).map((state) => toolIn(state, true)),
	...[[], ['KEY']].map((unset) => ({ kind: 'faulty' as const, name: 's', unset })),
];

describe('every row', () => {
	test('has no two menu entries or buttons at the same position', () => {
		for (const node of nodes) {
			const value = contextValue(node).split(' ').filter(Boolean);
			const names = value.map((name) => name.replace('+', '') as CommandName);
			const menu = names.flatMap((name) => actions[name].menu ?? []);
			const buttons = value
				.filter((name) => name.endsWith('+'))
				.map((name) => actions[name.slice(0, -1) as CommandName].inline?.at);
			expect(menu, value.join()).toHaveLength(new Set(menu).size);
			expect(buttons, value.join()).toHaveLength(new Set(buttons).size);
		}
	});

	test('has at most three buttons, and a deferred tool of VS Code can only be loaded', () => {
		for (const node of nodes) expect(contextValue(node).match(/\+/g)?.length ?? 0).toBeLessThanOrEqual(3);
		expect(contextValue(toolIn('deferred', true))).toBe('loadTool showTool copyName');
	});
});
