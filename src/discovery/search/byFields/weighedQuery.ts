import { type InvertedIndex, inverseFrequency, type Postings } from './invertedIndex.ts';
import type { RankingParameters } from './parameters.ts';
import type { QueryPlan, Slot } from './queryPlan.ts';

/** A term with its weight in a slot. */
export interface WeightedTerm {
	readonly term: number;
	readonly weight: number;
}

/** The distinct terms of a query, with the slot (from 1) where each weighs most. */
export interface QueryTermList {
	readonly terms: readonly number[];
	readonly slots: readonly number[];
	/** How surely the query asks for a term in a name. Synonyms of the verb are not asked for: "archive" does not ask for `update`. */
	readonly strengths: readonly number[];
	/** How surely a tool with the term has what the slot asks for. */
	readonly covers: readonly number[];
}

/** A query with the weights of an index; computed once per query. */
export interface WeighedQuery extends QueryPlan {
	/** The alternatives of each slot, and those of them that may find tools by their expansions. */
	readonly alternatives: readonly (readonly WeightedTerm[])[];
	readonly expansionTerms: readonly (readonly WeightedTerm[])[];
	readonly terms: QueryTermList;
	/** The maximum score of each slot, and of all slots. */
	readonly weights: Float32Array;
	readonly total: number;
	/** Slots that are topics for which no tool is named. */
	readonly unnamedTopics: readonly number[];
	/** See `Evidence.isVague` and `Evidence.isElsewhere`. */
	readonly isVague: boolean;
	readonly isElsewhere: boolean;
	/** The term of each slot as written; {@link anyTerm} if any alternative counts as that; -1 if no tool has it. */
	readonly literalTerms: Int32Array;
	/** Slots that name servers. */
	readonly serverSlots: readonly number[];
	/** By slot: whether it is part of the object, and whether it is the object's head. */
	readonly isInObject: readonly boolean[];
	readonly isHead: readonly boolean[];
}

/** See {@link WeighedQuery.literalTerms}. */
export const anyTerm = -2;
/** Expansions that a word may find. A word in more of them says little and only adds to tools found by other words. */
const maxExpansions = 100;
/** An action for which more tools are named is too vague without a thing. */
const fewTools = 10;
/** Information from which a slot counts as a thing rather than an action. */
export const minThing = 0.45;

/**
 * Weighs a query by the rarity of its words. A word that no tool has counts as much as the rarest one. `serverTerms`: terms that name
 * servers.
 */
export function weigh(
	plan: QueryPlan,
	index: InvertedIndex,
	parameters: RankingParameters,
	serverTerms: ReadonlySet<number>,
): WeighedQuery {
	const { slots, intent } = plan;
	const alternatives = slots.map((slot) => weightedTerms(slot, index));
	const { expansions } = index;
	const expansionTerms = alternatives.map((terms) =>
		expansions ? terms.filter(({ term }) => mayFindExpansions(expansions, term)) : [],
	);
	const weights = new Float32Array(slots.length);
	let total = 0;
	for (const [i, slot] of slots.entries()) {
		const maxScore = maxScoreOf(slot, alternatives[i] ?? [], index);
		weights[i] = maxScore;
		total += maxScore;
	}
	const head = intent.object.at(-1) ?? -1;
	const covers = ({ at, length }: Slot, place: number) => at <= place && place < at + length;
	const isInObject = slots.map((slot) => intent.object.some((place) => covers(slot, place)));
	const isVerb = slots.map((slot) => covers(slot, intent.verb));
	// With several clauses, a tool may be for another one.
	const isOneClause = slots.every(({ clause }) => clause === slots[0]?.clause);
	const isObjectElsewhere = isOneClause && slots.some((slot, i) => isInObject[i] && isUnknownThing(slot));
	return {
		...plan,
		alternatives,
		expansionTerms,
		terms: termsOf(slots, alternatives, isVerb, parameters.related),
		weights,
		total,
		unnamedTopics: unnamedTopics(slots, index),
		isVague: isVague(slots, index),
		isElsewhere: isUnknownService(plan) || isObjectElsewhere,
		literalTerms: Int32Array.from(slots, literalTerm),
		serverSlots: [...slots.keys()].filter((i) => isServer(slots[i] as Slot, serverTerms)),
		isInObject,
		isHead: slots.map((slot) => covers(slot, head)),
	};
}

