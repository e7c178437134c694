import { describe, expect, test } from 'vitest';
import type { Habits } from '../../../../src/discovery/habits/habits.ts';
import { type FaultyNode, rowOf } from '../../../../src/vscode/trees/serverRows.ts';
import { TreeOptions, toolFilter, withStateToggled } from '../../../../src/vscode/trees/treeOptions.ts';
import { tooltipOf, useLabel } from '../../../../src/vscode/ui/tooltips.ts';
import { ended } from '../../discovery/fixtures.ts';
import { hubWith, modelsOf, serverWith, storage, toolOf } from '../fixtures.ts';

type Order = TreeOptions['order'];

const servers = [
	serverWith('git', {
		git_log: { description: 'Shows the commits', state: 'activated' },
		git_show: { description: 'Shows one commit', state: 'pinned' },
	}),
	serverWith(
		'memory',
		{
			read: { title: 'Read the Log' },
			write: { unsent: { model: 'gpt', reason: 'Too large.' }, state: 'loaded' },
		},
		{ description: 'A knowledge graph' },
	),
];

function optionsWith({ order, filter }: { readonly order?: Order; readonly filter?: string }): TreeOptions {
	const options = new TreeOptions(storage());
	if (order) options.order = order;
	if (filter !== undefined) options.filter = toolFilter(filter);
	return options;
}

function shown(typed: string): readonly string[] {
	return [...optionsWith({ filter: typed }).arranged(servers).values()].flat().map(({ tool }) => tool.id);
}

describe('a filter', () => {
	test('matches tools whose texts or server name contain every word', () => {
		expect(shown('log')).toEqual(['git:git_log', 'memory:read']);
		expect(shown(' LOG  git ')).toEqual(['git:git_log']);
		expect(shown('memory log')).toEqual(['memory:read']);
		expect(shown('commit')).toEqual(['git:git_log', 'git:git_show']);
		expect(shown('pizza')).toEqual([]);
	});

	test('shows all tools of a server whose own texts match', () => {
		expect(shown('knowledge')).toEqual(['memory:read', 'memory:write']);
	});

	test('matches tools in one of the named states', () => {
		expect(shown('@pinned')).toEqual(['git:git_show']);
		expect(shown('@loaded')).toEqual(['git:git_log', 'git:git_show', 'memory:write']);
		expect(shown('@deferred @pinned')).toEqual(['git:git_show', 'memory:read']);
		expect(shown('@unsent')).toEqual(['memory:write']);
		expect(shown('log @loaded')).toEqual(['git:git_log']);
	});

	test('is off without text', () => {
		expect(toolFilter('  ')).toBeUndefined();
	});

	test('does not change the counts of a server, and adds how many tools are shown', () => {
		const [[git, tools] = []] = optionsWith({ filter: 'show one' }).arranged(servers);
		expect(git && rowOf(git, tools)).toMatchObject({
			description: expect.stringMatching(/^1 of 2 tools · 2 loaded · ≈\d+ tokens$/),
			contextValue: expect.stringContaining('deferServer+'),
		});
	});
});

test('a filter button adds a state to the typed text, or removes it', () => {
	expect(withStateToggled('git', 'pinned')).toBe('git @pinned');
	expect(withStateToggled('git @Pinned log', 'pinned')).toBe('git log');
	expect(withStateToggled('', 'unsent')).toBe('@unsent');
});

const long = 'What it does is told at length, and so it costs more than the others do.';
const server = serverWith('files', {
	write: { description: long, use: { calls: 1 } },
	Read: {},
	copy: { description: 'Copies', use: { calls: 0, past: { calls: 9, chats: 3, last: 0 } } },
	zip: { use: { calls: 4 } },
});

function names(order: Order): readonly string[] {
	return (optionsWith({ order }).arranged([server]).get(server) ?? []).map(({ tool }) => tool.name);
}

