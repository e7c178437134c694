import type { Evidence } from '../evidence.ts';
import { byScore, type Ranked } from '../ranker.ts';
import { type InvertedIndex, inverseFrequency } from './invertedIndex.ts';
import type { RankingParameters } from './parameters.ts';
import type { QueryPlan, Slot, WeightedTerm } from './queryPlan.ts';
import type { Request } from './request.ts';
import { SiblingComparison } from './siblings.ts';
import type { Subjects, SubjectsOfServers } from './subjects.ts';
import { mostSentences, type ToolDocument } from './toolDocument.ts';
import type { ToolShapes } from './toolShapes.ts';

/** Upper bound of what the words of a name that the query does not ask for cost together, as the sum of their weights. */
const mostUnasked = 24;
/** The best tools of a server that speak for it. */
const serverBest = 3;
/** Needs of one query that are seen to, and the places at the top in which each has a tool. */
const mostNeeds = 4;
const topPlaces = 5;
/** Share of the best tool's part with which a need is served, and share of the need that a tool must cover to be raised. */
const servedShare = 0.5;
const coveredShare = 0.8;

/** Siblings are compared if their score is at least this share of the best one's: the others would hardly come first. */
const closeShare = 0.25;

/** Keeps apart siblings with the same score. */
const justBelow = 1 - 1e-9;

/** From this kinship on a word is of the subjects of a server; how much less the others count as evidence. */
const leastKinship = 0.2;
const foreignLess = 0.5;

const noExpansion = {
	terms: new Uint32Array(),
	impacts: new Float32Array(),
	having: new Uint8Array(),
};

/** An action that more tools are named for says too little without a thing. */
const fewTools = 10;
/** From this information on a slot is a thing rather than an action. */
const leastThing = 0.45;
/** See {@link Asked.own}. */
const anyTerm = -2;

/** A tool that is ranked anew. */
interface Candidate {
	readonly place: number;
	/** What it has of the query, summed. */
	readonly sum: number;
	score: number;
	/** Share of what the query says that the tool has, by weight: 0 to 1. */
	readonly coverage: number;
	/** What it has of each slot. */
	readonly bySlot: Float32Array;
	/** Slots, by place, of which it has the very word and not a synonym. */
	readonly literal: Uint8Array;
	/** Share of the words of its name that the query asks for. */
	readonly named: number;
}

/** A query with the terms of each slot. */
export interface WeightedQuery extends QueryPlan {
	readonly terms: readonly (readonly WeightedTerm[])[];
}

/** What a query asks for. */
interface Asked {
	/** What each slot counts at most, and all together. */
	readonly weights: Float32Array;
	readonly total: number;
	/** Parts that may be needs of their own, as places of their slots; none where the query is of one piece. */
	readonly needs: readonly (readonly number[])[];
	/** Places of slots that are topics which no tool is named for. */
	readonly unknown: readonly number[];
	/** Slots that name services. */
	readonly services: readonly Slot[];
	/** See {@link Evidence.isVague}. */
	readonly isVague: boolean;
	readonly slots: readonly Slot[];
	/** The term of each slot as it was written; {@link anyTerm} where all its alternatives are that, -1 where no tool has it. */
	readonly own: Int32Array;
	readonly subjects: Subjects;
	/** By the number of the server, as far as they were asked for. */
	readonly kinships: Map<number, Kinship>;
}

/** How much a query is of the subjects of a server. */
interface Kinship {
	readonly whole: number;
	readonly bySlot: readonly number[];
}

/**
 * Ranks a few tools anew by what a sum cannot show: how much of the query a tool has, what its name says besides, what its server has for
 * the query, and whether each of several needs has its tool.
 */
export class Reranker {
	readonly #documents: readonly ToolDocument[];
	/** Number of the server of each place. */
	readonly #servers: Uint32Array;
	readonly #index: InvertedIndex;
	readonly #subjects: SubjectsOfServers;
	readonly #parameters: RankingParameters;
	/** Slot of each term of the running query, counted from 1, and what the term counts in it; zero between two. */
	readonly #slotOfTerm: Uint16Array;
	readonly #weightOfTerm: Float32Array;
	/** What the sentences of the expansion at hand share with the query. */
	readonly #shared = new Float32Array(mostSentences);
	/** What all words of each sentence count, by place, {@link mostSentences} for each; zero until it is asked for. */
	readonly #said: Float32Array;

	readonly #shapes: ToolShapes;

	constructor(
		shapes: ToolShapes,
		documents: readonly ToolDocument[],
		servers: Uint32Array,
		index: InvertedIndex,
		subjects: SubjectsOfServers,
		parameters: RankingParameters,
	) {
		this.#shapes = shapes;
		this.#documents = documents;
		this.#servers = servers;
		this.#index = index;
		this.#subjects = subjects;
		this.#parameters = parameters;
		this.#said = new Float32Array(index.expansions ? mostSentences * documents.length : 0);
		this.#slotOfTerm = new Uint16Array(index.weights.length);
		this.#weightOfTerm = new Float32Array(index.weights.length);
	}

