import { describe, expect, test } from 'vitest';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import type { CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import { defaultServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import type { PickRow } from '../../../../src/vscode/search/pickRows.ts';
import { chatScope, serversScope, ToolFinder } from '../../../../src/vscode/search/toolFinder.ts';
import { office, policyFor, servers, tool, toolset } from '../../discovery/fixtures.ts';
import { modelsOf, statusOf } from '../fixtures.ts';

const git = servers({ git: [tool('git', 'branch_delete', 'Delete a branch'), 'branch_list', 'log'] });

function hubOf(
	all: readonly CatalogServer[],
	toolsets: readonly ReturnType<typeof toolset>[] = [],
): ChatSessions {
	const sessions = new ChatSessions();
	sessions.setPolicy(policyFor(all), new Map(toolsets.map((one) => [one.name, one])));
	sessions.setCatalog(all);
	return sessions;
}

function finderOf(sessions: ChatSessions, scope = chatScope): ToolFinder {
	const statuses = () => sessions.catalog.servers.map(({ name }) => statusOf(name));
	return new ToolFinder({ sessions, serverModels: modelsOf(sessions, statuses) }, scope);
}

function load(sessions: ChatSessions, wireName: string): void {
	const { discovery } = sessions.currentOrNext();
	const its = discovery.surface.get(wireName);
	if (its) discovery.load([its]);
}

/** Rows in short: tools by id, headings as `# …`, commands as `? …`. */
function brief(rows: readonly PickRow[]): string[] {
	return rows.map((row) => {
		if (row.kind === 'tool') return row.node.tool.id;
		return row.kind === 'heading' ? `# ${row.label}` : `? ${[row.action, row.words].join(' ').trim()}`;
	});
}

async function shown(sessions: ChatSessions, text: string): Promise<string[]> {
	return brief(await finderOf(sessions).rows(text));
}

describe('when nothing is typed yet', () => {
	test('loaded tools come first, then the others by server', async () => {
		const sessions = hubOf([...office.slice(1), ...git]);
		load(sessions, 'git__log');
		expect(await shown(sessions, ' ')).toEqual([
			'# loaded',
			'git:log',
			'# calendar',
			'calendar:create_event',
			'calendar:delete_event',
			'calendar:search',
			'# git',
			'git:branch_delete',
			'git:branch_list',
		]);
	});

	test('the list of very many tools is truncated, and the rest is counted', async () => {
		const many = servers({ s: Array.from({ length: 300 }, (_, i) => `t${i}`) });
		expect((await shown(hubOf(many), '')).slice(-2)).toEqual(['s:t199', '# 100 more tools']);
	});
});

describe('a query in the quick pick', () => {
	test('finds tools with these words in their names first, then those that a model finds, each in its order', async () => {
		const sessions = hubOf([...office, ...git]);
		const index = await sessions.currentSurface.index();
		const found = index.search('event').map(({ tool }) => tool.id);
		const [first, second] = found.filter((id) => id.endsWith('_event'));
		expect(await shown(sessions, 'event')).toEqual([first, second, '# similar', 'calendar:search']);
	});

	test.for([
		['b', ['git:branch_delete', 'git:branch_list']],
		['del bra', ['git:branch_delete']],
		['gi log', ['git:log']],
		['BRANCH_L', ['git:branch_list']],
	] as const)('finds names by the beginnings of their words: %s', async ([typed, ids]) => {
		const rows = await shown(hubOf([...office, ...git]), typed);
		expect(rows.slice(0, ids.length)).toEqual(ids);
		expect(rows[ids.length] ?? '# similar').toBe('# similar');
	});

	test.for(['brnach', 'barnch del', 'branhc delete', 'delte', 'delet brnch'])(
		'finds a name with a typo: %s',
		async (typed) => {
			expect(await shown(hubOf([...office, ...git]), typed)).toContain('git:branch_delete');
		},
	);

	test('takes no word that exists for a typo of another', async () => {
		const sessions = hubOf(servers({ crm: ['look_up'], shop: [tool('shop', 'order', 'Order a book')] }));
		expect(await shown(sessions, 'book')).toEqual(['# similar', 'shop:order']);
	});

	test('finds an always loaded tool, which a model need not search for', async () => {
		const sessions = hubOf(git);
		sessions.setPolicy({ ...policyFor(git), servers: new Map() }, new Map());
		expect(await shown(sessions, 'brnach')).toEqual(['git:branch_delete', 'git:branch_list']);
	});

	test("puts the model's search results before tools that only have similar words", async () => {
		const sessions = hubOf(
			servers({
				crm: [tool('crm', 'look_up_meeting', 'Look up a meeting of a lead')],
				agenda: [tool('agenda', 'create_event', 'Create an event in the calendar')],
				mail: [tool('mail', 'send', 'Send either a mail or a draft')],
			}),
		);
		const [heading, first] = await shown(sessions, 'book a meeting');
		expect(heading).toBe('# similar');
		const index = await sessions.currentSurface.index();
		expect(first).toBe(index.search('book a meeting')[0]?.tool.id);
		expect(await shown(sessions, 'weather')).not.toContain('mail:send');
	});

	test('finds a tool by a description that search was taught', async () => {
		const taught = tool('git', 'log');
		const expansion = { when: 'To see who touched the code last week.' };
		const all = servers({ git: [{ ...taught, expansion }, 'status'] });
		expect(await shown(hubOf(all), 'touched last week')).toContain('git:log');
	});

	test("also finds what the model's search finds if few tools have all words", async () => {
		const rows = await shown(hubOf([...office, ...git]), 'remove a branch');
		expect(rows.slice(0, 2)).toEqual(['# similar', 'git:branch_delete']);
		expect(new Set(rows).size).toBe(rows.length);
	});

	test('finds tools with some of the words if none has all', async () => {
		const sessions = hubOf(git);
		// What is not deferred the model need not search for.
		sessions.setPolicy({ ...policyFor(git), servers: new Map() }, new Map());
		expect(await shown(sessions, 'branch xylophone')).toEqual([
			'# similar',
			'git:branch_delete',
			'git:branch_list',
		]);
	});

	test('offers to ask the chat if it finds nothing, and to teach search if some tools are untaught', async () => {
		expect(await shown(hubOf(office), ' xylophone ')).toEqual([`? ask xylophone`, `? teachSearch`]);
		const taught = office.map((server) => ({
			...server,
			tools: server.tools.map((one) => ({ ...one, expansion: { when: 'Known.' } })),
		}));
		expect(await shown(hubOf(taught), ' xylophone ')).toEqual([`? ask xylophone`]);
		const byOther = hubOf(office);
		byOther.setPolicy(policyFor(office, { ranking: 'okapi' }), new Map());
		expect(await shown(byOther, ' xylophone ')).toEqual([`? ask xylophone`]);
	});

	test("finds only tools in the chat's toolset, with their state", async () => {
		const sessions = hubOf(office, [toolset('talk', { slack: true })]);
		sessions.chooseToolset(sessions.currentOrNext(), 'talk');
		load(sessions, 'slack__search');
		const finder = finderOf(sessions);
		expect(finder.counts).toEqual({ tools: 3, servers: 1 });
		const rows = await finder.rows('search');
		expect(brief(rows)).not.toContain('calendar:search');
		expect(rows[0]).toMatchObject({ kind: 'tool', node: { state: 'activated' } });
	});
});

describe('the search for a tool to run', () => {
	test('finds a tool by words in any order, even outside the toolset of the chat', async () => {
		const sessions = hubOf([...office, ...git], [toolset('talk', { slack: true })]);
		sessions.chooseToolset(sessions.currentOrNext(), 'talk');
		const finder = finderOf(sessions, serversScope);
		expect(finder.counts.servers).toBe(3);
		const [first] = await finder.rows('delete branch');
		expect(first).toMatchObject({ node: { tool: { id: 'git:branch_delete' } }, actions: [] });
	});

	test("leaves out VS Code's own tools", async () => {
		const all = [...git, ...servers({ editor: ['open_file'] })];
		const sessions = hubOf(all);
		const editor = { ...defaultServerPolicy, isOfEditor: true } as const;
		const policy = policyFor(all);
		sessions.setPolicy({ ...policy, servers: new Map(policy.servers).set('editor', editor) }, new Map());
		const finder = finderOf(sessions, serversScope);
		expect(brief(await finder.rows(''))).not.toContain('editor:open_file');
		expect(finder.counts).toEqual({ tools: 3, servers: 1 });
	});
});

describe('when tools change, then the rows on screen', () => {
	test('keep their positions and show the new state', async () => {
		const sessions = hubOf(office);
		const finder = finderOf(sessions);
		const rows = await finder.rows('');
		load(sessions, 'calendar__search');
		const refreshed = finder.refreshed(rows);
		expect(brief(refreshed)).toEqual(brief(rows));
		expect(refreshed.at(-1)).toMatchObject({ description: expect.stringContaining('loaded') });
	});

	test('disappear with their tools, and the list says that others can be found', async () => {
		const sessions = hubOf(office);
		const finder = finderOf(sessions);
		const rows = await finder.rows('search');
		expect(finder.isOutdated).toBe(false);
		sessions.setCatalog(git);
		expect(finder.refreshed(rows)).toEqual([]);
		expect(finder.isOutdated).toBe(true);
		expect(brief(await finder.rows('branch'))).toContain('git:branch_list');
		expect(finder.isOutdated).toBe(false);
	});
});
