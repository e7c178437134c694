import { describe, expect, test } from 'vitest';
import { compareStrings } from '../../../../src/discovery/compareStrings.ts';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
import { toolId } from '../../../../src/discovery/tool.ts';
import { tool } from '../fixtures.ts';

const verbs = ['read', 'write', 'list', 'move', 'print'];
const things = ['map', 'song', 'letter', 'picture', 'recipe', 'ticket', 'invoice'];

/** Each verb with each thing on 60 servers. */
const tools = Array.from({ length: 60 }, (_, i) =>
	verbs.flatMap((verb) =>
		things.map((thing) => tool(`server${i}`, `${verb}_${thing}`, `Can ${verb} a ${thing}`, { id: 'string' })),
	),
).flat();
const index = new ToolIndex(tools);
const unlikely = true;

describe('among thousands of tools', () => {
	test('all that match are counted, however few are wanted', () => {
		for (const limit of [1, 5, 100, undefined]) {
			const { hits, matches } = index.find('song', { unlikely, ...(limit !== undefined && { limit }) });
			expect(matches).toBe(60 * verbs.length);
			expect(hits).toHaveLength(limit ?? matches);
		}
	});

	test('a limit of none gives none', () => {
		expect(index.search('song', { limit: 0, unlikely })).toEqual([]);
	});

	test('the tools for the whole of the need come first', () => {
		const hits = index.search('print a recipe', { limit: 60, unlikely });
		expect(new Set(hits.map((hit) => hit.tool.name))).toEqual(new Set(['print_recipe']));
	});

	test('the best few are the beginning of all', () => {
		const all = index.search('move the letter and print it', { unlikely });
		for (const limit of [1, 5, 24, 25, 300]) {
			expect(index.search('move the letter and print it', { limit, unlikely })).toEqual(all.slice(0, limit));
		}
	});

	test('the best come first, and of equals the first by name and server', () => {
		const hits = index.search('move the letter', { unlikely });
		for (const [i, hit] of hits.slice(1).entries()) {
			const before = hits[i];
			if (!before) continue;
			expect(before.score).toBeGreaterThanOrEqual(hit.score);
			if (before.score > hit.score) continue;
			const names = [before, hit].map(({ tool: one }) => `${one.name}\n${one.server}`);
			expect(names).toEqual(names.toSorted());
		}
	});

	test('those of one server are found where it is asked for, and counted alone', () => {
		const { hits, matches } = index.find('song', { server: 'server7', unlikely });
		expect(hits.map((hit) => toolId(hit.tool)).sort()).toEqual(
			verbs.map((verb) => `server7:${verb}_song`).sort(),
		);
		expect(matches).toBe(verbs.length);
	});

	test('one named in full comes first', () => {
		expect(index.search('server31:read_map', { limit: 1 }).map((hit) => toolId(hit.tool))).toEqual([
			'server31:read_map',
		]);
	});

	test('nothing matches nonsense', () => {
		expect(index.find('xylophone', { unlikely })).toEqual({ hits: [], matches: 0 });
	});
});

test('of tools that score the same, however many, the first is the first by name', () => {
	// Long names make all of them worse; descriptions of three lengths make some worse than others.
	const stones = ['flax', 'quartz', 'slate', 'chalk', 'sand', 'clay', 'ore'];
	const uneven = Array.from({ length: 80 }, (_, i) =>
		tool(`s${i}`, stones.map((stone) => stone + i).join('_'), `Shows a glim${' wood'.repeat((i * 7) % 3)}`),
	);
	const hits = new ToolIndex(uneven).search('glim', { unlikely });
	const sorted = hits.toSorted((a, b) => b.score - a.score || compareStrings(a.tool.name, b.tool.name));
	expect(hits.map((hit) => hit.tool.name)).toEqual(sorted.map((hit) => hit.tool.name));
});

test('a tool that is found by its name alone counts as one that matches', () => {
	const named = tool('jobs', 'run_2024_11', 'Does it');
	const small = new ToolIndex([named, ...tools.slice(0, 30)]);
	const query = 'run_2024_11 for the song';
	const { hits, matches } = small.find(query, { unlikely });
	expect(hits[0]?.tool).toBe(named);
	expect(matches).toBe(hits.length);
	expect(small.find(query, { limit: 1, unlikely }).matches).toBe(matches);
});
