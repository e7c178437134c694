import { describe, expect, test } from 'vitest';
import { areSeveralNeeds, fused } from '../../../../src/discovery/search/fusion.ts';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
import { tool } from '../fixtures.ts';

const [first, one, other, sibling] = [
	tool('a', 'first'),
	tool('b', 'one'),
	tool('c', 'other'),
	tool('a', 'sibling'),
];
const hit = (its: typeof first, score: number, relevance: number) => ({ tool: its, score, relevance });
const namesOf = (hits: ReturnType<typeof fused>) => hits.map(({ tool: { name } }) => name);

describe('the hits of a query and of its clauses', () => {
	const hits = [hit(first, 10, 0.9), hit(one, 5, 0.2), hit(other, 4.9, 0.2)];

	test('are added up, and the first hit stays first', () => {
		const parts = [[hit(other, 3, 0.9)], [hit(first, 1, 0.1)]];
		const sums = fused(hits, parts, parts);
		expect(namesOf(sums)).toEqual(['first', 'other', 'one']);
		expect(sums.map(({ score }) => score)).toEqual(sums.map(({ score }) => score).toSorted((a, b) => b - a));
	});

	test('count for the tools of a server that much speaks for', () => {
		const equal = [hit(first, 10, 0.9), hit(one, 5, 0.2), hit(sibling, 5, 0.2)];
		expect(namesOf(fused(equal, [], []))).toEqual(['first', 'sibling', 'one']);
	});

	test('come first for what no hit before them is for', () => {
		const two = [[hit(one, 4, 0.9), hit(sibling, 3.9, 0.8)], [hit(other, 3, 0.9)]];
		const alike = [hit(first, 10, 0.9), hit(one, 5, 0.2), hit(sibling, 4.9, 0.2), hit(other, 2, 0.2)];
		expect(namesOf(fused(alike, [], two))).toEqual(['first', 'sibling', 'other', 'one']);
	});

	test('count little for a clause without a likely tool', () => {
		expect(namesOf(fused(hits, [], [[hit(other, 3, 0.001)]]))).toEqual(['first', 'one', 'other']);
	});
});

const request =
	'Look into the shed for the old lantern, count the violins in the attic, then paint the garden gate in a friendly blue for my grandmother';
const things = ['lantern', 'violins', 'gate'];
const tools = [
	...['look_lantern', 'count_violins', 'paint_gate'].map((name) => tool(name.split('_')[1] ?? '', name)),
	...Array.from({ length: 12 }, (_, i) => tool('shed', `shed_garden_attic_${i}`)),
];

test('a query finds the tools of all its clauses, whatever the limit and however long it is', () => {
	for (const query of [request, 'count the violins, paint the gate, then find the lantern']) {
		const five = new ToolIndex(tools).search(query, { limit: 5 }).map((found) => found.tool.name);
		expect(five).toEqual(expect.arrayContaining(things.map((thing) => expect.stringContaining(thing))));
		const more = new ToolIndex(tools).search(query, { limit: 12 }).map((found) => found.tool.name);
		expect(more.slice(0, 5)).toEqual(five);
	}
});

test('clauses are needs if more than one has a likely tool', () => {
	const [likely, unlikely] = [[hit(first, 3, 0.9)], [hit(one, 3, 0.1)]];
	expect(areSeveralNeeds([likely, unlikely, []])).toBe(false);
	expect(areSeveralNeeds([likely, unlikely, likely])).toBe(true);
});
