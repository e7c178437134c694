import {
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmdirSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sha256 } from '../../../src/common/digest.ts';
import { sealed } from '../../../src/common/sealedJson.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { type StoredKind, storedKinds } from './storedKinds.ts';

/** For content that we would not write. */
const anything = (version = 1) => ({ version, maxBytes: 0, shape: { parse: (stored: unknown) => stored } });
const withValue = (value: unknown, version?: number) => sealed(value, anything(version)).text;

const all = ['a', 'b', 'c'];

/** What one window has written for `a` and `b`. */
const written = new Map<StoredKind, string>();

/** A folder in which one window has stored `a` and `b`. */
async function stored(kind: StoredKind) {
	const folder = temporaryFolder();
	const file = join(folder, kind.file);
	let text = written.get(kind);
	if (text === undefined) {
		const window = await kind.open(folder);
		for (const name of ['a', 'b']) await window.keep(name);
		text = readFileSync(file, 'utf8');
		written.set(kind, text);
	} else writeFileSync(file, text);
	return { folder, file, text };
}

/** What a window knows that opens the folder now. */
async function knownIn(kind: StoredKind, folder: string): Promise<readonly string[]> {
	return (await kind.open(folder)).known(all);
}

/** A window that looks for what is stored, and then stores one more entry. */
async function addsOne(kind: StoredKind, folder: string) {
	const window = await kind.open(folder);
	const known = await window.known(all);
	const outcome = await window.keep('c').then(
		() => 'stored' as const,
		() => 'refused' as const,
	);
	return { known, outcome };
}

const stores = (...known: readonly string[]) => ({ known, outcome: 'stored' });
/** Nothing is known, and nothing is stored. */
const refuses = ({ isReported }: StoredKind) => ({ known: [], outcome: isReported ? 'refused' : 'stored' });

const storedIn = (text: string): unknown => JSON.parse(text).value;

/** Content that is none of ours any more. */
const damages: Readonly<Record<string, (text: string) => string | Uint8Array>> = {
	'cut off in its first bytes': (text) => text.slice(0, 5),
	'cut off after its head': (text) => text.slice(0, 90),
	'cut off in the middle': (text) => text.slice(0, text.length / 2),
	'cut off before its last byte': (text) => text.slice(0, -1),
	'with a changed byte': (text) => text.replace(/.(?=.{9}$)/s, '~'),
	'with more at its end': (text) => `${text}\n{}`,
	'with doubled members': (text) => text.replace(/}$/, ',"value":[]}'),
	'not JSON': () => 'rubbish',
	binary: () => new Uint8Array([0, 1, 255, 123]),
	'of zeros, as after a power failure': (text) => new Uint8Array(text.length),
	'of an older version': (text) => withValue(storedIn(text), 0),
	'without a seal': (text) => JSON.stringify(storedIn(text)),
	'a sealed null': () => withValue(null),
	'a sealed number': () => withValue(1e308),
	'a sealed text': () => withValue('__proto__'),
};

/** Content of which we know nothing, and that may be worth more than ours. */
const newer: Readonly<Record<string, (text: string) => string>> = {
	'of the next version': (text) => withValue(storedIn(text), 2),
	'of a far version and another shape': () => '{ "format": 1000000, "anything": [] }',
	'of the next version, cut off': (text) => withValue(storedIn(text), 2).slice(0, -30),
};

/** Deeper than the stack of recursive code. */
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

/** Entries that fit no kind, as JSON. */
const odd = [
	'null',
	'true',
	'7',
	'-1e999',
	'{}',
	'[]',
	'[[]]',
	'[null,null,null]',
	'["a",{"at":"yesterday"}]',
	'["__proto__",null]',
	'{"__proto__":{"server":"a"},"constructor":{"prototype":7}}',
	'{"at":1,"kind":"load","tools":{"__proto__":[]}}',
	'{"at":1,"kind":"constructor"}',
	'{"at":1,"kind":"request","tools":"all","tokens":{}}',
	'{"server":7,"hash":[],"facts":{},"trustsHints":"yes"}',
	'{"server":"a","server":7}',
	'{"model":{"toString":7}}',
	deep,
	`["deep",${deep}]`,
	`{"at":1,"kind":"search","words":"w","found":{"names":[],"count":0},"more":${deep}}`,
];

