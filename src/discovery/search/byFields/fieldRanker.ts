import type { Ranked, RankedTools } from '../ranker.ts';
import type { AskedTerms } from './askedTerms.ts';
import { Crowding } from './crowding.ts';
import { type Candidate, evidenceFor, type RankedIndex } from './hitEvidence.ts';
import type { InvertedIndex, Postings } from './invertedIndex.ts';
import type { RankingParameters } from './parameters.ts';
import { justBelow, Reranker } from './rerank.ts';
import type { ToolShapes } from './toolShape.ts';
import type { WeighedQuery, WeightedTerm } from './weighedQuery.ts';

/** The highest-scoring places, in a min-heap of bounded size. */
class TopK {
	readonly #limit: number;
	readonly #scores: Float32Array;
	readonly #heap: number[] = [];

	constructor(limit: number, scores: Float32Array) {
		this.#limit = limit;
		this.#scores = scores;
	}

	/** Score needed to enter the heap. */
	get least(): number {
		return this.#heap.length < this.#limit ? 0 : (this.#scores[this.#heap[0] as number] as number);
	}

	/** Adds a place if it is among the best so far. */
	offer(place: number): void {
		const heap = this.#heap;
		if (heap.length < this.#limit) {
			heap.push(place);
			if (heap.length === this.#limit) for (let i = (heap.length >> 1) - 1; i >= 0; i--) this.#sink(i);
		} else if (this.#less(heap[0] as number, place)) {
			heap[0] = place;
			this.#sink(0);
		}
	}

	/** Best first. Do not offer anything afterwards. */
	sorted(): number[] {
		return this.#heap.sort((a, b) => (this.#less(a, b) ? 1 : -1));
	}

	/** On equal scores the later place loses: places are sorted by name. */
	#less(a: number, b: number): boolean {
		const difference = (this.#scores[a] as number) - (this.#scores[b] as number);
		return difference === 0 ? a > b : difference < 0;
	}

	#sink(from: number): void {
		const heap = this.#heap;
		let at = from;
		for (;;) {
			let least = at;
			for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++) {
				if (this.#less(heap[child] as number, heap[least] as number)) least = child;
			}
			if (least === at) return;
			const moved = heap[at] as number;
			heap[at] = heap[least] as number;
			heap[least] = moved;
			at = least;
		}
	}
}

/** The scores of documents while a query runs. */
export class Sums {
	/** Score accumulated per document. All zero between queries. */
	readonly sums: Float32Array;
	/** Documents with a score, in the order they were first touched. */
	readonly touched: Uint32Array;
	/** Score per document of the slot in {@link slotOfPlace}, numbered from 1. Slot 0: not touched by this query. */
	readonly best: Float32Array;
	readonly slotOfPlace: Uint16Array;

	constructor(documents: number) {
		this.sums = new Float32Array(documents);
		this.touched = new Uint32Array(documents);
		this.best = new Float32Array(documents);
		this.slotOfPlace = new Uint16Array(documents);
	}

	/** Ends the query: the first `count` of {@link touched} have a score. */
	clear(count: number): void {
		const { sums, touched, slotOfPlace } = this;
		if (count > largeShare * sums.length) {
			sums.fill(0);
			slotOfPlace.fill(0);
			return;
		}
		for (let i = 0; i < count; i++) {
			const place = touched[i] as number;
			sums[place] = 0;
			slotOfPlace[place] = 0;
		}
	}
}

/** The documents that are ranked. */
export type SearchedPostings = Pick<InvertedIndex, 'own' | 'expansions'>;

/** What the rankers of the same tools share. */
export interface RankerTools {
	readonly shapes: ToolShapes;
	readonly asked: AskedTerms;
	readonly sums: Sums;
	readonly parameters: RankingParameters;
}

type PlaceTest = (place: number) => boolean;

/** How often the ranking looks past look-alikes; each time it may find others. */
const mostLooks = 4;

