import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import {
	type DiscoveryPolicy,
	defaultPolicy,
	defaultServerPolicy,
	type ServerPolicy,
} from '../../../../src/discovery/catalog/policy.ts';
import type { Tool } from '../../../../src/discovery/catalog/tool.ts';
import type { Habits } from '../../../../src/discovery/habits/habits.ts';
import { proposalsFor } from '../../../../src/discovery/habits/rules.ts';
import { servers, tool } from '../fixtures.ts';
import { called, chats } from './chats.ts';

/** A description of about so many tokens. */
const words = (tokens: number) => 'word '.repeat(tokens);

const small = ['read', 'write', 'list'];
const costly = (server: string, count: number, tokens: number): Tool[] =>
	Array.from({ length: count }, (_, i) => tool(server, `tool${i}`, words(tokens)));

interface Given {
	readonly tools?: Readonly<Record<string, readonly (string | Tool)[]>>;
	/** What is set for servers; those that are not named are deferred. */
	readonly set?: Readonly<Record<string, Partial<ServerPolicy>>>;
	readonly policy?: Partial<DiscoveryPolicy>;
	readonly habits: Habits;
	readonly dismissed?: readonly string[];
}

function suggested({ tools = { files: small }, set = {}, policy = {}, habits, dismissed = [] }: Given) {
	const all = servers(tools);
	const known = all.map(
		({ name }) => [name, { ...defaultServerPolicy, deferLoading: true, ...set[name] }] as const,
	);
	return proposalsFor({
		habits,
		tools: new Catalog(all, 1).tools,
		policy: { ...defaultPolicy, enabled: true, servers: new Map(known), ...policy },
		dismissed: new Set(dismissed),
	});
}

const ids = (given: Given) => suggested(given).map(({ id }) => id);
const reading = { calls: [called('files', 'read')] };
const usedIn = (used: number, of: number) => chats(of, (n) => (n < used ? reading : {}));

describe('given a deferred tool that chats call, pinning it is suggested by usage', () => {
	test.each([
		['four of four: too few to tell', usedIn(4, 4), []],
		['three of five', usedIn(3, 5), [{ used: 3, chats: 5 }]],
		['two of five: too seldom', usedIn(2, 5), []],
		['eight of ten', usedIn(8, 10), [{ used: 8, chats: 10 }]],
		['once it was, but not in the last ten', usedIn(12, 20), []],
		[
			'never in chats from before its server was there',
			chats(30, (n) => (n < 25 ? { servers: ['other'] } : reading)),
			[{ used: 5, chats: 5 }],
		],
	])('%s', (_, habits, expected) => {
		expect(suggested({ habits }).map(({ why }) => why)).toEqual(expected);
	});

	test('then the suggestion names the tool and the token cost of its definition', () => {
		const habits = usedIn(8, 10);
		const tools = { files: [tool('files', 'read', words(100)), 'write'] };
		const [pin] = suggested({ tools, habits });
		expect(pin).toMatchObject({ kind: 'pin', id: 'pin files:read', server: 'files', tool: 'read' });
		expect(pin?.tokens).toBeGreaterThan(100);
	});

	test.each([
		['is pinned', { set: { files: { pinned: ['read'] } } }],
		['is pinned with its server', { set: { files: { pinned: true } } }],
		['is of a server that is none of the configuration', { set: { files: { isOfEditor: true as const } } }],
		['is loaded anyway', { set: { files: { deferLoading: false } } }],
		['is gone', { tools: { files: ['write'] } }],
		['was dismissed', { dismissed: ['pin files:read'] }],
		['is one of discovery that is off', { policy: { enabled: false } }],
	])('then pinning is not suggested when the tool %s', (_, given) => {
		expect(ids({ habits: usedIn(10, 10), ...given })).toEqual([]);
	});

	test('then the number and tokens of tools already pinned by name limit further suggestions', () => {
		const habits = usedIn(10, 10);
		const many = { files: ['read'], other: Array.from({ length: 24 }, (_, i) => `t${i}`) };
		const pinned = many.other;
		expect(ids({ habits, tools: many, set: { other: { pinned } } })).toEqual([]);
		expect(ids({ habits, tools: many, set: { other: { pinned: pinned.slice(1) } } })).toEqual([
			'pin files:read',
		]);
		expect(ids({ habits, tools: many, set: { other: { pinned: true } } })).toEqual(['pin files:read']);
		const dear = { files: ['read'], other: costly('other', 2, 1000) };
		expect(ids({ habits, tools: dear, set: { other: { pinned: ['tool0', 'tool1'] } } })).toEqual([]);
	});
});

