import type { CatalogTool } from '../../discovery/catalog.ts';
import { firstSentence, folded, visible } from '../../discovery/text.ts';

/** Tools that the example asks for: one of each server as far as they go. */
const shownTools = 6;
const queryLength = 120;

/** A file of labelled queries to begin with: what some of the user's tools say of themselves, to be put into the user's own words. */
export function exampleQueries(tools: readonly CatalogTool[]): string {
	const lines = oneOfEach(tools).map(({ id, name, description }) => {
		const query = folded(visible(firstSentence(description ?? '') || name), queryLength);
		return `\t{ "query": ${JSON.stringify(query)}, "tools": [${JSON.stringify(id)}] },`;
	});
	return `// Queries as you or a model would ask them, each with the tools that should be found for it.
// "Discovery: Evaluate Search…" tells how many are among the first five, and what would help the others.
[
	// These are the tools' own words, which is too easy: put them in yours.
${lines.join('\n')}
	// Two tools that are needed, and one need that either of two tools meets:
	// { "query": "…", "tools": ["server:one", "server:two"] },
	// { "query": "…", "tools": [["server:one", "server:other"]] },
	// Something that no tool can do: nothing should be found.
	{ "query": "order a pizza with extra cheese", "none": true }
]
`;
}

function oneOfEach(tools: readonly CatalogTool[]): CatalogTool[] {
	const byServer = [...Map.groupBy(tools, ({ server }) => server).values()];
	const rounds = Math.max(0, ...byServer.map(({ length: count }) => count));
	const inRounds = Array.from({ length: rounds }, (_, i) => byServer.flatMap((its) => its[i] ?? [])).flat();
	return inRounds.slice(0, shownTools);
}
