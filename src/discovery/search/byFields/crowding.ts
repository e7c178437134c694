import { shortHash } from '../../../common/json.ts';
import { weakMemo } from '../../../common/memo.ts';
import type { Tool } from '../../catalog/tool.ts';
import type { AskedTerms } from './askedTerms.ts';
import type { Candidate } from './candidate.ts';
import { ForwardIndex } from './forwardIndex.ts';
import { isMatch, type RankedIndex } from './hitEvidence.ts';
import type { WeighedQuery } from './weighedQuery.ts';

/** Places that look-alikes cannot fill, and the most of them there. */
const firstPlaces = 5;
const maxAlike = 2;
/**
 * Share of what two tools say from which they look alike, and how much more the words that the query asks for count in it: tools of an
 * honest server differ in what was not asked. In the middle of a range in which no labelled set loses anything.
 */
const alike = 0.5;
const askedFactor = 3;

/** Chooses the first hits so that look-alikes, of one server or of many, do not push out what else matches. */
export class Crowding {
	readonly #ranked: RankedIndex;
	readonly #asked: AskedTerms;
	/** What tools say: the terms of their names and first sentences. */
	readonly #said: ForwardIndex;
	/** The hits that were chosen last, and the weight of what each says. */
	#hits: Candidate[] = [];
	#heldBack: Candidate[] = [];
	/** The places to fill. */
	#places = firstPlaces;
	readonly #totals = new Float32Array(firstPlaces);
	/** By term, and by slot of the query: a bit for each of these hits that says it. */
	readonly #saying: Uint8Array;
	#sayingSlot = new Uint8Array(64);
	/** Slots that the tool which is read says. */
	#slots = new Uint8Array(64);
	/** The weight of what it says, and of what it has in common with each hit. */
	#total = 0;
	readonly #common = new Float32Array(firstPlaces);

	constructor(ranked: RankedIndex, asked: AskedTerms) {
		this.#ranked = ranked;
		this.#asked = asked;
		this.#said = new ForwardIndex(
			ranked.documents,
			({ terms }) => terms,
			({ central }) => central,
			ranked.index.weights,
		);
		this.#saying = new Uint8Array(asked.slots.length);
	}

	/**
	 * The first hits of the running query; fewer than there are places if look-alikes were held back. `candidates`: best first. `limit`: the
	 * most hits that are wanted.
	 */
	first(candidates: readonly Candidate[], query: WeighedQuery, limit: number): readonly Candidate[] {
		this.#start(query);
		this.#places = Math.min(limit, firstPlaces);
		for (const hit of candidates.slice(0, this.#places)) {
			if (!this.#isOneTooMany(hit.place)) this.#choose(hit);
			else this.#heldBack.push(hit);
		}
		return this.fill(candidates.slice(this.#places), query);
	}

	/** Puts other matching tools into the places of those that were held back; returns the first hits. */
	fill(others: readonly Candidate[], query: WeighedQuery): readonly Candidate[] {
		for (const hit of others) {
			if (this.#hits.length === this.#places || !this.hasRoom) break;
			// A tool that shares only small talk with the query replaces nothing.
			if (isMatch(hit, query) && !this.holdsBack(hit.place)) this.#choose(hit);
		}
		return this.#hits;
	}

	/** Whether look-alikes that were held back have left places. */
	get hasRoom(): boolean {
		return this.#heldBack.length > 0 && this.#hits.length < this.#places;
	}

	/** Whether a tool must not fill such a place: a tool of its server was held back, or it looks like the chosen hits. */
	holdsBack(place: number): boolean {
		const { servers } = this.#ranked;
		return this.#heldBack.some((hit) => servers[hit.place] === servers[place]) || this.#isOneTooMany(place);
	}

	/** Whether a tool is one of the chosen hits, a copy of one, or looks like too many of them. */
	#isOneTooMany(place: number): boolean {
		for (const hit of this.#hits) if (hit.place === place || this.#isCopy(place, hit.place)) return true;
		this.#read(place);
		let wanted = maxAlike;
		for (let i = 0; i < this.#hits.length; i++) if (this.#isLike(i) && --wanted === 0) return true;
		return false;
	}

	#start({ slots }: WeighedQuery): void {
		if (slots.length < this.#slots.length) this.#sayingSlot.fill(0);
		else {
			this.#sayingSlot = new Uint8Array(2 * slots.length);
			this.#slots = new Uint8Array(2 * slots.length);
		}
	}

	/** Ends the query. */
	close(): void {
		const { offsets, terms } = this.#said;
		for (const { place } of this.#hits) {
			const end = offsets[place + 1] as number;
			for (let i = offsets[place] as number; i < end; i++) this.#saying[terms[i] as number] = 0;
		}
		this.#hits = [];
		this.#heldBack = [];
	}

	/** Adds the tool that was read last. */
	#choose(hit: Candidate): void {
		const at = this.#hits.push(hit) - 1;
		this.#totals[at] = this.#total;
		const { offsets, terms } = this.#said;
		const end = offsets[hit.place + 1] as number;
		for (let i = offsets[hit.place] as number; i < end; i++) {
			const term = terms[i] as number;
			const slot = this.#asked.slotOf(term);
			if (slot === 0) this.#saying[term] = (this.#saying[term] as number) | (1 << at);
			else this.#sayingSlot[slot] = (this.#sayingSlot[slot] as number) | (1 << at);
		}
	}

	/** Whether two servers have the same tool. */
	#isCopy(a: number, b: number): boolean {
		const { tools, names } = this.#ranked;
		if (names[a] !== names[b]) return false;
		const [tool, other] = [tools[a] as Tool, tools[b] as Tool];
		if (tool.description !== other.description) return false;
		return schemaHash(tool.inputSchema) === schemaHash(other.inputSchema);
	}

	/** Reads the names and the first sentence of a tool. Words that the query asks for are equal if they fill the same slot. */
	#read(place: number): void {
		const { offsets, terms, weights } = this.#said;
		const begin = offsets[place] as number;
		const end = offsets[place + 1] as number;
		const said = this.#slots.fill(0);
		this.#common.fill(0);
		let asked = 0;
		let count = 0;
		for (let i = begin; i < end; i++) {
			const term = terms[i] as number;
			const slot = this.#asked.slotOf(term);
			if (slot === 0 || said[slot] !== 0) continue;
			said[slot] = 1;
			count++;
			asked += weights[i] as number;
			addToEach(this.#common, this.#sayingSlot[slot] as number, askedFactor * (weights[i] as number));
		}
		this.#total = askedFactor * asked;
		// A made-up word is the rarest of all. It must not make tools differ that say the same otherwise.
		const most = count > 0 ? asked / count : Number.POSITIVE_INFINITY;
		for (let i = begin; i < end; i++) {
			const term = terms[i] as number;
			if (this.#asked.slotOf(term) !== 0) continue;
			const weight = Math.min(most, weights[i] as number);
			this.#total += weight;
			addToEach(this.#common, this.#saying[term] as number, weight);
		}
	}

	/** Whether most of what the tool and a hit say is the same. */
	#isLike(at: number): boolean {
		const common = this.#common[at] as number;
		return common >= alike * (this.#total + (this.#totals[at] as number) - common);
	}
}

const schemaHash = weakMemo((schema: object) => shortHash(schema));

/** Adds a value to the sums whose bits are set. */
function addToEach(sums: Float32Array, bits: number, value: number): void {
	for (let left = bits; left !== 0; left &= left - 1) {
		const at = 31 - Math.clz32(left & -left);
		sums[at] = (sums[at] as number) + value;
	}
}
