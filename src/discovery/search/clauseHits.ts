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

/** Hits that are chosen for what clauses still lack, and how much that counts beside the sums, whose best is 1. */
const chosenHits = 10;
const lackShare = 2;

/**
 * The hits of a query with many clauses in the order of sums: each hit's share of the best score, of the query, of each sentence and of each
 * clause, as far as that has a likely tool; times the same sum of the best hits of the tool's server. Many words rank those high that have a
 * little of everything. The first hit stays first, and the next ones are chosen one by one for what clauses still lack (xQuAD, Santos, Macdonald
 * and Ounis, 2010): a tool counts less for a clause that has one already.
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
			const { tool } = hit;
			const share = shareOf(hit, list);
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
	for (const [tool, sum] of sums) sums.set(tool, sum * (servers.get(tool.server) ?? 0));
	return scoredInOrder(chosen([...all.values()], sums, clauses));
}

function shareOf({ score }: Hit<Tool>, [first]: Hits<Tool>): number {
	return score / (first?.score || 1);
}

/** The hits in the order of their sums, the first few chosen for what clauses lack; see {@link withSums}. */
function chosen<T extends Tool>(
	hits: Hits<T>,
	sums: ReadonlyMap<T, number>,
	clauses: readonly Hits<T>[],
): Hits<T> {
	const sumOf = ({ tool }: Hit<T>) => sums.get(tool) ?? 0;
	const [first, ...left] = hits;
	if (!first) return hits;
	left.sort((a, b) => sumOf(b) - sumOf(a));
	const most = Math.max(...sums.values()) || 1;
	const lacks = clauses.map((clause) => ({
		lack: clause[0]?.relevance ?? 0,
		shares: new Map(clause.map((hit) => [hit.tool, shareOf(hit, clause) ** 2])),
	}));
	const order = [first];
	for (let last = first; order.length < chosenHits && left.length > 0; order.push(last)) {
		for (const one of lacks) one.lack *= 1 - (one.shares.get(last.tool) ?? 0);
		const worth = left.map((hit) => {
			const met = lacks.reduce((sum, { lack, shares }) => sum + lack * (shares.get(hit.tool) ?? 0), 0);
			return sumOf(hit) / most + (lackShare * met) / (clauses.length || 1);
		});
		const [next = last] = left.splice(worth.indexOf(Math.max(...worth)), 1);
		last = next;
	}
	return [...order, ...left];
}

/** Hits whose scores fall in their order. */
function scoredInOrder<T extends Tool>(hits: Hits<T>): Hits<T> {
	const top = hits[0]?.score ?? 0;
	return hits.map((hit, i) => ({ ...hit, score: top / (1 + i) }));
}

/** Hits among which the tools of clauses are. */
const firstHits = 5;
/** Confidence from which a clause's first hit is worth a place there. */
const clear = 0.3;

/**
 * The hits of a short query with the best tool of each clause among the first. A request of two clauses needs several tools, and its many words
 * rank those high that have a little of everything.
 */
export function withFirsts<T extends Tool>(
	hits: Hits<T>,
	clauses: readonly Hits<T>[],
	limit: number,
): Hits<T> {
	const own = new Map<T, Hit<T>>();
	for (const [best] of clauses) {
		if (best && (best.confidence ?? 0) >= clear) own.set(best.tool, own.get(best.tool) ?? best);
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
