import { certainty } from './confidence.ts';

/** What speaks for a tool and against it, for one query. */
export interface Evidence {
	/** What the tool has of the query, as a multiple of the weight of the rarest word. */
	readonly strength: number;
	/** Share of the query, by weight, that the tool has. */
	readonly coverage: number;
	/** Share of what the query tells that the tool has in the query's own words. */
	readonly literal: number;
	/** How many things of the query the tool has, however it calls them; actions, such as "create", are none. */
	readonly things: number;
	/** Whether the query names no thing, and many tools do what it asks for ("add it"). */
	readonly isVague: boolean;
	/** Whether the query names things, and the tool has none of them, but only the action. */
	readonly hasOnlyAction: boolean;
	/** Share of the words of the tool's name that the query asks for. */
	readonly named: number;
	/** Share of the query, by weight, that is a topic which no tool at all is named for, and this one says nothing of. */
	readonly unserved: number;
	/** How much the subjects of the query are those of the tool's server, at most 1. */
	readonly kinship: number;
	/** Whether the query names a service that no text of the tool mentions. */
	readonly otherService: boolean;
	/** Whether the query names services, and no text of any tool mentions one of them. */
	readonly unknownService: boolean;
	/** Number of tools that were searched. */
	readonly tools: number;
	/** Whether the tool has any word of the query that is more than small talk, synonyms and expansions included. */
	readonly isMatch: boolean;
}

/**
 * From a logistic regression on the tuning halves of the labelled sets (`bench/tuning/fitConfidence.ts`): whole sets, and small catalogs
 * of 2 to 10 of their servers, with and without the servers that answer. The weight of another service is set by hand: the sets have too
 * few queries that name a service which is not there. The bias is raised as far as no more is loaded where nothing answers than before.
 */
const weights = {
	bias: -4.2,
	coverage: 0.8,
	strength: 1.2,
	literal: 2.4,
	things: 0.9,
	named: 1.7,
	kinship: 1.9,
	unserved: -1.8,
	otherService: -2,
	size: -0.27,
};

type Feature = Exclude<keyof typeof weights, 'bias'>;

/** A tool that has this share of a query, in its own words, has all that is asked: it is sure, however common the words are. */
const allAsked = 0.95;

/** What a doubtful tool has at most. */
const mostDoubtful = certainty - 0.01;

/** Scales strengths to where their logarithm tells them apart. */
const strengthScale = 8;
/** Logarithm of the number of tools for which the size counts nothing, and of the least number that makes a difference. */
const usualSize = 6;
const leastSize = 3.4;

/** The evidence as the regression takes it. */
export function featuresOf(evidence: Evidence): Record<Feature, number> {
	return {
		coverage: evidence.coverage,
		strength: Math.log1p(strengthScale * Math.max(0, evidence.strength)),
		literal: evidence.literal,
		things: Math.min(1, evidence.things),
		named: evidence.named,
		// Services of one subject compete: a shared subject does not speak for the service that was not named.
		kinship: evidence.otherService ? 0 : evidence.kinship,
		unserved: evidence.unserved,
		otherService: Number(evidence.otherService),
		// The more tools there are, the more of them have much of a query by chance.
		size: Math.max(leastSize, Math.log(Math.max(1, evidence.tools))) - usualSize,
	};
}

/** How sure it is that a tool serves a query, 0 to 1. */
export function confidenceOf(evidence: Evidence): number {
	const features = featuresOf(evidence);
	const { coverage, strength, literal, things, named, kinship, unserved, otherService, size } = features;
	const sum =
		weights.bias +
		weights.coverage * coverage +
		weights.strength * strength +
		weights.literal * literal +
		weights.things * things +
		weights.named * named +
		weights.kinship * kinship +
		weights.unserved * unserved +
		weights.otherService * otherService +
		weights.size * size;
	const isDoubtful = evidence.unknownService || evidence.isVague || evidence.hasOnlyAction;
	const confidence = Math.min(isDoubtful ? mostDoubtful : 1, 1 / (1 + Math.exp(-sum)));
	const hasAll = evidence.coverage >= allAsked && evidence.literal >= allAsked && !evidence.otherService;
	return hasAll && !isDoubtful ? Math.max(confidence, certainty) : confidence;
}
