import { execFileSync } from 'node:child_process';
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlainFile, writeAtomically } from '../../../src/common/atomicFile.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const longAgo = new Date(Date.now() - 3_600_000);

test('a write deletes its old drafts, but not those of active writers or of other files', async () => {
	const path = temporaryFolder();
	const old = ['a.json.0123456789ab', 'b.json.0123456789ab', 'a.json.bak', 'a.json.0123456789abcd'];
	for (const name of old) {
		writeFileSync(join(path, name), 'x');
		utimesSync(join(path, name), longAgo, longAgo);
	}
	writeFileSync(join(path, 'a.json.ba9876543210'), 'of a writer at work');
	await writeAtomically(join(path, 'a.json'), 'new');
	expect(readdirSync(path).sort()).toEqual(
		['a.json', 'a.json.ba9876543210', 'b.json.0123456789ab', 'a.json.bak', 'a.json.0123456789abcd'].sort(),
	);
	expect(readFileSync(join(path, 'a.json'), 'utf8')).toBe('new');
});

test('a file is replaced while others read it', async () => {
	const file = join(temporaryFolder(), 'a.json');
	writeFileSync(file, 'old');
	const reader = await open(file);
	const writing = writeAtomically(file, 'new');
	await new Promise((resolve) => setTimeout(resolve, 100));
	expect((await reader.readFile()).toString()).toBe('old');
	await reader.close();
	await writing;
	expect(readFileSync(file, 'utf8')).toBe('new');
});

test('only a regular file is read, not a link or a folder', async () => {
	const path = temporaryFolder();
	writeFileSync(join(path, 'file'), 'text');
	symlinkSync(join(path, 'file'), join(path, 'link'));
	mkdirSync(join(path, 'sub'));
	expect((await readPlainFile(join(path, 'file'))).toString()).toBe('text');
	for (const name of ['link', 'sub', 'none']) await expect(readPlainFile(join(path, name))).rejects.toThrow();
});

const isPosix = process.platform !== 'win32';

test.runIf(isPosix)('a pipe, a device or a circular link is rejected without waiting', async () => {
	const path = temporaryFolder();
	execFileSync('mkfifo', [join(path, 'pipe')]);
	symlinkSync(join(path, 'b'), join(path, 'a'));
	symlinkSync(join(path, 'a'), join(path, 'b'));
	symlinkSync('/dev/zero', join(path, 'zeros'));
	symlinkSync(join(path, 'pipe'), join(path, 'piped'));
	for (const name of ['pipe', 'a', 'zeros', 'piped']) {
		for (const followsLinks of [true, false]) {
			await expect(readPlainFile(join(path, name), { followsLinks, maxBytes: 1_000 })).rejects.toThrow();
		}
	}
});

test('a link is followed if the caller wants that', async () => {
	const path = temporaryFolder();
	writeFileSync(join(path, 'file'), 'text');
	symlinkSync(join(path, 'file'), join(path, 'link'));
	const read = await readPlainFile(join(path, 'link'), { followsLinks: true });
	expect(read.toString()).toBe('text');
});

test('a file of more bytes than the limit is rejected, and one of exactly the limit is read', async () => {
	const file = join(temporaryFolder(), 'file');
	writeFileSync(file, 'x'.repeat(100_000));
	await expect(readPlainFile(file, { maxBytes: 99_999 })).rejects.toThrow('more than 99999 bytes');
	expect(await readPlainFile(file, { maxBytes: 100_000 })).toHaveLength(100_000);
});

test('a file that is rewritten or replaced during a read is read in one consistent state', async () => {
	const path = temporaryFolder();
	const file = join(path, 'file');
	const state = (i: number) => String.fromCharCode(97 + (i % 26)).repeat(300_000);
	writeFileSync(file, state(0));
	for (let i = 1; i <= 16; i++) {
		const reading = readPlainFile(file);
		for (let turn = 0; turn < i / 2; turn++) await new Promise((resolve) => setImmediate(resolve));
		if (i % 2 === 0) writeFileSync(file, state(i));
		else {
			writeFileSync(join(path, 'next'), state(i));
			// Windows replaces no file that is open.
			if (process.platform === 'win32') await reading;
			renameSync(join(path, 'next'), file);
		}
		expect([state(i - 1), state(i)]).toContain((await reading).toString());
	}
});