test('given five tools that every chat calls, then only as many as the token limit allows are suggested', () => {
	const tools = { files: costly('files', 5, 600) };
	const habits = chats(10, () => ({ calls: tools.files.map(({ name }) => called('files', name)) }));
	expect(ids({ tools, habits })).toEqual(['pin files:tool0', 'pin files:tool1', 'pin files:tool2']);
});

describe('given a server that is always loaded, deferring it is suggested by usage', () => {
	const tools = { big: costly('big', 12, 100), files: small };
	const set = { big: { deferLoading: false } };
	const idle = (count: number) => chats(count, () => ({ servers: ['big', 'files'], always: ['big'] }));

	test.each([
		['nine chats without it: too few to tell', idle(9), []],
		['ten', idle(10), [{ chats: 10, tools: 12 }]],
		['as many as there are', idle(23), [{ chats: 23, tools: 12 }]],
		[
			'counted from its last use',
			chats(30, (n) => ({ always: ['big'], calls: n === 17 ? [called('big', 'tool3')] : [] })),
			[{ chats: 12, tools: 12 }],
		],
		[
			'chats in which it was deferred do not count',
			chats(30, (n) => ({ always: n < 25 ? [] : ['big'] })),
			[],
		],
	])('%s', (_, habits, expected) => {
		expect(suggested({ tools, set, habits }).map(({ why }) => why)).toEqual(expected);
	});

	test.each([
		['its definitions are small', { tools: { big: costly('big', 2, 100) } }],
		['it is deferred already', { set: {} }],
		['the configuration defers everything', { policy: { deferAll: true } }],
		['the configuration does not name it', { policy: { servers: new Map() } }],
		['it was dismissed', { dismissed: ['defer big'] }],
	])('then deferring is not suggested when %s', (_, given) => {
		expect(ids({ tools, set, habits: idle(20), ...given })).toEqual([]);
	});

	test('then a server that is pinned as a whole is treated like any other loaded server', () => {
		const [only] = suggested({
			tools: { big: costly('big', 1, 2000) },
			set: { big: { pinned: true } },
			habits: idle(10),
		});
		expect(only).toMatchObject({ id: 'defer big', why: { chats: 10, tools: 1 } });
		expect(only?.tokens).toBeGreaterThan(2000);
	});
});

describe('given tools that are pinned by name', () => {
	const tools = { files: costly('files', 3, 400) };
	const set = { files: { pinned: ['tool0', 'tool1'] } };
	const pinned = ['files:tool0', 'files:tool1'];
	const habits = chats(10, () => ({ always: ['files'], pinned, calls: [called('files', 'tool1')] }));

	test('when no chat calls one of them, then deferring that tool is suggested', () => {
		expect(suggested({ tools, set, habits })).toMatchObject([
			{ kind: 'defer', id: 'defer files:tool0', tool: 'tool0', why: { chats: 10 } },
		]);
	});

	test('when a tool was pinned recently or costs few tokens, then deferring it is not suggested', () => {
		const before = chats(20, (n) => ({ pinned: n < 15 ? [] : pinned, calls: [called('files', 'tool1')] }));
		expect(ids({ tools, set, habits: before })).toEqual([]);
		expect(ids({ tools: { files: costly('files', 3, 100) }, set, habits })).toEqual([]);
	});

	test('when no chat calls any of them, then deferring the whole server is suggested', () => {
		const idle = chats(10, () => ({
			always: ['files'],
			pinned: ['files:tool0', 'files:tool1', 'files:tool2'],
		}));
		const all = { files: { pinned: ['tool0', 'tool1', 'tool2'] } };
		expect(ids({ tools, set: all, habits: idle })).toEqual(['defer files']);
		expect(ids({ tools, set: all, habits: idle, dismissed: ['defer files'] })).toEqual([
			'defer files:tool0',
			'defer files:tool1',
			'defer files:tool2',
		]);
	});
});

test('given many suggestions, then the top five are shown, the biggest token savings first', () => {
	const names = ['a', 'b', 'c', 'd', 'e', 'f'];
	const tools = {
		...Object.fromEntries(names.map((name, i) => [name, costly(name, 1, 2000 + 1000 * i)])),
		files: small,
	};
	const set = Object.fromEntries(names.map((name) => [name, { deferLoading: false }]));
	const habits = chats(10, () => ({ always: names, ...reading }));
	expect(ids({ tools, set, habits })).toEqual(['f', 'e', 'd', 'c', 'b'].map((name) => `defer ${name}`));
	expect(ids({ tools, set, habits, dismissed: ['defer a', 'defer b'] })).toEqual([
		...['f', 'e', 'd', 'c'].map((name) => `defer ${name}`),
		'pin files:read',
	]);
});
