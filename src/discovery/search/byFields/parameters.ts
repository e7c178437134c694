/** Fields that name a tool, and those that describe it. */
export const namingFields = ['hint', 'title', 'server', 'name'] as const;
export const proseFields = [
	'pairs',
	'summary',
	'description',
	'parameters',
	'instructions',
	'details',
] as const;

/** A part of a tool that is searched. */
export type Field = (typeof namingFields)[number] | (typeof proseFields)[number];

/** How much a field counts. */
export interface FieldWeight {
	/** Factor of a word's frequency. */
	readonly weight: number;
	/** 0: a field's length makes no difference; 1: a word counts in proportion to its share of the field. */
	readonly normalisation: number;
	/** Words that the field has on average, in the tools of many servers. */
	readonly typicalLength: number;
}

/**
 * All numbers of the default ranking. Chosen by hand, one at a time, where both halves of the labelled sets gained; what hill climbing
 * on one half finds beyond (`bench/tuning/tuneRanking.ts`: R@5 +.01) the other half loses again.
 */
export interface RankingParameters {
	readonly fields: Readonly<Record<Field, FieldWeight>>;
	/** Saturation: the weighted frequency at which a term counts half of what it can (BM25's k1). */
	readonly saturation: number;
	/** How far a term's weight falls that tools use in prose but never in names. */
	readonly naming: number;
	/** Weight of a word's synonym, of a phrase's, of two neighbours as one term, of a word that was only nearly met. */
	readonly synonym: number;
	readonly phrase: number;
	readonly pair: number;
	readonly resembling: number;
	/** Weight of words in quotes, paths, addresses and numbers; of small talk; of the words of a phrase that has synonyms. */
	readonly quoted: number;
	/** Weight of words that say what a general tool is asked about. */
	readonly about: number;
	readonly smallTalk: number;
	readonly insidePhrase: number;
	/** Share of a score that depends on how much of the query the tool has. */
	readonly coverage: number;
	/** Share of the server's best scores that each of its tools gets besides. */
	readonly server: number;
	/** What the share of a tool's name that the query asks for gains, what words of it cost that it does not ask for, and what more of a description gains. */
	readonly asked: number;
	readonly unasked: number;
	readonly described: number;
	/** How far the rarity of a synonym may go beyond that of the word itself: 0 as it is, 1 no further. */
	readonly clip: number;
	/**
	 * By hill climbing on the tuning parts of the sets whose tools have expansions (R@5 .739 → .785), rounded; the other parts, which it never
	 * looked at, gain as much (.712 → .760): `npm run bench -- --only expansions`.
	 */
	readonly expansion: ExpansionWeights;
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
	readonly sameDeed: number;
	/** One of them changes things and the other only reads. */
	readonly clash: number;
	/** The query asks for several things and the tool returns several. */
	readonly many: number;
	/** The last word of the tool's object is the last word of the query's object. */
	readonly head: number;
	/** Share of the query that the tool matches, where a word counts more the fewer siblings have it. */
	readonly distinct: number;
}

/** How much counts what a language model wrote of a tool, which is not the tool's own word. */
export interface ExpansionWeights {
	/** A word of it, as a share of what the same word counts in the tool's name. */
	readonly word: number;
	/** What a word of it adds to what the tool itself has for the same word of the query, as a share of that. */
	readonly besides: number;
	/** Sentences that have a word with which that counts half of what it can. */
	readonly saturation: number;
	/** 0: its length makes no difference; 1: a word counts in proportion to its share of all words. */
	readonly normalisation: number;
	/** Distinct words that it has on average. */
	readonly typicalLength: number;
	/** What a word that only it has counts where it is told how much of the query a tool has. */
	readonly coverage: number;
	/** What the sentence that is nearest to the query adds, as a share of what the query counts at most. */
	readonly nearest: number;
}

export const defaultParameters: RankingParameters = {
	fields: {
		hint: { weight: 3, normalisation: 0.3, typicalLength: 4 },
		title: { weight: 3, normalisation: 0.5, typicalLength: 2 },
		server: { weight: 3.5, normalisation: 0.3, typicalLength: 1.7 },
		name: { weight: 3, normalisation: 0.5, typicalLength: 3 },
		pairs: { weight: 1.5, normalisation: 0.5, typicalLength: 11 },
		summary: { weight: 1.8, normalisation: 0.5, typicalLength: 7 },
		description: { weight: 0.9, normalisation: 0.6, typicalLength: 10 },
		parameters: { weight: 0.7, normalisation: 0.5, typicalLength: 4 },
		instructions: { weight: 0.3, normalisation: 0.7, typicalLength: 20 },
		details: { weight: 0.3, normalisation: 0.5, typicalLength: 15 },
	},
	saturation: 2.2,
	naming: 0.15,
	synonym: 0.5,
	phrase: 0.5,
	pair: 0.7,
	resembling: 0.5,
	quoted: 0.5,
	about: 0.2,
	smallTalk: 0.5,
	insidePhrase: 0.6,
	coverage: 0.8,
	server: 0.15,
	asked: 0.25,
	unasked: 0.8,
	described: 0.1,
	clip: 0.5,
	expansion: {
		word: 0.7,
		besides: 0.25,
		saturation: 1.5,
		normalisation: 0.2,
		typicalLength: 30,
		coverage: 0.7,
		nearest: 0.06,
	},
	siblings: { sameDeed: 0.35, clash: -0.25, many: 0.3, head: 0.16, distinct: 0.12 },
};
