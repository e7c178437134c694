import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Catalog, type CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import type { Tool } from '../../../../src/discovery/catalog/tool.ts';
import { definitionHash } from '../../../../src/mcp/accepted/definition.ts';
import { callHash } from '../../../../src/mcp/accepted/permissions.ts';
import { ExpansionStore } from '../../../../src/vscode/core/expansionStore.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { tool } from '../../discovery/fixtures.ts';

const text = { when: 'To see who wrote a line.', queries: ['who did this'] };

const entryOf = (server: string) => `user ${server}`;

/** `file`: whose entries the servers are. */
async function opened(where: string, file = 'user'): Promise<ExpansionStore> {
	const store = new ExpansionStore({ folder: where, now: () => 1, entryOf: (server) => `${file} ${server}` });
	onTestFinished(() => store.dispose());
	await store.load();
	return store;
}

function catalogOf(store: ExpansionStore, ...tools: readonly Tool[]): readonly CatalogTool[] {
	const servers = [...Map.groupBy(tools, ({ server }) => server)].map(([name, its]) => ({
		name,
		tools: its,
	}));
	return new Catalog(store.withExpansions(servers), 1).tools;
}

const blame = () => tool('git', 'blame', 'Who wrote what');

function only(tools: readonly CatalogTool[]): CatalogTool {
	const [one] = tools;
	if (!one) throw new Error('there is no tool');
	return one;
}

describe('given two files with a server of the same name and the same tool', () => {
	test('then neither has, replaces or deletes what was learned about the other’s', async () => {
		const where = temporaryFolder();
		const users = await opened(where);
		await users.change([[only(catalogOf(users, blame())), text]]);

		const workspaces = await opened(where, 'workspace');
		const theirs = only(catalogOf(workspaces, blame()));
		expect(theirs.expansion).toBeUndefined();
		expect(workspaces.expansionOf(theirs)).toBeUndefined();
		await workspaces.change([[theirs, { when: 'Always, before all others.' }]]);
		await workspaces.change([[theirs, undefined]]);
		await workspaces.change([[theirs, { when: 'Always, before all others.' }]]);

		const next = await opened(where);
		expect(only(catalogOf(next, blame())).expansion).toEqual(text);
	});

	test('when the one takes the place of the other in a window, then it does not get the other’s texts', async () => {
		let file = 'user';
		const store = new ExpansionStore({
			folder: temporaryFolder(),
			now: () => 1,
			entryOf: (server) => `${file} ${server}`,
		});
		onTestFinished(() => store.dispose());
		const listed = [{ name: 'git', tools: [blame()] }];
		const texts = () => new Catalog(store.withExpansions(listed), 1).tools.map(({ expansion }) => expansion);
		await store.change([[only(catalogOf(store, blame())), text]]);
		expect(texts()).toEqual([text]);
		file = 'workspace';
		expect(texts()).toEqual([undefined]);
		file = 'user';
		expect(texts()).toEqual([text]);
	});
});

