import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import { compareTeaching, type SearchChange } from '../../../../src/discovery/evaluation/comparison.ts';
import { policyFor, servers } from '../fixtures.ts';
import {
	asks,
	carpet,
	compared,
	crumbs,
	floor,
	home,
	misleading,
	plants,
	ranks,
	robot,
	taught,
} from './evaluating.ts';

/** `lost home:call_robot 1 → 7 behind garden:water_rose`. */
function told({ kind, tool, before, after, blamed }: SearchChange): string {
	const behind = blamed.map(({ id }) => id);
	const rank = (one: number) => (Number.isFinite(one) ? `${one}` : '–');
	return `${kind} ${tool?.id ?? 'nothing'} ${rank(before)} → ${rank(after)}${behind.length > 0 ? ` behind ${behind.sort().join(' ')}` : ''}`;
}

describe('given queries that use words from the tools’ expansions', () => {
	test('then the comparison reports the newly found tool and an improvement', async () => {
		const { changes, effect, needs, before, after } = await compared(
			[taught('home:start_program', crumbs)],
			[floor, robot],
		);
		expect(changes.map(told)).toEqual(['gained home:start_program – → 1']);
		expect([effect, needs]).toEqual(['better', { all: 2, before: 1, after: 2 }]);
		expect([before.figures.relevance.r5, after.figures.relevance.r5]).toEqual([0.5, 1]);
	});

	test('when the expansions are removed, then the comparison reports the loss and blames no tool', async () => {
		const { server, name, after } = taught('home:start_program', crumbs);
		const { changes, effect } = await compared([{ server, name, ...(after && { before: after }) }], [floor]);
		expect(changes.map(told)).toEqual(['lost home:start_program 1 → –']);
		expect(effect).toBe('worse');
	});

	test('when only the rank changes, then the effect is slight', async () => {
		const query = asks('water something', 'garden:water_tulip');
		const up = await compared([taught('garden:water_tulip', 'water something')], [query]);
		expect(up.changes.map(told)).toEqual(['gained garden:water_tulip 6 → 1']);
		const near = asks('water something', 'garden:water_lily');
		const little = await compared([taught('garden:water_lily', 'water something')], [near]);
		expect([little.effect, little.changes.map(told)]).toEqual([
			'slightly-better',
			['higher garden:water_lily 2 → 1'],
		]);
		const down = await compared([taught('garden:water_palm', 'water something')], [near]);
		expect([down.effect, down.changes.map(told)]).toEqual([
			'slightly-worse',
			['lower garden:water_lily 2 → 3 behind garden:water_palm'],
		]);
	});

	test('when a tool is outside the first five before and after, then no change is reported', async () => {
		const words = 'gubbins sprockets';
		const [first = '', ...others] = ['ant', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen'];
		const known = others.map((name) => ({ ...taught(`zoo:${name}`, words), before: { queries: [words] } }));
		const { before, after, changes } = await compared(
			[...known, taught(`zoo:${first}`, words)],
			[asks(words, 'zoo:hen')],
			servers({ zoo: [first, ...others] }),
		);
		expect([ranks(before), ranks(after)]).toEqual([[[7]], [[8]]]);
		expect(changes).toEqual([]);
	});

	test('when the ranking ignores expansions, then nothing changes', async () => {
		const { changes, effect } = await compared([taught('home:start_program', crumbs)], [floor], home, {
			ranking: 'okapi',
		});
		expect([effect, changes]).toEqual(['same', []]);
	});

	test('when a label matches several tools, then any of them counts as found', async () => {
		const two = servers({ a: ['clean', 'x'], b: ['clean', 'y'] });
		const { changes } = await compared([taught('b:clean', crumbs)], [asks(crumbs, 'clean')], two);
		expect(changes.map(told)).toEqual(['gained b:clean – → 1']);
	});

	test('when no query can be judged, then nothing changes', async () => {
		for (const queries of [[], [asks(crumbs, 'home:nobody')]]) {
			const { changes, effect, needs } = await compared([taught('home:start_program', crumbs)], queries);
			expect([effect, changes, needs]).toEqual(['same', [], { all: 0, before: 0, after: 0 }]);
		}
	});
});

describe('given expansions that rank wrong tools first', () => {
	test('then the comparison blames these tools', async () => {
		const { changes, effect } = await compared(
			[...misleading, taught('home:start_program', crumbs)],
			[robot, floor],
		);
		expect(changes.map(told)).toEqual([
			`lost home:call_robot 1 → 7 behind ${[...plants].sort().join(' ')}`,
			'gained home:start_program – → 1',
		]);
		expect(effect).toBe('slightly-better');
	});

	test('when such a tool meets another need of the query or is listed as helpful, then it is not blamed', async () => {
		const [rose = '', tulip = '', ...others] = plants;
		const query = { ...asks(carpet, 'home:call_robot', rose), also: [tulip] };
		const [lost] = (await compared(misleading, [query])).changes;
		expect(lost && told(lost)).toBe(`lost home:call_robot 1 → 6 behind ${others.sort().join(' ')}`);
	});

	test('when the query should find nothing, then the found tool is blamed', async () => {
		const pizza = asks('order a pizza with extra cheese');
		const cook = taught('home:stop_program', 'order a pizza with extra cheese');
		const { changes, effect, needs } = await compared([cook], [pizza]);
		expect(changes.map(told)).toEqual(['lost nothing – → 1 behind home:stop_program']);
		expect([effect, needs.all]).toEqual(['worse', 0]);
		const { server, name, after } = cook;
		const back = await compared([{ server, name, ...(after && { before: after }) }], [pizza]);
		expect(back.changes.map(told)).toEqual(['gained nothing 1 → –']);
	});
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
