import { describe, expect, test } from 'vitest';
import type { Habits } from '../../../../src/discovery/habits/habits.ts';
import { Arrangement } from '../../../../src/vscode/servers/arrangement.ts';
import type { FaultyNode } from '../../../../src/vscode/servers/problemNodes.ts';
import { serverNodes } from '../../../../src/vscode/servers/serverNodes.ts';
import { toolFilter } from '../../../../src/vscode/servers/toolFilter.ts';
import { ordered, orderedServers, type ToolOrder } from '../../../../src/vscode/servers/toolOrder.ts';
import { useWords } from '../../../../src/vscode/servers/toolUse.ts';
import type { ServerNode } from '../../../../src/vscode/servers/treeNodes.ts';
import { tooltipOf } from '../../../../src/vscode/servers/treeRows.ts';
import { hubWith, toolOf } from '../loaded/hub.ts';
import { serversOf, serverWith, shownIn } from './nodes.ts';

const long = 'What it does is told at length, and so it costs more than the others do.';
const server = serverWith('files', {
	write: { description: long, use: { calls: 1 } },
	Read: {},
	copy: { description: 'Copies', use: { calls: 0, past: { calls: 9, chats: 3, last: 0 } } },
	zip: { use: { calls: 4 } },
});

function names(order: ToolOrder): readonly string[] {
	return ordered(server.tools, order).map(({ tool }) => tool.name);
}

function memento(kept?: unknown) {
	const values = new Map<string, unknown>([['toolOrder', kept]]);
	return {
		values,
		keys: () => [...values.keys()],
		get: (key: string) => values.get(key) as never,
		update: async (key: string, value: unknown) => void values.set(key, value),
	};
}

describe('tools of a server', () => {
	test('stand as the server lists them', () => {
		expect(names('configured')).toEqual(['write', 'Read', 'copy', 'zip']);
	});

	test('by name, whatever the case of its letters', () => {
		expect(names('name')).toEqual(['copy', 'Read', 'write', 'zip']);
	});

	test('by tokens, the dearest first', () => {
		expect(names('tokens')[0]).toBe('write');
		expect(names('tokens')[1]).toBe('copy');
	});

	test('by use: most called over all chats, then in this one, then as listed', () => {
		expect(names('use')).toEqual(['copy', 'zip', 'write', 'Read']);
	});
});

describe('servers', () => {
	const off: FaultyNode = { kind: 'faulty', name: 'memory', problems: [] };
	const servers = [
		off,
		serverWith('zeta', { a: { use: { calls: 3 } } }),
		serverWith('Beta', { a: { description: long }, b: { description: long } }),
		serverWith('alpha', { a: {} }),
	];
	const names = (order: ToolOrder) =>
		orderedServers(servers, order).map((node) => (node.kind === 'server' ? node.status.name : node.name));

	test('stand as the file has them, are sorted by name, by all of their tokens, by calls of all of their tools', () => {
		expect(names('configured')).toEqual(['memory', 'zeta', 'Beta', 'alpha']);
		expect(names('name')).toEqual(['alpha', 'Beta', 'memory', 'zeta']);
		expect(names('tokens')[0]).toBe('Beta');
		expect(names('tokens').at(-1)).toBe('memory');
		expect(names('use')).toEqual(['zeta', 'memory', 'Beta', 'alpha']);
	});

	test('that are off stand among the others, and are left out where tools are filtered', () => {
		const arrangement = new Arrangement(memento());
		arrangement.order = 'name';
		expect(arrangement.apply(servers.slice(1, 2) as ServerNode[], [off])).toHaveLength(2);
		arrangement.filter = toolFilter('a');
		expect(serversOf(arrangement.apply(servers.slice(1, 2) as ServerNode[], [off]))).toHaveLength(1);
		expect(arrangement.apply(servers.slice(1, 2) as ServerNode[], [off])).toHaveLength(1);
	});
});

describe('an order', () => {
	test('is kept with the workspace', () => {
		const state = memento();
		const arrangement = new Arrangement(state);
		expect(arrangement.order).toBe('configured');
		arrangement.order = 'name';
		expect(new Arrangement(memento(state.values.get('toolOrder'))).order).toBe('name');
		expect(shownIn(serversOf(arrangement.apply([server])))[0]).toBe('files:copy');
	});

	test('that nobody knows is none', () => {
		expect(new Arrangement(memento('colour')).order).toBe('configured');
	});
});

describe('how much a tool was called', () => {
	const calls = [{ server: 'files', tool: 'read', calls: 3, failures: 0, totalMs: 3, lastMs: 1 }];
	const chat = { requests: 1, missed: [], servers: [], always: [], pinned: [] };
	const habits: Habits = {
		chats: [
			{ ...chat, id: 'a', at: Date.UTC(2026, 0, 5), calls },
			{ ...chat, id: 'b', at: Date.UTC(2026, 0, 9), calls },
		],
	};

	test('is added up over all chats and told in the tooltip, with when it was last', () => {
		const hub = hubWith(['read', 'write']);
		const chat = hub.open(undefined);
		chat.discovery.journal.call(toolOf(chat, 'read'), { ms: 1, failed: false });
		const [files] = serverNodes(hub, [server.status], new Map(), [], habits);
		const [read, write] = files?.tools ?? [];
		expect(read?.use?.past).toEqual({ calls: 6, chats: 2, last: Date.UTC(2026, 0, 9) });
		expect(read && tooltipOf(read).replaceAll('\\', '')).toContain(
			'Called once in this chat. Called 6 times in 2 chats in all. Last called on ',
		);
		expect(write?.use).toBeUndefined();
	});

	test('is told in words', () => {
		expect(useWords({ calls: 1 })).toBe('Called once in this chat.');
		expect(useWords({ calls: 2, past: { calls: 5, chats: 1, last: 0 } })).toBe(
			'Called 2 times in this chat. Called 5 times in 1 chat in all.',
		);
	});
});
