/** Naming fields, and fields that describe a tool. */
export const namingFields = ['hint', 'title', 'server', 'name'] as const;
const proseFields = ['pairs', 'summary', 'description', 'parameters', 'instructions', 'details'] as const;

/** A part of a tool that is searched. */
export type Field = (typeof namingFields)[number] | (typeof proseFields)[number];

/** The weight of a field. */
export interface FieldWeight {
	/** Factor for a word's frequency. */
	readonly weight: number;
	/** Average number of words in the field, over the tools of many servers. */
	readonly typicalLength: number;
}

/**
 * All weights of the default ranking. Chosen by hand, one at a time, where both halves of the labelled sets gained. Hill climbing on one half finds R@5
 * +.01 more (`bench/tuning/tuneRanking.ts`), which the other half loses again.
 */
export interface RankingParameters {
	readonly fields: Readonly<Record<Field, FieldWeight>>;
	/** How much the length of a field or text matters. 0: not at all; 1: a word counts in proportion to its share of all words. */
	readonly normalisation: number;
	/** Weighted frequency at which a term has half of its maximum impact (BM25's k1). */
	readonly saturation: number;
	/** Penalty for terms that tools use in prose but never in names. */
	readonly naming: number;
	/** Weight of a synonym and of a fuzzy match; of two neighbours as one term. */
	readonly related: number;
	readonly pair: number;
	/** Weight of quotes, paths, addresses, numbers and small talk; of the words inside a phrase that has synonyms. */
	readonly minor: number;
	readonly insidePhrase: number;
	/** Share of the score that depends on how much of the query the tool matches. */
	readonly coverage: number;
	/** Factor for the tools of a server that the query names. */
	readonly ofNamedServer: number;
	/** Bonus for the share of the name that the query asks for, penalty for unasked words in the name, bonus for a longer description. */
	readonly asked: number;
	readonly unasked: number;
	readonly described: number;
	/**
	 * From hill climbing on the tuning halves of the sets whose tools have expansions (R@5 .739 → .785), rounded. The other halves gain as much (.712 →
	 * .760): `npm run bench -- --only expansions`.
	 */
	readonly expansion: ExpansionWeights;
	/** What a likeness of meaning of 1 adds to the logarithm of a score where nothing is sure. */
	readonly meaning: number;
	readonly siblings: SiblingWeights;
}

/**
 * What tells the tools of one server apart, as logarithms of factors of the score.
 *
 * From a listwise logistic regression on the tuned halves of the sets and on the expansions of some corpora: which tool of a server is the right
 * one, given the score of each. Families of sets were left out one by one to check that the weights generalise (hit@1 of azure180 .876 → .961
 * with weights fitted without any Azure set). The weights are shrunk and rounded. Features that were tried and changed no figure on the rest
 * halves: unasked parts of a name, the share of the object that a name has, the direction of a conversion, removing against other changes,
 * one thing asked for against several returned.
 */
export interface SiblingWeights {
	/** The query and the tool share a kind of action. */
	readonly sameAction: number;
	/** The query asks for several things and the tool returns several. */
	readonly many: number;
	/** The last word of the tool's object is the last word of the query's object. */
	readonly head: number;
	/** The tool's action is likelier than usual for such a query, see `askedActions`. */
	readonly likelyAction: number;
}

/** The weight of text that a language model wrote about a tool. */
export interface ExpansionWeights {
	/** Impact of a word in it, relative to the same word in the tool's name. */
	readonly word: number;
	/** Added if the tool itself has the word too, as a share of the word's impact. */
	readonly besides: number;
	/** Number of sentences with a word at which the word has half of its maximum impact. */
	readonly saturation: number;
	/** Average number of distinct words. */
	readonly typicalLength: number;
	/** How much a word that only the expansion has counts for coverage. */
	readonly coverage: number;
}

export const defaultParameters: RankingParameters = {
	fields: {
		hint: { weight: 3, typicalLength: 4 },
		title: { weight: 3, typicalLength: 2 },
		server: { weight: 3.5, typicalLength: 1.7 },
		name: { weight: 3, typicalLength: 3 },
		pairs: { weight: 1.5, typicalLength: 11 },
		summary: { weight: 1.8, typicalLength: 7 },
		description: { weight: 0.9, typicalLength: 10 },
		parameters: { weight: 0.7, typicalLength: 4 },
		instructions: { weight: 0.3, typicalLength: 20 },
		details: { weight: 0.3, typicalLength: 15 },
	},
	normalisation: 0.5,
	saturation: 2.2,
	naming: 0.15,
	related: 0.5,
	pair: 0.4,
	minor: 0.5,
	insidePhrase: 0.6,
	coverage: 0.8,
	ofNamedServer: 2,
	asked: 0.25,
	unasked: 0.8,
	described: 0.1,
	expansion: {
		word: 0.7,
		besides: 0.25,
		saturation: 1.5,
		typicalLength: 30,
		coverage: 0.7,
	},
	meaning: 2,
	siblings: { sameAction: 0.35, many: 0.3, head: 0.16, likelyAction: 0.35 },
};
