import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ToolExpansion } from '../../../../src/discovery/catalog/expansion.ts';
import { type Tool, toolId } from '../../../../src/discovery/catalog/tool.ts';
import { type KnownExpansion, toTerms } from '../../../../src/discovery/search/known/knownText.ts';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
import { runs } from '../../../effort.ts';
import { tool } from '../../../unit/discovery/fixtures.ts';

const words = 'kettle lantern meadow orchard pebble quilt ribbon saddle thimble violin walnut zipper'.split(
	' ',
);
const text = (most: number) =>
	fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most }).map((some) => some.join(' '));

const anyTool = fc.record({
	server: fc.constantFrom('north', 'south', 'east'),
	description: text(6),
	when: text(5),
	queries: fc.array(text(4), { minLength: 1, maxLength: 5 }),
	isTaught: fc.boolean(),
	/** What Discovery knows of it. */
	known: fc.option(fc.record({ when: text(5), queries: fc.array(text(4), { minLength: 1, maxLength: 5 }) })),
});

function textOf(one: Tool, known: Required<ToolExpansion> | undefined): [Tool, KnownExpansion][] {
	if (!known) return [];
	const server = toTerms({ [one.name]: { ...known, parameters: [] } });
	return Object.values(server.tools).map((its) => [one, { ...its, server }]);
}

test('teaching some tools takes no place from the others', () => {
	fc.assert(
		fc.property(fc.array(anyTool, { minLength: 2, maxLength: 40 }), text(4), (tools, query) => {
			const plain = tools.map(({ server, description }, i) => tool(server, `tool_${i}`, description));
			const taught = plain.map((one, i) => {
				const { when, queries, isTaught } = tools[i] ?? {};
				return isTaught ? { ...one, expansion: { when: when ?? '', queries: queries ?? [] } } : one;
			});
			fc.pre(taught.some((one) => !('expansion' in one)));
			const untaught = new Set(taught.filter((one) => !('expansion' in one)).map(toolId));
			const texts = (its: typeof plain) =>
				new Map(its.flatMap((one, i) => textOf(one, tools[i]?.known ?? undefined)));
			const placesIn = (its: typeof plain) =>
				new ToolIndex(its, { knownExpansions: texts(its) })
					.search(query, { unlikely: true })
					.map((hit) => toolId(hit.tool))
					.map((id, place) => `${place} ${id}`)
					.filter((entry) => untaught.has(entry.replace(/^\d+ /, '')));
			expect(placesIn(taught)).toEqual(placesIn(plain));
		}),
		{ numRuns: runs(60) },
	);
});
