import type { Tool } from '../src/discovery/index.ts';
import type { LabelledQuery, QuerySet } from './querySet.ts';
import { SeededRandom } from './random.ts';

/** Numbers of servers in a small catalog. */
const FEWEST = 2;
const MOST = 10;

/** One query with a catalog of a few servers, as a person would have. */
export interface SmallCatalog {
	readonly query: LabelledQuery;
	/** The servers that answer the query, and random others. Absent if no server answers it. */
	readonly withAnswer?: readonly Tool[];
	/** As many servers that neither answer nor help. */
	readonly without: readonly Tool[];
	/** The part of {@link LabelledQuery.gold} with tools in {@link withAnswer}. */
	readonly gold: LabelledQuery['gold'];
}

/** Draws a small catalog for some queries of a set. Returns none if the set has too few servers. */
export function smallCatalogs({ queries, tools }: QuerySet, count: number, seed: number): SmallCatalog[] {
	const servers = Map.groupBy(tools, ({ server }) => server);
	if (servers.size <= MOST) return [];
	const random = new SeededRandom(seed);
	return random
		.shuffle(queries)
		.slice(0, count)
		.map((query) => {
			const size = FEWEST + Math.floor(random.next() * (MOST - FEWEST + 1));
			const needed = new Set(query.gold.map((alternatives) => random.pick(alternatives)[0]));
			const related = new Set([...query.gold.flat(), ...(query.also ?? [])].map(([server]) => server));
			const others = random.shuffle([...servers.keys()].filter((name) => !needed.has(name)));
			const toolsOf = (names: readonly string[]) => names.flatMap((name) => servers.get(name) ?? []);
			const chosen = [...needed, ...others].slice(0, Math.max(size, needed.size));
			return {
				query,
				...(query.gold.length > 0 && { withAnswer: toolsOf(chosen) }),
				without: toolsOf(others.filter((name) => !related.has(name)).slice(0, size)),
				gold: query.gold.map((alternatives) => alternatives.filter(([server]) => chosen.includes(server))),
			};
		});
}
