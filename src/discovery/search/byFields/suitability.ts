/**
 * How well a tool suits a request beside the other tools of its server: 0 where nothing is known, else mostly 0 to 1. `asked` and `its`
 * below are the kinds of actions that the query asks for and that the tool is for.
 */
export interface Suitability {
	/** They share a kind of action. */
	readonly sameDeed: number;
	/** One of them changes things and the other only reads. */
	readonly clash: number;
	/** One of them removes things and the other does not. */
	readonly removes: number;
	/** Several things are asked for, and the tool gives several; or it gives one. */
	readonly many: number;
	readonly oneForMany: number;
	/** One thing is asked for, and the tool gives one; or it gives several. */
	readonly one: number;
	readonly manyForOne: number;
	/** What the tool's name ends with is the head of the object. */
	readonly head: number;
	/** Parts of the name that nobody asked for, a quarter each. */
	readonly unasked: number;
	/** Share of the object, by weight, that the name has. */
	readonly object: number;
	/** A conversion goes the same way as in the query (1), or the other way (-1). */
	readonly direction: number;
	/** Share of the query that the tool has, where a word counts the more the fewer of its siblings have it. */
	readonly distinct: number;
}

/**
 * By listwise logistic regression on the tuned halves of the sets, and on what the expansions of some corpora say of each of their tools: which
 * tool of a server is the right one, given the score of each. The families of sets were left out one by one to see what holds elsewhere
 * (hit@1 of azure180 .876 → .961 with weights fitted without any Azure set). The weights are shrunk and rounded;
 * `bench/tuning/tuneRanking.ts` searches for better ones with those of the ranking.
 */
export const suitabilityWeights: Readonly<Record<keyof Suitability, number>> = {
	sameDeed: 0.35,
	clash: -0.25,
	removes: -0.1,
	many: 0.3,
	oneForMany: -0.08,
	one: 0.04,
	manyForOne: -0.08,
	head: 0.16,
	unasked: -0.08,
	object: 0.05,
	direction: 0.2,
	distinct: 0.12,
};
