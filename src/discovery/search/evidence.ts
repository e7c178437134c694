import { likely } from './certainty.ts';

/** Evidence for and against a tool, for one query. */
export interface Evidence {
	/** The tool's score, relative to the weight of the rarest word. */
	readonly strength: number;
	/** Weighted share of the query that the tool matches. */
	readonly coverage: number;
	/** Share of the query's information that the tool has in the query's own words. */
	readonly literal: number;
	/** How many things of the query the tool has, under any name. Actions such as "create" do not count. */
	readonly things: number;
	/** The query names no thing, and many tools do what it asks for ("add it"). */
	readonly isVague: boolean;
	/** Only one word of the query says what is wanted ("clean up my stuff"): too little for a tool that may destroy something. */
	readonly isOneWord: boolean;
	/** The query names things, and the tool matches only the action. */
	readonly hasOnlyAction: boolean;
	/** Share of the words in the tool's name that the query asks for. */
	readonly named: number;
	/** Weighted share of the query that is a topic for which no tool is named and which this tool does not mention. */
	readonly unserved: number;
	/** The query names a service that the tool does not mention. */
	readonly otherService: boolean;
	/** The query names a service, or a thing as its object, that no tool has under any name. */
	readonly isElsewhere: boolean;
	/** The tool calls itself deprecated and names another one. */
	readonly isDeprecated?: boolean;
	readonly tools: number;
	/** The tool matches a word that is more than small talk, including synonyms and expansions. */
	readonly isMatch: boolean;
	/** The tool has nothing of the query but terms that its words may stand for. */
	readonly isGuess: boolean;
}

/**
 * From a logistic regression on the tuning halves of the labelled sets (`bench/tuning/fitRelevance.ts`): whole sets, and small catalogs
 * of 2 to 10 of their servers, with and without the servers that answer. The weight of another service is set by hand: the sets have too
 * few queries that name a service which is not there. The bias is raised as far as no more is loaded where nothing answers than before.
 */
const bias = -4.9;
const weights = {
	coverage: 0.9,
	strength: 1.7,
	literal: 2.5,
	things: 1,
	named: 1.6,
	unserved: -1.9,
	otherService: -2,
	size: -0.28,
};

type Feature = keyof typeof weights;

/** Upper bound for a doubtful tool. */
const maxDoubtful = likely - 0.01;

/** Scales strengths into the range where their logarithm separates them. */
const strengthScale = 8;
/** Logarithm of the number of tools at which size has no effect, and of the smallest number that has one. */
const usualSize = 6;
const minSize = 3.4;

/** The regression's features. */
export function featuresOf(evidence: Evidence): Record<Feature, number> {
	return {
		coverage: evidence.coverage,
		strength: strengthOf(evidence),
		literal: evidence.literal,
		things: Math.min(1, evidence.things),
		named: evidence.named,
		unserved: evidence.unserved,
		otherService: Number(evidence.otherService),
		// The more tools, the more of them match much of a query by chance.
		size: Math.max(minSize, Math.log(Math.max(1, evidence.tools))) - usualSize,
	};
}

/** The strength of a match, on a scale where its weak values differ most. */
export function strengthOf({ strength }: Evidence): number {
	return Math.log1p(strengthScale * Math.max(0, strength));
}

/** Whether something about the query or the tool speaks against a tool, whatever the words say. */
export function isDoubtful({
	isElsewhere,
	isVague,
	hasOnlyAction,
	isDeprecated,
	isGuess,
}: Evidence): boolean {
	return isElsewhere || isVague || hasOnlyAction || isGuess || isDeprecated === true;
}

/** The probability that the first tools have one that serves a query, seen from this tool's evidence. */
export function relevanceOf(evidence: Evidence): number {
	const features = featuresOf(evidence);
	let sum = bias;
	for (const name of Object.keys(weights) as Feature[]) sum += weights[name] * features[name];
	return Math.min(isDoubtful(evidence) ? maxDoubtful : 1, 1 / (1 + Math.exp(-sum)));
}
