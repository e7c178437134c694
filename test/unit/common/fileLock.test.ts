import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { acquireLock, locked } from '../../../src/common/fileLock.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

/** More than any process has. */
const noProcess = 2 ** 30;
const script = fileURLToPath(new URL('lockingProcess.ts', import.meta.url));

/** The lock of a file, in the hands of a process. */
function holdAs(pid: number, file: string): void {
	mkdirSync(`${file}.lock`);
	writeFileSync(join(`${file}.lock`, `${pid}.0123456789ab`), '');
}

test('given several waiters, then one works at a time, and no file is left behind', async () => {
	const file = join(temporaryFolder(), 'deep', 'a.json');
	let inside = 0;
	let most = 0;
	const work = async () => {
		most = Math.max(most, ++inside);
		await new Promise((resolve) => setImmediate(resolve));
		inside--;
	};
	await Promise.all(Array.from({ length: 8 }, () => locked(file, work)));
	await expect(locked(file, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
	expect([most, readdirSync(join(file, '..'))]).toEqual([1, []]);
});

test('given processes that race and some that are killed with the lock, then no update is lost', async () => {
	const path = temporaryFolder();
	writeFileSync(join(path, 'counter'), '0');
	const turns = 15;
	// Two of four die in their turn; each has had as many turns before.
	const dies = [undefined, 3, undefined, 7];
	const endsWell = dies.map(async (turn) => {
		const child = spawn(process.execPath, [script, path, String(turns), String(turn ?? '')], {
			stdio: 'inherit',
		});
		const [code] = await once(child, 'exit');
		return code === 0;
	});
	expect(await Promise.all(endsWell)).toEqual(dies.map((turn) => turn === undefined));
	const all = 2 * turns + 3 + 7;
	const log = readFileSync(join(path, 'log'), 'utf8').trim().split('\n').map(Number);
	expect(log).toEqual(Array.from({ length: all }, (_, i) => i + 1));
	await locked(join(path, 'counter'), async () => {});
	expect(readdirSync(path).sort()).toEqual(['counter', 'log']);
}, 60_000);

test('given a frozen holder that lost its lock, then it does not release its successor’s lock', async () => {
	const file = join(temporaryFolder(), 'a.json');
	const releaseFrozen = await acquireLock(file);
	const [frozen = ''] = readdirSync(`${file}.lock`);
	// What a waiter does that has seen no beat for too long.
	rmSync(join(`${file}.lock`, frozen));
	const release = await acquireLock(file);
	await releaseFrozen();
	expect(existsSync(`${file}.lock`)).toBe(true);
	const done: string[] = [];
	const third = locked(file, async () => done.push('third'));
	await new Promise((resolve) => setTimeout(resolve, 100));
	done.push('successor');
	await release();
	await third;
	expect(done).toEqual(['successor', 'third']);
});

test('given a running holder without a heartbeat, then waiters wait only for a limited time', async () => {
	const file = join(temporaryFolder(), 'a.json');
	holdAs(process.pid, file);
	let waited = 0;
	const real = performance.now.bind(performance);
	const now = vi.spyOn(performance, 'now').mockImplementation(() => real() + waited);
	onTestFinished(() => now.mockRestore());
	const turn = locked(file, async () => 'done');
	const first = await Promise.race([turn, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))]);
	expect(first).toBe('waits');
	waited = 11_000;
	expect(await turn).toBe('done');
});

test.each([
	['that a process which is gone holds', (file: string) => holdAs(noProcess, file)],
	['without a holder', (file: string) => mkdirSync(`${file}.lock`)],
	['that is a file', (file: string) => writeFileSync(`${file}.lock`, `${process.pid} 0`)],
	['that is a link to nothing', (file: string) => symlinkSync(join(file, 'nothing'), `${file}.lock`)],
])('given a lock %s, then only one waiter at a time gets it', async (_, prepare) => {
	const file = join(temporaryFolder(), 'a.json');
	prepare(file);
	let inside = 0;
	const order: number[] = [];
	await Promise.all(
		Array.from({ length: 4 }, () =>
			locked(file, async () => {
				order.push(++inside);
				await new Promise((resolve) => setImmediate(resolve));
				inside--;
			}),
		),
	);
	expect(order).toEqual([1, 1, 1, 1]);
});

test('given a foreign folder in place of a lock, then it is left alone', async () => {
	const file = join(temporaryFolder(), 'a.json');
	mkdirSync(`${file}.lock`);
	writeFileSync(join(`${file}.lock`, 'notes.txt'), 'mine');
	await expect(locked(file, async () => 'done')).rejects.toThrow('a.json.lock is in the way');
	expect(readFileSync(join(`${file}.lock`, 'notes.txt'), 'utf8')).toBe('mine');
});
