import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Catalog, type CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import { defaultServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import { type EvaluationFigures, evaluate } from '../../../../src/discovery/evaluation/evaluate.ts';
import type { LabelledQuery } from '../../../../src/discovery/evaluation/queryFile.ts';
import { readQueryFile } from '../../../../src/discovery/evaluation/queryFile.ts';
import { searchFixes } from '../../../../src/discovery/evaluation/searchFixes.ts';
import { evaluationReport, missesUntaught } from '../../../../src/vscode/evaluation/evaluationReport.ts';
import { everydayQuery, exampleQueries } from '../../../../src/vscode/evaluation/exampleQueries.ts';
import { office, policyFor, servers, tool } from '../../discovery/fixtures.ts';
import { sample } from '../../models/planner/conversation.ts';

const steps = { pause: async () => {} };

async function reported(
	all: readonly CatalogServer[],
	queries: readonly LabelledQuery[],
	hint?: string,
	before?: EvaluationFigures,
) {
	const catalog = new Catalog(all, 1);
	const policy = policyFor(all);
	const slack = { ...defaultServerPolicy, deferLoading: true };
	const tools = new Map([['list_channels', { searchHint: hint ?? '' }]]);
	const hinted = { ...policy, servers: new Map(policy.servers).set('slack', { ...slack, tools }) };
	const surface = new ToolSurface(catalog, hint ? hinted : policy);
	const evaluation = await evaluate(surface, queries, steps);
	const fixes = await searchFixes(evaluation, surface);
	const faults = [{ line: 7, message: 'This is *wrong*.' }];
	return evaluationReport({
		source: { title: 'mine.queries.json', queries, faults },
		evaluation,
		fixes,
		surface,
		isEnabled: true,
		...(before && { before }),
	});
}

describe('a report on search', () => {
	test('has the lines for the configuration, with the hint that is there already', async () => {
		const text = await reported(office, [{ query: 'gubbins', needs: [['slack:list_channels']] }], 'rooms');
		const [, lines] = /```jsonc\n([\s\S]*?)\n```/.exec(text) ?? [];
		expect(JSON.parse(`{${lines}}`)).toEqual({
			servers: { slack: { tools: { list_channels: { search_hint: 'rooms gubbins' } } } },
		});
		expect(text).toContain('- Line 7: This is \\*wrong\\*\\.');
	});

	test('shows what others wrote as it is, never as markup', async () => {
		const evil = '<img src=x> [a](command:b) | `x` **b**';
		const all = servers({ 'a|b`c': [tool('a|b`c', 'x|y', evil), 'other'] });
		const text = await reported(all, [
			{ query: `${evil} other`, needs: [['a|b`c:x|y']] },
			{ query: `other ${evil}`, needs: [['nobody<b>']] },
			{ query: 'other', needs: [] },
		]);
		const outsideCode = text.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
		expect(outsideCode).not.toMatch(/(?<!\\)<img|(?<!\\)\]\(|(?<!\\)\*\*b/);
		for (const line of text.split('\n').filter((one) => /^\| \d/.test(one))) {
			expect(line.match(/(?<!\\)\|/g)).toHaveLength(6);
		}
	});

	test('names Teach Search where a tool is missed of which no model has written yet, and such texts are read', async () => {
		const told = '**Discovery: Teach Search…** has a language model write';
		const query = { query: 'gubbins', needs: [['slack:list_channels']] };
		const untaught = await reported(office, [query]);
		expect(untaught.slice(untaught.indexOf('## What may help'), untaught.indexOf('## Misses'))).toContain(
			told,
		);
		const texts = office.map(({ tools, ...server }) => ({
			...server,
			tools: tools.map((own) => ({ ...own, expansion: { when: 'Somebody wants it.' } })),
		}));
		expect(await reported(texts, [query])).not.toContain(told);
		expect(await reported(office, [{ query: 'list channels', needs: query.needs }])).not.toContain(told);
		const surface = new ToolSurface(new Catalog(office, 1), policyFor(office, { ranking: 'okapi' }));
		const evaluation = await evaluate(surface, [query], steps);
		expect(missesUntaught({ evaluation, surface })).toBe(false);
	});

	test('of a second evaluation says so where search has become worse', async () => {
		const query = { query: 'gubbins', needs: [['slack:list_channels']] };
		const catalog = new Catalog(office, 1);
		const now = await evaluate(new ToolSurface(catalog, policyFor(office)), [query], steps);
		const better = { ...now.figures, relevance: { ...now.figures.relevance, r5: 1 } };
		const told = 'Search got worse.';
		expect(await reported(office, [query], 'rooms', better)).toContain(told);
		expect(await reported(office, [query], 'rooms', now.figures)).not.toContain(told);
		const nothing = { query: 'list channels', needs: [] };
		expect(await reported(office, [query, nothing], 'rooms', now.figures)).toContain(told);
	});

	test('begins with how well search does', async () => {
		const find = (query: string, tool: string): LabelledQuery => ({ query, needs: [[tool]] });
		const found = find('list channels', 'slack:list_channels');
		const leadOf = async (...queries: LabelledQuery[]) => (await reported(office, queries)).split('\n\n')[1];
		expect(await leadOf(found)).toBe(
			'**Search does well**: for the only query, the right tools are among the first five.',
		);
		expect(await leadOf(found, find('gubbins', 'slack:list_channels'))).toBe(
			'**Search misses much**: for only 1 of 2 queries, the right tools are among the first five.',
		);
		expect(await leadOf({ query: 'zebra xylophone', needs: [] })).toBe(
			'For the query that no tool answers, it finds nothing, as it should.',
		);
		expect(await leadOf()).toBe('There was no query to judge search by.');
	});
});

describe('an example file of queries', () => {
	const catalog = new Catalog(office, 1);
	const read = () => readQueryFile('search.queries.jsonc', exampleQueries(catalog.tools));

	test('can be read, and every label of it is known', async () => {
		const { queries, faults } = read();
		expect(faults).toEqual([]);
		const { figures } = await evaluate(new ToolSurface(catalog, policyFor(office)), queries, steps);
		expect(figures).toMatchObject({ negatives: 1, falseAnswers: 0, leftOut: 0 });
	});

	test('of the example workspace greets with search that does well, and shows what one miss looks like', async () => {
		const name = 'examples/workspace/search.queries.jsonc';
		const { queries, faults } = readQueryFile(name, readFileSync(name, 'utf8'));
		expect(faults).toEqual([]);
		const catalog = new Catalog(sample.servers, 1);
		const surface = new ToolSurface(catalog, sample.policy);
		const evaluation = await evaluate(surface, queries, steps);
		expect(evaluation.figures).toMatchObject({ negatives: 1, falseAnswers: 0, leftOut: 0 });
		const missed = evaluation.results
			.filter(({ isRight }) => !isRight)
			.map(({ question }) => question.labelled.query);
		expect(missed).toEqual(['give this file another name']);
		const fixes = await searchFixes(evaluation, surface);
		const source = { title: name, queries, faults };
		const report = evaluationReport({ source, evaluation, fixes, surface, isEnabled: true });
		expect(report.split('\n\n')[1]).toBe(
			'**Search does well**: for 9 of 10 queries, the right tools are among the first five. For the query that no tool answers, it finds nothing, as it should.',
		);
	});

	test('asks in the tools’ own words, in others, and for two tools at once', () => {
		const { queries } = read();
		expect(queries[0]).toMatchObject({ needs: [[catalog.tools[0]?.id]] });
		expect(queries.some(({ needs }) => needs.length === 2)).toBe(true);
	});

	test.each([
		['delete_event', 'get rid of the event'],
		['git_list_branches', 'which branches are there'],
		['post', undefined],
		['create', undefined],
		['constructor_of_things', undefined],
	])('asks for %s as people do: %s', (name, query) => {
		expect(everydayQuery(name)?.query).toBe(query);
	});
});
