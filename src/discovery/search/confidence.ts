import { certainty } from './certainty.ts';
import { type Evidence, isDoubtful, strengthOf } from './evidence.ts';
import type { Ranked } from './ranker.ts';

/** Upper bound for a hit that is not sure. */
export const maxUnsure = certainty - 0.01;

/**
 * From a logistic regression on the tuning halves of labelled sets, small catalogs and paraphrases (`bench/tuning/fitConfidence.ts`): whether the
 * best hit is right. The bias is then lowered by 1.25, so that those above {@link certainty} are right as often as it says.
 */
const bias = -5.2;
const weights = { strength: 1.3, literal: 2, things: 0.4, lead: 0.6, literalLead: 2.1 };
/** By hand: the sets have too few queries that name a service which is not there. */
const otherService = -2;

/** A lead beyond which more says nothing, as the logarithm of the scores' ratio. */
const maxLead = 1.5;

/** The regression's features: what speaks for the best hit, and how far the next one is behind. */
export function confidenceFeatures(
	evidence: Evidence,
	score: number,
	next: Ranked | undefined,
): Record<keyof typeof weights, number> {
	return {
		strength: strengthOf(evidence),
		literal: evidence.literal,
		things: Math.min(1, evidence.things),
		lead: Math.min(maxLead, next && next.score > 0 ? Math.log(score / next.score) : maxLead),
		literalLead: evidence.literal - (next?.evidence?.literal ?? 0),
	};
}

/**
 * How sure it is that the best hit is the tool that was meant. The more evidence the next hit has, the less: close siblings are told
 * apart by what the words do not say.
 */
export function confidenceOf(evidence: Evidence, score: number, next: Ranked | undefined): number {
	const features = confidenceFeatures(evidence, score, next);
	let sum = bias + otherService * Number(evidence.otherService);
	for (const name of Object.keys(weights) as (keyof typeof weights)[]) sum += weights[name] * features[name];
	return Math.min(isDoubtful(evidence) ? maxUnsure : 1, 1 / (1 + Math.exp(-sum)));
}
