import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../src/discovery/catalog.ts';
import { type Indexing, ToolSurface } from '../../../src/discovery/toolSurface.ts';
import { ids, office, policyFor, servers, surfaceOf, tool } from './fixtures.ts';

const many = servers({
	shop: Array.from({ length: 2000 }, (_, i) =>
		tool('shop', `sell_${i}`, `Sells article number ${i} of a shop`),
	),
});

describe('given a surface', () => {
	test('when several ask for its index, then it is made once', async () => {
		const surface = surfaceOf();
		const [one, other] = await Promise.all([surface.index(), surface.index()]);
		expect(other).toBe(one);
		expect(await surface.index()).toBe(one);
	});

	test('when its index is made, then others have their turn between the steps', async () => {
		let pauses = 0;
		const pause = async () => {
			pauses++;
		};
		await new ToolSurface(new Catalog(many, 1), policyFor(many), undefined, { pause }).index();
		expect(pauses).toBeGreaterThan(5);
	});

	test('then its index finds deferred tools only', async () => {
		const surface = surfaceOf(office, { servers: policyFor(office.slice(0, 1)).servers });
		const found = (await surface.index()).search('search', { unlikely: true });
		expect(ids(found.map((hit) => hit.tool))).toEqual(['slack:search']);
	});

	test('then the policy’s synonyms count', async () => {
		const synonyms = ['frobnicate, delete event'];
		const index = await surfaceOf(office, { synonyms }).index();
		expect(index.search('frobnicate', { unlikely: true })[0]?.tool.id).toBe('calendar:delete_event');
	});

	test('then what its servers say of themselves counts', async () => {
		const described = office.map((server) => ({ ...server, description: `all about ${server.name}x` }));
		const index = await surfaceOf(described).index();
		const found = index.search('calendarx', { unlikely: true });
		expect(new Set(found.map(({ tool: { server } }) => server))).toEqual(new Set(['calendar']));
	});
});

describe('given surfaces that follow one another', () => {
	test('when one server lists another tool, then only that one is analysed, and found', async () => {
		let pauses = 0;
		const indexing: Indexing = {
			pause: async () => {
				pauses++;
			},
		};
		const first = new ToolSurface(new Catalog(many, 1), policyFor(many), undefined, indexing);
		await first.index();
		const before = pauses;
		pauses = 0;
		const [shop] = many;
		const grown = [
			{ name: 'shop', tools: [...(shop?.tools ?? []), tool('shop', 'refund', 'Gives money back')] },
		];
		const second = new ToolSurface(new Catalog(grown, 2), policyFor(grown), undefined, indexing);
		const index = await second.index();
		expect(pauses).toBeLessThan(before);
		expect(index.search('refund')[0]?.tool.id).toBe('shop:refund');
	});

	test('when the last index is made, then only that one is kept for the next', async () => {
		const indexing: Indexing = {};
		const surfaceAt = (version: number) =>
			new ToolSurface(new Catalog(office, version), policyFor(office), undefined, indexing);
		const first = await surfaceAt(1).index();
		expect(indexing.newest).toBe(first);
		const second = await surfaceAt(2).index();
		expect(second).not.toBe(first);
		expect(indexing.newest).toBe(second);
	});
});
