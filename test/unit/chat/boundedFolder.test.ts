import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BoundedFolder } from '../../../src/chat/boundedFolder.ts';
import { OWNERS_FILE, OWNERS_FOLDER } from '../../fileModes.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const limits = { bytes: 1_000, files: 4, ageMs: 1_000 };

const folderPath = () => join(temporaryFolder(), 'results');

/** A folder in a time that the test moves on. */
function folderInTime(path = folderPath()) {
	const time = { now: 1_000_000 };
	return { path, time, folder: new BoundedFolder(path, limits, () => time.now) };
}

const bytes = (n: number) => Buffer.alloc(n, 'x');

describe('the folder of large results', () => {
	test('stores a result under a random name that only its owner can read', async () => {
		const { path, folder } = folderInTime();
		const names = [await folder.keep(Buffer.from('grüße')), await folder.keep(Buffer.from('grüße'))];
		expect(new Set(names).size).toBe(2);
		expect(names[0]).toMatch(/^result-[0-9a-f]{12}$/);
		expect((await folder.read(names[0] ?? ''))?.toString()).toBe('grüße');
		expect(statSync(join(path, names[0] ?? '')).mode & 0o777).toBe(OWNERS_FILE);
		expect(statSync(path).mode & 0o777).toBe(OWNERS_FOLDER);
	});

	test('reuses the file of a listing, and rewrites it when the content differs', async () => {
		const { path, time, folder } = folderInTime();
		await folder.keep(bytes(10), 'slack-1');
		const { ino } = statSync(join(path, 'slack-1'));
		time.now += 500;
		await folder.keep(bytes(10), 'slack-1');
		expect(statSync(join(path, 'slack-1'))).toMatchObject({ ino, mtimeMs: time.now });
		await folder.keep(bytes(11), 'slack-1');
		expect(statSync(join(path, 'slack-1')).size).toBe(11);
		expect(readdirSync(path)).toEqual(['slack-1']);
	});

	test('evicts the least recently used file when there are too many', async () => {
		const { path, time, folder } = folderInTime();
		for (const name of ['a', 'b', 'c', 'd']) {
			await folder.keep(bytes(1), name);
			time.now += 10;
		}
		await folder.read('a');
		time.now += 10;
		await folder.keep(bytes(1), 'e');
		expect(readdirSync(path).sort()).toEqual(['a', 'c', 'd', 'e']);
	});

	test('evicts files when there are too many bytes, but always keeps the newest', async () => {
		const { path, time, folder } = folderInTime();
		await folder.keep(bytes(600), 'a');
		time.now += 10;
		await folder.keep(bytes(600), 'b');
		expect(readdirSync(path)).toEqual(['b']);
		time.now += 10;
		await folder.keep(bytes(5_000), 'c');
		expect(readdirSync(path)).toEqual(['c']);
	});

	test('stays within its bounds when many results are written at the same time', async () => {
		const { path, folder } = folderInTime();
		await Promise.all(Array.from({ length: 20 }, () => folder.keep(bytes(300))));
		expect(readdirSync(path).length).toBeLessThanOrEqual(4);
	});

	test('deletes files that were unused for too long, including those of an earlier window', async () => {
		const { path, time, folder } = folderInTime();
		await folder.keep(bytes(1), 'old');
		time.now += 600;
		await folder.keep(bytes(1), 'young');
		time.now += 600;
		await folderInTime(path).folder.sweep();
		expect(readdirSync(path)).toEqual(['old', 'young']);
		await new BoundedFolder(path, limits, () => time.now).sweep();
		expect(readdirSync(path)).toEqual(['young']);
		expect(await folder.read('old')).toBeUndefined();
	});

	test.each(['../secret', '/etc/passwd', 'a/b', '..', '', 'A', 'x\u0000y', 'x'.repeat(101)])(
		'refuses to read the name %j',
		async (name) => {
			await expect(folderInTime().folder.read(name)).rejects.toThrow('is no name of a result');
		},
	);

	test('does not read through a symbolic link or a pipe, and leaves the link’s target untouched', async () => {
		const { path, time, folder } = folderInTime();
		await folder.keep(bytes(1), 'first');
		const victim = join(path, '..', 'victim');
		writeFileSync(victim, 'mine');
		const before = statSync(victim).mtimeMs;
		symlinkSync(victim, join(path, 'listing'));
		await expect(folder.read('listing')).rejects.toThrow();
		time.now += 500;
		await folder.keep(bytes(4), 'listing');
		expect([readFileSync(victim, 'utf8'), statSync(victim).mtimeMs]).toEqual(['mine', before]);
		expect((await folder.read('listing'))?.toString()).toBe('xxxx');
		if (process.platform === 'win32') return;
		execFileSync('mkfifo', [join(path, 'pipe')]);
		await expect(folder.read('pipe')).rejects.toThrow();
	});

	test('deletes drafts of killed writers, but not those of active ones', async () => {
		const { path, folder } = folderInTime();
		await folder.keep(bytes(1), 'first');
		const drafts = ['first.0123456789ab', 'result-1.0123456789ab'].map((name) => join(path, name));
		for (const draft of drafts) writeFileSync(draft, 'half');
		const longAgo = new Date(Date.now() - 3_600_000);
		utimesSync(drafts[1] ?? '', longAgo, longAgo);
		await folder.keep(bytes(1), 'second');
		expect(readdirSync(path).sort()).toEqual(['first', 'first.0123456789ab', 'second']);
	});

	test('sweeps nothing when it does not exist', async () => {
		await expect(folderInTime().folder.sweep()).resolves.toBeUndefined();
	});
});