/** Odd entries before, between and after those of a stored text. */
function withOddEntries(kind: StoredKind, text: string): string {
	const value = storedIn(text);
	const entries = kind.entries(value);
	const good = entries.map((entry) => JSON.stringify(entry));
	entries.splice(0, entries.length, 'HERE');
	const mixed = [...odd, ...good.flatMap((entry) => [entry, ...odd])].join(',');
	const json = JSON.stringify(value).replace('"HERE"', () => mixed);
	return `{"format":1,"sum":"${sha256(json)}","value":${json}}`;
}

describe.each(storedKinds.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
	test('is empty before anything was stored', async () => {
		const folder = temporaryFolder();
		expect(await addsOne(kind, folder)).toEqual(stores());
		expect(await knownIn(kind, folder)).toEqual(['c']);
		expect(readdirSync(folder)).toEqual([kind.file]);
	});

	test('is known in the next window, with what that adds', async () => {
		const { folder } = await stored(kind);
		expect(await addsOne(kind, folder)).toEqual(stores('a', 'b'));
		expect(await knownIn(kind, folder)).toEqual(all);
		expect(readdirSync(folder)).toEqual([kind.file]);
	});

	test.each(Object.keys(damages))('%s is empty, and kept beside what is stored then', async (how) => {
		const { folder, file, text } = await stored(kind);
		const content = Buffer.from(damages[how]?.(text) ?? '');
		writeFileSync(file, content);
		expect(await addsOne(kind, folder)).toEqual(stores());
		expect(await knownIn(kind, folder)).toEqual(['c']);
		expect(readFileSync(`${file}.damaged`)).toEqual(content);
		expect(readdirSync(folder).toSorted()).toEqual([kind.file, `${kind.file}.damaged`].toSorted());
	});

	test('of no bytes is empty, and nothing is kept beside it', async () => {
		const { folder, file } = await stored(kind);
		writeFileSync(file, '');
		expect(await addsOne(kind, folder)).toEqual(stores());
		expect(await knownIn(kind, folder)).toEqual(['c']);
		expect(readdirSync(folder)).toEqual([kind.file]);
	});

	test('over its limit is empty, and kept beside what is stored then', async () => {
		const { folder, file } = await stored(kind);
		truncateSync(file, 40_000_000);
		expect(await addsOne(kind, folder)).toEqual(stores());
		expect(lstatSync(`${file}.damaged`).size).toBe(40_000_000);
	});

	test('that is damaged again and again fills no disk', async () => {
		const { folder, file, text } = await stored(kind);
		for (const length of [30, 40, 50]) {
			writeFileSync(file, text.slice(0, length));
			await addsOne(kind, folder);
		}
		expect(readdirSync(folder)).toHaveLength(2);
	});

	test.each(Object.keys(newer))('%s is neither used nor overwritten', async (how) => {
		const { folder, file, text } = await stored(kind);
		const content = newer[how]?.(text) ?? '';
		writeFileSync(file, content);
		expect(await addsOne(kind, folder)).toEqual(refuses(kind));
		expect(readFileSync(file, 'utf8') === content).toBe(true);
		expect(readdirSync(folder)).toEqual([kind.file]);
	});

	test('of the next version, over the limit, is neither used nor overwritten', async () => {
		const { folder, file, text } = await stored(kind);
		writeFileSync(file, withValue(storedIn(text), 2));
		truncateSync(file, 40_000_000);
		expect(await addsOne(kind, folder)).toEqual(refuses(kind));
		expect(lstatSync(file).size).toBe(40_000_000);
		expect(readdirSync(folder)).toEqual([kind.file]);
	});

	test('that cannot be read for a while is known afterwards, in the same window too', async () => {
		const { folder, file, text } = await stored(kind);
		renameSync(file, `${file}.aside`);
		mkdirSync(file);
		const window = await kind.open(folder);
		expect(await window.known(all)).toEqual([]);
		expect(window.isCertain?.() ?? false).toBe(false);
		rmdirSync(file);
		renameSync(`${file}.aside`, file);
		await expect.poll(() => window.known(['a', 'b'])).toEqual(['a', 'b']);
		expect(window.isCertain?.() ?? true).toBe(true);
		expect(readFileSync(file, 'utf8')).toBe(text);
		expect(await addsOne(kind, folder)).toEqual(stores('a', 'b'));
		expect(await knownIn(kind, folder)).toEqual(all);
	});

	test('that can never be read, because a folder is in its place, is not replaced', async () => {
		const { folder, file } = await stored(kind);
		rmSync(file);
		mkdirSync(file);
		writeFileSync(join(file, 'own'), 'x');
		expect(await addsOne(kind, folder)).toEqual(refuses(kind));
		expect(readdirSync(file)).toEqual(['own']);
		expect(readdirSync(folder)).toEqual([kind.file]);
	});

	test.runIf(process.platform !== 'win32')('that is a link in a circle is not replaced', async () => {
		const { folder, file } = await stored(kind);
		rmSync(file);
		symlinkSync(file, file);
		expect(await addsOne(kind, folder)).toEqual(refuses(kind));
		expect(lstatSync(file).isSymbolicLink()).toBe(true);
	});

	test('with odd entries keeps the good ones, and can be written', async () => {
		const { folder, file, text } = await stored(kind);
		writeFileSync(file, withOddEntries(kind, text));
		expect(await addsOne(kind, folder)).toEqual(stores('a', 'b'));
		expect(await knownIn(kind, folder)).toEqual(all);
	});

	test('in a folder that cannot be written to is not stored, and what was there stays', async () => {
		const folder = join(temporaryFolder(), 'file');
		writeFileSync(folder, 'x');
		expect(await addsOne(kind, folder)).toEqual(refuses(kind));
		expect(readFileSync(folder, 'utf8')).toBe('x');
	});

	test('on a full disk stays as it was, and is stored once there is room', async () => {
		const { folder, file, text } = await stored(kind);
		const window = await kind.open(folder);
		await window.known(all);
		const { writeFile } = fs;
		const restore = () => {
			fs.writeFile = writeFile;
			syncBuiltinESMExports();
		};
		onTestFinished(restore);
		fs.writeFile = async (path, data, options) => {
			if (!String(path).startsWith(`${file}.`) || String(path).includes('.lock')) {
				return writeFile(path, data, options);
			}
			await writeFile(path, String(data).slice(0, 20), options);
			throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
		};
		syncBuiltinESMExports();
		const outcome = await window.keep('c').then(
			() => 'stored',
			() => 'refused',
		);
		restore();
		expect(outcome).toBe(kind.isReported ? 'refused' : 'stored');
		expect(readFileSync(file, 'utf8')).toBe(text);
		expect(readdirSync(folder)).toEqual([kind.file]);
		await window.keep('c');
		expect(await knownIn(kind, folder)).toEqual(all);
	});

	test('that two windows write at once is whole, and has what both have stored if they share it', async () => {
		for (let round = 0; round < 5; round++) {
			const folder = temporaryFolder();
			const [one, two] = [await kind.open(folder), await kind.open(folder)];
			await Promise.all([one.keep('a'), two.keep('b')]);
			const known = await knownIn(kind, folder);
			if (kind.isShared) expect(known).toEqual(['a', 'b']);
			else expect(known).toHaveLength(1);
			expect(readdirSync(folder)).toEqual([kind.file]);
		}
	});
});
