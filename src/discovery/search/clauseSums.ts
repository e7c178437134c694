import type { Tool } from '../catalog/tool.ts';

/** Clauses and words from which on a query is long. With fewer, sums lose as much as they gain. */
const manyClauses = 3;
const manyWords = 20;
/** Hits of the whole query, and of each clause, that are added up. */
export const summedHits = 30;
export const summedOfClause = 15;

/** Whether a query is so long that its hits and those of its clauses are added up. */
export function isLong(query: string, clauses: readonly string[]): boolean {
	return clauses.length >= manyClauses && query.split(/\s+/).length >= manyWords;
}

interface Hit {
	readonly tool: Tool;
	readonly score: number;
	readonly relevance?: number | undefined;
}

/** How much a tool's sum depends on the evidence for its server. */
const serverShare = 0.5;
/** Separates a tool from the first one. */
const justBelow = 1 - 1e-9;

/**
 * The hits of a long query in the order of sums: each hit's share of the best score, of the query and of each clause that has a likely tool,
 * weighed by what speaks for the tool's server over all of them. Many words rank those high that have a little of everything. The first hit
 * stays first.
 */
export function withClauseSums<H extends Hit>(
	hits: readonly H[],
	clauses: readonly (readonly H[])[],
): readonly H[] {
	const [best] = hits;
	if (!best) return hits;
	const all = new Map<Tool, H>();
	const sums = new Map<Tool, number>();
	const servers = new Map<string, number>();
	for (const list of [hits, ...clauses]) {
		const [first] = list;
		const weight = list === hits ? 1 : (first?.relevance ?? 0) / Math.sqrt(clauses.length);
		const seen = new Set<string>();
		for (const hit of list) {
			const { tool, score, relevance = 0 } = hit;
			if (!all.has(tool)) all.set(tool, hit);
			sums.set(tool, (sums.get(tool) ?? 0) + (weight * score) / (first?.score || 1));
			if (!seen.has(tool.server)) servers.set(tool.server, (servers.get(tool.server) ?? 0) + relevance);
			seen.add(tool.server);
		}
	}
	const most = Math.max(...servers.values()) || 1;
	const weighed = (tool: Tool) =>
		(sums.get(tool) ?? 0) * (1 - serverShare + (serverShare * (servers.get(tool.server) ?? 0)) / most);
	const ofBest = weighed(best.tool) || 1;
	const others = [...all.values()].filter(({ tool }) => tool !== best.tool);
	const scored = others.map((hit) => ({
		...hit,
		score: best.score * Math.min(justBelow, weighed(hit.tool) / ofBest),
	}));
	return [best, ...scored.sort((a, b) => weighed(b.tool) - weighed(a.tool))];
}
