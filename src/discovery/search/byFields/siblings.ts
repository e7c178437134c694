import { deeds, reading } from '../words/deeds.ts';
import type { Slot } from './queryPlan.ts';
import type { Request } from './request.ts';
import { type Suitability, suitabilityWeights } from './suitability.ts';
import type { ToolShape } from './toolShape.ts';
import type { WeighedQuery } from './weighedQuery.ts';

/** In the order of their numbers. */
const names = Object.keys(suitabilityWeights) as (keyof Suitability)[];
const at = Object.fromEntries(names.map((name, i) => [name, i])) as Record<keyof Suitability, number>;

/** Unasked parts of a name that count. */
const mostUnasked = 4;

/** A tool to compare: what it has of each slot, and what its name and text tell. */
export interface Sibling {
	readonly bySlot: Float32Array;
	readonly shape: ToolShape;
}

/** Compares tools of one server for one query. */
export class SiblingComparison {
	/** Of the running query: the slot of a term, from 1, and how surely it asks for the term in a name; 0 where it has it not. */
	readonly #slotOfTerm: Uint16Array;
	readonly #strengthOfTerm: Float32Array;
	/** What each of {@link Suitability} counts, by number. */
	readonly #weights: Float64Array;
	readonly #suitability = new Float64Array(names.length);
	readonly #name = new NameReader();

	constructor(
		slotOfTerm: Uint16Array,
		strengthOfTerm: Float32Array,
		weights: Readonly<Record<keyof Suitability, number>>,
	) {
		this.#weights = Float64Array.from(names, (name) => weights[name]);
		this.#slotOfTerm = slotOfTerm;
		this.#strengthOfTerm = strengthOfTerm;
	}

	/** The logarithm of what each tool's score is to be multiplied by. */
	suit(siblings: readonly Sibling[], query: WeighedQuery): Float64Array {
		const suits = distinctShares(siblings, query.slots);
		for (let i = 0; i < siblings.length; i++) {
			const its = this.#suitabilityOf((siblings[i] as Sibling).shape, suits[i] as number, query);
			let sum = 0;
			for (let n = 0; n < its.length; n++) sum += (this.#weights[n] as number) * (its[n] as number);
			suits[i] = sum;
		}
		return suits;
	}

	/** {@link Suitability} by number; valid until the next one is asked for. */
	#suitabilityOf(shape: ToolShape, distinct: number, query: WeighedQuery): Float64Array {
		const its = this.#suitability.fill(0);
		const name = this.#name.read(shape, query, this.#slotOfTerm, this.#strengthOfTerm);
		// Where there are several needs, the action is that of one: it says nothing of tools for the objects of others.
		const isForObject = query.objectWeight === 0 || name.objectHad > 0;
		if (isForObject || query.needs.length < 2) addDeeds(its, query.request.deeds, shape);
		addNumber(its, query.request, shape, name.headInObject);
		its[at.head] = name.head;
		its[at.unasked] = Math.min(name.unasked, mostUnasked) / mostUnasked;
		its[at.object] = query.objectWeight > 0 ? name.objectHad / query.objectWeight : 0;
		if (shape.to.length > 0) its[at.direction] = this.#direction(shape, query);
		its[at.distinct] = distinct;
		return its;
	}

	#direction({ from, to }: ToolShape, query: WeighedQuery): number {
		const source = this.#firstPlace(from, query);
		const target = this.#firstPlace(to, query);
		return source < 0 || target < 0 ? 0 : Math.sign(target - source);
	}

	/** Where the query has the first of some terms that it has. */
	#firstPlace(terms: readonly number[], { slots }: WeighedQuery): number {
		const slot = terms.map((term) => this.#slotOfTerm[term] ?? 0).find((one) => one > 0);
		return slot === undefined ? -1 : (slots[slot - 1] as Slot).at;
	}
}

/** How many things a tool gives tells it from others for the same object only, and of those that read. */
function addNumber(
	its: Float64Array,
	{ deeds: asked, number }: Request,
	shape: ToolShape,
	headInObject: number,
): void {
	if (headInObject === 0 || (asked !== 0 && (asked & reading) === 0)) return;
	if (number === 'many') {
		if (shape.many > 0) its[at.many] = headInObject * shape.many;
		else if (shape.one) its[at.oneForMany] = headInObject;
		return;
	}
	const isReading = ((shape.named || shape.told) & reading) !== 0;
	if (number === undefined || !isReading) return;
	if (shape.one) its[at.one] = headInObject;
	else its[at.manyForOne] = headInObject * shape.many;
}

function addDeeds(suitability: Float64Array, asked: number, { named, told }: ToolShape): void {
	const its = named || told;
	if (asked === 0 || its === 0) return;
	const onlyReads = ((named | told) & ~reading) === 0;
	const neverReads = (its & reading) === 0;
	const clash = ((asked & reading) === 0 && onlyReads) || ((asked & ~reading) === 0 && neverReads);
	suitability[at.sameDeed] = Number((asked & its) !== 0);
	suitability[at.clash] = Number(clash);
	suitability[at.removes] = Number((asked & deeds.remove) !== (its & deeds.remove));
}

