import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { joinedMaps, type StoredFormat, sealed, unsealed } from '../../../src/common/sealedJson.ts';
import { StoredJson } from '../../../src/common/storedJson.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { FakeClock } from '../mcp/fakeClock.ts';

const format: StoredFormat<readonly string[]> = {
	version: 3,
	maxBytes: 500,
	shape: z.array(z.string()),
};

async function opened(path: string) {
	const problems: unknown[] = [];
	const clock = new FakeClock();
	const onProblem = (problem: unknown) => problems.push(problem);
	const file = new StoredJson({ path, format, nothing: [], clock, onProblem });
	onTestFinished(() => file.dispose());
	await file.load();
	const events: (readonly string[])[] = [];
	file.onDidChange(() => events.push(file.value));
	return { file, events, problems, clock };
}

const newPath = () => join(temporaryFolder(), 'value.json');
const adding = (name: string) => (latest: readonly string[]) => [...new Set([...latest, name])];

describe('a value that several windows store', () => {
	test('changes at once with one event, and its own write is no news', async () => {
		const { file, events } = await opened(newPath());
		const writing = file.update(adding('a'));
		expect([file.value, events]).toEqual([['a'], [['a']]]);
		await writing;
		await file.load();
		expect(events).toEqual([['a']]);
	});

	test('is written once after changes in quick succession', async () => {
		const path = newPath();
		const { file, clock } = await opened(path);
		const wait = async (ms: number) => {
			await clock.pass(ms);
			return existsSync(path);
		};
		file.change(adding('a'));
		file.saveSoon(500);
		expect(await wait(400)).toBe(false);
		file.change(adding('b'));
		file.saveSoon(500);
		expect(await wait(400)).toBe(false);
		await clock.pass(100);
		await expect.poll(() => existsSync(path)).toBe(true);
		expect((await opened(path)).file.value).toEqual(['a', 'b']);
	});

	test('gets changes of other windows before it is written, with an event', async () => {
		const path = newPath();
		const [one, two] = [await opened(path), await opened(path)];
		await one.file.update(adding('a'));
		await two.file.update(adding('b'));
		expect(two.events).toEqual([['b'], ['a', 'b']]);
		expect(one.file.refresh()).toBe(true);
		expect([one.file.value, one.file.refresh()]).toEqual([['a', 'b'], false]);
	});

	test('rejects a change that makes it too large, and stores later ones', async () => {
		const path = newPath();
		const { file } = await opened(path);
		await file.update(adding('a'));
		const before = readFileSync(path, 'utf8');
		await expect(file.update(adding('x'.repeat(500)))).rejects.toMatchObject({ reason: 'tooLarge' });
		expect([file.value, readFileSync(path, 'utf8')]).toEqual([['a'], before]);
		await file.update(adding('b'));
		expect((await opened(path)).file.value).toEqual(['a', 'b']);
	});

	test('keeps only the latest unwritten change about a subject', async () => {
		const path = newPath();
		const { file } = await opened(path);
		for (const name of ['a', 'b']) file.change(adding(name), 'one subject');
		await (await opened(path)).file.update(adding('other'));
		await file.save();
		expect(file.value).toEqual(['other', 'b']);
	});

	test.each([
		['newer', sealed(['a'], { ...format, version: 4 }).text],
		['damaged', 'rubbish'],
	])('reports once that its file is %s', async (reason, content) => {
		const path = newPath();
		writeFileSync(path, content);
		const { file, problems } = await opened(path);
		await file.load();
		expect(problems).toMatchObject([{ reason }]);
		expect(file.isKnown).toBe(reason === 'damaged');
	});

	test('of a newer version that appears while it is known keeps its value, and the file', async () => {
		const path = newPath();
		const { file } = await opened(path);
		await file.update(adding('a'));
		const newer = sealed(['b'], { ...format, version: 4 }).text;
		writeFileSync(path, newer);
		await expect(file.update(adding('c'))).rejects.toMatchObject({ reason: 'newer' });
		expect([file.value, file.isKnown, readFileSync(path, 'utf8')]).toEqual([['a', 'c'], true, newer]);
	});

	test('stays known while its folder cannot be read, and is written once the unchanged file is back', async () => {
		const folder = join(temporaryFolder(), 'folder');
		const path = join(folder, 'value.json');
		const { file, problems, clock } = await opened(path);
		await file.update(adding('a'));
		renameSync(folder, `${folder} aside`);
		writeFileSync(folder, 'a file');
		await file.load();
		expect([file.value, file.isKnown]).toEqual([['a'], true]);
		expect(problems).toMatchObject([{ reason: 'unreadable' }]);
		await expect(file.update(adding('b'))).rejects.toThrow();
		rmSync(folder);
		renameSync(`${folder} aside`, folder);
		await clock.pass(500);
		await expect.poll(() => readFileSync(path, 'utf8')).toContain('"b"');
		await file.update(adding('c'));
		expect((await opened(path)).file.value).toEqual(['a', 'b', 'c']);
	});

	test('is empty again when its file is removed', async () => {
		const path = newPath();
		const { file, events } = await opened(path);
		await file.update(adding('a'));
		rmSync(path);
		await file.load();
		expect([file.value, file.isKnown, events.at(-1)]).toEqual([[], true, []]);
	});
});

describe('a sealed text', () => {
	test('is whole only without any change of a character', () => {
		const { text, sum } = sealed(['ü', '1'], format);
		expect(unsealed(Buffer.from(text), format)).toMatchObject({ kind: 'whole', sum });
		for (let at = 0; at < text.length; at++) {
			const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
			for (const other of [changed, text.slice(0, at)])
				expect(unsealed(Buffer.from(other), format).kind).not.toBe('whole');
		}
	});

	test.each([1, 3_000])(
		'of a list of %i long entries reads back whole, in parts if it is large',
		async (count) => {
			const path = newPath();
			const large: StoredFormat<ReadonlyMap<string, string>> = {
				version: 1,
				maxBytes: 10_000_000,
				shape: z.array(z.tuple([z.string(), z.string()])).transform((entries) => new Map(entries)),
				plain: (entries) => [...entries],
				join: joinedMaps,
			};
			const value = new Map(
				Array.from({ length: count }, (_, i) => [`${i}`, `,\n "検索", ${'x'.repeat(300)}`] as const),
			);
			writeFileSync(path, sealed(value, large).text);
			const file = new StoredJson({ path, format: large, nothing: new Map(), clock: new FakeClock() });
			await file.load();
			expect([...file.value]).toEqual([...value]);
		},
	);
});
