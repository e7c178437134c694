import { deeds, reading } from '../words/deeds.ts';
import type { Slot } from './queryPlan.ts';
import type { Request } from './request.ts';
import type { ToolShape } from './toolShape.ts';

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
 * (hit@1 of azure180 .876 → .961 with weights fitted without any Azure set). The weights are shrunk and rounded.
 */
const weights: Readonly<Record<keyof Suitability, number>> = {
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
const names = Object.keys(weights) as (keyof Suitability)[];

/** Unasked parts of a name that count. */
const mostUnasked = 4;

/** A tool to compare: what it has of each slot, and what its name and text tell. */
export interface Sibling {
	readonly bySlot: Float32Array;
	readonly shape: ToolShape;
}

/** A query as tools are compared by it. */
export interface ComparedQuery {
	readonly request: Request;
	readonly slots: readonly Slot[];
	/** What each slot counts at most. */
	readonly weights: Float32Array;
	/** The slot of a term, from 1; 0 where the query has it not. */
	readonly slotOfTerm: Uint16Array;
}

/** Compares tools of one server for one query. */
export class SiblingComparison {
	readonly #query: ComparedQuery;
	readonly #isInObject: readonly boolean[];
	readonly #isHead: readonly boolean[];
	readonly #isVerb: readonly boolean[];
	readonly #objectWeight: number;
	/** Of the tool at hand, by slot, from 1. */
	readonly #had: Float32Array;
	readonly #partOfSlot: Uint16Array;

	constructor(query: ComparedQuery) {
		this.#query = query;
		const { request, slots } = query;
		const head = request.object.at(-1) ?? -1;
		const covers = ({ at, length }: Slot, place: number) => at <= place && place < at + length;
		this.#isInObject = slots.map((slot) => request.object.some((place) => covers(slot, place)));
		this.#isHead = slots.map((slot) => covers(slot, head));
		this.#isVerb = slots.map((slot) => covers(slot, request.verb));
		let objectWeight = 0;
		for (let i = 0; i < slots.length; i++) {
			if (this.#isInObject[i] && !this.#isVerb[i]) objectWeight += query.weights[i] as number;
		}
		this.#objectWeight = objectWeight;
		this.#had = new Float32Array(slots.length + 1);
		this.#partOfSlot = new Uint16Array(slots.length + 1);
	}

	/** The logarithm of what each tool's score is to be multiplied by. */
	suit(siblings: readonly Sibling[]): number[] {
		const distinct = distinctShares(siblings, this.#query.slots);
		return siblings.map(({ shape }, i) => {
			const suitability = this.#suitability(shape, distinct[i] as number);
			let sum = 0;
			for (const name of names) sum += weights[name] * suitability[name];
			return sum;
		});
	}

	#suitability(shape: ToolShape, distinct: number): Suitability {
		const name = this.#nameMatch(shape);
		return {
			...deedsMatch(this.#query.request.deeds, shape),
			...this.#numberMatch(shape, name.headInObject),
			head: name.head,
			unasked: Math.min(name.unasked, mostUnasked) / mostUnasked,
			object: this.#objectWeight > 0 ? name.objectHad / this.#objectWeight : 0,
			direction: this.#direction(shape),
			distinct,
		};
	}

	/** How many things a tool gives tells it from others for the same object only, and of those that read. */
	#numberMatch(
		shape: ToolShape,
		headInObject: number,
	): Pick<Suitability, 'many' | 'oneForMany' | 'one' | 'manyForOne'> {
		const { deeds: asked, number } = this.#query.request;
		const none = { many: 0, oneForMany: 0, one: 0, manyForOne: 0 };
		if (headInObject === 0 || (asked !== 0 && (asked & reading) === 0)) return none;
		if (number === 'many') {
			if (shape.many > 0) return { ...none, many: headInObject * shape.many };
			return shape.one ? { ...none, oneForMany: headInObject } : none;
		}
		const isReading = ((shape.named || shape.told) & reading) !== 0;
		if (number === undefined || !isReading) return none;
		if (shape.one) return { ...none, one: headInObject };
		return { ...none, manyForOne: headInObject * shape.many };
	}

	#nameMatch({ parts, joined, head }: ToolShape): NameMatch {
		/** How far each part is asked for, 0 to 1, and by which slot, from 1. */
		const asked = new Float32Array(parts.length);
		const slotOfPart = new Uint16Array(parts.length);
		/** How far the name has each slot, and which of its parts, from 1: a slot asks for the one that it names most exactly. */
		const had = this.#had.fill(0);
		const partOfSlot = this.#partOfSlot.fill(0);
		for (let i = 0; i < parts.length; i++) {
			const strength = this.#strength(parts[i] as number);
			if (strength === 0) continue;
			const slot = this.#slot(parts[i] as number);
			const other = (partOfSlot[slot] as number) - 1;
			if (other >= 0 && parts[other] !== parts[i]) {
				if ((asked[other] as number) >= strength) continue;
				asked[other] = 0;
				slotOfPart[other] = 0;
			}
			partOfSlot[slot] = i + 1;
			asked[i] = strength;
			slotOfPart[i] = slot;
		}
		for (let i = 0; i < joined.length; i++) {
			const strength = this.#strength(joined[i] as number);
			if (strength === 0) continue;
			const slot = this.#slot(joined[i] as number);
			had[slot] = strength;
			for (let part = i; part <= i + 1 && part < parts.length; part++) {
				if (strength <= (asked[part] as number)) continue;
				asked[part] = strength;
				slotOfPart[part] = slot;
			}
		}
		let unasked = parts.length;
		for (let i = 0; i < parts.length; i++) {
			unasked -= asked[i] as number;
			had[slotOfPart[i] as number] ||= asked[i] as number;
		}
		let objectHad = 0;
		for (let slot = 1; slot < had.length; slot++) {
			if (!this.#isInObject[slot - 1] || this.#isVerb[slot - 1]) continue;
			objectHad += (had[slot] as number) * (this.#query.weights[slot - 1] as number);
		}
		const headSlot = slotOfPart[head] ?? 0;
		const headAsked = asked[head] ?? 0;
		return {
			unasked,
			objectHad,
			head: this.#isHead[headSlot - 1] ? headAsked : 0,
			headInObject: this.#isInObject[headSlot - 1] ? headAsked : 0,
		};
	}

	#slot(term: number): number {
		return this.#query.slotOfTerm[term] ?? 0;
	}

	/** How surely a term is asked for. What only resembles the verb is not: "archive" asks for no part of `archive_project_update`. */
	#strength(term: number): number {
		const slot = this.#slot(term);
		if (slot === 0) return 0;
		const { alternatives } = this.#query.slots[slot - 1] as Slot;
		const strength = alternatives.find((one) => one.term === term)?.strength ?? 0;
		return this.#isVerb[slot - 1] && strength < 1 ? 0 : strength;
	}

	#direction({ from, to }: ToolShape): number {
		const source = this.#firstPlace(from);
		const target = this.#firstPlace(to);
		return source < 0 || target < 0 ? 0 : Math.sign(target - source);
	}

	/** Where the query has the first of some terms that it has. */
	#firstPlace(terms: readonly number[]): number {
		const slot = terms.map((term) => this.#slot(term)).find((one) => one > 0);
		return slot === undefined ? -1 : (this.#query.slots[slot - 1] as Slot).at;
	}
}

interface NameMatch {
	readonly unasked: number;
	readonly objectHad: number;
	/** How far the head of the name is asked for as the head of the object, or anywhere in it. */
	readonly head: number;
	readonly headInObject: number;
}

function deedsMatch(
	asked: number,
	{ named, told }: ToolShape,
): Pick<Suitability, 'sameDeed' | 'clash' | 'removes'> {
	const its = named || told;
	if (asked === 0 || its === 0) return { sameDeed: 0, clash: 0, removes: 0 };
	const onlyReads = ((named | told) & ~reading) === 0;
	const neverReads = (its & reading) === 0;
	const clash = ((asked & reading) === 0 && onlyReads) || ((asked & ~reading) === 0 && neverReads);
	return {
		sameDeed: Number((asked & its) !== 0),
		clash: Number(clash),
		removes: Number((asked & deeds.remove) !== (its & deeds.remove)),
	};
}

/** See {@link Suitability.distinct}. */
function distinctShares(siblings: readonly Sibling[], slots: readonly Slot[]): number[] {
	const most = new Float32Array(slots.length);
	for (const { bySlot } of siblings) {
		for (let i = 0; i < most.length; i++) most[i] = Math.max(most[i] as number, bySlot[i] as number);
	}
	const shares = new Float32Array(slots.length);
	for (const { bySlot } of siblings) {
		for (let i = 0; i < most.length; i++) {
			if (most[i]) shares[i] = (shares[i] as number) + (bySlot[i] as number) / (most[i] as number);
		}
	}
	const local = shares.map((share, i) => {
		const rarity = Math.log(1 + (siblings.length - share + 0.5) / (share + 0.5));
		return most[i] ? (slots[i] as Slot).weight * rarity : 0;
	});
	let all = 0;
	for (const value of local) all += value;
	return siblings.map(({ bySlot }) => {
		let had = 0;
		for (let i = 0; i < local.length; i++) {
			if (most[i]) had += ((local[i] as number) * (bySlot[i] as number)) / (most[i] as number);
		}
		return all > 0 ? had / all : 1;
	});
}
