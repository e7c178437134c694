import type { Ranked, RankedTools } from '../ranker.ts';
import type { AskedTerms } from './askedTerms.ts';
import type { Candidate } from './candidate.ts';
import { CandidateReader } from './candidateReader.ts';
import { Crowding } from './crowding.ts';
import { evidenceFor, type RankedIndex } from './hitEvidence.ts';
import type { RankingParameters } from './parameters.ts';
import { justBelow, Reranker } from './rerank.ts';
import type { SearchedPostings, Sums } from './sums.ts';
import type { ToolMeanings } from './toolMeanings.ts';
import type { ToolShapes } from './toolShape.ts';
import type { WeighedQuery } from './weighedQuery.ts';

/** What the rankers of the same tools share. */
export interface RankerTools {
	readonly shapes: ToolShapes;
	readonly meanings: ToolMeanings;
	readonly asked: AskedTerms;
	readonly sums: Sums;
	readonly parameters: RankingParameters;
}

/** The tools with the highest sums. */
interface Top {
	readonly places: readonly number[];
	readonly matches: number;
}

type PlaceTest = (place: number) => boolean;

/** What is asked of the ranker. */
interface Search {
	readonly query: WeighedQuery;
	/** Most hits. */
	readonly limit: number;
	/** Absent: any tool may be found. */
	readonly accepts: PlaceTest | undefined;
}

/** Most rounds of reranking for one query: after the first, each reranks tools that do not look like those before. */
const maxRounds = 4;

/** Tools that {@link Reranker} reorders; the others keep the order of their sums. */
const maxReranked = 40;
/** Score of the best tool that was not reranked, relative to the lowest reranked score. */
const below = 0.99;

/**
 * Ranks tools for the slots of a query over an inverted index, by retrieval and reranking: the sum over slots of `weight · idf · impact` of the best
 * alternative (BM25F) finds candidates, and {@link Reranker} orders the best of them.
 */
export class FieldRanker {
	readonly #postings: SearchedPostings;
	readonly #parameters: RankingParameters;
	readonly #ranked: RankedIndex;
	readonly #reranker: Reranker;
	readonly #crowding: Crowding;
	readonly #candidates: CandidateReader;
	readonly #asked: AskedTerms;
	readonly #sums: Sums;

	constructor(
		{ shapes, meanings, asked, sums, parameters }: RankerTools,
		ranked: RankedIndex,
		postings: SearchedPostings,
	) {
		this.#postings = postings;
		this.#parameters = parameters;
		this.#ranked = ranked;
		this.#asked = asked;
		this.#sums = sums;
		this.#reranker = new Reranker(shapes, meanings, ranked, asked, parameters);
		this.#crowding = new Crowding(ranked, asked);
		this.#candidates = new CandidateReader(ranked, postings, asked, parameters);
	}

	/** The best `limit` of the accepted tools. */
	rank(query: WeighedQuery, limit: number, accepts?: PlaceTest): RankedTools {
		this.#sums.add(query, this.#postings, this.#parameters.expansion, this.#ranked.hasExpansion);
		this.#asked.open(query);
		const ranked = this.#hitsOf({ query, limit, accepts });
		this.#candidates.close();
		this.#asked.close(query);
		this.#sums.clear();
		return ranked;
	}

	get #scores(): Float32Array {
		return this.#postings.expansions ? this.#sums.withExpansions : this.#sums.own;
	}

	/** The accepted tools with the highest sums, best first; on equal sums the earlier place. Those held back are counted, too. */
	#top(limit: number, accepts: PlaceTest | undefined, holdsBack?: PlaceTest): Top {
		const { touched, count } = this.#sums;
		const sums = this.#scores;
		const most = Math.max(limit, maxReranked);
		const order = (a: number, b: number) => (sums[b] as number) - (sums[a] as number) || a - b;
		const places: number[] = [];
		let matches = 0;
		let least = 0;
		for (let i = 0; i < count; i++) {
			const place = touched[i] as number;
			const sum = sums[place] as number;
			if (sum === 0 || (accepts !== undefined && !accepts(place))) continue;
			matches++;
			if (sum < least || holdsBack?.(place)) continue;
			if (places.length < most) {
				if (places.push(place) === most) places.sort(order);
				else continue;
			} else {
				let at = most - 1;
				if (order(place, places[at] as number) > 0) continue;
				for (; at > 0 && order(place, places[at - 1] as number) < 0; at--)
					places[at] = places[at - 1] as number;
				places[at] = place;
			}
			least = sums[places[most - 1] as number] as number;
		}
		return { places: places.length < most ? places.sort(order) : places, matches };
	}

	#hitsOf(search: Search): RankedTools {
		const { query, limit, accepts } = search;
		const { places, matches } = this.#top(limit, accepts);
		const reranked = this.#rerankPlaces(places.slice(0, maxReranked), query);
		const hits = this.#diversified(reranked, search, matches);
		const ranked = hits.slice(0, limit).map((hit) => ({
			place: hit.place,
			score: hit.score,
			evidence: evidenceFor(hit, query, this.#ranked),
		}));
		if (places.length <= maxReranked || ranked.length === limit) return { hits: ranked, matches };
		const rest = places
			.slice(maxReranked)
			.filter((place) => hits === reranked || hits.every((hit) => hit.place !== place))
			.slice(0, limit - ranked.length);
		return { hits: [...ranked, ...this.#notReranked(rest, hits.at(-1)?.score ?? 0)], matches };
	}

	/** Some places in the order of the reranker. */
	#rerankPlaces(places: readonly number[], query: WeighedQuery): readonly Candidate[] {
		return this.#reranker.rank(this.#candidates.read(places, this.#sums, query), query);
	}

	/** The candidates with diverse first hits. Where the best tools all look alike, others are reranked, too. */
	#diversified(
		reranked: readonly Candidate[],
		{ query, limit, accepts }: Search,
		matches: number,
	): readonly Candidate[] {
		const crowding = this.#crowding;
		let first = crowding.first(reranked, query, limit);
		for (let rounds = 1; crowding.hasRoom && matches > maxReranked && rounds < maxRounds; rounds++) {
			const { places } = this.#top(maxReranked, accepts, (place) => crowding.holdsBack(place));
			first = crowding.fill(this.#rerankPlaces(places, query), query);
		}
		crowding.close();
		if (first.every((hit, i) => hit === reranked[i])) return reranked;
		const others = reranked.filter(({ place }) => first.every((hit) => hit.place !== place));
		const hits = [...first, ...others];
		let least = Number.POSITIVE_INFINITY;
		for (const hit of hits) {
			if (hit.score > least) hit.score = least * justBelow;
			least = hit.score;
		}
		return hits;
	}

	/** Tools that were not reranked, in the order of their sums, with scores below all reranked ones. */
	#notReranked(places: readonly number[], least: number): Ranked[] {
		const sums = this.#scores;
		const most = sums[places[0] ?? 0] as number;
		return places.map((place) => ({ place, score: (below * least * (sums[place] as number)) / most }));
	}
}
