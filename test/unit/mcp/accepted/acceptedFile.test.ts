import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { approvalHash } from '../../../../src/mcp/accepted/launchFacts.ts';
import { FakeClock } from '../fakeClock.ts';
import { folder, launch, listing, names, openAccepted, tool } from './accepting.ts';

const before = [listing([tool('get'), tool('set')])];
const after = [listing([tool('get', 'Otherwise'), tool('set')])];

/** A folder in which these tools are accepted. */
async function folderWith(listings = before): Promise<string> {
	const path = await folder();
	const pins = await openAccepted(path);
	pins.use(listings);
	await pins.flush();
	return path;
}

describe('given tools that were accepted in an earlier window', () => {
	test('when one has changed since, then it is held, with the difference', async () => {
		const pins = await openAccepted(await folderWith());
		expect(names(pins, after)).toEqual({ usable: ['set'], held: ['get'] });
		expect(pins.held.get('weather')?.[0]?.accepted).toContain('The tool get');
	});

	test('when the change was accepted there, then it is not held here', async () => {
		const path = await folderWith();
		const pins = await openAccepted(path);
		pins.use(after);
		pins.accept('weather', pins.held.get('weather') ?? []);
		await pins.flush();
		const next = await openAccepted(path);
		expect(names(next, after).held).toEqual([]);
		expect(names(next, before).held).toEqual(['get']);
	});

	test('when it was not accepted, then it is held in the next window, too', async () => {
		const path = await folderWith();
		const pins = await openAccepted(path);
		pins.use(after);
		await pins.flush();
		expect(names(await openAccepted(path), after).held).toEqual(['get']);
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
	const pins = await openAccepted(path, { clock });
	for (const listings of [before, [listing([tool('new')])]]) pins.use(listings);
	await clock.pass(499);
	expect(await readdir(path)).toEqual([]);
	await clock.pass(1);
	await pins.flush();
	expect(names(await openAccepted(path), [listing([tool('new', 'Otherwise')])]).held).toEqual(['new']);
});

test('given a folder that cannot be written to, then somebody is told', async () => {
	const path = join(await folder(), 'pins');
	const clock = new FakeClock();
	const errors: unknown[] = [];
	const pins = await openAccepted(path, { clock, onWriteError: (error) => errors.push(error) });
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
			const pins = await openAccepted(path);
			expect(names(pins, before)).toEqual({ usable: [], held: ['get', 'set'] });
			const [get, ...others] = pins.held.get('weather') ?? [];
			pins.accept('weather', get ? [get] : []);
			expect(names(pins, before)).toEqual({ usable: ['get'], held: ['set'] });
			await pins.flush();
			const next = await openAccepted(path);
			expect(names(next, before)).toEqual({ usable: ['get'], held: ['set'] });
			next.accept('weather', others);
			expect(names(next, before).held).toEqual([]);
			expect(names(next, [...before, listing([tool('a')], 'mail')], 'mail').usable).toEqual(['a']);
		},
	);

	test('then a server that lists its tools only later waits as well, until it is accepted itself', async () => {
		const path = await folder();
		const hash = approvalHash(launch);
		const approved = () => [['weather', hash] as const, ['mail', hash] as const];
		const first = await openAccepted(path, { approved });
		first.use([...before, listing([tool('send')], 'mail')]);
		await first.flush();
		await writeFile(join(path, 'tools.json'), 'spoilt');
		const pins = await openAccepted(path, { approved });
		pins.use(before);
		pins.accept('weather', pins.held.get('weather') ?? []);
		const mail = listing([tool('send', 'Otherwise')], 'mail');
		expect(names(pins, [...before, mail], 'mail').held).toEqual(['send']);
		await pins.flush();

		const next = await openAccepted(path, { approved });
		expect(names(next, [...before, mail], 'mail').held).toEqual(['send']);
		// The one that was accepted may have new tools again meanwhile.
		const more = listing([tool('get'), tool('set'), tool('new')]);
		expect(names(next, [more, mail])).toEqual({ usable: ['get', 'set', 'new'], held: [] });
		next.accept('mail', next.held.get('mail') ?? []);
		await next.flush();
		const last = await openAccepted(path, { approved });
		expect(names(last, [listing([tool('a')], 'maps')], 'maps').usable).toEqual(['a']);
	});

	test('too large: the same', async () => {
		const path = await folderWith();
		expect(names(await openAccepted(path, { limits: { file: 10 } }), before).usable).toEqual([]);
	});

	test('a folder: the same', async () => {
		const path = await folder();
		await mkdir(join(path, 'tools.json'));
		expect(names(await openAccepted(path), before).usable).toEqual([]);
	});
});

