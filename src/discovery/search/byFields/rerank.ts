import { relevanceOf } from '../evidence.ts';
import { byScore } from '../ranker.ts';
import type { AskedTerms } from './askedTerms.ts';
import { Candidate, evidenceFor, type RankedIndex } from './hitEvidence.ts';
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

/**
 * Reorders a few tools by what a sum cannot show: how much of the query a tool covers, what its name says besides, and what its server has for the
 * query.
 */
export class Reranker {
	readonly #ranked: RankedIndex;
	readonly #parameters: RankingParameters;
	readonly #asked: AskedTerms;
	/** Weight that each sentence of the current expansion shares with the query. */
	readonly #shared = new Float32Array(mostSentences);
	/** Total weight of each sentence, {@link mostSentences} per place. Zero: not computed yet. */
	readonly #said: Float32Array;
	readonly #shapes: ToolShapes;
	/** The candidates of all queries; the running one has taken the first of them. */
	readonly #candidates: Candidate[] = [];
	#taken = 0;

	constructor(shapes: ToolShapes, ranked: RankedIndex, asked: AskedTerms, parameters: RankingParameters) {
		const { index, documents } = ranked;
		this.#asked = asked;
		this.#shapes = shapes;
		this.#ranked = ranked;
		this.#parameters = parameters;
		this.#said = new Float32Array(index.expansions ? mostSentences * documents.length : 0);
	}

	/** Some places for the running query, best first. `sums`: by place. */
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
		const boosts = siblingBoosts(siblings, query, this.#asked, this.#parameters.siblings);
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

	/** Ends the query. */
	close(): void {
		this.#taken = 0;
	}

	#candidate(place: number, sum: number, { weights, total, own }: WeighedQuery): Candidate {
		const document = this.#ranked.documents[place] as ToolDocument;
		const slots = weights.length;
		const found = this.#take().begin(place, sum, slots);
		const { bySlot, literal } = found;
		const { terms, impacts, expansion } = document;
		const asked = this.#asked;
		let had = 0;
		for (let i = 0; i < terms.length; i++) {
			const term = terms[i] as number;
			const slot = asked.slotOf(term);
			if (slot === 0) continue;
			if (bySlot[slot - 1] === 0) had += weights[slot - 1] as number;
			if (own[slot - 1] === term || own[slot - 1] === anyTerm) literal[slot - 1] = 1;
			const value = (asked.weights[term] as number) * (impacts[i] as number);
			if (value > (bySlot[slot - 1] as number)) bySlot[slot - 1] = value;
		}
		found.named = this.#namedShare(document);
		const merit = this.#merit(document, found.named);
		const { coverage: share, expansion: parameters } = this.#parameters;
		found.coverage = total > 0 ? had / total : 0;
		found.score = sum * (1 - share + share * found.coverage) * merit;
		if (!expansion) return found;
		const said = this.#take().begin(place, sum, slots);
		for (let i = 0; i < slots; i++) {
			said.bySlot[i] = bySlot[i] as number;
			said.literal[i] = literal[i] as number;
		}
		said.named = found.named;
		const hadWithText = this.#addExpansion(said, expansion, had, weights, own);
		said.coverage = total > 0 ? hadWithText / total : 0;
		const nearest = Math.min(1, this.#nearest(place, total));
		said.score = sum * (1 - share + share * said.coverage) * merit + parameters.nearest * total * nearest;
		if (!expansion.isKnown) return said;
		found.sum = 0;
		for (let i = 0; i < slots; i++) found.sum += bySlot[i] as number;
		found.score = found.sum * (1 - share + share * found.coverage) * merit;
		said.own = found;
		return said;
	}

	#take(): Candidate {
		let candidate = this.#candidates[this.#taken];
		if (!candidate) {
			candidate = new Candidate();
			this.#candidates.push(candidate);
		}
		this.#taken++;
		return candidate;
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
		const asked = this.#asked;
		const shared = this.#shared.fill(0);
		let had = hadBefore;
		for (let i = 0; i < terms.length; i++) {
			const term = terms[i] as number;
			const slot = asked.slotOf(term);
			if (slot === 0) continue;
			if (bySlot[slot - 1] === 0) had += coverage * (weights[slot - 1] as number);
			if (own[slot - 1] === term || own[slot - 1] === anyTerm) literal[slot - 1] = 1;
			const weight = asked.weights[term] as number;
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
		for (let i = 0; i < nameTerms.length; i++) if (this.#asked.slotOf(nameTerms[i] as number) !== 0) asked++;
		return asked / Math.max(1, nameTerms.length);
	}

	/** Factor for a tool's score from its name and description. */
	#merit({ nameTerms, described }: ToolDocument, named: number): number {
		let unasked = 0;
		for (let i = 0; i < nameTerms.length; i++) {
			const term = nameTerms[i] as number;
			if (this.#asked.slotOf(term) === 0) unasked += this.#ranked.index.weights[term] as number;
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
