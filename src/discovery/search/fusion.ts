import type { Tool } from '../catalog/tool.ts';
import { isLikely } from './certainty.ts';
import type { Hit } from './hit.ts';

type Hits<T extends Tool> = readonly Hit<T>[];

/** Whether clauses with these hits are several needs: more than one of them has a likely tool. */
export function areSeveralNeeds(clauses: readonly Hits<Tool>[]): boolean {
	return clauses.filter(([best]) => best && isLikely(best)).length > 1;
}

/** Hits of a whole query, and of each of its parts, whose scores are added up. */
export const fusedHits = 20;
export const fusedHitsOfPart = 10;

/** Hits that are chosen for what clauses still lack, and how much that counts beside the sums, the best of which is 1. */
const diversifiedHits = 10;
const lackShare = 2;

/**
 * The hits of a query with several needs, fused with those of its parts: many words rank those high that have a little of everything. The
 * normalised scores of the query, of each sentence and of each clause are summed (CombSUM, Fox and Shaw, 1994), those of parts as far as they
 * have a likely tool, and multiplied by the same sum of the best hits of the tool's server. The first hit stays first, and the next ones are
 * chosen one by one for what clauses still lack (xQuAD, Santos, Macdonald and Ounis, 2010): a tool counts less for a clause that has one already.
 */
export function fused<T extends Tool>(
	hits: Hits<T>,
	sentences: readonly Hits<T>[],
	clauses: readonly Hits<T>[],
): Hits<T> {
	if (hits.length === 0) return hits;
	const hitOfTool = new Map<T, Hit<T>>();
	const sums = new Map<T, number>();
	const serverSums = new Map<string, number>();
	const add = (list: Hits<T>, weight: number) => {
		const [first] = list;
		const seen = new Set<string>();
		for (const hit of list) {
			const { tool } = hit;
			const share = shareOf(hit, list);
			if (!hitOfTool.has(tool)) hitOfTool.set(tool, hit);
			sums.set(tool, (sums.get(tool) ?? 0) + weight * share);
			if (seen.has(tool.server)) continue;
			seen.add(tool.server);
			serverSums.set(tool.server, (serverSums.get(tool.server) ?? 0) + share * (first?.relevance ?? 0));
		}
	};
	add(hits.slice(0, fusedHits), 1);
	for (const parts of [sentences, clauses]) {
		for (const part of parts) add(part, (part[0]?.relevance ?? 0) / Math.sqrt(parts.length));
	}
	for (const [tool, sum] of sums) sums.set(tool, sum * (serverSums.get(tool.server) ?? 0));
	const diverse = diversified([...hitOfTool.values()], sums, clauses);
	return scoredInOrder([...diverse, ...hits.filter(({ tool }) => !hitOfTool.has(tool))]);
}

function shareOf({ score }: Hit<Tool>, [first]: Hits<Tool>): number {
	return score / (first?.score || 1);
}

/** The hits in the order of their sums, the first few chosen for what clauses lack; see {@link fused}. */
function diversified<T extends Tool>(
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
	for (let last = first; order.length < diversifiedHits && left.length > 0; order.push(last)) {
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
