import { relevanceOf } from '../evidence.ts';
import { byScore } from '../ranker.ts';
import { type Candidate, evidenceFor, type RankedIndex } from './hitEvidence.ts';
import type { RankingParameters } from './parameters.ts';
import { siblingBoosts } from './siblings.ts';
import { type ExpansionDocument, mostSentences, type ToolDocument } from './toolDocument.ts';
import type { ToolShapes } from './toolShape.ts';
import { anyTerm, type WeighedQuery } from './weighedQuery.ts';

/** Cap for the summed weights of unasked words in a name. */
const mostUnasked = 24;
/** The best tools of a server that support the whole server. */
const serverBest = 3;

/** Siblings are compared if their score is at least this share of the best one's; others would hardly win. */
const closeShare = 0.25;

/** Separates equal scores. */
export const justBelow = 1 - 1e-9;

/** Size of a filter over the query's terms, by their last bits. Most terms of a tool miss it, which saves lookups in large tables. */
const marks = 4096;

/**
 * Reorders a few tools by what a sum cannot show: how much of the query a tool covers, what its name says besides, and what its server has for the
 * query.
 */
export class Reranker {
	readonly #ranked: RankedIndex;
	readonly #parameters: RankingParameters;
	/** By term, while a query is open: its slot, from 1, and its weight there. Zero otherwise. */
	readonly slotOfTerm: Uint16Array;
	readonly #weightOfTerm: Float32Array;
	/** How surely the query asks for each term in a name, see `QueryTermList`. */
	readonly #strengthOfTerm: Float32Array;
	/** See {@link marks}; for the running query. */
	readonly #marks = new Uint8Array(marks);
	/** Weight that each sentence of the current expansion shares with the query. */
	readonly #shared = new Float32Array(mostSentences);
	/** Total weight of each sentence, {@link mostSentences} per place. Zero: not computed yet. */
	readonly #said: Float32Array;
	readonly #shapes: ToolShapes;

	constructor(shapes: ToolShapes, ranked: RankedIndex, parameters: RankingParameters) {
		const { index, documents } = ranked;
		this.#shapes = shapes;
		this.#ranked = ranked;
		this.#parameters = parameters;
		this.#said = new Float32Array(index.expansions ? mostSentences * documents.length : 0);
		this.slotOfTerm = new Uint16Array(index.weights.length);
		this.#weightOfTerm = new Float32Array(index.weights.length);
		this.#strengthOfTerm = new Float32Array(index.weights.length);
	}