describe('tools of a server', () => {
	test('are in the order of the server by default', () => {
		expect(names('configured')).toEqual(['write', 'Read', 'copy', 'zip']);
	});

	test('can be sorted by name, ignoring case', () => {
		expect(names('name')).toEqual(['copy', 'Read', 'write', 'zip']);
	});

	test('can be sorted by tokens, most first', () => {
		expect(names('tokens')[0]).toBe('write');
		expect(names('tokens')[1]).toBe('copy');
	});

	test('can be sorted by calls in all chats, then in this chat, then by the order of the server', () => {
		expect(names('use')).toEqual(['copy', 'zip', 'write', 'Read']);
	});
});

describe('servers', () => {
	const off: FaultyNode = { kind: 'faulty', name: 'memory', problems: [] };
	const servers = [
		serverWith('zeta', { a: { use: { calls: 3 } } }),
		serverWith('Beta', { a: { description: long }, b: { description: long } }),
		serverWith('alpha', { a: {} }),
	];
	const names = (order: Order) =>
		[...optionsWith({ order }).arranged(servers, [off]).keys()].map((node) =>
			node.kind === 'server' ? node.status.name : node.name,
		);

	test('are in the order of the file, or sorted by name, total tokens or total calls', () => {
		expect(names('configured')).toEqual(['memory', 'zeta', 'Beta', 'alpha']);
		expect(names('name')).toEqual(['alpha', 'Beta', 'memory', 'zeta']);
		expect(names('tokens')[0]).toBe('Beta');
		expect(names('tokens').at(-1)).toBe('memory');
		expect(names('use')).toEqual(['zeta', 'memory', 'Beta', 'alpha']);
	});

	test('with errors are sorted with the other servers, and hidden by a filter', () => {
		const options = optionsWith({ order: 'name' });
		const shown = () => [...options.arranged(servers.slice(0, 1), [off]).keys()];
		expect(shown()).toEqual([off, servers[0]]);
		options.filter = toolFilter('a');
		expect(shown()).toEqual([servers[0]]);
	});
});

describe('the sort order of the tree', () => {
	test('is stored in the workspace', () => {
		const state = storage();
		const arrangement = new TreeOptions(state);
		expect(arrangement.order).toBe('configured');
		arrangement.order = 'name';
		expect(new TreeOptions(storage(state.text())).order).toBe('name');
		expect(arrangement.arranged([server]).get(server)?.[0]?.tool.id).toBe('files:copy');
	});

	test('is the default if the stored one is unknown', () => {
		expect(new TreeOptions(storage('{"toolOrder": "colour"}')).order).toBe('configured');
	});
});

describe('the number of calls of a tool', () => {
	const calls = [{ server: 'files', tool: 'read', calls: 3, failures: 0, totalMs: 3, lastMs: 1 }];
	const chat = { requests: 1, missed: [], servers: [], always: [], pinned: [] };
	const habits: Habits = {
		chats: [
			{ ...chat, id: 'a', at: Date.UTC(2026, 0, 5), calls },
			{ ...chat, id: 'b', at: Date.UTC(2026, 0, 9), calls },
		],
	};

	test('is summed over all chats, and shown in the tooltip with the time of the last call', () => {
		const sessions = hubWith(['read', 'write']);
		const chat = sessions.open(undefined);
		ended(chat.discovery, toolOf(chat, 'read'));
		const [files] = modelsOf(sessions, () => [server.status], habits).servers;
		const [read, write] = files?.tools ?? [];
		expect(read?.use?.past).toEqual({ calls: 6, chats: 2, last: Date.UTC(2026, 0, 9) });
		expect(read && tooltipOf(read).replaceAll('\\', '')).toContain(
			'Called once in this chat. Called 6 times in 2 chats in total. Last call: ',
		);
		expect(write?.use).toBeUndefined();
	});

	test('is shown as a sentence', () => {
		expect(useLabel({ calls: 1 })).toBe('Called once in this chat.');
		expect(useLabel({ calls: 1, past: { calls: 1, chats: 1, last: 0 } })).toBe('Called once in this chat.');
		expect(useLabel({ calls: 2, past: { calls: 5, chats: 1, last: 0 } })).toBe(
			'Called 2 times in this chat. Called 5 times in 1 chat in total.',
		);
	});
});