describe('given more than the file has room for', () => {
	test('then definitions go first, and a change is seen all the same', async () => {
		const path = await folder();
		const limits = { file: 400 };
		const long = tool('get', 'x'.repeat(400));
		const pins = await openAccepted(path, { limits });
		pins.use([listing([long])]);
		await pins.flush();
		const next = await openAccepted(path, { limits });
		expect(names(next, after).held).toEqual(['get']);
		expect(next.held.get('weather')?.[0]?.accepted).toBeUndefined();
	});

	test('then what is approved stays, however long ago it was used, and of the rest what was used last', async () => {
		const path = await folder();
		const clock = new FakeClock();
		const approved = () => [['old', approvalHash(launch)] as const];
		const pins = await openAccepted(path, { limits: { servers: 1 }, clock, approved });
		for (const name of ['old', 'mid', 'new']) {
			pins.use([listing([tool('get')], name)]);
			await clock.pass(1);
		}
		pins.use([]);
		await pins.flush();
		const next = await openAccepted(path, { approved });
		const held = ['old', 'mid', 'new'].map(
			(name) => names(next, [listing([tool('get', 'x')], name)], name).held,
		);
		expect(held).toEqual([['get'], [], ['get']]);
	});

	test('then what is approved and had no room is asked for again', async () => {
		const path = await folder();
		const limits = { file: 400 };
		const pins = await openAccepted(path, { limits });
		for (let i = 0; i < 20; i++) pins.use([listing([tool('get')], `server ${i}`)]);
		await pins.flush();
		const next = await openAccepted(path, { limits });
		for (let i = 0; i < 20; i++) {
			expect(names(next, [listing([tool('get', 'x')], `server ${i}`)], `server ${i}`).usable).toEqual([]);
		}
	});

	test('then a thousand launches push none out', async () => {
		const path = await folder();
		const pins = await openAccepted(path);
		pins.use([listing([tool('get')], 'first')]);
		for (let i = 0; i < 1_000; i++) pins.use([listing([tool('get')], `server ${i}`)]);
		await pins.flush();
		expect(names(await openAccepted(path), [listing([tool('get', 'x')], 'first')], 'first').held).toEqual([
			'get',
		]);
	});
});

describe('given a bit of the file that has changed', () => {
	test('then every tool waits to be accepted, whichever bit it is', async () => {
		const path = await folderWith();
		const file = join(path, 'tools.json');
		const whole = await readFile(file);
		for (let at = 0; at < whole.length; at++) {
			const spoilt = Buffer.from(whole);
			spoilt[at] = (whole[at] ?? 0) ^ (1 << (at % 7));
			await writeFile(file, spoilt);
			expect({ at, ...names(await openAccepted(path), before) }).toEqual({
				at,
				usable: [],
				held: ['get', 'set'],
			});
		}
	});
});

test('given a file that is gone, though there was one, then every tool waits to be accepted', async () => {
	const path = await folder();
	expect(names(await openAccepted(path, { wasWritten: true }), before).held).toEqual(['get', 'set']);
	expect(names(await openAccepted(path), before).held).toEqual([]);
});

describe('given two windows on one folder', () => {
	/** Both have read the folder before anything is in it. */
	async function twoWindows() {
		const path = await folder();
		return { path, a: await openAccepted(path), b: await openAccepted(path) };
	}
	const mail = [listing([tool('send')], 'mail')];
	const otherMail = [listing([tool('send', 'Otherwise')], 'mail')];

	test('when both write, then what each has accepted is known to both, and afterwards', async () => {
		const { path, a, b } = await twoWindows();
		a.use(before);
		b.use(mail);
		await Promise.all([a.flush(), b.flush()]);
		for (const pins of [await openAccepted(path), a, b]) {
			expect(names(pins, [...after, ...otherMail]).held).toEqual(['get']);
			expect(names(pins, [...after, ...otherMail], 'mail').held).toEqual(['send']);
		}
	});

	test('when one has written, then a tool that has changed since does not count as new in the other', async () => {
		const { a, b } = await twoWindows();
		a.use(before);
		await a.flush();
		expect(names(b, after)).toEqual({ usable: ['set'], held: ['get'] });
	});

	test('when both have seen a tool as another before either has written, then the later one holds it, and says so', async () => {
		const { path, a, b } = await twoWindows();
		a.use(before);
		expect(names(b, after).held).toEqual([]);
		let told = 0;
		b.onDidChange(() => {
			told += 1;
		});
		await a.flush();
		await b.flush();
		expect([told, names(b, after).held, names(a, before).held]).toEqual([1, ['get'], []]);
		expect(names(await openAccepted(path), after).held).toEqual(['get']);
	});

	test('when the user accepts a change in one, then that goes before what the other knew', async () => {
		const path = await folderWith();
		const [a, b] = [await openAccepted(path), await openAccepted(path)];
		for (const pins of [a, b]) pins.use(after);
		a.accept('weather', a.held.get('weather') ?? []);
		await a.flush();
		b.use([...after, ...mail]);
		await b.flush();
		expect([names(b, after).held, names(await openAccepted(path), after).held]).toEqual([[], []]);
	});

	test('when the file is spoilt in between, then nothing that this window knows is lost, and what is new waits', async () => {
		const path = await folderWith();
		const pins = await openAccepted(path);
		pins.use(before);
		await writeFile(join(path, 'tools.json'), '{');
		expect(names(pins, [listing([tool('get', 'x'), tool('set'), tool('new')])])).toEqual({
			usable: ['set'],
			held: ['get', 'new'],
		});
		await pins.flush();
		expect(names(await openAccepted(path), after)).toEqual({ usable: ['set'], held: ['get'] });
	});

	test('when many windows write again and again, then nothing of any is lost', async () => {
		const path = await folder();
		const windows = await Promise.all(Array.from({ length: 6 }, () => openAccepted(path)));
		for (let round = 0; round < 5; round++) {
			await Promise.all(
				windows.map(async (pins, i) => {
					pins.use([listing([tool(`tool ${round}`)], `server ${i}`)]);
					await pins.flush();
				}),
			);
		}
		const last = await openAccepted(path);
		for (const [i] of windows.entries()) {
			const tools = Array.from({ length: 5 }, (_, round) => tool(`tool ${round}`, 'Otherwise'));
			expect(names(last, [listing(tools, `server ${i}`)], `server ${i}`).usable).toEqual([]);
		}
	});
});
