import type { CatalogTool } from '../catalog/catalog.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import type { ToolIndex } from '../search/toolIndex.ts';
import { wantedWords } from '../search/useEvidence.ts';
import { stem } from '../search/words/analyzer.ts';
import { tokenize } from '../search/words/tokenizer.ts';
import { type Evaluation, firstTools } from './evaluate.ts';

/** Suggested words for a tool's hint, from queries that missed it. Not evaluated. */
export interface SearchFix {
	readonly server: string;
	readonly tool: string;
	/** To be added to its hint. */
	readonly words: string;
	/** The queries that missed it. */
	readonly queries: readonly string[];
}

/** Words per query. */
const mostWords = 3;

/** One suggested hint per missed tool: words of the queries that its names lack. Empty for rankings that ignore hints, such as plain Okapi BM25. */
export async function searchFixes({ results }: Evaluation, surface: ToolSurface): Promise<SearchFix[]> {
	if (surface.policy.ranking === 'okapi') return [];
	const index = await surface.index();
	const fixes = new Map<string, SearchFix>();
	for (const { question, ranks, isRight } of results) {
		if (isRight || question.expects !== 'tools') continue;
		const { query } = question.labelled;
		const missed = question.needs.filter((_, i) => (ranks[i] ?? Number.POSITIVE_INFINITY) > firstTools);
		for (const need of missed) {
			const tool = mostLike(query, need, surface, index);
			if (!tool) continue;
			const before = fixes.get(tool.wireName);
			const words = lackingWords(query, `${namesOf(tool, surface)} ${before?.words ?? ''}`, index);
			if (words.length === 0) continue;
			fixes.set(tool.wireName, {
				server: tool.server,
				tool: tool.name,
				words: [before?.words, ...words].filter(Boolean).join(' '),
				queries: [...(before?.queries ?? []), query],
			});
		}
	}
	return [...fixes.values()];
}

/** Of the tools that meet a need, the one that matches the query best. */
function mostLike(
	query: string,
	need: ReadonlySet<string>,
	surface: ToolSurface,
	index: ToolIndex<CatalogTool>,
): CatalogTool | undefined {
	const tools = [...need].flatMap((name) => surface.get(name) ?? []);
	const having = (tool: CatalogTool) => index.explain(query, tool).length;
	return tools.map((tool) => ({ tool, having: having(tool) })).sort((a, b) => b.having - a.having)[0]?.tool;
}

/** The texts that weigh most in search. */
function namesOf({ server, name, title }: CatalogTool, { policy }: ToolSurface): string {
	const hint = policy.servers.get(server)?.tools.get(name)?.searchHint;
	return [server, name, title, hint].join(' ');
}

/** Words of a query that a text lacks, in order; if many, the rarest ones. */
function lackingWords(query: string, text: string, index: ToolIndex<CatalogTool>): string[] {
	const said = new Set(tokenize(text).map(stem));
	const lacking = wantedWords(query).filter(({ term }) => !said.has(term));
	const rarest = lacking
		.map((word) => ({ word, tools: index.find(word.text, { unlikely: true, limit: 1 }).matches }))
		.sort((a, b) => a.tools - b.tools)
		.slice(0, mostWords)
		.map(({ word }) => word);
	return lacking.filter((word) => rarest.includes(word)).map(({ text }) => text);
}
