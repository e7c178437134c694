import * as l10n from '@vscode/l10n';
import { firstSentence, folded, visible } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';

/** Tools that the example asks for, each of another server if there are as many. */
const mostTools = 4;
const queryLength = 120;

/** A file of labelled queries to start from. */
export function exampleQueries(tools: readonly CatalogTool[]): string {
	const asked = oneOfEach(tools).slice(0, mostTools);
	const [first, second] = asked;
	return [
		`// ${l10n.t('Queries as you or a model would ask them, each with the tools that search should find.')}`,
		`// ${l10n.t('“Discovery: Evaluate Search…” shows how many are in the top 5, and what may help with the others.')}`,
		'[',
		comment(l10n.t('The tools’ own words. Replace them with yours: “who wrote this line?”')),
		...asked.map((tool) => line(queryOf(tool), [tool.id])),
		...(first && second
			? [
					comment(l10n.t('Two tasks in one query: search should find both tools.')),
					line(`${queryOf(first)}, and then ${queryOf(second)}`, [first.id, second.id]),
				]
			: []),
		comment(l10n.t('Either of two tools can do this:')),
		'\t// { "query": "…", "tools": [["server:one", "server:other"]] },',
		comment(l10n.t('No tool can do this: search should find nothing.')),
		'\t{ "query": "order a pizza with extra cheese", "none": true }',
		']',
		'',
	].join('\n');
}

function comment(text: string): string {
	return `\t// ${text}`;
}

function line(query: string, tools: readonly string[]): string {
	return `\t{ "query": ${JSON.stringify(query)}, "tools": ${JSON.stringify(tools).replaceAll('","', '", "')} },`;
}

function queryOf({ name, description }: CatalogTool): string {
	return folded(visible(firstSentence(description ?? '') || name), queryLength).replace(/\.$/, '');
}

function oneOfEach(tools: readonly CatalogTool[]): CatalogTool[] {
	const byServer = [...Map.groupBy(tools, ({ server }) => server).values()];
	const rounds = Math.max(0, ...byServer.map(({ length: count }) => count));
	return Array.from({ length: rounds }, (_, i) => byServer.flatMap((its) => its[i] ?? [])).flat();
}
