import { describe, expect, test } from 'vitest';
import type { Ranking } from '../../../../src/discovery/policy.ts';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
import { office, tool } from '../fixtures.ts';

const officeTools = office.flatMap((server) => server.tools);
const rankings: readonly Ranking[] = ['default', 'okapi', 'name-parts'];
const queries = ['send a message', 'search', 'zorp', 'calandar', '+slack list', 'create_event', ''];

function many(count: number) {
	return Array.from({ length: count }, (_, i) => tool('s', `t${i}`, 'Draws a map'));
}

async function pausesFor(count: number, ranking: Ranking): Promise<number> {
	let pauses = 0;
	const pause = () => {
		pauses++;
		return Promise.resolve();
	};
	await ToolIndex.build(many(count), { ranking, pause });
	return pauses;
}

describe.each(rankings)('an index of ranking %s that is built in steps', (ranking) => {
	const pause = () => Promise.resolve();

	test('answers as one that is built at once', async () => {
		const options = {
			ranking,
			synonyms: ['zorp => message'],
			servers: new Map([['slack', { description: 'Talk to people' }]]),
		};
		const tools = [...officeTools, ...many(600)].toReversed();
		const atOnce = new ToolIndex(tools, options);
		const inSteps = await ToolIndex.build(tools, { ...options, pause });
		expect(inSteps.tools).toEqual(atOnce.tools);
		for (const query of queries) {
			expect(inSteps.find(query)).toEqual(atOnce.find(query));
			expect(inSteps.find(query, { unlikely: true, server: 'slack', limit: 2 })).toEqual(
				atOnce.find(query, { unlikely: true, server: 'slack', limit: 2 }),
			);
			for (const one of officeTools) expect(inSteps.explain(query, one)).toEqual(atOnce.explain(query, one));
		}
	});

	test('pauses the more often, the more tools there are', async () => {
		await pausesFor(1, ranking);
		const [few, more, most] = [
			await pausesFor(1, ranking),
			await pausesFor(1000, ranking),
			await pausesFor(3000, ranking),
		];
		expect(more - few).toBeGreaterThanOrEqual(3);
		expect(most - few).toBeGreaterThanOrEqual(2 * (more - few));
	});

	test('lets other work go on in between', async () => {
		let done = false;
		const turns: boolean[] = [];
		const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
		const building = ToolIndex.build(many(1000), { ranking, pause: turn }).then(() => {
			done = true;
		});
		while (!done) {
			await turn();
			turns.push(done);
		}
		await building;
		expect(turns.filter((finished) => !finished).length).toBeGreaterThanOrEqual(3);
	});

	test('is not built at all where the pause fails', async () => {
		const stopped = new Error('the session has ended');
		await expect(ToolIndex.build(many(1000), { ranking, pause: () => Promise.reject(stopped) })).rejects.toBe(
			stopped,
		);
	});

	test('of no tools finds nothing', async () => {
		const index = await ToolIndex.build([], { ranking, pause });
		expect(index.find('map')).toEqual({ hits: [], matches: 0 });
	});
});
