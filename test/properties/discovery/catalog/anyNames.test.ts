import fc from 'fast-check';
import { expect, test } from 'vitest';
import { legalServerName, legibleName, serverNameFault } from '../../../../src/config/file/entryNames.ts';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import { wireName } from '../../../../src/discovery/catalog/wireNames.ts';
import { runs } from '../../../effort.ts';

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
const tools = fc
	.uniqueArray(fc.record({ server: name, name }), {
		maxLength: 60,
		selector: (tool) => JSON.stringify([tool.server, tool.name]),
	})
	.map((honest) => [...honest, ...honest.flatMap(copycats)]);

/** Tools that are named like the wire names of others, also of each other. */
function copycats(tool: { readonly server: string; readonly name: string }) {
	const [server = '', ...rest] = wireName(tool).split('__');
	const copy = { server, name: rest.join('__') };
	const second = wireName(copy).split('__').slice(1).join('__');
	return [copy, { server, name: second }].filter((one) => !isSame(one, tool));
}

function isSame(a: { readonly server: string; readonly name: string }, b: typeof a): boolean {
	return a.server === b.server && a.name === b.name;
}

test('wire names are valid and unique, whatever the tools are called', () => {
	fc.assert(
		fc.property(tools, (all) => {
			const names = all.map(wireName);
			expect(names.every((wire) => legal.test(wire))).toBe(true);
			expect(new Set(names).size).toBe(new Set(all.map((tool) => JSON.stringify(tool))).size);
		}),
		{ numRuns: runs(200) },
	);
});

test('a wire name leads to its own tool, whatever else is connected and in whatever order', () => {
	fc.assert(
		fc.property(tools, (all) => {
			for (const order of [all, all.toReversed()]) {
				const tools = order.map((tool) => ({ ...tool, inputSchema: {} }));
				const byServer = [...Map.groupBy(tools, ({ server }) => server)];
				const catalog = new Catalog(
					byServer.map(([server, its]) => ({ name: server, tools: its })),
					1,
				);
				for (const tool of all) expect(catalog.get(wireName(tool))).toMatchObject(tool);
			}
		}),
		{ numRuns: runs(60), seed: 7 },
	);
});

test('the server name that a fix suggests is valid and differs from the others, whatever was written', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.array(fc.string()), (written, taken) => {
			const name = legalServerName(written, taken);
			expect(serverNameFault(name)).toBeUndefined();
			expect(taken.map(legibleName)).not.toContain(legibleName(name));
		}),
	);
});
