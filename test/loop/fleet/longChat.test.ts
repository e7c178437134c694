import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fleet, type FleetTool, serverOf, things, wantedThings, wireNameOf } from './fleet.ts';
import { FleetWindow, type SentBody } from './fleetWindow.ts';
import { callsFor, LongChat, type SentRequest, searchFor, turnsOfWindow } from './longChat.ts';

/** The window in which a server lists another schema, and that in which another server is gone. */
const changedIn = 2;
const goneIn = 3;
const windows = 5;
/** Most tools of a request. */
const requestTools = 64;
const cap = 24;

let fleet: Fleet;
let chat: LongChat;
let changed: FleetTool;
let gone: FleetTool;

beforeAll(async () => {
	fleet = new Fleet();
	// An earlier window has started every server once, and left on disk what they list.
	const before = await FleetWindow.open(fleet, fleet.config(), undefined);
	await before.pool.whenReady(things.map(serverOf), { timeoutMs: 50_000 });
	await before[Symbol.asyncDispose]();

	chat = new LongChat(fleet);
	await chat.play([]);
	await chat.play([], [callsFor(chat.used(), chat.used(5)), { text: 'They are still there.' }]);
	changed = chat.used();
	fleet.describe(changed.thing, 'approved_by');
	chat.summarise();
	await chat.play([], [callsFor(changed), { text: 'It has changed.' }]);
	gone = chat.used();
	await chat.play([gone.thing], [searchFor(`export one ${gone.thing}`), { text: 'It is gone.' }]);
	await chat.play([gone.thing]);
});

afterAll(() => fleet[Symbol.dispose]());

function namesIn({ tools }: SentBody): string[] {
	return tools.map((tool) => tool.function.name);
}

/** What is to be loaded, as far as it exists. */
function present({ active, window }: SentRequest): string[] {
	const isGone = (name: string) => window >= goneIn && name.startsWith(`${serverOf(gone.thing)}__`);
	return active.filter((name) => !isGone(name));
}

/** Each request with the one before it in the same window. */
function pairs(): (readonly [SentRequest, SentRequest])[] {
	return chat.requests.flatMap((request, i) => {
		const before = chat.requests[i - 1];
		return before?.window === request.window ? [[before, request] as const] : [];
	});
}

function continues(before: readonly unknown[], now: readonly unknown[]): boolean {
	return JSON.stringify(now.slice(0, before.length)) === JSON.stringify(before);
}

function firstOf(window: number): SentRequest {
	const request = chat.requests.find((one) => one.window === window);
	if (!request) throw new Error(`window ${window} has sent nothing`);
	return request;
}

/** Results of tools that say so, over the whole chat. */
function told(words: string): { window: number; text: string }[] {
	return Array.from({ length: windows }, (_, window) => {
		const last = chat.requests.findLast((request) => request.window === window);
		const texts = last?.body.messages.map(({ content }) => JSON.stringify(content)) ?? [];
		return texts.filter((text) => text.includes(words)).map((text) => ({ window, text }));
	}).flat();
}

