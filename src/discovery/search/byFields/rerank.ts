import { certainty, likely } from '../certainty.ts';
import { confidenceOf } from '../confidence.ts';
import { relevanceOf } from '../evidence.ts';
import { byScore } from '../ranker.ts';
import { dot } from '../words/meanings.ts';
import type { AskedTerms } from './askedTerms.ts';
import type { Candidate } from './candidate.ts';
import { evidenceFor, type RankedIndex } from './hitEvidence.ts';
import type { RankingParameters } from './parameters.ts';
import { siblingFactor } from './siblings.ts';
import type { ToolMeanings } from './toolMeanings.ts';
import type { ToolShapes } from './toolShape.ts';
import type { WeighedQuery } from './weighedQuery.ts';

/** A tool that is more alike than this is no better: it only says little more than the query. */
const maxAlike = 0.8;

/** Separates equal scores. */
export const justBelow = 1 - 1e-9;

/**
 * Reorders a few tools by what a sum cannot show: how much of the query a tool covers, what its name says besides, and how it fits beside the other
 * tools of its server.
 */
export class Reranker {
	readonly #ranked: RankedIndex;
	readonly #parameters: RankingParameters;
	readonly #shapes: ToolShapes;
	readonly #asked: AskedTerms;
	readonly #meanings: ToolMeanings;

	constructor(
		shapes: ToolShapes,
		meanings: ToolMeanings,
		ranked: RankedIndex,
		asked: AskedTerms,
		parameters: RankingParameters,
	) {
		this.#shapes = shapes;
		this.#asked = asked;
		this.#meanings = meanings;
		this.#ranked = ranked;
		this.#parameters = parameters;
	}

	/** Orders the candidates of the running query, best first. The less clear its words are, the more counts what it and the tools are about. */
	rank(candidates: Candidate[], query: WeighedQuery): Candidate[] {
		this.#blendScores(candidates, query);
		const byServer = this.#byServer(candidates);
		for (const candidate of candidates)
			candidate.siblingFactor = siblingFactor(
				this.#shapes.of(candidate.place),
				query,
				this.#asked,
				this.#parameters.siblings,
			);
		this.#order(candidates, byServer, query, 0);
		const doubt = this.#doubt(candidates, query);
		if (doubt > 0) this.#order(candidates, byServer, query, doubt * this.#parameters.meaning);
		return candidates;
	}

	/** From 0, the first candidate is sure, to 1. */
	#doubt([first, next]: readonly Candidate[], query: WeighedQuery): number {
		if (!first || !next) return 0;
		const [evidence, ofNext] = [
			evidenceFor(first, query, this.#ranked),
			evidenceFor(next, query, this.#ranked),
		];
		const second = { place: next.place, score: next.score, evidence: ofNext };
		return Math.max(0, 1 - confidenceOf(evidence, first.score, second) / certainty);
	}

	/** `ofMeaning`: what a likeness of meaning of 1 adds to the logarithm of a score. */
	#order(
		candidates: Candidate[],
		byServer: readonly Candidate[][],
		query: WeighedQuery,
		ofMeaning: number,
	): void {
		for (const candidate of candidates) {
			candidate.score = candidate.blendedScore;
			if (ofMeaning === 0) continue;
			const alike = dot(query.meaning, this.#meanings.of(candidate.place));
			candidate.score *= Math.exp(ofMeaning * Math.min(maxAlike, alike));
		}
		for (const siblings of byServer) orderSiblings(siblings);
		candidates.sort(byScore);
	}

	/** What Discovery knows of tools is for a person who does not know their words: the likelier a tool is by its own words, the less all expansions count. */
	#blendScores(candidates: readonly Candidate[], query: WeighedQuery): void {
		for (const candidate of candidates) candidate.blendedScore = candidate.baseScore;
		const { isKnown, index } = this.#ranked;
		const [first] = candidates;
		if (!isKnown || !index.expansions || !first) return;
		const best = candidates.reduce((a, b) => (b.baseScoreOfOwnWords > a.baseScoreOfOwnWords ? b : a), first);
		const relevance = relevanceOf(evidenceFor(best.ownWords ?? best, query, this.#ranked));
		// Expansions count fully where nothing is likely, and not at all where a tool surely is.
		const discount = Math.max(0, relevance - likely) / (1 - likely);
		if (discount === 0) return;
		for (const candidate of candidates) {
			const { baseScore, baseScoreOfOwnWords } = candidate;
			candidate.blendedScore = baseScore + discount * (baseScoreOfOwnWords - baseScore);
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
}

/** Reorders the candidates of one server, best first. Their places among those of other servers, and the scores of these places, stay the same. */
function orderSiblings(siblings: Candidate[]): void {
	if (siblings.length === 1) return;
	siblings.sort(byScore);
	const scores = siblings.map(({ score }) => score);
	for (const candidate of siblings) candidate.score *= candidate.siblingFactor;
	let suited = Number.NaN;
	let taken = Number.POSITIVE_INFINITY;
	siblings.sort(byScore);
	for (let i = 0; i < siblings.length; i++) {
		const candidate = siblings[i] as Candidate;
		// Equally suitable tools keep equal scores, and others do not get them.
		if (candidate.score !== suited) taken = Math.min(scores[i] as number, taken * justBelow);
		suited = candidate.score;
		candidate.score = taken;
	}
}
