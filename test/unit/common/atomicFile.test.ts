import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { locked, readPlainFile, sealed, unsealed, writeWhole } from '../../../src/common/atomicFile.ts';

function folder(): string {
	const path = mkdtempSync(join(tmpdir(), 'files-'));
	onTestFinished(() => rmSync(path, { recursive: true }));
	return path;
}

const longAgo = new Date(Date.now() - 3_600_000);
/** More than any process has. */
const noProcess = 2 ** 30;

test('drafts of writers that were killed go with the next write; those of others, and other files, stay', async () => {
	const path = folder();
	const old = ['a.json.0123456789ab', 'b.json.0123456789ab', 'a.json.bak', 'a.json.0123456789abcd'];
	for (const name of old) {
		writeFileSync(join(path, name), 'x');
		utimesSync(join(path, name), longAgo, longAgo);
	}
	writeFileSync(join(path, 'a.json.ba9876543210'), 'of a writer at work');
	await writeWhole(join(path, 'a.json'), 'new');
	expect(readdirSync(path).sort()).toEqual(
		['a.json', 'a.json.ba9876543210', 'b.json.0123456789ab', 'a.json.bak', 'a.json.0123456789abcd'].sort(),
	);
	expect(readFileSync(join(path, 'a.json'), 'utf8')).toBe('new');
});

test('of many that ask for a lock one works at a time, and nothing of it is left', async () => {
	const file = join(folder(), 'deep', 'a.json');
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

test.each([
	['of a process that is gone', `${noProcess} 0`, new Date()],
	['of long ago, whoever has that number now', `${process.pid} 0`, longAgo],
	['of a clock that was ahead', `${process.pid} 0`, new Date(Date.now() + 3_600_000)],
	['that is empty, and of long ago', '', longAgo],
])('a lock %s is taken over by one of many', async (_, text, time) => {
	const file = join(folder(), 'a.json');
	writeFileSync(`${file}.lock`, text);
	utimesSync(`${file}.lock`, time, time);
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

test('what is sealed reads back, and not once a character of it is another', () => {
	const text = sealed(3, '"a":[1,"ü"],"b":{}');
	expect(unsealed(3, text)).toMatchObject({ a: [1, 'ü'], b: {} });
	expect(() => unsealed(2, text)).toThrow('not a file as it was written');
	for (let at = 0; at < text.length; at++) {
		const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
		expect(() => unsealed(3, changed)).toThrow();
		expect(() => unsealed(3, text.slice(0, at))).toThrow();
	}
});

test('only a plain file is read: no link, no folder', async () => {
	const path = folder();
	writeFileSync(join(path, 'file'), 'text');
	symlinkSync(join(path, 'file'), join(path, 'link'));
	mkdirSync(join(path, 'sub'));
	expect((await readPlainFile(join(path, 'file'))).toString()).toBe('text');
	for (const name of ['link', 'sub', 'none']) await expect(readPlainFile(join(path, name))).rejects.toThrow();
});
