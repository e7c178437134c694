import type { Tool } from '../catalog/tool.ts';
import type { Hit } from './hit.ts';
import type { WishParts } from './wish.ts';

type Hits<T extends Tool> = readonly Hit<T>[];

/** From this many clauses and words on, the hits of a query and of its parts are added up. With fewer, sums lose as much as they gain. */
const manyClauses = 3;
const manyWords = 20;

export function isLong(query: string, { clauses }: WishParts): boolean {
	return clauses.length >= manyClauses && query.split(/\s+/).length >= manyWords;
}

/** Hits of a whole query, and of each of its parts, that are added up. */
export const summedHits = 60;
export const summedOfPart = 15;

/** Separates a tool from the first one. */
const justBelow = 1 - 1e-9;

/**
 * The hits of a query with many clauses in the order of sums: each hit's share of the best score, of the query, of each sentence and of each
 * clause, as far as that has a likely tool; times the same sum of the best hits of the tool's server. Many words rank those high that have a
 * little of everything. The first hit stays first.
 */
export function withSums<T extends Tool>(
	hits: Hits<T>,
	sentences: readonly Hits<T>[],
	clauses: readonly Hits<T>[],
): Hits<T> {
	const [best] = hits;
	if (!best) return hits;
	const all = new Map<T, Hit<T>>();
	const sums = new Map<T, number>();
	const servers = new Map<string, number>();
	const add = (list: Hits<T>, weight: number) => {
		const [first] = list;
		const seen = new Set<string>();
		for (const hit of list) {
			const { tool, score } = hit;
			const share = score / (first?.score || 1);
			if (!all.has(tool)) all.set(tool, hit);
			sums.set(tool, (sums.get(tool) ?? 0) + weight * share);
			if (seen.has(tool.server)) continue;
			seen.add(tool.server);
			servers.set(tool.server, (servers.get(tool.server) ?? 0) + share * (first?.relevance ?? 0));
		}
	};
	add(hits, 1);
	for (const parts of [sentences, clauses]) {
		for (const part of parts) add(part, (part[0]?.relevance ?? 0) / Math.sqrt(parts.length));
	}
	const weighed = (tool: T) => (sums.get(tool) ?? 0) * (servers.get(tool.server) ?? 0);
	const ofBest = weighed(best.tool) || 1;
	const others = [...all.values()].filter(({ tool }) => tool !== best.tool);
	const scored = others.map((hit) => ({
		...hit,
		score: best.score * Math.min(justBelow, weighed(hit.tool) / ofBest),
	}));
	return [best, ...scored.sort((a, b) => weighed(b.tool) - weighed(a.tool))];
}

/** Hits among which the tools of clauses are. */
const firstHits = 5;
/** Confidence from which a clause's first hit is worth a place there, and where sums have already counted it. */
const clear = 0.3;
const clearBesideSums = 0.7;

/**
 * The hits of a query with the best tool of each clause among the first. A request of several clauses needs several tools, and its many words
 * rank those high that have a little of everything.
 */
export function withFirsts<T extends Tool>(
	hits: Hits<T>,
	clauses: readonly Hits<T>[],
	{ limit, isSummed }: { readonly limit: number; readonly isSummed: boolean },
): Hits<T> {
	const least = isSummed ? clearBesideSums : clear;
	const own = new Map<T, Hit<T>>();
	for (const [best] of clauses) {
		if (best && (best.confidence ?? 0) >= least) own.set(best.tool, own.get(best.tool) ?? best);
	}
	const most = Math.min(firstHits, limit);
	const first = hits.slice(0, most);
	const missing = [...own.values()].filter((one) => !first.some(({ tool }) => tool === one.tool));
	const free = first.toReversed().filter((hit) => hit !== first[0] && !own.has(hit.tool));
	const inserted = missing.slice(0, most - first.length + free.length);
	if (inserted.length === 0) return hits;
	const displaced = new Set(free.slice(0, Math.max(0, first.length + inserted.length - most)));
	const kept = first.filter((hit) => !displaced.has(hit));
	const score = kept.at(-1)?.score ?? 0;
	const best = [...kept, ...inserted.map((hit) => ({ ...hit, score: Math.min(score, hit.score) }))];
	const placed = new Set(best.map(({ tool }) => tool));
	return [...best, ...hits.filter(({ tool }) => !placed.has(tool))];
}