/** Tools that {@link Reranker} reorders; the others keep the order of their sums. */
const lookedInto = 20;
/** Above this share of all tools, clearing whole arrays is faster than clearing touched places. */
const largeShare = 1 / 16;
/** Score of the best tool that was not reranked, relative to the lowest reranked score. */
const below = 0.99;

/**
 * Ranks tools for the slots of a query over an inverted index, in two steps: the sum over slots of `weight · idf · impact` of the best alternative finds
 * candidates, and {@link Reranker} orders the best of them.
 */
export class FieldRanker {
	readonly #searched: SearchedPostings;
	readonly #parameters: RankingParameters;
	readonly #ranked: RankedIndex;
	readonly #reranker: Reranker;
	readonly #crowding: Crowding;
	readonly #asked: AskedTerms;
	readonly #sums: Sums;

	constructor(
		{ shapes, asked, sums, parameters }: RankerTools,
		ranked: RankedIndex,
		searched: SearchedPostings = ranked.index,
	) {
		this.#searched = searched;
		this.#parameters = parameters;
		this.#ranked = ranked;
		this.#asked = asked;
		this.#sums = sums;
		this.#reranker = new Reranker(shapes, ranked, asked, parameters);
		this.#crowding = new Crowding(ranked, asked);
	}

	/** The best `limit` of the accepted tools. */
	rank(query: WeighedQuery, limit: number, accepts?: PlaceTest): RankedTools {
		const { sums } = this.#sums;
		let touched = 0;
		for (let i = 0; i < query.slots.length; i++) touched = this.#addSlot(query, i, touched);
		const best = new TopK(Math.max(limit, lookedInto), sums);
		const matches = this.#offer(best, touched, accepts);
		const places = best.sorted();
		this.#asked.open(query);
		const looked = this.#reranker.rank(places.slice(0, lookedInto), sums, query);
		const hits = this.#uncrowded(looked, query, touched, accepts);
		const ranked = hits.slice(0, limit).map((hit) => ({
			place: hit.place,
			score: hit.score,
			evidence: evidenceFor(hit, query, this.#ranked),
		}));
		const rest = places
			.slice(lookedInto)
			.filter((place) => hits === looked || hits.every((hit) => hit.place !== place));
		const others = this.#others(rest.slice(0, limit - ranked.length), hits.at(-1)?.score ?? 0);
		this.#crowding.close();
		this.#reranker.close();
		this.#asked.close(query);
		this.#sums.clear(touched);
		return { hits: [...ranked, ...others], matches };
	}

	/** The candidates with first hits that look-alikes do not fill. Where the best tools all look alike, others are looked into. */
	#uncrowded(
		looked: readonly Candidate[],
		query: WeighedQuery,
		touched: number,
		accepts?: PlaceTest,
	): readonly Candidate[] {
		const crowding = this.#crowding;
		const { sums } = this.#sums;
		let first = crowding.first(looked, query);
		for (let looks = 1; crowding.hasRoom && touched > lookedInto && looks < mostLooks; looks++) {
			const best = new TopK(lookedInto, sums);
			this.#offer(best, touched, accepts, (place) => crowding.holdsBack(place));
			first = crowding.fill(this.#reranker.rank(best.sorted(), sums, query), query);
		}
		if (first.every((hit, i) => hit === looked[i])) return looked;
		const others = looked.filter(({ place }) => first.every((hit) => hit.place !== place));
		const hits = [...first, ...others];
		let least = Number.POSITIVE_INFINITY;
		for (const hit of hits) {
			if (hit.score > least) hit.score = least * justBelow;
			least = hit.score;
		}
		return hits;
	}

	/** Offers all scored places that are accepted and not held back; returns the number of those accepted. */
	#offer(best: TopK, touched: number, accepts?: PlaceTest, holdsBack?: PlaceTest): number {
		const { sums, touched: places } = this.#sums;
		let matches = 0;
		let least = 0;
		for (let i = 0; i < touched; i++) {
			const place = places[i] as number;
			if (accepts !== undefined && !accepts(place)) continue;
			matches++;
			if ((sums[place] as number) < least || holdsBack?.(place)) continue;
			best.offer(place);
			least = best.least;
		}
		return matches;
	}