	/** Some places for the open query, best first. `sums`: by place. */
	rank(places: readonly number[], sums: Float32Array, query: WeighedQuery): Candidate[] {
		const candidates = places.map((place) => this.#candidate(place, sums[place] as number, query));
		if (candidates.some(({ own }) => own)) this.#discountKnown(candidates, query);
		const byServer = this.#byServer(candidates);
		for (const candidatesOfServer of byServer) this.#addServer(candidatesOfServer);
		for (const candidatesOfServer of byServer) this.#orderSiblings(candidatesOfServer, query);
		return candidates.sort(byScore);
	}

	/** Reorders the candidates of one server. Their places among those of other servers, and the scores of these places, stay the same. */
	#orderSiblings(all: readonly Candidate[], query: WeighedQuery): void {
		let most = 0;
		for (const { score } of all) most = Math.max(most, score);
		const close = all.filter(({ score }) => score >= closeShare * most);
		if (close.length === 1) return;
		const siblings = close.map(({ place, bySlot }) => ({ bySlot, shape: this.#shapes.of(place) }));
		const asked = { slots: this.slotOfTerm, strengths: this.#strengthOfTerm };
		const boosts = siblingBoosts(siblings, query, asked, this.#parameters.siblings);
		const scores = close.map(({ score }) => score).sort((a, b) => b - a);
		for (let i = 0; i < close.length; i++) (close[i] as Candidate).score *= Math.exp(boosts[i] as number);
		let suited = Number.NaN;
		let taken = Number.POSITIVE_INFINITY;
		close.sort(byScore);
		for (let i = 0; i < close.length; i++) {
			const candidate = close[i] as Candidate;
			// Equally suitable tools keep equal scores, and others do not get them.
			if (candidate.score !== suited) taken = Math.min(scores[i] as number, taken * justBelow);
			suited = candidate.score;
			candidate.score = taken;
		}
	}

	/** A known text is for a person who does not know the tools' words: the likelier one is by its own words, the less all texts count. */
	#discountKnown(candidates: readonly Candidate[], query: WeighedQuery): void {
		const byOwnWords = candidates.map((candidate) => candidate.own ?? candidate);
		const best = byOwnWords.reduce((a, b) => (b.score > a.score ? b : a));
		const relevance = relevanceOf(evidenceFor(best, query, this.#ranked));
		for (const candidate of candidates) {
			const { own, score } = candidate;
			if (own) candidate.score = score + relevance * (own.score - score);
		}
	}

	#byServer(candidates: readonly Candidate[]): Candidate[][] {
		const byServer = new Map<number, Candidate[]>();
		for (const candidate of candidates) {
			const server = this.#ranked.servers[candidate.place] as number;
			const known = byServer.get(server);
			if (known) known.push(candidate);
			else byServer.set(server, [candidate]);
		}
		return [...byServer.values()];
	}

	/** Marks the terms of the query. */
	open({ terms: { terms, slots, weights, strengths } }: WeighedQuery): void {
		for (let i = 0; i < terms.length; i++) {
			const term = terms[i] as number;
			this.slotOfTerm[term] = slots[i] as number;
			this.#weightOfTerm[term] = weights[i] as number;
			this.#strengthOfTerm[term] = strengths[i] as number;
			this.#marks[term % marks] = 1;
		}
	}

	/** Ends the query. */
	close({ terms: { terms } }: WeighedQuery): void {
		for (let i = 0; i < terms.length; i++) {
			const term = terms[i] as number;
			this.slotOfTerm[term] = 0;
			this.#weightOfTerm[term] = 0;
			this.#strengthOfTerm[term] = 0;
			this.#marks[term % marks] = 0;
		}
	}

	#candidate(place: number, sum: number, { weights, total, own }: WeighedQuery): Candidate {
		const document = this.#ranked.documents[place] as ToolDocument;
		const bySlot = new Float32Array(weights.length);
		const literal = new Uint8Array(weights.length);
		const { terms, impacts, expansion } = document;
		const marked = this.#marks;
		let had = 0;
		for (let i = 0; i < terms.length; i++) {
			const term = terms[i] as number;
			if (marked[term % marks] === 0) continue;
			const slot = this.slotOfTerm[term] as number;
			if (slot === 0) continue;
			if (bySlot[slot - 1] === 0) had += weights[slot - 1] as number;
			if (own[slot - 1] === term || own[slot - 1] === anyTerm) literal[slot - 1] = 1;
			const value = (this.#weightOfTerm[term] as number) * (impacts[i] as number);
			if (value > (bySlot[slot - 1] as number)) bySlot[slot - 1] = value;
		}
		const named = this.#namedShare(document);
		const merit = this.#merit(document, named);
		const { coverage: share, expansion: parameters } = this.#parameters;
		const coverage = total > 0 ? had / total : 0;
		const scoreFor = (matched: number, covered: number) => matched * (1 - share + share * covered) * merit;
		const found = { place, sum, score: scoreFor(sum, coverage), coverage, bySlot, literal, named };
		if (!expansion) return found;
		const said = { ...found, bySlot: bySlot.slice(), literal: literal.slice() };
		const hadWithText = this.#addExpansion(said, expansion, had, weights, own);
		said.coverage = total > 0 ? hadWithText / total : 0;
		const nearest = Math.min(1, this.#nearest(place, total));
		said.score = scoreFor(sum, said.coverage) + parameters.nearest * total * nearest;
		if (!expansion.isKnown) return said;
		found.sum = bySlot.reduce((all, value) => all + value, 0);
		found.score = scoreFor(found.sum, coverage);
		return { ...said, own: found };
	}

	/** Adds a tool's expansion to its candidate; returns the covered weight including it. */
	#addExpansion(
		{ bySlot, literal }: Candidate,
		{ terms, impacts, having }: ExpansionDocument,
		hadBefore: number,
		weights: Float32Array,
		own: Int32Array,
	): number {
		const { coverage, word } = this.#parameters.expansion;
		const shared = this.#shared.fill(0);
		let had = hadBefore;
		for (let i = 0; i < terms.length; i++) {
			const term = terms[i] as number;
			if (this.#marks[term % marks] === 0) continue;
			const slot = this.slotOfTerm[term] as number;
			if (slot === 0) continue;
			if (bySlot[slot - 1] === 0) had += coverage * (weights[slot - 1] as number);
			if (own[slot - 1] === term || own[slot - 1] === anyTerm) literal[slot - 1] = 1;
			const weight = this.#weightOfTerm[term] as number;
			const value = word * weight * (impacts[i] as number);
			if (value > (bySlot[slot - 1] as number)) bySlot[slot - 1] = value;
			addToEach(shared, 0, having[i] as number, weight);
		}
		return had;
	}

	/** Similarity of the closest sentence of the expansion that {@link #addExpansion} has read. */
	#nearest(place: number, total: number): number {
		let nearest = 0;
		for (let sentence = 0; sentence < mostSentences; sentence++) {
			const both = this.#shared[sentence] as number;
			if (both === 0) continue;
			nearest = Math.max(nearest, both / Math.sqrt(this.#saidIn(place, sentence) * total));
		}
		return nearest;
	}

	/** Total weight of a sentence, computed on demand. */
	#saidIn(place: number, sentence: number): number {
		const said = this.#said;
		const first = place * mostSentences;
		const expansion = this.#ranked.documents[place]?.expansion;
		if (said[first + sentence] === 0 && expansion) {
			const { terms, having } = expansion;
			const { weights } = this.#ranked.index;
			for (let i = 0; i < terms.length; i++) {
				addToEach(said, first, having[i] as number, weights[terms[i] as number] as number);
			}
		}
		return said[first + sentence] as number;
	}

	/** Share of the words in a tool's name that the query asks for. */
	#namedShare({ nameTerms }: ToolDocument): number {
		let asked = 0;
		for (let i = 0; i < nameTerms.length; i++) if (this.slotOfTerm[nameTerms[i] as number] !== 0) asked++;
		return asked / Math.max(1, nameTerms.length);
	}

	/** Factor for a tool's score from its name and description. */
	#merit({ nameTerms, described }: ToolDocument, named: number): number {
		let unasked = 0;
		for (let i = 0; i < nameTerms.length; i++) {
			const term = nameTerms[i] as number;
			if (this.slotOfTerm[term] === 0) unasked += this.#ranked.index.weights[term] as number;
		}
		const parameters = this.#parameters;
		return (
			(1 + parameters.asked * named) *
			(1 - (parameters.unasked * Math.min(unasked, mostUnasked)) / mostUnasked) *
			(1 + parameters.described * described)
		);
	}

	/** Adds a share of the server's best scores to each candidate: a server about the topic is likely to have the tool. */
	#addServer(candidates: Candidate[]): void {
		candidates.sort(byScore);
		let best = 0;
		for (let i = 0; i < candidates.length && i < serverBest; i++) best += (candidates[i] as Candidate).score;
		for (const candidate of candidates) candidate.score += (this.#parameters.server * best) / serverBest;
	}
}

/** Adds a value to the sums whose bits are set, counted from `first`. */
export function addToEach(sums: Float32Array, first: number, bits: number, value: number): void {
	for (let left = bits; left !== 0; left &= left - 1) {
		const at = first + 31 - Math.clz32(left & -left);
		sums[at] = (sums[at] as number) + value;
	}
}
