import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readPlainFile } from '../../../src/common/atomicFile.ts';
import { isPathIn, OutsideError, realPathIn } from '../../../src/common/insideFolder.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

/** A workspace with files of its own, beside the user's files; `link` adds a link to the workspace. */
function disk() {
	const root = temporaryFolder();
	const workspace = join(root, 'ws');
	for (const folder of ['ws/sub', 'ws-other', 'home/sub']) mkdirSync(join(root, folder), { recursive: true });
	for (const file of ['ws/a', 'ws/sub/a']) writeFileSync(join(root, file), 'inside');
	for (const file of ['ws-other/a', 'home/a', 'home/sub/a']) writeFileSync(join(root, file), 'outside');
	const link = (target: string, name: string) => symlinkSync(target, join(workspace, name));
	return { root, workspace, link };
}

type Disk = ReturnType<typeof disk>;

const leadsIn: [kind: string, name: string, prepare?: (disk: Disk) => void][] = [
	['a file', 'a'],
	['a file in a folder', 'sub/a'],
	['a path that goes up and comes back', 'sub/../a'],
	['a name that begins with dots', '..a', ({ workspace }) => writeFileSync(join(workspace, '..a'), 'inside')],
	['a link to a file beside it', 'l', ({ link }) => link('a', 'l')],
	['an absolute link that stays inside', 'l', ({ link, workspace }) => link(join(workspace, 'sub/a'), 'l')],
	['a link to a folder', 'l/a', ({ link }) => link('sub', 'l')],
	[
		'a chain of links',
		'l1',
		({ link }) => {
			link('l2', 'l1');
			link('sub/a', 'l2');
		},
	],
	['a link to the workspace itself', 'l/sub/a', ({ link }) => link('.', 'l')],
];

test.each(leadsIn)('%s is read', async (_, name, prepare) => {
	const here = disk();
	prepare?.(here);
	const file = join(here.workspace, name);
	expect((await readPlainFile(file, { within: here.workspace })).toString()).toBe('inside');
	// The workspace may have been opened through a link.
	const opened = join(here.root, 'opened');
	symlinkSync(here.workspace, opened);
	expect((await readPlainFile(join(opened, name), { within: opened })).toString()).toBe('inside');
});

const leadsOut: [kind: string, name: string, prepare?: (disk: Disk) => void][] = [
	['a path that goes up', '../home/a'],
	['a path that goes up from a folder', 'sub/../../home/a'],
	['a folder whose name only begins like that of the workspace', '../ws-other/a'],
	['a link to a file', 'l', ({ link, root }) => link(join(root, 'home/a'), 'l')],
	['a relative link', 'l', ({ link }) => link('../home/a', 'l')],
	['a relative link in a folder', 'sub/l', ({ link }) => link('../../home/a', 'sub/l')],
	['a link to a folder', 'l/a', ({ link }) => link('../home', 'l')],
	['a file in a folder of a linked folder', 'l/sub/a', ({ link }) => link('../home', 'l')],
	['a link to the parent', 'l/home/a', ({ link }) => link('..', 'l')],
	['a link to the root', 'l', ({ link }) => link('/', 'l')],
	['a link to a folder beside it', 'l', ({ link }) => link('../ws-other/a', 'l')],
	[
		'a chain of links',
		'l1',
		({ link }) => {
			link('sub/l2', 'l1');
			link('../l3', 'sub/l2');
			link('../home/a', 'l3');
		},
	],
	[
		'a link through a linked folder',
		'l2',
		({ link }) => {
			link('../home', 'l1');
			link('l1/a', 'l2');
		},
	],
	['a link to nothing outside, which a write would create', 'l', ({ link }) => link('../home/none', 'l')],
	[
		'a chain to nothing outside',
		'l1',
		({ link }) => {
			link('l2', 'l1');
			link('../home/none', 'l2');
		},
	],
	['a missing file in a linked folder', 'l/none', ({ link }) => link('../home', 'l')],
	['a missing folder in a linked folder', 'l/none/none', ({ link }) => link('../home', 'l')],
];

test.each(leadsOut)('%s leads out and is not read', async (_, name, prepare) => {
	const here = disk();
	prepare?.(here);
	const file = join(here.workspace, name);
	await expect(readPlainFile(file, { within: here.workspace })).rejects.toThrow(OutsideError);
	await expect(realPathIn(here.workspace, file)).rejects.toThrow('leads out of the folder');
});

test.each<[kind: string, name: string, code: string, prepare?: (disk: Disk) => void]>([
	['a missing file', 'none', 'ENOENT'],
	['a missing folder', 'none/none', 'ENOENT'],
	['a link to nothing inside', 'l', 'ENOENT', ({ link }) => link('none', 'l')],
	[
		'links in a circle',
		'l1',
		'ELOOP',
		({ link }) => {
			link('l2', 'l1');
			link('l1', 'l2');
		},
	],
])('%s is no file, with the code of the system', async (_, name, code, prepare) => {
	const here = disk();
	prepare?.(here);
	const reading = readPlainFile(join(here.workspace, name), { within: here.workspace });
	await expect(reading).rejects.toMatchObject({ code });
});

test('a folder that becomes a link while a file in it is looked up and opened is not followed', async () => {
	const { workspace, link } = disk();
	const at = (name: string) => join(workspace, name);
	link('../home/sub', 'evil');
	let isOver = false;
	const swapping = (async () => {
		while (!isOver) {
			renameSync(at('sub'), at('kept'));
			renameSync(at('evil'), at('sub'));
			await setImmediate();
			renameSync(at('sub'), at('evil'));
			renameSync(at('kept'), at('sub'));
			await setImmediate();
		}
	})();
	const read = new Set<string>();
	// On a busy machine, the folder may be a link each time that it is looked up.
	for (let i = 0; i < 400 || read.size === 0; i++) {
		const content = await readPlainFile(at('sub/a'), { within: workspace }).catch(() => undefined);
		if (content) read.add(content.toString());
	}
	isOver = true;
	await swapping;
	expect([...read]).toEqual(['inside']);
	expect(readFileSync(at('sub/a'), 'utf8')).toBe('inside');
});

test('a path is compared by its parts, not by its letters', () => {
	expect(isPathIn('/ws', '/ws')).toBe(true);
	expect(isPathIn('/ws', '/ws/..a')).toBe(true);
	expect(isPathIn('/ws', '/ws2/a')).toBe(false);
	expect(isPathIn('/ws', '/ws/../a')).toBe(false);
});