/** The alternatives of a slot with their weights. */
function weightedTerms({ weight, alternatives }: Slot, { weights }: InvertedIndex): WeightedTerm[] {
	return alternatives.map(({ term, strength }) => ({
		term,
		weight: weight * strength * (weights[term] as number),
	}));
}

/** Whether a name is that of servers. */
function isServer({ isName, alternatives: [own] }: Slot, serverTerms: ReadonlySet<number>): boolean {
	return isName && own?.strength === 1 && serverTerms.has(own.term);
}

/** Whether a word may find tools by their expansions. */
function mayFindExpansions(expansions: Postings, term: number): boolean {
	const frequency = expansions.frequency(term);
	return frequency > 0 && frequency <= maxExpansions;
}

/** The maximum score of a slot. */
function maxScoreOf(
	{ weight, alternatives: all }: Slot,
	alternatives: readonly WeightedTerm[],
	{ size }: InvertedIndex,
): number {
	if (all.every(({ isLikely }) => isLikely)) return weight * rarest(size);
	return alternatives.reduce((most, one) => Math.max(most, one.weight), 0);
}

function termsOf(
	slots: readonly Slot[],
	alternatives: readonly (readonly WeightedTerm[])[],
	isVerb: readonly boolean[],
	related: number,
): QueryTermList {
	/** By term: its place in the list. */
	const listed = new Map<number, number>();
	const list = {
		terms: [] as number[],
		slots: [] as number[],
		weights: [] as number[],
		strengths: [] as number[],
		covers: [] as number[],
	};
	for (const [i, weighedTerms] of alternatives.entries()) {
		for (const [n, { term, weight }] of weighedTerms.entries()) {
			const known = listed.get(term);
			if (weight <= (known === undefined ? 0 : (list.weights[known] as number))) continue;
			const at = known ?? list.terms.length;
			if (known === undefined) listed.set(term, at);
			const { strength = 0, isLikely } = slots[i]?.alternatives[n] ?? {};
			list.terms[at] = term;
			list.slots[at] = i + 1;
			list.weights[at] = Math.fround(weight);
			list.strengths[at] = !isVerb[i] || strength === 1 ? strength : 0;
			list.covers[at] = isLikely ? Math.min(1, strength / related) : 1;
		}
	}
	return list;
}

function unnamedTopics(slots: readonly Slot[], { namingFrequencies }: InvertedIndex): readonly number[] {
	const isName = (term: number) => (namingFrequencies[term] as number) > 0;
	return [...slots.keys()].filter((i) => {
		const { kind, alternatives } = slots[i] as Slot;
		return kind === 'topic' && !alternatives.some(({ term, isLikely }) => !isLikely && isName(term));
	});
}

function isVague(slots: readonly Slot[], { namingFrequencies }: InvertedIndex): boolean {
	const tools = ({ alternatives: [own] }: Slot) => (own ? (namingFrequencies[own.term] as number) : 0);
	return slots.every(
		(slot) => slot.information === 0 || (slot.information < minThing && tools(slot) > fewTools),
	);
}

function isUnknownService({ services }: QueryPlan): boolean {
	return services.length > 0 && services.every((terms) => terms.length === 0);
}

/** Whether the thesaurus knows the word, so that a tool for the thing would have it under some name, and none has. */
function isUnknownThing({ kind, alternatives, information }: Slot): boolean {
	return kind === 'topic' && information >= minThing && alternatives.every(({ isLikely }) => isLikely);
}

function literalTerm({ alternatives: [own], isTranslated }: Slot): number {
	if (own?.strength === 1) return own.term;
	return isTranslated ? anyTerm : -1;
}

/** The weight of a term that no document has; see `inverseFrequency`. */
export function rarest(documents: number): number {
	return inverseFrequency(documents, 0);
}