describe(`in ${windows * turnsOfWindow} turns over ${things.length} servers with four restarts`, () => {
	test('every turn ends with an answer, and every call gets a result from its server', () => {
		const ends = chat.events.flatMap(({ event }) => (event.type === 'end' ? [event] : []));
		expect(ends).toHaveLength(windows * turnsOfWindow);
		expect(ends.filter(({ reason }) => reason !== 'answered')).toEqual([]);
		const finished = chat.events.flatMap(({ event }) => (event.type === 'toolFinished' ? [event] : []));
		expect(finished.length).toBeGreaterThan(windows * turnsOfWindow);
		expect(finished.filter(({ tool, result }) => !tool || result.isError)).toEqual([]);
	});

	test('the number of loaded tools never exceeds the cap, and the least recently used ones are evicted', () => {
		expect(chat.most).toBe(cap);
		expect(chat.evictions.flatMap(({ expected }) => expected).length).toBeGreaterThan(cap);
		for (const { told, expected, byCalls } of chat.evictions) {
			expect(told.filter((name) => !byCalls.includes(name))).toEqual(expected);
			expect(byCalls.filter((name) => !told.includes(name))).toEqual([]);
		}
	});

	test('every loaded tool is sent once; all other tools sent are evicted ones that linger', () => {
		for (const request of chat.requests) {
			const { body, evicted } = request;
			const names = namesIn(body);
			expect(names.length).toBeLessThanOrEqual(requestTools);
			expect(new Set(names).size).toBe(names.length);
			expect(names[0]).toBe('search_tools');
			const there = present(request);
			expect(there.filter((name) => !names.includes(name))).toEqual([]);
			const others = names.slice(1).filter((name) => !there.includes(name));
			expect(others.filter((name) => !evicted.has(name))).toEqual([]);
		}
	});

	test('tools are only appended, whatever servers change, unless the request is full', () => {
		const breaks = pairs().filter(([before, now]) => !continues(before.body.tools, now.body.tools));
		for (const [before, now] of breaks) {
			const wanted = new Set([...namesIn(before.body), ...now.active]);
			expect(wanted.size).toBeGreaterThan(requestTools);
			const there = now.active.filter(
				(name) => now.window < goneIn || !name.startsWith(serverOf(gone.thing)),
			);
			expect(namesIn(now.body)).toEqual(['search_tools', ...there]);
		}
		expect(breaks.length).toBeLessThan(windows * 3);
	});

	test('earlier messages never change within a window', () => {
		for (const [before, now] of pairs()) {
			const isAnew = !continues(before.body.tools, now.body.tools);
			const from = isAnew ? 1 : 0;
			expect(continues(before.body.messages.slice(from), now.body.messages.slice(from))).toBe(true);
		}
	});
});

describe('at each restart', () => {
	test('the loaded tools are sent with the first request, in the same order', () => {
		for (const [window, { restored }] of chat.windows.entries()) {
			if (window === 0) continue;
			const first = firstOf(window);
			expect(restored).toEqual(present(first));
			expect(namesIn(first.body)).toEqual(['search_tools', ...restored]);
			expect(restored.length).toBeGreaterThan(cap / 2);
		}
	});

	test('the model reads exactly what the chat showed, even if that is only a summary', () => {
		const rolesOf = (window: number) => firstOf(window).body.messages.map(({ role }) => role);
		expect(rolesOf(1)).toEqual([
			'system',
			...Array(turnsOfWindow).fill(['user', 'assistant']).flat(),
			'user',
		]);
		expect(rolesOf(changedIn)).toEqual(['system', 'user', 'assistant', 'user']);
	});

	test('only servers that are called are started, once per window', () => {
		for (const { called, startsBefore, startsAfter } of chat.windows) {
			const started = things.filter((thing) => startsAfter.get(thing) !== startsBefore.get(thing));
			expect(new Set(started.map(serverOf))).toEqual(called);
			for (const thing of started) expect(startsAfter.get(thing)).toBe((startsBefore.get(thing) ?? 0) + 1);
		}
		const never = things.filter((thing) => !wantedThings.includes(thing));
		expect(never.length).toBeGreaterThan(0);
		for (const thing of never) expect(fleet.starts().get(thing)).toBe(1);
	});

	test('the model is told once that a tool’s schema has changed, and what it is now', () => {
		const name = wireNameOf(changed);
		const notes = told('Changed since you loaded it').filter(({ text }) => text.includes(name));
		expect(notes.map(({ window }) => window)).toEqual([changedIn]);
		expect(notes[0]?.text).toContain('approved_by');
		// What is sent as its definition stays, so that providers find the beginning of the request in their cache.
		const sent = (request: SentRequest | undefined) =>
			JSON.stringify(request?.body.tools.find((tool) => tool.function.name === name)?.function.parameters);
		expect(sent(firstOf(changedIn))).not.toContain('approved_by');
		expect(sent(chat.requests.filter(({ window }) => window === changedIn)[1])).not.toContain('approved_by');
		const shown = chat.events.filter(
			({ event }) =>
				event.type === 'notice' && event.text.includes('Reloaded because their servers changed them'),
		);
		expect(shown.map(({ turn }) => turn)).toEqual([changedIn * turnsOfWindow]);
	});

	test('the model is told once that a tool is gone, with the closest names', () => {
		const name = wireNameOf(gone);
		const notes = told('Loaded earlier, no longer available').filter(({ text }) => text.includes(name));
		expect(notes.map(({ window }) => window)).toEqual([goneIn]);
		expect(notes[0]?.text).toMatch(new RegExp(`${name} \\(closest names: \\w+`));
	});
});

test('no server process is left running', () => {
	expect(fleet.running()).toEqual([]);
});
