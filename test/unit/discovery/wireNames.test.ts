import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Catalog } from '../../../src/discovery/catalog.ts';
import { allocateWireNames, wireName } from '../../../src/discovery/wireNames.ts';
import { servers } from './fixtures.ts';

const legal = /^[A-Za-z0-9_-]{1,64}$/;

/** Names as servers and attackers choose them. */
const name = fc.oneof(
	fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
	fc.stringMatching(/^[ab_]{1,6}$/),
	fc.constantFrom(
		'constructor',
		'__proto__',
		'toString',
		'search_tools',
		'with space',
		'with\nnewline',
		'🚀🚀',
		'🛸',
		'日本語',
		'a__b',
		'x'.repeat(10_000),
		`${'x'.repeat(10_000)}y`,
	),
);
const tools = fc.uniqueArray(fc.record({ server: name, name }), {
	maxLength: 60,
	selector: (tool) => JSON.stringify([tool.server, tool.name]),
});

test('whatever servers call their tools, wire names are legal and no two are the same', () => {
	fc.assert(
		fc.property(tools, (all) => {
			const names = allocateWireNames(all);
			expect(names.every((wire) => legal.test(wire))).toBe(true);
			expect(new Set(names).size).toBe(all.length);
		}),
		{ numRuns: 1000 },
	);
});

test('a wire name is the same from run to run, whatever else is connected and in whatever order', () => {
	fc.assert(
		fc.property(tools, (all) => {
			const together = allocateWireNames([...all].reverse()).reverse();
			expect(together).toEqual(all.map((tool) => wireName(tool)));
		}),
		{ numRuns: 300, seed: 7 },
	);
});

test('a thousand tools with hostile names: each wire name leads back to its own tool', () => {
	const hostile = fc.sample(fc.record({ server: name, name }), { numRuns: 1000, seed: 1 });
	const byServer = Map.groupBy(hostile, (tool) => tool.server);
	const catalog = new Catalog(
		[...byServer].map(([server, its]) => ({
			name: server,
			tools: its.map((tool) => ({ ...tool, inputSchema: { type: 'object' } })),
		})),
		1,
	);
	const wrong = catalog.tools.filter(
		(tool) => catalog.get(tool.wireName) !== tool || !legal.test(tool.wireName),
	);
	expect(wrong).toEqual([]);
	const distinct = new Set(hostile.map((tool) => JSON.stringify([tool.server, tool.name])));
	expect(catalog.tools).toHaveLength(distinct.size);
});

test.each([
	[{ server: 'slack', name: 'send_message' }, 'slack__send_message'],
	[{ server: 'git-hub', name: 'a' }, 'git-hub__a'],
	[{ server: 's', name: 'constructor' }, 's__constructor'],
	[{ server: 's', name: '__proto__' }, 's____proto__'],
	[{ server: 'a', name: 'x'.repeat(61) }, `a__${'x'.repeat(61)}`],
])('%o is legal as it stands, so it is %s', (tool, expected) => {
	expect(wireName(tool)).toBe(expected);
});

test('the server and the tool of `a__b` + `c` and of `a` + `b__c` are not mistaken for each other', () => {
	expect(wireName({ server: 'a__b', name: 'c' })).not.toBe(wireName({ server: 'a', name: 'b__c' }));
	expect(wireName({ server: 'a_', name: 'b' })).not.toBe(wireName({ server: 'a', name: '_b' }));
});

test('a name that has to be changed still reads like the tool', () => {
	expect(wireName({ server: 'my notes', name: 'Créer une note' })).toMatch(
		/^my_notes__Creer_une_note_[a-z0-9]{7}$/,
	);
	expect(wireName({ server: '🚀', name: '🛸' })).toMatch(/^server__tool_[a-z0-9]{7}$/);
});

test('a tool that copies the shortened name of another does not get that name from it', () => {
	const victim = { server: 'notes', name: 'write it down' };
	const copycat = { server: 'notes', name: wireName(victim).slice('notes__'.length) };
	const [first, second] = allocateWireNames([victim, copycat]);
	expect(first).not.toBe(second);
	expect(allocateWireNames([copycat, victim])).toEqual([second, first]);
});

test('a name that a server lists twice counts once, the first time', () => {
	const [server] = servers({ s: ['echo', 'echo', 'other'] });
	const catalog = new Catalog(server ? [server] : [], 1);
	expect(catalog.tools.map((tool) => tool.wireName)).toEqual(['s__echo', 's__other']);
	expect(catalog.get('s__echo')?.name).toBe('echo');
});