describe('given a learned description of a tool', () => {
	test('then the next window has it, as long as the tool definition is the same', async () => {
		const where = temporaryFolder();
		const store = await opened(where);
		await store.change([[only(catalogOf(store, blame())), text]]);
		const next = await opened(where);
		const others = [tool('git', 'blame', 'Who wrote what, or not'), tool('svn', 'blame', 'Who wrote what')];
		expect(only(catalogOf(next, blame())).expansion).toEqual(text);
		for (const other of others) expect(only(catalogOf(next, other)).expansion).toBeUndefined();
	});

	test('then the hashes of the definition do not change, so permissions and acceptance stay valid', async () => {
		const store = await opened(temporaryFolder());
		const before = only(catalogOf(store, blame()));
		await store.change([[before, text]]);
		const after = only(catalogOf(store, blame()));
		expect(after.expansion).toEqual(text);
		expect(callHash(after)).toBe(callHash(before));
		expect(definitionHash({ ...blame(), expansion: text })).toBe(definitionHash(blame()));
		expect(store.expansionOf(after)).toEqual(text);
	});

	test('then each change fires an event, and the tool objects stay the same between changes', async () => {
		const store = await opened(temporaryFolder());
		let told = 0;
		store.onDidChange(() => told++);
		const listed = blame();
		await store.change([[only(catalogOf(store, listed)), text]]);
		expect([told, store.size]).toEqual([1, 1]);
		const servers = [{ name: 'git', tools: [listed] }];
		const [applied] = store.withExpansions(servers);
		expect(store.withExpansions(servers)[0]).toBe(applied);
		await store.change([[only(catalogOf(store, listed)), undefined]]);
		expect(store.withExpansions(servers)[0]?.tools).toEqual([listed]);
	});

	test('when it is cleared, then it is deleted from disk, and can be restored', async () => {
		const where = temporaryFolder();
		const store = await opened(where);
		const learned = only(catalogOf(store, blame()));
		await store.change([[learned, text]]);
		const restore = await store.clear();
		expect([store.size, (await opened(where)).size]).toEqual([0, 0]);
		await restore();
		expect((await opened(where)).expansionOf(learned)).toEqual(text);
	});

	test('when an unchanged file is read again, then no event fires, so that nothing is rebuilt', async () => {
		const where = temporaryFolder();
		const store = await opened(where);
		await store.change([[only(catalogOf(store, blame())), text]]);
		let told = 0;
		store.onDidChange(() => told++);
		await store.load();
		expect(told).toBe(0);
		await (await opened(where)).change([[only(catalogOf(store, tool('git', 'log'))), text]]);
		await store.load();
		expect([told, store.size]).toEqual([1, 2]);
	});

	test('when a change expects an outdated description, then the changes of another window stay', async () => {
		const where = temporaryFolder();
		const store = await opened(where);
		const tools = catalogOf(store, tool('git', 'blame'), tool('git', 'log'), tool('git', 'show'));
		await store.change(tools.map((each) => [each, text]));
		const [taughtAnew, forgotten, same] = tools;
		if (!taughtAnew || !forgotten || !same) throw new Error('there are no three tools');
		await (await opened(where)).change([
			[taughtAnew, { when: 'Later.' }],
			[forgotten, undefined],
		]);
		await store.change(tools.map((each) => [each, { when: 'Before.' }, text]));
		expect(tools.map((each) => store.expansionOf(each)?.when)).toEqual(['Later.', undefined, 'Before.']);
		await store.change([[same, undefined, { when: 'Before.' }]]);
		expect(store.expansionOf(same)).toBeUndefined();
	});

	test('when there are too many for the file, then the latest stay, even after the next write', async () => {
		const where = temporaryFolder();
		let now = 0;
		const store = new ExpansionStore({ folder: where, now: () => ++now, entryOf });
		const names = Array.from({ length: 9_000 }, (_, i) => tool('git', `tool_${i}`));
		const tools = new Catalog([{ name: 'git', tools: names }], 1).tools;
		const long = {
			when: '検'.repeat(240),
			queries: Array.from({ length: 5 }, (_, i) => '索'.repeat(150 + i)),
		};
		await store.change(tools.slice(1).map((each) => [each, long]));
		const kept = store.size;
		expect((await opened(where)).size).toBe(kept);
		const latest = only(tools);
		await store.change([[latest, text]]);
		expect(store.expansionOf(latest)).toEqual(text);
		expect(store.size).toBeGreaterThanOrEqual(kept);
		expect(kept).toBeGreaterThan(5_000);
	});

	test('when another window writes at the same time, then nothing is lost', async () => {
		const where = temporaryFolder();
		const [one, two] = [await opened(where), await opened(where)];
		const tools = catalogOf(one, ...Array.from({ length: 8 }, (_, i) => tool('git', `tool_${i}`)));
		await Promise.all(tools.map((each, i) => (i % 2 === 0 ? one : two).change([[each, text]])));
		expect((await opened(where)).size).toBe(8);
	});
});

describe('given a damaged file of learned descriptions', () => {
	test.each([
		['rubbish', () => 'rubbish'],
		['an empty one', () => ''],
		['one with a changed bit', (own: string) => own.replace('wrote', 'wrOte')],
		['one of an earlier format', (own: string) => own.replace('"format":1', '"format":0')],
	])('when it is %s, then it counts as empty, and the next description is stored', async (_, spoil) => {
		const where = temporaryFolder();
		const store = await opened(where);
		const learned = only(catalogOf(store, blame()));
		await store.change([[learned, text]]);
		const file = join(where, 'expansions.json');
		await writeFile(file, spoil(await readFile(file, 'utf8')));
		const next = await opened(where);
		expect(next.size).toBe(0);
		await next.change([[learned, text]]);
		expect((await opened(where)).expansionOf(learned)).toEqual(text);
	});
});
