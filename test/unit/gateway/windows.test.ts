import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type GatewayWindow, openWindows, registerWindow, windowOf } from '../../../src/gateway/windows.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const window = (port: number, ...folders: string[]): GatewayWindow => ({ folders, port, token: '', pid: 1 });
const windows = [window(1, '/work'), window(2, '/work/app', '/docs'), window(3, '/work/app/core'), window(4)];

describe('given several windows', () => {
	test.each([
		['/work/app/core', 3],
		['/work/app/core/src', 3],
		['/work/app', 2],
		['/work/app/corelib', 2],
		['/work/application', 1],
		['/docs/a', 2],
		['/work', 1],
		['/', undefined],
		['/workshop', undefined],
		['/elsewhere', undefined],
	])(
		'when an agent works in %s, then it reaches the window whose folder contains it most closely',
		(folder, port) => {
			expect(windowOf(windows, folder)?.port).toBe(port);
		},
	);
});

const good = { folders: ['/work'], port: 1, token: 'secret', pid: process.pid };

test.each([
	['is empty', ''],
	['is cut off', JSON.stringify(good).slice(0, 20)],
	['is no JSON', 'hello'],
	['is null', 'null'],
	['is a list', '[]'],
	['has no token', JSON.stringify({ ...good, token: undefined })],
	['has a text as its port', JSON.stringify({ ...good, port: '1' })],
	['has a text as its folders', JSON.stringify({ ...good, folders: '/work' })],
	['has no process', JSON.stringify({ ...good, pid: undefined })],
	['is of a process that has ended', JSON.stringify({ ...good, pid: 2 ** 22 - 1 })],
])('given a note that %s, then it is no window, and the others are found', async (_, text) => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, '1.json'), text);
	mkdirSync(join(folder, '2.json'));
	await registerWindow(folder, good);
	expect(await openWindows(folder)).toEqual([good]);
});

test('given no folder of notes, then there are no windows', async () => {
	expect(await openWindows(join(temporaryFolder(), 'none'))).toEqual([]);
});
