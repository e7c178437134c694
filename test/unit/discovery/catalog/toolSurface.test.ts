import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import { defaultPolicy, everythingDeferred } from '../../../../src/discovery/catalog/policy.ts';
import { type Indexing, ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { ids, offered, office, policyFor, search, servers, surfaceOf, tool } from '../fixtures.ts';

const many = servers({
	shop: Array.from({ length: 2000 }, (_, i) =>
		tool('shop', `sell_${i}`, `Sells article number ${i} of a shop`),
	),
});

describe('given a surface', () => {
	test('when several callers ask for its index, then the index is built once', async () => {
		const surface = surfaceOf();
		const [one, other] = await Promise.all([surface.index(), surface.index()]);
		expect(other).toBe(one);
		expect(await surface.index()).toBe(one);
	});

	test('then its index finds deferred tools only', async () => {
		const surface = surfaceOf(office, { servers: policyFor(office.slice(0, 1)).servers });
		const found = (await surface.index()).search('search', { unlikely: true });
		expect(ids(found.map((hit) => hit.tool))).toEqual(['slack:search']);
	});

	test('then its index uses the server descriptions', async () => {
		const described = office.map((server) => ({ ...server, description: `all about ${server.name}x` }));
		const index = await surfaceOf(described).index();
		const found = index.search('calendarx', { unlikely: true });
		expect(new Set(found.map(({ tool: { server } }) => server))).toEqual(new Set(['calendar']));
	});
});

describe('given tools that their server wants always loaded', () => {
	const wished = (server: string, count: number) =>
		servers({
			[server]: Array.from({ length: count }, (_, i) => ({
				...tool(server, `tool_${i}`, `Does what number ${i} does. ${'It takes its time. '.repeat(20)}`),
				alwaysLoad: true as const,
			})),
		});

	test('when they fit, then they are loaded beside deferred ones; other agents still find them', async () => {
		const catalog = [...office, ...wished('memory', 2)];
		const policy = policyFor(catalog);
		expect(ids(surfaceOf(catalog, policy).loaded)).toEqual(['memory:tool_0', 'memory:tool_1']);
		const others = surfaceOf(catalog, everythingDeferred({ ...defaultPolicy, ...policy }, ['memory']));
		expect(ids(others.deferred)).toContain('memory:tool_0');
	});

	test('when they are too many, then the first are loaded, and the others deferred', () => {
		const catalog = [...wished('greedy', 100), ...wished('memory', 1)];
		const { loaded, deferred } = surfaceOf(catalog, policyFor(catalog));
		expect(loaded.length).toBeGreaterThan(5);
		expect(deferred.length).toBeGreaterThan(70);
		expect(ids(deferred)).toContain('memory:tool_0');
	});
});

describe('given successive surfaces', () => {
	test('when a server adds a tool, then only the new tool is analysed, and search finds it', async () => {
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
});

/** Servers of a firm with a word of its own: a snark is an issue. */
const firm = servers({
	tracker: [
		tool('tracker', 'create_issue', 'Create an issue in a project'),
		tool('tracker', 'list_projects', 'List all projects'),
	],
	hours: [
		tool('hours', 'submit_timesheet', 'Submit the timesheet of a week'),
		tool('hours', 'list_holidays', 'List public holidays of a country'),
	],
	hosting: [
		tool('hosting', 'restart_production', 'Restart the production cluster'),
		tool('hosting', 'describe_borealis', 'Describe the Borealis staging area'),
	],
});
test('when the policy gets new synonyms, then a running chat searches with them at once', async () => {
	const catalog = new Catalog(firm, 1);
	const indexing: Indexing = {};
	const surface = (...synonyms: string[]) =>
		new ToolSurface(catalog, policyFor(firm, { synonyms }), undefined, indexing);
	const session = new DiscoverySession(surface());

	await search(session, { query: 'snark' });
	expect(offered(session)).not.toContain('tracker__create_issue');

	session.surface = surface('snark, issue');
	await search(session, { query: 'snark' });
	expect(offered(session)).toContain('tracker__create_issue');
});