/** Reads what a query asks for of the name of one tool after the other. */
class NameReader {
	/** Parts of the name that the query does not ask for, and what the name has of the object, by weight. */
	unasked = 0;
	objectHad = 0;
	/** How far the head of the name is asked for as the head of the object, or anywhere in it. */
	head = 0;
	headInObject = 0;
	/** By part: how far it is asked for, 0 to 1, and by which slot, from 1. */
	#asked = new Float32Array(16);
	#slotOfPart = new Uint16Array(16);
	/** By slot, from 1: how far the name has it, and in which of its parts, from 1: a slot asks for the one that it names most exactly. */
	#had = new Float32Array(16);
	#partOfSlot = new Uint16Array(16);

	read(
		{ parts, joined, head }: ToolShape,
		query: WeighedQuery,
		slotOfTerm: Uint16Array,
		strengthOfTerm: Float32Array,
	): this {
		this.#clear(parts.length, query.slots.length + 1);
		const asked = this.#asked;
		const slotOfPart = this.#slotOfPart;
		const had = this.#had;
		const partOfSlot = this.#partOfSlot;
		for (let i = 0; i < parts.length; i++) {
			const strength = strengthOfTerm[parts[i] as number] ?? 0;
			if (strength === 0) continue;
			const slot = slotOfTerm[parts[i] as number] as number;
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
			const strength = strengthOfTerm[joined[i] as number] ?? 0;
			if (strength === 0) continue;
			const slot = slotOfTerm[joined[i] as number] as number;
			had[slot] = strength;
			for (let part = i; part <= i + 1 && part < parts.length; part++) {
				if (strength <= (asked[part] as number)) continue;
				asked[part] = strength;
				slotOfPart[part] = slot;
			}
		}
		this.unasked = parts.length;
		for (let i = 0; i < parts.length; i++) {
			this.unasked -= asked[i] as number;
			had[slotOfPart[i] as number] ||= asked[i] as number;
		}
		this.objectHad = 0;
		for (let slot = 1; slot <= query.slots.length; slot++) {
			if (!query.isInObject[slot - 1] || query.isVerb[slot - 1]) continue;
			this.objectHad += (had[slot] as number) * (query.weights[slot - 1] as number);
		}
		const headSlot = head < 0 ? 0 : (slotOfPart[head] as number);
		const headAsked = head < 0 ? 0 : (asked[head] as number);
		this.head = query.isHead[headSlot - 1] ? headAsked : 0;
		this.headInObject = query.isInObject[headSlot - 1] ? headAsked : 0;
		return this;
	}

	#clear(parts: number, slots: number): void {
		if (parts > this.#asked.length) {
			this.#asked = new Float32Array(2 * parts);
			this.#slotOfPart = new Uint16Array(2 * parts);
		}
		if (slots > this.#had.length) {
			this.#had = new Float32Array(2 * slots);
			this.#partOfSlot = new Uint16Array(2 * slots);
		}
		this.#asked.fill(0, 0, parts);
		this.#slotOfPart.fill(0, 0, parts);
		this.#had.fill(0, 0, slots);
		this.#partOfSlot.fill(0, 0, slots);
	}
}

/** See {@link Suitability.distinct}. */
function distinctShares(siblings: readonly Sibling[], slots: readonly Slot[]): Float64Array {
	const count = slots.length;
	const most = new Float32Array(count);
	for (const { bySlot } of siblings) {
		for (let i = 0; i < count; i++) {
			if ((bySlot[i] as number) > (most[i] as number)) most[i] = bySlot[i] as number;
		}
	}
	const shares = new Float32Array(count);
	for (const { bySlot } of siblings) {
		for (let i = 0; i < count; i++) {
			if (most[i]) shares[i] = (shares[i] as number) + (bySlot[i] as number) / (most[i] as number);
		}
	}
	/** What each slot tells the siblings apart. */
	const local = new Float32Array(count);
	let all = 0;
	for (let i = 0; i < count; i++) {
		if (!most[i]) continue;
		const share = shares[i] as number;
		local[i] = (slots[i] as Slot).weight * Math.log(1 + (siblings.length - share + 0.5) / (share + 0.5));
		all += local[i] as number;
	}
	const distinct = new Float64Array(siblings.length).fill(1);
	if (all === 0) return distinct;
	for (let n = 0; n < siblings.length; n++) {
		const { bySlot } = siblings[n] as Sibling;
		let had = 0;
		for (let i = 0; i < count; i++) {
			if (most[i]) had += ((local[i] as number) * (bySlot[i] as number)) / (most[i] as number);
		}
		distinct[n] = had / all;
	}
	return distinct;
}
