import type { WeighedQuery } from './weighedQuery.ts';

/** Slots for which a candidate has room before it grows. */
const usualSlots = 32;

/** A tool being reranked. Later queries use the same objects again, because to allocate them takes longer than to fill them. */
export class Candidate {
	place = 0;
	/** BM25F: the sum of what its terms score for the query. */
	sum = 0;
	/** By slot: 1 if the tool has the very word and not only a synonym. */
	literal = new Uint8Array(usualSlots);
	/** By slot: how surely it has what the slot asks for, see `QueryTermList`. */
	covered = new Float32Array(usualSlots);
	/** Weight of the slots that it covers; as a share of the query, 0 to 1. */
	coveredWeight = 0;
	coverage = 0;
	/** Share of the words in its name that the query asks for. */
	nameCoverage = 0;
	/** Factor for its score from its name and description. */
	definitionFactor = 1;
	/** Its score before tools are compared with each other; the same without its expansion; and one between the two, see `Reranker`. */
	baseScore = 0;
	baseScoreOfOwnWords = 0;
	blendedScore = 0;
	/** Factor for its score among the tools of its server. */
	siblingFactor = 1;
	/** Its score after reranking. */
	score = 0;
	/** The same tool by its own words; absent if it has no expansion. */
	ownWords: Candidate | undefined;

	/** Makes it a tool that matches nothing yet. */
	begin(place: number, sum: number, slots: number): void {
		this.place = place;
		this.sum = sum;
		this.ownWords = undefined;
		if (slots > this.literal.length) {
			this.literal = new Uint8Array(2 * slots);
			this.covered = new Float32Array(2 * slots);
		}
		for (let i = 0; i < slots; i++) this.literal[i] = this.covered[i] = 0;
	}

	/** Makes it the same tool as another, to which its expansion is yet to be added. */
	beginWith(ownWords: Candidate, sum: number, slots: number): void {
		this.begin(ownWords.place, sum, slots);
		this.ownWords = ownWords;
		this.baseScoreOfOwnWords = ownWords.baseScoreOfOwnWords;
		this.nameCoverage = ownWords.nameCoverage;
		this.definitionFactor = ownWords.definitionFactor;
		for (let i = 0; i < slots; i++) {
			this.literal[i] = ownWords.literal[i] as number;
			this.covered[i] = ownWords.covered[i] as number;
		}
	}

	/** Adds a term that it has. */
	add(slot: number, covers: number, isLiteral: boolean): void {
		if (isLiteral) this.literal[slot] = 1;
		if (covers > (this.covered[slot] as number)) this.covered[slot] = covers;
	}

	/** Sums up the weight of the slots that it covers. What only its expansion covers counts a share. */
	sumCoverage({ weights, total }: WeighedQuery, expansionShare: number): void {
		const own = this.ownWords;
		let weight = 0;
		for (let i = 0; i < weights.length; i++) {
			weight += ((this.covered[i] as number) - (own?.covered[i] ?? 0)) * (weights[i] as number);
		}
		this.coveredWeight = own ? own.coveredWeight + expansionShare * weight : weight;
		this.coverage = total > 0 ? this.coveredWeight / total : 0;
	}
}
