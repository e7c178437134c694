import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Catalog, type CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import type { TaughtTool } from '../../../../src/discovery/evaluation/comparison.ts';
import { evaluate } from '../../../../src/discovery/evaluation/evaluate.ts';
import { type LabelledQuery, readQueryFile } from '../../../../src/discovery/evaluation/queryFile.ts';
import { searchFixes } from '../../../../src/discovery/evaluation/searchFixes.ts';
import { exampleQueries } from '../../../../src/vscode/evaluation/exampleQueries.ts';
import {
	missesUntaught,
	type SearchReport,
	searchReport,
} from '../../../../src/vscode/evaluation/searchReport.ts';
import {
	asks,
	compared,
	crumbs,
	floor,
	home,
	misleading,
	robot,
	taught,
} from '../../discovery/evaluation/evaluating.ts';
import { office, policyFor, servers, tool } from '../../discovery/fixtures.ts';
import { sample } from '../../models/planner/conversation.ts';

const steps = { pause: async () => {} };
const faults = [{ line: 7, message: 'This is *wrong*.' }];
const surfaceOf = (all: readonly CatalogServer[]) => new ToolSurface(new Catalog(all, 1), policyFor(all));

/** The report of an evaluation. */
async function evaluated(all: readonly CatalogServer[], queries: readonly LabelledQuery[]): Promise<string> {
	const surface = surfaceOf(all);
	const evaluation = await evaluate(surface, queries, steps);
	const sources = [{ title: 'mine.queries.json', queries, faults }];
	const fixes = await searchFixes(evaluation, surface);
	return searchReport({ sources, surface, isEnabled: true, evaluation, fixes });
}

/** The report of what search learned. */
async function learned(
	tools: readonly TaughtTool[],
	queries: readonly LabelledQuery[],
	more: Partial<SearchReport> = {},
	all: readonly CatalogServer[] = home,
): Promise<string> {
	const { before, after } = await compared(tools, queries, all);
	return searchReport({
		sources: [{ title: 'mine.queries.json', queries, faults }],
		surface: surfaceOf(all),
		isEnabled: true,
		evaluation: after,
		before,
		fixes: [],
		taught: tools,
		...more,
	});
}

const known: TaughtTool = {
	server: 'home',
	name: 'start_program',
	after: { when: 'A person wants a clean floor.', queries: [crumbs, 'hoover'] },
};
const gubbins = asks('gubbins', 'slack:list_channels');

/** The section of a title, up to the next. */
function sectionOf(text: string, title: string): string {
	return text.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? '';
}

