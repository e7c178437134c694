import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../src/discovery/catalog.ts';
import { DiscoverySession } from '../../../src/discovery/discoverySession.ts';
import { ToolIndex } from '../../../src/discovery/search/toolIndex.ts';
import { toolId } from '../../../src/discovery/tool.ts';
import { type Indexing, ToolSurface } from '../../../src/discovery/toolSurface.ts';
import { offered, policyFor, search, servers, tool } from './fixtures.ts';

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
	])('finds what %s did not find', (_what, query, line, wanted) => {
		expect(found(query)).toEqual([]);
		expect(found(query, [line])).toEqual([wanted]);
	});

	test('is enough for a search that loads only what is likely', () => {
		const likely = (synonyms: readonly string[]) => new ToolIndex(tools, { synonyms }).search('snark').length;
		expect(likely([])).toBe(0);
		expect(likely(['snark, issue'])).toBe(1);
	});

	test('with commas leads both ways', () => {
		const both = ['hosting:describe_borealis', 'hosting:restart_production'];
		expect(found('borealis', ['borealis, production']).toSorted()).toEqual(both);
		expect(found('production', ['borealis, production']).toSorted()).toEqual(both);
	});

	test('with an arrow leads from left to right only, and what was written comes first', () => {
		const line = 'borealis => production';
		expect(found('borealis')).toEqual(['hosting:describe_borealis']);
		expect(found('borealis', [line])).toEqual(['hosting:describe_borealis', 'hosting:restart_production']);
		expect(found('production', [line])).toEqual(['hosting:restart_production']);
	});

	test('stands beside the built-in ones', () => {
		expect(found('reboot', ['snark, issue'])).toContain('hosting:restart_production');
	});

	test('is gone from an index that follows and does not have it', () => {
		const before = new ToolIndex(tools, { synonyms: ['snark, issue'] });
		expect(before.search('snark')).toHaveLength(1);
		expect(found('snark', [], before)).toEqual([]);
		expect(found('bandersnatch', ['bandersnatch, timesheet'], before)).toEqual(['hours:submit_timesheet']);
	});
});

test('a chat that is under way searches with the synonyms of a new policy at once', async () => {
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
