import { describe, expect, test } from 'vitest';
import { Catalog, type CatalogServer } from '../../../../src/discovery/catalog.ts';
import { advise } from '../../../../src/discovery/evaluation/advise.ts';
import { evaluate } from '../../../../src/discovery/evaluation/evaluate.ts';
import type { LabelledQuery } from '../../../../src/discovery/evaluation/labelledQuery.ts';
import { readQueryFile } from '../../../../src/discovery/evaluation/queryFile.ts';
import { defaultServerPolicy } from '../../../../src/discovery/policy.ts';
import { ToolSurface } from '../../../../src/discovery/toolSurface.ts';
import { evaluationReport } from '../../../../src/vscode/evaluation/evaluationReport.ts';
import { exampleQueries } from '../../../../src/vscode/evaluation/exampleQueries.ts';
import { office, policyFor, servers, tool } from '../../discovery/fixtures.ts';

const steps = { pause: async () => {} };

async function reported(all: readonly CatalogServer[], queries: readonly LabelledQuery[], hint?: string) {
	const catalog = new Catalog(all, 1);
	const policy = policyFor(all);
	const slack = { ...defaultServerPolicy, deferLoading: true };
	const tools = new Map([['list_channels', { searchHint: hint ?? '' }]]);
	const hinted = { ...policy, servers: new Map(policy.servers).set('slack', { ...slack, tools }) };
	const surface = new ToolSurface(catalog, hint ? hinted : policy);
	const evaluation = await evaluate(surface, queries, steps);
	const advice = await advise(catalog, surface, evaluation, steps);
	const faults = [{ line: 7, message: 'This is *wrong*.' }];
	return evaluationReport({
		source: { title: 'mine.queries.json', queries, faults },
		evaluation,
		advice,
		surface,
		isEnabled: true,
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

	test('an example file can be read, and its tools are found', async () => {
		const catalog = new Catalog(office, 1);
		const { queries, faults } = readQueryFile('search.queries.jsonc', exampleQueries(catalog.tools));
		expect(faults).toEqual([]);
		const { figures } = await evaluate(new ToolSurface(catalog, policyFor(office)), queries, steps);
		expect(figures).toMatchObject({ queries: 6, negatives: 1, falseAnswers: 0, leftOut: 0 });
		expect(figures.relevance.r5).toBe(1);
	});
});
