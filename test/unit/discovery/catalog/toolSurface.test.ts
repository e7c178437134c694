import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import { toolId } from '../../../../src/discovery/catalog/tool.ts';
import { type Indexing, ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
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

	test('when its index is built, then the build pauses between steps', async () => {
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

	test('then its index uses the policy’s synonyms', async () => {
		const synonyms = ['frobnicate, delete event'];
		const index = await surfaceOf(office, { synonyms }).index();
		expect(index.search('frobnicate', { unlikely: true })[0]?.tool.id).toBe('calendar:delete_event');
	});

	test('then its index uses the server descriptions', async () => {
		const described = office.map((server) => ({ ...server, description: `all about ${server.name}x` }));
		const index = await surfaceOf(described).index();
		const found = index.search('calendarx', { unlikely: true });
		expect(new Set(found.map(({ tool: { server } }) => server))).toEqual(new Set(['calendar']));
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

	test('when a new index is built, then it replaces the previous one as the base for the next', async () => {
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

/** Servers of a firm with words of its own: a snark is an issue, a frumious bandersnatch a timesheet, and Borealis production. */
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
const tools = firm.flatMap((server) => server.tools);

/** All that matches, however unlikely: what is likely enough is calibrated on whole sets of queries, not here. */
function found(query: string, synonyms: readonly string[] = [], previous?: ToolIndex): string[] {
	const index = new ToolIndex(tools, { synonyms, ...(previous && { previous }) });
	return index.search(query, { unlikely: true }).map((hit) => toolId(hit.tool));
}

describe('a synonym of the workspace', () => {
	test.each([
		['a word', 'the snark', 'snark, issue', 'tracker:create_issue'],
		['a phrase', 'my frumious bandersnatch', 'frumious bandersnatch, timesheet', 'hours:submit_timesheet'],
	])('lets search find a tool by %s that found nothing before', (_what, query, line, wanted) => {
		expect(found(query)).toEqual([]);
		expect(found(query, [line])).toEqual([wanted]);
	});

	test('makes a match likely enough to be loaded', () => {
		const likely = (synonyms: readonly string[]) => new ToolIndex(tools, { synonyms }).search('snark').length;
		expect(likely([])).toBe(0);
		expect(likely(['snark, issue'])).toBe(1);
	});

	test('is used in addition to the built-in synonyms', () => {
		expect(found('reboot', ['snark, issue'])).toContain('hosting:restart_production');
	});

	test('does not carry over to a later index that is built without it', () => {
		const before = new ToolIndex(tools, { synonyms: ['snark, issue'] });
		expect(before.search('snark')).toHaveLength(1);
		expect(found('snark', [], before)).toEqual([]);
		expect(found('bandersnatch', ['bandersnatch, timesheet'], before)).toEqual(['hours:submit_timesheet']);
	});
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