describe('a search report', () => {
	test('starts with a verdict, followed by the figures and their sources', async () => {
		const found = asks('list channels', 'slack:list_channels');
		const leadOf = async (...queries: LabelledQuery[]) => (await evaluated(office, queries)).split('\n\n')[1];
		expect(await leadOf(found)).toMatch(/^\*\*Search works well.* 1 of 1 query/);
		expect(await leadOf(found, gubbins)).toMatch(/^\*\*Search misses a lot.* 1 of 2 queries/);
		expect(await leadOf(asks('zebra xylophone'))).toMatch(/^It correctly finds nothing for 1 of 1 query/);
		expect(await leadOf()).toBe('None of the queries could be evaluated.');
		const text = await evaluated(office, [found]);
		expect(text).toMatch(/1 query from `mine\.queries\.json`, .* among \d+ tools/);
		expect(text).toContain('| Right tools in the top 5 | 1 of 1 |');
		expect(text).toContain('- `mine.queries.json`, line 7: This is \\*wrong\\*\\.');
	});

	test('lists misses with what ranks first instead, and hints that may help', async () => {
		const text = await evaluated(office, [
			asks('search the events', 'slack:list_channels'),
			asks('a message'),
		]);
		expect(sectionOf(text, 'Missed')).toMatch(
			/\| search the events \| `slack:list_channels` \| not found \| `calendar:search[^|]*\|/,
		);
		expect(await evaluated(office, [gubbins])).toContain(
			'- Add `gubbins` to the hint of `slack:list_channels`: “gubbins”',
		);
	});

	test('suggests Teach Search for missed tools without a description, if the ranking uses descriptions', async () => {
		const help = (text: string) => sectionOf(text, 'What may help').includes('**Discovery: Teach Search…**');
		expect(help(await evaluated(office, [gubbins]))).toBe(true);
		const described = office.map(({ tools, ...server }) => ({
			...server,
			tools: tools.map((own) => ({ ...own, expansion: { when: 'Somebody wants it.' } })),
		}));
		expect(help(await evaluated(described, [gubbins]))).toBe(false);
		expect(help(await evaluated(office, [asks('list channels', 'slack:list_channels')]))).toBe(false);
		const surface = new ToolSurface(new Catalog(office, 1), policyFor(office, { ranking: 'okapi' }));
		const evaluation = await evaluate(surface, [gubbins], steps);
		expect(missesUntaught({ evaluation, surface })).toBe(false);
	});

	test('says after teaching whether it helped, what changed, and what the model wrote', async () => {
		const text = await learned([known, taught('garden:water_rose', 'thirsty')], [floor, robot]);
		expect(text).toContain('**Search works better for the tested queries.**');
		expect(text).toContain('|  | Now | Before |');
		expect(text).toContain('| Right tools in the top 5 | 2 of 2 | 1 of 2 |');
		expect(sectionOf(text, 'Missed or changed')).toContain(
			`| ${crumbs} | \`home:start_program\` | rank 1 | not found | \`home:start_program\`, `,
		);
		expect(sectionOf(text, 'Missed or changed')).not.toContain('home:call_robot` | rank');
		expect(sectionOf(text, 'Descriptions')).toContain(
			`### \`home:start_program\`\n\nA person wants a clean floor\\. “${crumbs}”, “hoover”`,
		);
	});

	test('lists the results that got worse, and the tools that now rank above them', async () => {
		const pizza = 'order a pizza with extra cheese';
		const text = await learned([...misleading, taught('home:stop_program', pizza)], [robot, asks(pizza)]);
		expect(text).toContain('**Search works worse for the tested queries.**');
		expect(text).toContain('| Unexpected results | 1 of 1 | 0 of 1 |');
		const changed = sectionOf(text, 'Missed or changed');
		expect(changed).toMatch(
			/\| tell the robot[^|]* \| `home:call_robot` \| rank 7 \| rank 1 \| (`garden:water_\w+`(, )?){3} \|/,
		);
		expect(changed).toContain(`| ${pizza} | none | found | not found | \`home:stop_program\``);
	});

	test('shows the previous description, and that a description was removed', async () => {
		const again = { ...known, before: { when: 'Earlier.' } };
		const gone = { server: 'garden', name: 'water_oak', before: { queries: ['an oak'] } };
		const text = await learned([again, gone], [floor]);
		expect(text).toContain('“hoover”\n\nBefore: Earlier\\.');
		expect(text).toContain('No description.\n\nBefore: “an oak”');
		// A description that was removed once is kept as an empty one.
		expect(await learned([{ ...known, before: {} }], [floor])).not.toContain('Before:');
	});

	test('shows as many descriptions as the editor can render if there is no evaluation', () => {
		const tools = Array.from({ length: 2000 }, (_, i) =>
			taught('garden:water_rose', `${'thirsty '.repeat(20)}${i}`),
		);
		const text = searchReport({
			sources: [],
			surface: surfaceOf(home),
			isEnabled: true,
			fixes: [],
			taught: tools,
		});
		expect(text).toMatch(/^# What search learned\n\n\*\*Not evaluated\.\*\*/);
		expect(text.length).toBeLessThan(200_000);
		const shown = text.split('### ').length - 1;
		expect(text.endsWith(`\n\n… and ${(2000 - shown).toLocaleString('en')} more\n`)).toBe(true);
	});

	test('says that models do not search if discovery is off, and which labels are wrong', async () => {
		const text = await learned([known], [asks(crumbs, 'home:nobody')], { isEnabled: false });
		expect(text).toContain('Discovery is off or defers nothing');
		expect(text).toContain('**None of the queries could be evaluated.**');
		expect(sectionOf(text, 'Problems in the queries')).toContain('`home:nobody`: no tool has this name');
	});

	test('escapes text from servers, query files and models', async () => {
		const evil = '<img src=x> [a](command:b) | `x` **b**\n# c';
		const all = servers({ 'a|b`c': [tool('a|b`c', 'x|y', evil), 'z'] });
		const one = { server: 'a|b`c', name: 'x|y', after: { when: evil, queries: [`${evil} gubbins`] } };
		const other = { server: 'a|b`c', name: 'z', before: { when: evil } };
		const queries = [
			asks('gubbins **b**', 'a|b`c:x|y'),
			asks(`${evil} gubbins`, 'nobody<b>'),
			asks(`gubbins ${evil}`),
			asks(`other ${evil}`, 'a|b`c:z'),
		];
		const sources = [{ title: evil, queries, faults: [{ line: 1, message: evil }] }];
		const text = await learned([one, other], queries, { sources }, all);
		const outsideCode = text.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
		expect(outsideCode).not.toMatch(/(?<!\\)<img|(?<!\\)\]\(|(?<!\\)\*\*b|^# c/m);
		const rows = text.split('\n').filter((line) => /^\| (?:gubbins|other)/.test(line));
		expect(rows.length).toBeGreaterThan(0);
		for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(6);
	});
});

describe('an example file of queries', () => {
	const catalog = new Catalog(office, 1);
	const read = () => readQueryFile('search.queries.jsonc', exampleQueries(catalog.tools));

	test('is valid, and every label in it is the name of a tool', async () => {
		const { queries, faults } = read();
		expect(faults).toEqual([]);
		const { figures } = await evaluate(surfaceOf(office), queries, steps);
		expect(figures).toMatchObject({ negatives: 1, falseAnswers: 0, leftOut: 0 });
	});

	test('in the example workspace shows that search works well, with one miss', async () => {
		const name = 'examples/workspace/search.queries.jsonc';
		const { queries, faults } = readQueryFile(name, readFileSync(name, 'utf8'));
		expect(faults).toEqual([]);
		const surface = new ToolSurface(new Catalog(sample.servers, 1), sample.policy);
		const evaluation = await evaluate(surface, queries, steps);
		expect(evaluation.figures).toMatchObject({ negatives: 1, falseAnswers: 0, leftOut: 0 });
		const missed = evaluation.results
			.filter(({ isRight }) => !isRight)
			.map(({ question }) => question.labelled.query);
		expect(missed).toEqual(['give this file another name']);
		const sources = [{ title: name, queries, faults }];
		const text = searchReport({ sources, surface, isEnabled: true, evaluation, fixes: [] });
		expect(text.split('\n\n')[1]).toMatch(/^\*\*Search works well:\*\* .* 9 of 10 queries\./);
	});

	test('contains a query for one tool, and one for two tools at once', () => {
		const { queries } = read();
		expect(queries[0]).toMatchObject({ needs: [[catalog.tools[0]?.id]] });
		expect(queries.some(({ needs }) => needs.length === 2)).toBe(true);
	});
});
