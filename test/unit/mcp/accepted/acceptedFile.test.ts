import { mkdir, readdir, readFile, rename, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { approvalHash } from '../../../../src/mcp/accepted/launchFacts.ts';
import { OWNERS_FILE } from '../../../fileModes.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { FakeClock } from '../fakeClock.ts';
import { launch, listing, names, openAccepted, tool } from './accepting.ts';

const before = [listing([tool('get'), tool('set')])];
const after = [listing([tool('get', 'Otherwise'), tool('set')])];

/** A folder in which the definitions of these tools are accepted. */
async function folderWith(listings = before): Promise<string> {
	const path = temporaryFolder();
	const pins = openAccepted(path);
	pins.use(listings);
	await pins.flush();
	return path;
}

/** The only file of a folder. */
async function fileIn(path: string): Promise<string> {
	const [name = '', ...others] = await readdir(path);
	expect(others).toEqual([]);
	return join(path, name);
}

describe('given tools that were accepted in an earlier window', () => {
	test('when a tool has changed since, then it is quarantined with its accepted definition', async () => {
		const pins = openAccepted(await folderWith());
		expect(names(pins, after)).toEqual({ usable: ['set'], quarantined: ['get'] });
		expect(pins.quarantined.get('weather')?.[0]?.accepted).toContain('The tool get');
	});

	test('when the change was accepted there, then it is not quarantined', async () => {
		const path = await folderWith();
		const pins = openAccepted(path);
		pins.use(after);
		pins.accept('weather', pins.quarantined.get('weather') ?? []);
		await pins.flush();
		const next = openAccepted(path);
		expect(names(next, after).quarantined).toEqual([]);
		expect(names(next, before).quarantined).toEqual(['get']);
	});

	test('when the change was not accepted, then it is quarantined in the next window, too', async () => {
		const path = await folderWith();
		const pins = openAccepted(path);
		pins.use(after);
		await pins.flush();
		expect(names(openAccepted(path), after).quarantined).toEqual(['get']);
	});

	test('then they are in one file without secrets that only its owner can read', async () => {
		const path = await folderWith([listing([tool('get')], 'weather', { ...launch, env: { KEY: 'sesame' } })]);
		const file = await fileIn(path);
		expect((await stat(file)).mode & 0o777).toBe(OWNERS_FILE);
		expect(await readFile(file, 'utf8')).not.toContain('sesame');
	});
});

test('given a folder that cannot be written to, then the error is reported', async () => {
	const path = join(temporaryFolder(), 'pins');
	const clock = new FakeClock();
	const errors: unknown[] = [];
	const pins = openAccepted(path, { clock, onProblem: (error) => errors.push(error) });
	await writeFile(path, 'a file is no folder');
	pins.use(before);
	await clock.pass(500);
	await expect.poll(() => errors.length).toBe(1);
});

describe('given a damaged file', () => {
	const spoilings: [string, (text: string) => string | Uint8Array][] = [
		['empty', () => ''],
		['cut off', (text) => text.slice(0, -20)],
		['of an older format', (text) => text.replace('"format":1', '"format":0')],
		['of another shape', () => '{"format":1,"lost":false,"tools":{}}'],
		['with a bad tool', (text) => text.replace(/\["[\w-]{43}",/, '[7,')],
		['binary', () => new Uint8Array([0, 1, 255])],
	];

	test.each(spoilings)('%s: then every tool has to be accepted, in the next window too', async (_, spoil) => {
		const path = await folderWith();
		const file = await fileIn(path);
		await writeFile(file, spoil(await readFile(file, 'utf8')));
		const pins = openAccepted(path);
		expect(names(pins, before)).toEqual({ usable: [], quarantined: ['get', 'set'] });
		const [get, ...others] = pins.quarantined.get('weather') ?? [];
		pins.accept('weather', get ? [get] : []);
		expect(names(pins, before)).toEqual({ usable: ['get'], quarantined: ['set'] });
		await pins.flush();
		const next = openAccepted(path);
		expect(names(next, before)).toEqual({ usable: ['get'], quarantined: ['set'] });
		next.accept('weather', others);
		expect(names(next, before).quarantined).toEqual([]);
		expect(names(next, [...before, listing([tool('a')], 'mail')], 'mail').usable).toEqual(['a']);
	});

	test('then the tools of other servers are used as before', async () => {
		const path = await folderWith();
		await writeFile(await fileIn(path), 'spoilt');
		const mail = listing([tool('send')], 'mail');
		const pins = openAccepted(path);
		expect(names(pins, [...before, mail], 'mail')).toEqual({ usable: ['send'], quarantined: [] });
		await pins.flush();
		const later = [...before, listing([tool('send', 'Otherwise')], 'mail')];
		expect(names(openAccepted(path), later, 'mail').quarantined).toEqual(['send']);
	});

	test('too large: then no tool is used', async () => {
		const path = await folderWith();
		expect(names(openAccepted(path, { limits: { file: 10 } }), before).usable).toEqual([]);
	});
});

describe('given a file that cannot be read now', () => {
	test('then no tool is used until it can be, and nothing is forgotten, also what was accepted meanwhile', async () => {
		const path = await folderWith();
		const file = await fileIn(path);
		await rename(file, `${file}.aside`);
		await mkdir(file);
		const clock = new FakeClock();
		const problems: unknown[] = [];
		const pins = openAccepted(path, { clock, onProblem: (problem) => problems.push(problem) });
		const later = [listing([tool('get', 'Otherwise'), tool('set', 'Otherwise'), tool('new')])];
		expect(names(pins, later)).toEqual({ usable: [], quarantined: ['get', 'set', 'new'] });
		const held = pins.quarantined.get('weather') ?? [];
		expect(held.map(({ why }) => why)).toEqual(['unread', 'unread', 'unread']);
		expect(problems).toMatchObject([{ reason: 'unreadable' }]);
		pins.accept('weather', held.slice(0, 1));
		await expect(pins.flush()).rejects.toThrow('cannot be read');

		await rmdir(file);
		await rename(`${file}.aside`, file);
		await clock.pass(500);
		await expect.poll(() => names(pins, later)).toEqual({ usable: ['get', 'new'], quarantined: ['set'] });
		await pins.flush();
		expect(names(openAccepted(path), later).quarantined).toEqual(['set']);
		expect(names(openAccepted(path), before).quarantined).toEqual(['get']);
	});

	test('because a newer version has written it, then no tool is used, and it is not overwritten', async () => {
		const path = await folderWith();
		const file = await fileIn(path);
		const newer = (await readFile(file, 'utf8')).replace('"format":1', '"format":2');
		await writeFile(file, newer);
		const pins = openAccepted(path);
		expect(names(pins, before).quarantined).toEqual(['get', 'set']);
		pins.accept('weather', pins.quarantined.get('weather') ?? []);
		expect(names(pins, before).usable).toEqual(['get', 'set']);
		await expect(pins.flush()).rejects.toThrow('newer version');
		expect(await readFile(file, 'utf8')).toBe(newer);
	});
});

describe('given launches that are no longer approved', () => {
	test('then the latest are kept, and all that are approved, however many and however old', async () => {
		const path = temporaryFolder();
		const approved = () => ['old', 'older'].map((name) => [name, approvalHash(launch)] as const);
		const files = new Set<string>();
		for (const [age, name] of ['new', 'mid', 'old', 'older'].entries()) {
			const pins = openAccepted(path);
			pins.use([listing([tool('get')], name)]);
			await pins.flush();
			const time = Date.now() / 1000 - 100 * age;
			const added = (await readdir(path)).find((file) => !files.has(file)) ?? '';
			files.add(added);
			await utimes(join(path, added), time, time);
		}
		const sweeping = openAccepted(path, { limits: { servers: 1 }, approved });
		sweeping.use([listing([tool('get')], 'another')]);
		await sweeping.flush();

		const next = openAccepted(path, { approved });
		const quarantined = ['older', 'old', 'mid', 'new'].map(
			(name) => names(next, [listing([tool('get', 'x')], name)], name).quarantined,
		);
		expect(quarantined).toEqual([['get'], ['get'], [], ['get']]);
	});
});

describe('given two windows on one folder', () => {
	/** Both windows have read the folder while it was empty. */
	async function twoWindows() {
		const path = temporaryFolder();
		return { path, a: openAccepted(path), b: openAccepted(path) };
	}
	const mail = [listing([tool('send')], 'mail')];
	const otherMail = [listing([tool('send', 'Otherwise')], 'mail')];

	test('when both write, then both know what each has accepted, and so does the next window', async () => {
		const { path, a, b } = await twoWindows();
		a.use(before);
		b.use(mail);
		await Promise.all([a.flush(), b.flush()]);
		for (const pins of [openAccepted(path), a, b]) {
			expect(names(pins, [...after, ...otherMail]).quarantined).toEqual(['get']);
			expect(names(pins, [...after, ...otherMail], 'mail').quarantined).toEqual(['send']);
		}
	});

	test('when one has written a tool, then a changed one does not count as new in the other', async () => {
		const { a, b } = await twoWindows();
		a.use(before);
		await a.flush();
		expect(names(b, after)).toEqual({ usable: ['set'], quarantined: ['get'] });
	});

	test('when both have seen different definitions of a tool, then the later writer quarantines its own', async () => {
		const { path, a, b } = await twoWindows();
		a.use(before);
		expect(names(b, after).quarantined).toEqual([]);
		let told = 0;
		b.onDidChange(() => {
			told += 1;
		});
		await a.flush();
		await b.flush();
		expect([told, names(b, after).quarantined, names(a, before).quarantined]).toEqual([1, ['get'], []]);
		expect(names(openAccepted(path), after).quarantined).toEqual(['get']);
	});

	test('when the user accepts a change in one, then it is accepted in the other, too', async () => {
		const path = await folderWith();
		const [a, b] = [openAccepted(path), openAccepted(path)];
		for (const pins of [a, b]) pins.use(after);
		a.accept('weather', a.quarantined.get('weather') ?? []);
		await a.flush();
		b.use([...after, ...mail]);
		await b.flush();
		expect([names(b, after).quarantined, names(openAccepted(path), after).quarantined]).toEqual([[], []]);
	});

	test('when the user accepts a change in one, then the other learns it by itself', async () => {
		const path = await folderWith();
		const [a, b] = [openAccepted(path), openAccepted(path)];
		for (const pins of [a, b]) pins.use(after);
		expect(b.isQuarantined('weather', 'get')).toBe(true);
		a.accept('weather', a.quarantined.get('weather') ?? []);
		await a.flush();
		await expect.poll(() => b.isQuarantined('weather', 'get')).toBe(false);
	});

	test('when the file is damaged in between, then known tools stay accepted, and new ones are quarantined', async () => {
		const path = await folderWith();
		const pins = openAccepted(path);
		pins.use(before);
		await writeFile(await fileIn(path), '{');
		expect(names(pins, [listing([tool('get', 'x'), tool('set'), tool('new')])])).toEqual({
			usable: ['set'],
			quarantined: ['get', 'new'],
		});
		await pins.flush();
		expect(names(openAccepted(path), after)).toEqual({ usable: ['set'], quarantined: ['get'] });
	});
});
