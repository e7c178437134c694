import type { AskedTerms } from './askedTerms.ts';
import { Candidate } from './candidate.ts';
import { ForwardIndex } from './forwardIndex.ts';
import type { RankedIndex } from './hitEvidence.ts';
import type { Postings } from './invertedIndex.ts';
import type { RankingParameters } from './parameters.ts';
import type { SearchedPostings, Sums } from './sums.ts';
import { anyTerm, type WeighedQuery } from './weighedQuery.ts';

/** Cap for the summed weights of unasked words in a name. */
const maxUnaskedWeight = 24;

/**
 * Reads how some tools match a query. It reads the postings of the query's terms again rather than the tools' documents, which are far apart in
 * memory: at ten thousand tools that takes a tenth of the time.
 */
export class CandidateReader {
	readonly #ranked: RankedIndex;
	readonly #postings: SearchedPostings;
	readonly #asked: AskedTerms;
	readonly #parameters: RankingParameters;
	readonly #names: ForwardIndex;
	readonly #details: Float32Array;
	readonly #byOwnWords: Pool;
	readonly #withExpansions: Pool;

	constructor(
		ranked: RankedIndex,
		postings: SearchedPostings,
		asked: AskedTerms,
		parameters: RankingParameters,
	) {
		const { documents, index } = ranked;
		this.#ranked = ranked;
		this.#postings = postings;
		this.#asked = asked;
		this.#parameters = parameters;
		this.#names = new ForwardIndex(
			documents,
			({ nameTerms }) => nameTerms,
			({ nameTerms }) => nameTerms.length,
			index.weights,
		);
		this.#details = new Float32Array(documents.map(({ detail }) => detail));
		this.#byOwnWords = new Pool(documents.length);
		this.#withExpansions = new Pool(documents.length);
	}

	/** Some tools, which are read unless the running query has done so. */
	read(places: readonly number[], sums: Sums, query: WeighedQuery): Candidate[] {
		this.#readOwnWords(places, sums, query);
		const { expansions } = this.#postings;
		if (expansions) this.#readExpansions(places, expansions, sums, query);
		return places.map((place) => (this.#withExpansions.at(place) ?? this.#byOwnWords.at(place)) as Candidate);
	}

	/** Ends the query. */
	close(): void {
		this.#byOwnWords.clear();
		this.#withExpansions.clear();
	}

	#readOwnWords(places: readonly number[], sums: Sums, query: WeighedQuery): void {
		const pool = this.#byOwnWords;
		const first = pool.count;
		for (const place of places) {
			if (!pool.at(place)) pool.add(place).begin(place, sums.own[place] as number, query.slots.length);
		}
		if (pool.count === first) return;
		addTerms(pool, first, query, this.#postings.own);
		for (let number = first + 1; number <= pool.count; number++) {
			const candidate = pool.of(number);
			this.#readDefinition(candidate);
			candidate.sumCoverage(query, 1);
			candidate.baseScoreOfOwnWords = this.#scoreOf(candidate, query);
			candidate.baseScore = candidate.baseScoreOfOwnWords * sums.expansionGain;
		}
	}

	#readExpansions(places: readonly number[], expansions: Postings, sums: Sums, query: WeighedQuery): void {
		const { coverage } = this.#parameters.expansion;
		const { hasExpansion } = this.#ranked;
		const pool = this.#withExpansions;
		const first = pool.count;
		for (const place of places) {
			if (hasExpansion[place] === 0 || pool.at(place)) continue;
			const ownWords = this.#byOwnWords.at(place) as Candidate;
			pool.add(place).beginWith(ownWords, sums.withExpansions[place] as number, query.slots.length);
		}
		if (pool.count === first) return;
		addTerms(pool, first, query, expansions);
		for (let number = first + 1; number <= pool.count; number++) {
			const candidate = pool.of(number);
			candidate.sumCoverage(query, coverage);
			candidate.baseScore = this.#scoreOf(candidate, query);
		}
	}

	/** Share of a tool's name that the query asks for, and the factor for its score from its name and description. */
	#readDefinition(candidate: Candidate): void {
		const { place } = candidate;
		const { offsets, terms, weights } = this.#names;
		const begin = offsets[place] as number;
		const end = offsets[place + 1] as number;
		let count = 0;
		let unasked = 0;
		for (let i = begin; i < end; i++) {
			const covered = this.#asked.covers[terms[i] as number] as number;
			if (covered === 1) count++;
			unasked += (1 - covered) * (weights[i] as number);
		}
		const parameters = this.#parameters;
		candidate.nameCoverage = count / Math.max(1, end - begin);
		candidate.definitionFactor =
			(1 + parameters.asked * candidate.nameCoverage) *
			(1 - (parameters.unasked * Math.min(unasked, maxUnaskedWeight)) / maxUnaskedWeight) *
			(1 + parameters.described * (this.#details[place] as number));
	}

	/** The sum of a tool, times how much of the query it covers, its name and description, and whether the query names its server. */
	#scoreOf(candidate: Candidate, { serverSlots }: WeighedQuery): number {
		const { coverage: share, ofNamedServer } = this.#parameters;
		const isOfNamedServer = serverSlots.some((slot) => candidate.literal[slot] === 1);
		return (
			candidate.sum *
			(1 - share + share * candidate.coverage) *
			candidate.definitionFactor *
			(isOfNamedServer ? ofNamedServer : 1)
		);
	}
}

/** Candidates that are used again by each query, which has taken the first of them. */
class Pool {
	/** By place: the number of its candidate, from 1. */
	readonly numbers: Uint16Array;
	readonly #candidates: Candidate[] = [];
	count = 0;

	constructor(places: number) {
		this.numbers = new Uint16Array(places);
	}

	of(number: number): Candidate {
		return this.#candidates[number - 1] as Candidate;
	}

	at(place: number): Candidate | undefined {
		const number = this.numbers[place] as number;
		return number === 0 ? undefined : this.of(number);
	}

	add(place: number): Candidate {
		if (this.count === this.#candidates.length) this.#candidates.push(new Candidate());
		this.count++;
		this.numbers[place] = this.count;
		return this.of(this.count);
	}

	clear(): void {
		for (let number = 1; number <= this.count; number++) this.numbers[this.of(number).place] = 0;
		this.count = 0;
	}
}

/** Adds the terms of a query to the candidates after the `first` ones that have them. */
function addTerms(pool: Pool, first: number, query: WeighedQuery, { offsets, places }: Postings): void {
	const { terms, slots, covers } = query.terms;
	const { numbers } = pool;
	for (let n = 0; n < terms.length; n++) {
		const term = terms[n] as number;
		const slot = (slots[n] as number) - 1;
		const isLiteral = query.literalTerms[slot] === term || query.literalTerms[slot] === anyTerm;
		const end = offsets[term + 1] as number;
		for (let i = offsets[term] as number; i < end; i++) {
			const number = numbers[places[i] as number] as number;
			if (number <= first) continue;
			const candidate = pool.of(number);
			candidate.add(slot, covers[n] as number, isLiteral);
		}
	}
}
