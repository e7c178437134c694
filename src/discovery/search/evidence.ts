import { certainty } from './confidence.ts';

/** What speaks for a tool and against it, for one query. */
export interface Evidence {
	/** What it has of the query, as a multiple of what the rarest word counts. */
	readonly strength: number;
	/** Share of the query, by weight, that the tool has. */
	readonly coverage: number;
	/** Share of the query, by weight, that is a topic which no tool at all is named for, and this one says nothing of. */
	readonly unserved: number;
	/** How much the subjects of the query are those of the tool's server, at most 1. */
	readonly kinship: number;
	/** Whether the query names a service, and the tool is of another. */
	readonly otherService: boolean;
}

/**
 * About what a logistic regression on the tuning parts of labelled sets says: queries with an answer against queries put to tools that
 * cannot answer them (`bench/tuning/fitConfidence.ts`), those of other sets, and their own once the servers that answer them are left out. The
 * last is set by hand, for the sets have few such queries; a topic weighs half of what the regression says, which would refuse twice as many
 * that have an answer.
 */
const weights = { bias: -6.8, coverage: 3.5, strength: 3.5, kinship: 4, unserved: -2.5, otherService: -4 };

/** Share of a query from which on a tool has all that is asked: that is certain, however common the words are. */
const allAsked = 0.95;

/** Brings strengths to where their logarithm tells them apart. */
const strengthScale = 8;

/** The evidence as the regression takes it. */
export function featuresOf(evidence: Evidence): Record<Exclude<keyof typeof weights, 'bias'>, number> {
	return {
		coverage: evidence.coverage,
		strength: Math.log1p(strengthScale * evidence.strength),
		// Services of one subject compete: that it is the same one says nothing for the one that was not named.
		kinship: evidence.otherService ? 0 : evidence.kinship,
		unserved: evidence.unserved,
		otherService: Number(evidence.otherService),
	};
}

/** How sure it is that a tool serves a query, 0 to 1. */
export function confidenceOf(evidence: Evidence): number {
	const { coverage, strength, kinship, unserved, otherService } = featuresOf(evidence);
	const sum =
		weights.bias +
		weights.coverage * coverage +
		weights.strength * strength +
		weights.kinship * kinship +
		weights.unserved * unserved +
		weights.otherService * otherService;
	const confidence = 1 / (1 + Math.exp(-sum));
	const hasAll = evidence.coverage >= allAsked && !evidence.otherService;
	return hasAll ? Math.max(confidence, certainty) : confidence;
}