	/** Ranks some places anew, given the sum of each; at most `limit` of them. */
	rank(places: readonly number[], sums: Float32Array, query: WeightedQuery, limit: number): Ranked[] {
		const asked = this.#open(query);
		const candidates = places.map((place) => this.#candidate(place, sums[place] as number, asked));
		this.#addServers(candidates);
		this.#orderSiblings(candidates, asked, query.request);
		this.#close(query.terms);
		candidates.sort(byScore);
		return this.#eachNeed(candidates, asked)
			.slice(0, limit)
			.map((hit) => ({ place: hit.place, score: hit.score, evidence: this.#evidence(hit, asked) }));
	}

	/**
	 * Orders the candidates of each server among themselves by what tells them apart. The places that a server's tools have among those of
	 * others stay, and so do the scores of these places.
	 */
	#orderSiblings(candidates: readonly Candidate[], { weights, slots }: Asked, request: Request): void {
		const comparison = new SiblingComparison({
			request,
			slots,
			weights,
			slotOfTerm: this.#slotOfTerm,
		});
		for (const all of this.#byServer(candidates)) {
			const least = closeShare * all.reduce((most, { score }) => Math.max(most, score), 0);
			const its = all.filter(({ score }) => score >= least);
			if (its.length === 1) continue;
			const siblings = its.map(({ place, bySlot }) => ({ bySlot, shape: this.#shapes.of(place) }));
			const suits = comparison.suit(siblings);
			const scores = its.map(({ score }) => score).sort((a, b) => b - a);
			its.forEach((candidate, i) => {
				candidate.score *= Math.exp(suits[i] as number);
			});
			let suited = Number.NaN;
			let taken = Number.POSITIVE_INFINITY;
			for (const [i, candidate] of its.sort(byScore).entries()) {
				// Tools that suit equally well stay level, and others do not become so.
				if (candidate.score !== suited) taken = Math.min(scores[i] as number, taken * justBelow);
				suited = candidate.score;
				candidate.score = taken;
			}
		}
	}

	#byServer(candidates: readonly Candidate[]): MapIterator<Candidate[]> {
		return Map.groupBy(candidates, ({ place }) => this.#servers[place]).values();
	}

	/** Notes the terms of the query. A word that no tool has counts as much as the rarest one. */
	#open({ slots, subjects, terms }: WeightedQuery): Asked {
		const weights = new Float32Array(slots.length);
		let total = 0;
		slots.forEach((slot, i) => {
			let most = slot.alternatives.length > 0 ? 0 : slot.weight * rarest(this.#index.size);
			for (const { term, weight } of terms[i] ?? []) {
				most = Math.max(most, weight);
				if (weight <= (this.#weightOfTerm[term] as number)) continue;
				this.#slotOfTerm[term] = i + 1;
				this.#weightOfTerm[term] = weight;
			}
			weights[i] = most;
			total += most;
		});
		const services = slots.filter(({ kind }) => kind === 'service');
		return {
			weights,
			total,
			needs: needsOf(slots),
			unknown: this.#unknownTopics(slots),
			services,
			isVague: this.#isVague(slots),
			slots,
			own: Int32Array.from(slots, ownTerm),
			subjects,
			kinships: new Map(),
		};
	}

	#isVague(slots: readonly Slot[]): boolean {
		const tools = ({ alternatives: [own] }: Slot) => (own ? (this.#index.named[own.term] as number) : 0);
		return slots.every(
			(slot) => slot.information === 0 || (slot.information < leastThing && tools(slot) > fewTools),
		);
	}

	#unknownTopics(slots: readonly Slot[]): readonly number[] {
		return [...slots.keys()].filter((i) => {
			const { kind, alternatives } = slots[i] as Slot;
			return kind === 'topic' && !alternatives.some(({ term }) => this.#isName(term));
		});
	}

	#close(terms: WeightedQuery['terms']): void {
		for (const its of terms) {
			for (const { term } of its) {
				this.#slotOfTerm[term] = 0;
				this.#weightOfTerm[term] = 0;
			}
		}
	}

	#candidate(place: number, sum: number, { weights, total, own }: Asked): Candidate {
		const document = this.#documents[place] as ToolDocument;
		const bySlot = new Float32Array(weights.length);
		const literal = new Uint8Array(weights.length);
		let had = 0;
		for (let i = 0; i < document.terms.length; i++) {
			const term = document.terms[i] as number;
			const slot = this.#slotOfTerm[term] as number;
			if (slot === 0) continue;
			if (bySlot[slot - 1] === 0) had += weights[slot - 1] as number;
			if (own[slot - 1] === term || own[slot - 1] === anyTerm) literal[slot - 1] = 1;
			const value = (this.#weightOfTerm[term] as number) * (document.impacts[i] as number);
			bySlot[slot - 1] = Math.max(value, bySlot[slot - 1] as number);
		}
		const { coverage: share, expansion } = this.#parameters;
		const { terms, impacts, having } = document.expansion ?? noExpansion;
		const shared = this.#shared.fill(0);
		for (let i = 0; i < terms.length; i++) {
			const term = terms[i] as number;
			const slot = this.#slotOfTerm[term] as number;
			if (slot === 0) continue;
			if (bySlot[slot - 1] === 0) had += expansion.coverage * (weights[slot - 1] as number);
			if (own[slot - 1] === term || own[slot - 1] === anyTerm) literal[slot - 1] = 1;
			const weight = this.#weightOfTerm[term] as number;
			const value = expansion.word * weight * (impacts[i] as number);
			bySlot[slot - 1] = Math.max(value, bySlot[slot - 1] as number);
			addToEach(shared, 0, having[i] as number, weight);
		}
		let nearest = 0;
		for (let sentence = 0; sentence < mostSentences; sentence++) {
			const both = shared[sentence] as number;
			if (both === 0) continue;
			const product = this.#saidIn(place, sentence) * total;
			nearest = Math.max(nearest, both / Math.sqrt(product));
		}
		const coverage = total > 0 ? had / total : 0;
		const named = this.#namedShare(document);
		const score =
			sum * (1 - share + share * coverage) * this.#merit(document, named) +
			expansion.nearest * total * Math.min(1, nearest);
		return { place, sum, score, coverage, bySlot, literal, named };
	}

	/** What all words of a sentence of a tool's expansion count. */
	#saidIn(place: number, sentence: number): number {
		const said = this.#said;
		const first = place * mostSentences;
		if (said[first + sentence] === 0) {
			const { terms, having } = this.#documents[place]?.expansion ?? noExpansion;
			for (let i = 0; i < terms.length; i++) {
				addToEach(said, first, having[i] as number, this.#index.weights[terms[i] as number] as number);
			}
		}
		return said[first + sentence] as number;
	}

	/** Share of the words of a tool's name that the query asks for. */
	#namedShare({ nameTerms }: ToolDocument): number {
		let asked = 0;
		for (const term of nameTerms) if (this.#slotOfTerm[term] !== 0) asked++;
		return asked / Math.max(1, nameTerms.length);
	}

	/** What a tool's name and its description make of its score. */
	#merit({ nameTerms, described }: ToolDocument, named: number): number {
		let unasked = 0;
		for (const term of nameTerms) {
			if (this.#slotOfTerm[term] === 0) unasked += this.#index.weights[term] as number;
		}
		const parameters = this.#parameters;
		return (
			(1 + parameters.asked * named) *
			(1 - (parameters.unasked * Math.min(unasked, mostUnasked)) / mostUnasked) *
			(1 + parameters.described * described)
		);
	}

	/** Adds to each candidate a share of what the best of its server have: a server for the topic is likely to have the tool. */
	#addServers(candidates: Candidate[]): void {
		for (const its of this.#byServer(candidates)) {
			its.sort(byScore);
			let best = 0;
			for (let i = 0; i < its.length && i < serverBest; i++) best += (its[i] as Candidate).score;
			for (const candidate of its) candidate.score += (this.#parameters.server * best) / serverBest;
		}
	}

	/**
	 * Makes sure that each part of a query that is a need of its own has a tool at the top. Where no tool there has half of what the best
	 * tool has of that part, the best one takes the last place, if it has most of the part.
	 */
	#eachNeed(candidates: readonly Candidate[], { needs, weights }: Asked): readonly Candidate[] {
		if (needs.length === 0 || candidates.length <= topPlaces) return candidates;
		const raised: Candidate[] = [];
		for (const clause of needs) {
			const has = ({ bySlot }: Candidate) => sum(clause, (i) => bySlot[i]);
			const best = candidates.reduce((a, b) => (has(b) > has(a) ? b : a));
			const top = [...candidates.slice(0, topPlaces - raised.length - 1), ...raised];
			const served = top.some((one) => has(one) >= servedShare * has(best));
			if (!served && shareOf(clause, best, weights) >= coveredShare) raised.push(best);
		}
		if (raised.length === 0) return candidates;
		const kept = candidates.filter((one) => !raised.includes(one)).slice(0, topPlaces - raised.length);
		const least = kept.at(-1)?.score ?? 0;
		const others = candidates.filter((one) => !kept.includes(one) && !raised.includes(one));
		const top = [...kept, ...raised.map((one) => ({ ...one, score: least }))];
		return [...top.sort(byScore), ...others];
	}

	/** What speaks for a tool and against it. */
	#evidence(hit: Candidate, asked: Asked): Evidence {
		const { weights, total, unknown, needs, services, slots, isVague } = asked;
		const kinship = this.#kinship(asked, this.#servers[hit.place] as number);
		const foreign = this.#foreign(hit, slots, kinship);
		const unserved = sum(unknown, (i) => (hit.bySlot[i] === 0 ? weights[i] : 0));
		// A tool that meets one of several needs completely is not marked down for the other needs.
		const shares = needs.map((need) => shareOf(need, hit, weights));
		let [told, literal, askedThings, things] = [0, 0, 0, 0];
		let isMatch = false;
		for (let i = 0; i < slots.length; i++) {
			const slot = slots[i] as Slot;
			const thing = slot.information >= leastThing ? slot.information : 0;
			told += slot.information;
			askedThings += thing;
			if (hit.literal[i] === 1) literal += slot.information;
			if (hit.bySlot[i] === 0) continue;
			things += thing;
			isMatch ||= slot.tells;
		}
		return {
			strength: (hit.sum - foreignLess * sum(foreign, (i) => hit.bySlot[i])) / rarest(this.#index.size),
			coverage: Math.max(hit.coverage, ...shares),
			literal: told > 0 ? literal / told : 0,
			things,
			isVague,
			hasOnlyAction: things === 0 && askedThings > 0 && hit.named < 1,
			named: hit.named,
			unserved: total > 0 ? unserved / total : 0,
			kinship: kinship.whole,
			otherService: services.length > 0 && !this.#hasService(hit.place, services),
			unknownService: services.length > 0 && !services.some(isThere),
			tools: this.#index.size,
			isMatch,
		};
	}

	/** How much what the query says is of the subjects of a server, as a whole and slot by slot. */
	#kinship({ slots, subjects, kinships }: Asked, server: number): Kinship {
		let kinship = kinships.get(server);
		if (!kinship) {
			const of = (its: Subjects) => this.#subjects.kinship(its, server);
			kinship = { whole: of(subjects), bySlot: slots.map((slot) => of(slot.subjects)) };
			kinships.set(server, kinship);
		}
		return kinship;
	}

	/** Places of slots that the tool has, and that are of other subjects than its server, where neither its name nor its first sentence has them. */
	#foreign(hit: Candidate, slots: readonly Slot[], { bySlot }: Kinship): readonly number[] {
		const { terms, central } = this.#documents[hit.place] as ToolDocument;
		const its = terms.subarray(0, central);
		return [...slots.keys()].filter((i) => {
			const { alternatives, subjects } = slots[i] as Slot;
			if (hit.bySlot[i] === 0 || subjects.ids.length === 0) return false;
			if ((bySlot[i] as number) >= leastKinship) return false;
			return !alternatives.some(({ term }) => its.includes(term));
		});
	}

	/** Whether any text of a tool has one of the services that a query names. */
	#hasService(place: number, services: readonly Slot[]): boolean {
		const { terms } = this.#documents[place] as ToolDocument;
		return services.some((slot) => isThere(slot) && terms.includes(ownTerm(slot)));
	}

	#isName(term: number): boolean {
		return (this.#index.named[term] as number) > 0;
	}
}

/** Whether any tool has the very word. */
function isThere({ alternatives: [own] }: Slot): boolean {
	return own?.strength === 1;
}

function ownTerm({ alternatives: [own], isTranslated }: Slot): number {
	if (own?.strength === 1) return own.term;
	return isTranslated ? anyTerm : -1;
}

/** Adds a value to those sums, counted from the first, whose bits are set. */
function addToEach(sums: Float32Array, first: number, bits: number, value: number): void {
	for (let left = bits; left !== 0; left &= left - 1) {
		const at = first + 31 - Math.clz32(left & -left);
		sums[at] = (sums[at] as number) + value;
	}
}

function needsOf(slots: readonly Slot[]): readonly (readonly number[])[] {
	const clauses = [...Map.groupBy(slots.keys(), (i) => (slots[i] as Slot).clause).values()];
	if (clauses.length < 2) return [];
	return clauses.filter((its) => its.length > 1).slice(0, mostNeeds);
}

/** Share of a need, by weight, that a tool has. */
function shareOf(need: readonly number[], { bySlot }: Candidate, weights: Float32Array): number {
	return sum(need, (i) => bySlot[i] && weights[i]) / sum(need, (i) => weights[i]);
}

function sum(places: readonly number[], of: (place: number) => number | undefined): number {
	return places.reduce((total, place) => total + (of(place) ?? 0), 0);
}

/** The weight of a term that none of so many documents has; see `inverseFrequency`. */
function rarest(documents: number): number {
	return inverseFrequency(documents, 0);
}
