import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../fakeClock.ts';
import { folder, launch, listing, names, openPins, tool } from './pinning.ts';

const before = [listing([tool('get'), tool('set')])];
const after = [listing([tool('get', 'Otherwise'), tool('set')])];

/** A folder in which these tools are accepted. */
async function folderWith(listings = before): Promise<string> {
	const path = await folder();
	const pins = await openPins(path);
	pins.use(listings);
	await pins.flush();
	return path;
}

describe('given tools that were accepted in an earlier window', () => {
	test('when one has changed since, then it is held, with the difference', async () => {
		const pins = await openPins(await folderWith());
		expect(names(pins, after)).toEqual({ usable: ['set'], held: ['get'] });
		expect(pins.held.get('weather')?.[0]?.accepted).toContain('The tool get');
	});

	test('when the change was accepted there, then it is not held here', async () => {
		const path = await folderWith();
		const pins = await openPins(path);
		pins.use(after);
		pins.accept('weather', pins.held.get('weather') ?? []);
		await pins.flush();
		const next = await openPins(path);
		expect(names(next, after).held).toEqual([]);
		expect(names(next, before).held).toEqual(['get']);
	});

	test('when it was not accepted, then it is held in the next window, too', async () => {
		const path = await folderWith();
		const pins = await openPins(path);
		pins.use(after);
		await pins.flush();
		expect(names(await openPins(path), after).held).toEqual(['get']);
	});

	test('then they are in one file, for its owner only, without a secret', async () => {
		const path = await folderWith([listing([tool('get')], 'weather', { ...launch, env: { KEY: 'sesame' } })]);
		expect(await readdir(path)).toEqual(['tools.json']);
		expect((await stat(join(path, 'tools.json'))).mode & 0o777).toBe(0o600);
		expect(await readFile(join(path, 'tools.json'), 'utf8')).not.toContain('sesame');
	});
});

test('given several changes, then they are one write, a moment later', async () => {
	const path = await folder();
	const clock = new FakeClock();
	const pins = await openPins(path, { clock });
	for (const listings of [before, [listing([tool('new')])]]) pins.use(listings);
	await clock.pass(499);
	expect(await readdir(path)).toEqual([]);
	await clock.pass(1);
	await pins.flush();
	expect(names(await openPins(path), [listing([tool('new', 'Otherwise')])]).held).toEqual(['new']);
});

test('given a folder that cannot be written to, then somebody is told', async () => {
	const path = join(await folder(), 'pins');
	const clock = new FakeClock();
	const errors: unknown[] = [];
	const pins = await openPins(path, { clock, onWriteError: (error) => errors.push(error) });
	await writeFile(path, 'a file is no folder');
	pins.use(before);
	await clock.pass(500);
	await expect.poll(() => errors.length).toBe(1);
});

describe('given a file that cannot be read', () => {
	const spoilings: [string, (text: string) => string | Uint8Array][] = [
		['empty', () => ''],
		['cut off', (text) => text.slice(0, 60)],
		['of another format', (text) => text.replace('"format":1', '"format":999')],
		['of another shape', () => '{"format":1,"lost":false,"servers":{}}'],
		['with a bad tool', (text) => text.replace(/\["[\w-]{43}","/, '[7,"')],
		['binary', () => new Uint8Array([0, 1, 255])],
		['null', () => 'null'],
	];

	test.each(spoilings)(
		'%s: then every tool waits to be accepted, in the next window too',
		async (_, spoil) => {
			const path = await folderWith();
			const file = join(path, 'tools.json');
			await writeFile(file, spoil(await readFile(file, 'utf8')));
			const pins = await openPins(path);
			expect(names(pins, before)).toEqual({ usable: [], held: ['get', 'set'] });
			const [get, ...others] = pins.held.get('weather') ?? [];
			pins.accept('weather', get ? [get] : []);
			expect(names(pins, before)).toEqual({ usable: ['get'], held: ['set'] });
			await pins.flush();
			const next = await openPins(path);
			expect(names(next, before)).toEqual({ usable: ['get'], held: ['set'] });
			next.accept('weather', others);
			expect(names(next, before).held).toEqual([]);
			expect(names(next, [...before, listing([tool('a')], 'mail')], 'mail').usable).toEqual(['a']);
		},
	);

	test('too large: the same', async () => {
		const path = await folderWith();
		expect(names(await openPins(path, { limits: { file: 10 } }), before).usable).toEqual([]);
	});

	test('a folder: the same', async () => {
		const path = await folder();
		await mkdir(join(path, 'tools.json'));
		expect(names(await openPins(path), before).usable).toEqual([]);
	});
});

describe('given more than the file has room for', () => {
	test('then definitions go first, and a change is seen all the same', async () => {
		const path = await folder();
		const limits = { file: 400 };
		const long = tool('get', 'x'.repeat(400));
		const pins = await openPins(path, { limits });
		pins.use([listing([long])]);
		await pins.flush();
		const next = await openPins(path, { limits });
		expect(names(next, after).held).toEqual(['get']);
		expect(next.held.get('weather')?.[0]?.accepted).toBeUndefined();
	});

	test('then the servers that were longest not used go', async () => {
		const path = await folder();
		const clock = new FakeClock();
		const pins = await openPins(path, { limits: { servers: 2 }, clock });
		for (const name of ['old', 'mid', 'new']) {
			pins.use([listing([tool('get')], name)]);
			await clock.pass(1);
		}
		await pins.flush();
		const next = await openPins(path);
		const held = ['old', 'mid', 'new'].map(
			(name) => names(next, [listing([tool('get', 'x')], name)], name).held,
		);
		expect(held).toEqual([[], ['get'], ['get']]);
	});
});
