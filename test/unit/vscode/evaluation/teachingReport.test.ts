import { describe, expect, test } from 'vitest';
import type { CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import type { TaughtTool } from '../../../../src/discovery/evaluation/comparison.ts';
import type { LabelledQuery } from '../../../../src/discovery/evaluation/queryFile.ts';
import { type ReportedTeaching, teachingReport } from '../../../../src/vscode/evaluation/teachingReport.ts';
import {
	asks,
	carpet,
	compared,
	crumbs,
	floor,
	home,
	misleading,
	robot,
	taught,
} from '../../discovery/evaluation/evaluating.ts';
import { servers, tool } from '../../discovery/fixtures.ts';

const searched = { tools: 9, isEnabled: true, ranking: 'default' } as const;

async function reported(
	tools: readonly TaughtTool[],
	queries: readonly LabelledQuery[],
	more: Partial<ReportedTeaching> = {},
	all: readonly CatalogServer[] = home,
): Promise<string> {
	const comparison = await compared(tools, queries, all);
	const sources = [
		{ title: 'mine.queries.json', queries, faults: [{ line: 7, message: 'This is *wrong*.' }] },
	];
	return teachingReport({ tools, sources, searched, outcome: { kind: 'compared', comparison }, ...more });
}

const known: TaughtTool = {
	server: 'home',
	name: 'start_program',
	after: { when: 'A person wants a clean floor.', queries: [crumbs, 'hoover'] },
};

/** The section of a title, up to the next. */
function sectionOf(text: string, title: string): string {
	return text.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? '';
}

describe('a report on what search has learned', () => {
	test('begins with whether it helps, and then has the figures before and now', async () => {
		const text = await reported([known], [floor, robot]);
		expect(text.split('\n\n').slice(0, 4)).toEqual([
			'# What search has learned',
			'**It helps.** The right tool is among the first five for 2 of 2 queries; before, for 1.',
			'**Undo** in the notification, or **Discovery: Undo Last Change**, takes all of it back.',
			'2 queries of `mine.queries.json`, put to the search among 9 tools as a model would, without and with what a language model has written of 1 tool. The queries ask for 1 of these.',
		]);
		expect(text).toMatch(/\| \| now \| before \| \|\n\|---[^\n]*\n\| \*\*Recall@5\*\* \| 100\s% \| 50\s% \|/);
		expect(text).toContain('- `mine.queries.json`, line 7: This is \\*wrong\\*\\.');
	});

	test('tells of each tool what is found now, and what was written of it', async () => {
		const text = await reported([known, taught('garden:water_rose', 'thirsty')], [floor, robot]);
		expect(sectionOf(text, 'What has changed, tool by tool')).toBe(`What has changed, tool by tool

### \`home:start_program\`

- Among the first five now: “${crumbs}” (not found → rank 1)

Written: A person wants a clean floor\\. “${crumbs}”, “hoover”

`);
		expect(sectionOf(text, 'What is written of the others')).toContain(
			'### `garden:water_rose`\n\nWritten: “thirsty”',
		);
	});

	test('tells what is lost, behind which tools, and what would be without their texts', async () => {
		const text = await reported([...misleading, known], [robot, floor]);
		expect(text).toContain(
			'**Slightly better: overall, the right tools rank higher.** The right tool is among the first five for 1 of 2 queries, as before. 1 gained, 1 lost.',
		);
		const changes = sectionOf(text, 'What has changed, tool by tool');
		expect(changes).toMatch(
			/### `home:call_robot`\n\n- Dropped out of the top five: “tell the robot[^”]*” \(rank 1 → rank 7\) behind (`garden:water_\w+`, ){5}…\n\nNo description was written\./,
		);
		expect(changes).toContain(
			`### \`garden:water_palm\`\n\n- Before the right tool, \`home:call_robot\`: “${carpet}” (rank 1 → rank 7)\n`,
		);
		const harm = sectionOf(text, 'What does harm');
		expect(harm).toContain('`garden:water_rose`, `garden:water_tulip`');
		expect(harm).toContain(
			'Without these texts: It helps. The right tool is among the first five for 2 of 2',
		);
		expect(harm).toContain('**Leave Out 6 Tools** in the notification');
	});

	test('tells of a query that no tool answers, and for which one is found now', async () => {
		const pizza = 'order a pizza with extra cheese';
		const text = await reported([taught('home:stop_program', pizza)], [asks(pizza)]);
		expect(text).toContain(
			'**It does harm.** For 1 of 1 query that no tool answers, search still finds one; before, for 0.',
		);
		expect(text).toContain(`- Found, though no tool answers it: “${pizza}”`);
		expect(sectionOf(text, 'What no tool answers')).toContain(
			`- Something is found now: “${pizza}” (\`home:stop_program\`)`,
		);
	});

	test('shows what was written before, and that nothing is any more', async () => {
		const [again, gone] = [
			{ ...known, before: { when: 'Earlier.' } },
			{ server: 'garden', name: 'water_oak', before: { queries: ['an oak'] } },
		];
		const text = await reported([again, gone], [floor]);
		expect(text).toContain('“hoover”  \nBefore: Earlier\\.\n');
		expect(text).toContain('It has no description any more.  \nBefore: “an oak”\n');
		// What was left out once is kept without a text.
		const empty = await reported([{ ...known, before: {} }], [floor]);
		expect(empty).not.toContain('Before:');
	});

	test('without queries says how to get some, and still shows what was written', async () => {
		const sources = [{ title: 'empty.queries.json', queries: [], faults: [] }];
		const report = { tools: [known], sources, searched };
		const text = teachingReport({ ...report, outcome: { kind: 'no-queries' } });
		expect(text).toMatch(
			/^# What search has learned\n\n\*\*Nothing was compared\*\*: .*Evaluate Search…\*\* creates/,
		);
		expect(sectionOf(text, 'What is written')).toContain('A person wants a clean floor');
		const stopped = teachingReport({ ...report, outcome: { kind: 'stopped' } });
		expect(stopped).toContain('**Nothing was compared**, since it was stopped.');
	});

	test('of very many tools is no longer than what is drawn, and says how many it leaves out', () => {
		const tools = Array.from({ length: 2000 }, (_, i) =>
			taught('garden:water_rose', `${'thirsty '.repeat(20)}${i}`),
		);
		const text = teachingReport({ tools, sources: [], searched, outcome: { kind: 'no-queries' } });
		expect(text.length).toBeLessThan(200_000);
		const told = text.split('### ').length - 1;
		expect(text.endsWith(`\n\n… and ${(2000 - told).toLocaleString('en')} more.\n`)).toBe(true);
	});

	test('says where no query could be judged, and why', async () => {
		const text = await reported([known], [asks(crumbs, 'home:nobody')]);
		expect(text).toContain('**There was no query to judge search by.**\n');
		expect(sectionOf(text, 'Labels')).toContain('`home:nobody`: no tool has this name');
	});

	test('says where nobody searches, and where the ranking does not read what was written', async () => {
		const text = await reported([known], [floor], {
			searched: { tools: 9, isEnabled: false, ranking: 'okapi' },
		});
		expect(text).toContain('Discovery is off or defers nothing');
		expect(text).toContain('The ranking `okapi` of the configuration does not read');
	});

	test('shows what others wrote as it is, never as markup', async () => {
		const evil = '<img src=x> [a](command:b) | `x` **b**\n# c';
		const all = servers({ 'a|b`c': [tool('a|b`c', 'x|y', 'Other words'), 'z'] });
		const one = { server: 'a|b`c', name: 'x|y', after: { when: evil, queries: [`${evil} gubbins`] } };
		const other = { server: 'a|b`c', name: 'z', before: { when: evil } };
		const queries = [
			asks('gubbins **b**', 'a|b`c:x|y'),
			asks(`${evil} gubbins`, 'nobody<b>'),
			asks(`gubbins ${evil}`),
		];
		const sources = [{ title: evil, queries, faults: [{ line: 1, message: evil }] }];
		const text = await reported([one, other], queries, { sources }, all);
		expect(text).toContain('Earlier: “gubbins');
		const outsideCode = text.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
		expect(outsideCode).not.toMatch(/(?<!\\)<img|(?<!\\)\]\(|(?<!\\)\*\*b|^# c/m);
	});
});
