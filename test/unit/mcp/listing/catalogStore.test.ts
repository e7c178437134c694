import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sealed } from '../../../../src/common/sealedJson.ts';
import { defaultLimits, type McpLimits } from '../../../../src/mcp/limits.ts';
import { CatalogStore, launchHash } from '../../../../src/mcp/listing/catalogStore.ts';
import type { FetchedTools } from '../../../../src/mcp/listing/toolListing.ts';
import { OWNERS_FILE } from '../../../fileModes.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { FakeClock } from '../fakeClock.ts';

const launch = { kind: 'stdio' as const, command: 'c', args: ['a'], env: { B: 'sesame', A: '1' }, cwd: '/' };

function known(name: string, listedAt = 0): FetchedTools {
	const tool = {
		server: 's',
		name,
		inputSchema: { type: 'object' },
		annotations: { readOnlyHint: true },
		alwaysLoad: true as const,
	};
	return {
		from: 'live',
		server: { name: 's', instructions: 'Be kind.', tools: [tool] },
		dropped: [],
		cutShort: undefined,
		listedAt,
		ttlMs: 60_000,
	};
}

/** For files with entries that we would not write. */
const anyFormat = { version: 1, maxBytes: 1_000_000, shape: { parse: (stored: unknown) => stored } };

test('a list from the future counts as listed now: the clock was set back', async () => {
	const path = temporaryFolder();
	const store = await open(path);
	store.set(launch, known('t', 3_600_000));
	await store.flush();
	expect((await open(path)).get('s', launch)?.listedAt).toBe(0);
});

const open = (path: string, clock = new FakeClock(), limits: McpLimits = defaultLimits) =>
	CatalogStore.open(path, limits, clock);

test('a stored list is read back as cached, under the present name of the server', async () => {
	const path = temporaryFolder();
	const store = await open(path);
	store.set(launch, known('t'));
	await store.flush();

	const reread = await open(path);
	const back = reread.get('renamed', launch);

	const stored = known('t');
	const tools = stored.server.tools.map((tool) => ({ ...tool, server: 'renamed' }));
	const server = { ...stored.server, name: 'renamed', tools };
	expect(back).toEqual({ ...stored, from: 'cache', server });
	expect(reread.get('renamed', { ...launch, args: ['b'] })).toBeUndefined();
});

test('the hash of a launch does not depend on the order of its variables', () => {
	expect(launchHash({ ...launch, env: { A: '1', B: 'sesame' } })).toBe(launchHash(launch));
	expect(launchHash({ ...launch, env: { A: '1', B: '3' } })).not.toBe(launchHash(launch));
	expect(launchHash({ ...launch, args: ['a', 'b'] })).not.toBe(launchHash(launch));
});

test('several changes lead to one write, of one file without secrets that only its owner can read', async () => {
	const path = temporaryFolder();
	const clock = new FakeClock();
	const store = await open(path, clock);
	for (const name of ['a', 'b', 'c']) store.set(launch, known(name));
	await clock.pass(499);
	expect(await readdir(path)).toEqual([]);
	await clock.pass(1);
	await store.flush();
	expect(await readdir(path)).toEqual(['catalog.json']);
	const file = join(path, 'catalog.json');
	expect((await stat(file)).mode & 0o777).toBe(OWNERS_FILE);
	expect(await readFile(file, 'utf8')).not.toContain('sesame');
	expect((await open(path)).get('s', launch)?.server.tools[0]?.name).toBe('c');
});

test.each([
	['with another shape', () => '{"format":1,"servers":[]}'],
	['with another name of a tool', (text: string) => text.replace('"name":"t"', '"name":"u"')],
])('a file %s is ignored', async (_, spoil) => {
	const path = temporaryFolder();
	const store = await open(path);
	store.set(launch, known('t'));
	await store.flush();
	const file = join(path, 'catalog.json');
	await writeFile(file, spoil(await readFile(file, 'utf8')));
	expect((await open(path)).get('s', launch)).toBeUndefined();
});

test('a file over the limit is not read', async () => {
	const path = temporaryFolder();
	const store = await open(path);
	store.set(launch, known('t'));
	await store.flush();
	const limits = { ...defaultLimits, catalogFileBytes: 10 };
	expect((await open(path, new FakeClock(), limits)).get('s', launch)).toBeUndefined();
});

test('a bad tool in the file is dropped alone', async () => {
	const path = temporaryFolder();
	const file = join(path, 'catalog.json');
	const list = { listedAt: 1, tools: [{ name: 'good', inputSchema: {} }, { name: 7 }] };
	await writeFile(file, sealed([[launchHash(launch), list]], anyFormat).text);
	const back = (await open(path)).get('s', launch);
	expect(back?.server.tools.map(({ name }) => name)).toEqual(['good']);
	expect(back?.dropped).toHaveLength(1);
});

test('two windows that write at the same time keep the lists of both, and of each server the latest', async () => {
	const path = temporaryFolder();
	const [one, two] = [await open(path), await open(path)];
	const [first, second] = [
		{ ...launch, command: 'first' },
		{ ...launch, command: 'second' },
	];
	one.set(first, known('a', 1));
	two.set(second, known('b', 1));
	one.set(launch, known('later', 2));
	two.set(launch, known('earlier', 1));
	await Promise.all([one.flush(), two.flush()]);
	const next = await open(path);
	const tools = [first, second, launch].map((each) => next.get('s', each)?.server.tools[0]?.name);
	expect(tools).toEqual(['a', 'b', 'later']);
});

test('the latest lists are kept if there are too many', async () => {
	const path = temporaryFolder();
	const limits = { ...defaultLimits, catalogFileEntries: 2 };
	const store = await open(path, new FakeClock(), limits);
	const launches = [3, 1, 2].map((listedAt) => ({ launch: { ...launch, cwd: `/${listedAt}` }, listedAt }));
	for (const entry of launches) store.set(entry.launch, known('t', entry.listedAt));
	await store.flush();
	const reread = await open(path);
	expect(launches.filter((entry) => reread.get('s', entry.launch)).map(({ listedAt }) => listedAt)).toEqual([
		3, 2,
	]);
});

test('a list that is too large for the file does not displace others', async () => {
	const path = temporaryFolder();
	const limits = { ...defaultLimits, catalogFileBytes: 1_000 };
	const store = await open(path, new FakeClock(), limits);
	const large = { ...launch, command: 'large' };
	store.set(large, known('x'.repeat(2_000), 2));
	store.set(launch, known('small'));
	await store.flush();

	const again = await open(path, new FakeClock(), limits);
	expect(again.get('s', large)).toBeUndefined();
	expect(again.get('s', launch)?.server.tools[0]?.name).toBe('small');
});
