import { expect, test } from 'vitest';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { faultLaunch } from './faults/faultServers.ts';
import { node, program } from './launches.ts';
import { eventually, newPool, startedPool, statusOf, toolNames } from './poolFixture.ts';

const listing = faultLaunch(['healthy']);

/** A folder with the lists that a pool has stored. */
async function folderWithCache(): Promise<string> {
	const folder = temporaryFolder();
	await (await startedPool({ listing }, { folder })).dispose();
	return folder;
}

test('a server that becomes eager starts and shows its cached tools meanwhile, unless the user has stopped it', async () => {
	const pool = await newPool({ folder: await folderWithCache() });
	const launches = new Map([['listing', listing]]);
	pool.setLaunches(launches, { eager: () => false });
	expect(statusOf(pool, 'listing')).toMatchObject({ state: { kind: 'stopped' }, cached: true });
	const [before] = pool.catalogServers();
	pool.setLaunches(launches, { eager: () => true });
	expect(statusOf(pool, 'listing')).toMatchObject({ state: { kind: 'starting' }, cached: true });
	expect(toolNames(pool, 'listing')).toContain('work');
	await pool.whenReady(['listing'], { timeoutMs: 30_000 });
	expect(statusOf(pool, 'listing')).toMatchObject({ state: { kind: 'ready' }, cached: false });
	expect(pool.catalogServers()[0]).toBe(before);

	await pool.stop('listing');
	pool.setLaunches(launches, { eager: () => true });
	expect(statusOf(pool, 'listing').state.kind).toBe('stopped');
});

test('a server that lists differently from the cache changes the catalog', async () => {
	const folder = temporaryFolder();
	const changing = node(program('changingServer'));
	const first = await startedPool({ changing }, { folder });
	await first.callTool('changing', 'grow', {});
	await eventually(() => toolNames(first, 'changing').length === 3);
	await first.dispose();

	const pool = await newPool({ folder });
	pool.setLaunches(new Map([['changing', changing]]), { eager: () => false });
	expect(toolNames(pool, 'changing')).toContain('grown-2');
	const [before] = pool.catalogServers();
	await pool.start('changing');
	expect(toolNames(pool, 'changing')).not.toContain('grown-2');
	expect(pool.catalogServers()[0]).not.toBe(before);
});

test('a stale list is fetched once, however many ask, and a fresh one not at all', async () => {
	const pool = await startedPool({ changing: node(program('changingServer')) }, { toolCacheTtlSeconds: 3 });
	const lists = async () => Number(resultText(await pool.callTool('changing', 'count', {})));
	await pool.refreshIfStale();
	expect(await lists()).toBe(1);

	await new Promise((resolve) => setTimeout(resolve, 3_100));
	await Promise.all([pool.refreshIfStale(), pool.refreshIfStale(), pool.refreshIfStale()]);
	expect(await lists()).toBe(2);
});

test('with a time to live of 0 a list is never stale, and a refresh fetches it all the same', async () => {
	const pool = await startedPool({ changing: node(program('changingServer')) }, { toolCacheTtlSeconds: 0 });
	const lists = async () => Number(resultText(await pool.callTool('changing', 'count', {})));
	await new Promise((resolve) => setTimeout(resolve, 50));
	await pool.refreshIfStale();
	expect(await lists()).toBe(1);
	await pool.refresh();
	expect(await lists()).toBe(2);
});
