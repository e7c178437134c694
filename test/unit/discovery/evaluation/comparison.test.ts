import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import { compareTeaching, gain } from '../../../../src/discovery/evaluation/comparison.ts';
import { policyFor, servers } from '../fixtures.ts';
import { asks, compared, crumbs, floor, home, misleading, ranks, robot, taught } from './evaluating.ts';

const never = Number.POSITIVE_INFINITY;

/** Ranks of all needs before and after, and whether search got better (1) or worse (-1). */
async function effectOf(...args: Parameters<typeof compared>) {
	const comparison = await compared(...args);
	const { before, after } = comparison;
	return [ranks(before).flat(), ranks(after).flat(), Math.sign(gain(comparison))];
}

describe('given queries that use words from the tools’ expansions', () => {
	const learned = taught('home:start_program', crumbs);

	test('then the tool is found, and search is better', async () => {
		expect(await effectOf([learned], [floor, robot])).toEqual([[never, 1], [1, 1], 1]);
	});

	test('when the expansions are removed, then the tool is lost, and search is worse', async () => {
		const { server, name, after: before = {} } = learned;
		expect(await effectOf([{ server, name, before }], [floor])).toEqual([[1], [never], -1]);
	});

	test('when only the rank within the first five changes, then it decides', async () => {
		const near = asks('water something', 'garden:water_lily');
		expect(await effectOf([taught('garden:water_lily', 'water something')], [near])).toEqual([[2], [1], 1]);
		expect(await effectOf([taught('garden:water_palm', 'water something')], [near])).toEqual([[2], [3], -1]);
	});

	test('when more queries are found, then lower ranks of others do not count', async () => {
		const tools = [...misleading.slice(0, 2), learned];
		expect(await effectOf(tools, [robot, floor])).toEqual([[1, never], [3, 1], 1]);
	});

	test('when one query is found and another lost, then the ranks decide', async () => {
		expect(await effectOf([...misleading, learned], [robot, floor])).toEqual([[1, never], [7, 1], 1]);
	});

	test('when the ranking ignores expansions, then nothing changes', async () => {
		expect(await effectOf([learned], [floor], home, { ranking: 'okapi' })).toEqual([[9], [9], 0]);
	});

	test('when a label matches several tools, then any of them counts as found', async () => {
		const two = servers({ a: ['clean', 'x'], b: ['clean', 'y'] });
		expect(await effectOf([taught('b:clean', crumbs)], [asks(crumbs, 'clean')], two)).toEqual([
			[never],
			[1],
			1,
		]);
	});

	test('when no query can be judged, then nothing changes', async () => {
		expect(await effectOf([learned], [asks(crumbs, 'home:nobody')])).toEqual([[], [], 0]);
	});
});

test('search that newly finds a tool for a query that should find nothing is worse', async () => {
	const pizza = 'order a pizza with extra cheese';
	const comparison = await compared([taught('home:stop_program', pizza)], [asks(pizza)]);
	expect(comparison.before.figures.falseAnswers).toBe(0);
	expect(comparison.after.figures.falseAnswers).toBe(1);
	expect(gain(comparison)).toBeLessThan(0);
});

test('the comparison can be cancelled while an index is being built', async () => {
	const searched = { catalog: new Catalog(home, 1), policy: policyFor(home) };
	let pauses = 0;
	const pause = async () => {
		if (++pauses === 2) throw new Error('enough');
	};
	const shares: number[] = [];
	const running = compareTeaching(searched, misleading, [robot], {
		pause,
		progress: (share) => shares.push(share),
	});
	await expect(running).rejects.toThrow('enough');
	expect(shares).toEqual([]);
});