	/** Tools that were not reranked, in the order of their sums, with scores below all reranked ones. */
	#others(places: readonly number[], least: number): Ranked[] {
		const { sums } = this.#sums;
		const most = sums[places[0] ?? 0] as number;
		return places.map((place) => ({ place, score: (below * least * (sums[place] as number)) / most }));
	}

	/** Adds a slot's score to each document; returns the number of documents with a score. */
	#addSlot(
		{ alternatives: all, known: knownOfAll }: WeighedQuery,
		slot: number,
		touchedBefore: number,
	): number {
		const alternatives = all[slot] as readonly WeightedTerm[];
		const known = knownOfAll[slot] as readonly WeightedTerm[];
		const [only] = alternatives;
		if (only && alternatives.length === 1 && known.length === 0) return this.#addTerm(only, touchedBefore);
		let touched = touchedBefore;
		for (const alternative of alternatives) touched = this.#addBest(alternative, slot + 1, touched);
		const { expansions } = this.#searched;
		if (!expansions) return touched;
		for (const one of known) touched = this.#addExpansions(expansions, one, slot + 1, touched);
		return touched;
	}

	#addTerm({ term, weight }: WeightedTerm, touchedBefore: number): number {
		if (weight === 0) return touchedBefore;
		const { offsets, places, impacts } = this.#searched.own;
		const { sums, touched: touchedPlaces } = this.#sums;
		let touched = touchedBefore;
		const end = offsets[term + 1] as number;
		for (let i = offsets[term] as number; i < end; i++) {
			const place = places[i] as number;
			const sum = sums[place] as number;
			if (sum === 0) touchedPlaces[touched++] = place;
			sums[place] = sum + weight * (impacts[i] as number);
		}
		return touched;
	}

	/** Adds what this alternative scores above the slot's other alternatives. */
	#addBest({ term, weight }: WeightedTerm, slot: number, touchedBefore: number): number {
		if (weight === 0) return touchedBefore;
		const { offsets, places, impacts } = this.#searched.own;
		const { sums, touched: touchedPlaces, best, slotOfPlace } = this.#sums;
		let touched = touchedBefore;
		const end = offsets[term + 1] as number;
		for (let i = offsets[term] as number; i < end; i++) {
			const place = places[i] as number;
			const value = weight * (impacts[i] as number);
			let gain = value;
			if (slotOfPlace[place] === slot) {
				gain -= best[place] as number;
				if (gain <= 0) continue;
			}
			slotOfPlace[place] = slot;
			best[place] = value;
			const sum = sums[place] as number;
			if (sum === 0) touchedPlaces[touched++] = place;
			sums[place] = sum + gain;
		}
		return touched;
	}

	/** Adds what expansions score above the tool's own words; if the tool has the word itself, only a share. */
	#addExpansions(
		{ offsets, places, impacts }: Postings,
		{ term, weight }: WeightedTerm,
		slot: number,
		touchedBefore: number,
	): number {
		const { word, besides } = this.#parameters.expansion;
		const most = word * weight;
		if (most === 0) return touchedBefore;
		const { sums, touched: touchedPlaces, best, slotOfPlace } = this.#sums;
		let touched = touchedBefore;
		const end = offsets[term + 1] as number;
		for (let i = offsets[term] as number; i < end; i++) {
			const place = places[i] as number;
			const value = most * (impacts[i] as number);
			let gain = value;
			if (slotOfPlace[place] === slot) {
				const had = best[place] as number;
				gain = Math.max(value - had, besides * value);
				best[place] = Math.max(value, had);
			} else {
				slotOfPlace[place] = slot;
				best[place] = value;
			}
			const sum = sums[place] as number;
			if (sum === 0) touchedPlaces[touched++] = place;
			sums[place] = sum + gain;
		}
		return touched;
	}
}
