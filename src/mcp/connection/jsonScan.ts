/**
 * What a JSON text would cost whoever parses it, found out without parsing it. Time goes by values rather than by bytes: 15 MB of one
 * string are parsed in 30 ms, 15 MB of `[],` in 1.4 s and 400 MB, a million keys in 2.4 s. To have another thread parse would not
 * help: handing the values over takes three times what parsing takes.
 *
 * A list of tools is looked into, for one bad entry must not cost the others: entries that are too many or too much are left out.
 */

import { leftOutMember } from '../listing/toolListing.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Members of one object from which on a key counts for more: telling many keys apart takes longer than all else. */
const cheapMembers = 128;
const dearKeyCost = 16;
/** Bytes outside of texts that count as a value: white space and digits are parsed, too. */
const bytesPerValue = 64;
/** Where the entries of a list of tools stand: `{"result":{"tools":[entry,…]}}`. */
const listDepth = 3;
/** Longest name of an entry that is told, in bytes. */
const longestName = 4096;

/** Bounds of what is parsed. */
export interface ScanLimits {
	readonly depth: number;
	/** In values: each array, object, member and item is one. */
	readonly cost: number;
	/** Of one entry of a list of tools. */
	readonly entryCost: number;
	readonly entryDepth: number;
	/** Entries of a list of tools; those after them are left out. */
	readonly entries: number;
}

/** Why a text is not parsed. */
export type ScanFault = 'too-deep' | 'too-many-values' | 'not-json';

interface Entry {
	readonly start: number;
	readonly end: number;
	readonly cost: number;
	readonly depth: number;
	/** Where the text of its name is, quotes included. */
	readonly name: readonly [start: number, end: number] | undefined;
}

/** Reads a text of JSON in steps, so that nobody waits long for any of them. */
export class JsonScan {
	readonly #bytes: Buffer;
	readonly #limits: ScanLimits;
	#at = 0;
	/** Where the text begins that is being read. */
	#textStart: number | undefined;
	#depth = 0;
	#cost = 0;
	#outside = 0;
	/** By depth: how many members or items there are so far, and whether they are members. */
	readonly #members: Int32Array;
	readonly #isObject: Uint8Array;
	/** The last text where a key stands, at the depths that matter. */
	#key: string | undefined;
	#isKeyNext = false;
	#inResult = false;
	/** Where the list of tools begins and ends, and what is in it. */
	#list: { readonly start: number; end: number; readonly entries: Entry[] } | undefined;
	#entry: { start: number; cost: number; deepest: number; name: [number, number] | undefined } | undefined;
	#isNameNext = false;
	#fault: ScanFault | undefined;

	constructor(bytes: Buffer, limits: ScanLimits) {
		this.#bytes = bytes;
		this.#limits = limits;
		const levels = Math.max(limits.depth, listDepth + 1 + limits.entryDepth) + 2;
		this.#members = new Int32Array(levels);
		this.#isObject = new Uint8Array(levels);
	}

	/** Reads on for so many bytes; `false`: there is no more to be read. */
	step(bytes: number): boolean {
		const end = Math.min(this.#bytes.length, this.#at + bytes);
		while (this.#at < end && !this.#fault) {
			if (this.#textStart === undefined) this.#readByte();
			else this.#readText(this.#textStart);
		}
		return !this.#fault && this.#at < this.#bytes.length;
	}

	/** What is to be parsed, when all is read: the text itself, or what is left of it. */
	result(): Buffer | ScanFault {
		if (this.#fault) return this.#fault;
		if (this.#depth > 0 || this.#textStart !== undefined) return 'not-json';
		const list = this.#list;
		const bad = list?.entries.filter((entry) => this.#isTooMuch(entry)) ?? [];
		const total = this.#cost + this.#outside / bytesPerValue;
		const cost = total - bad.reduce((sum, entry) => sum + entry.cost, 0);
		if (cost > this.#limits.cost) return 'too-many-values';
		if (!list || (bad.length === 0 && list.entries.length < this.#limits.entries)) return this.#bytes;
		return this.#shortened(list.start, list.end, list.entries);
	}

	#readByte(): void {
		const byte = this.#bytes[this.#at];
		switch (byte) {
			case quote:
				this.#textStart = this.#at;
				break;
			case openArray:
			case openObject:
				this.#open(byte === openObject);
				break;
			case closeArray:
			case closeObject:
				this.#close();
				break;
			case comma:
				this.#next();
				break;
			default:
				this.#outside += 1;
				if (this.#depth === listDepth && this.#list && !this.#entry && isVisible(byte)) this.#beginEntry();
		}
		this.#at += 1;
	}

	/** Goes on to behind the next quote, which may be the one that ends the text. */
	#readText(start: number): void {
		const end = this.#bytes.indexOf(quote, this.#at);
		if (end === -1) this.#fault = 'not-json';
		else this.#at = end + 1;
		if (end === -1 || isEscaped(this.#bytes, end, start)) return;
		this.#textStart = undefined;
		if (this.#isNameNext && this.#depth === listDepth + 1 && this.#entry) this.#entry.name = [start, end + 1];
		this.#isNameNext = false;
		if (this.#depth === listDepth && this.#list && !this.#entry) this.#beginEntry(start);
		if (!this.#isKeyNext) return;
		this.#isKeyNext = false;
		if (this.#depth > listDepth + 1 || end - start > 16) return;
		this.#key = this.#bytes.toString('latin1', start + 1, end);
		this.#isNameNext = this.#depth === listDepth + 1 && this.#key === 'name';
	}

	#open(isObject: boolean): void {
		if (this.#depth === listDepth && this.#list && !this.#entry) this.#beginEntry();
		if (this.#depth === 1) this.#inResult = isObject && this.#key === 'result';
		const isList = this.#depth === listDepth - 1 && !isObject && this.#inResult && this.#key === 'tools';
		if (isList && !this.#list) this.#list = { start: this.#at, end: -1, entries: [] };
		this.#isNameNext = false;
		this.#depth += 1;
		this.#isKeyNext = isObject;
		if (this.#entry) this.#entry.deepest = Math.max(this.#entry.deepest, this.#depth);
		else if (this.#depth > this.#limits.depth) this.#fault = 'too-deep';
		if (this.#depth < this.#members.length) {
			this.#members[this.#depth] = 0;
			this.#isObject[this.#depth] = isObject ? 1 : 0;
		}
		this.#pay(1);
	}

	#close(): void {
		if (this.#depth === listDepth) this.#endEntry();
		if (this.#depth === listDepth && this.#list?.end === -1) this.#list.end = this.#at;
		this.#depth -= 1;
		this.#isKeyNext = false;
		this.#isNameNext = false;
		if (this.#depth < 0) this.#fault = 'not-json';
	}

	#next(): void {
		if (this.#depth === listDepth) this.#endEntry();
		this.#isNameNext = false;
		// What comes from here on in the list is left out, and costs nothing.
		if (this.#depth === listDepth && this.#isListFull) return;
		if (this.#depth >= this.#members.length) {
			this.#pay(1);
			return;
		}
		const members = (this.#members[this.#depth] ?? 0) + 1;
		this.#members[this.#depth] = members;
		this.#isKeyNext = this.#isObject[this.#depth] === 1;
		this.#pay(this.#isKeyNext && members > cheapMembers ? dearKeyCost : 1);
	}

	/** Outside of a list of tools nothing of what is too much can be left out: then there is no use in reading on. */
	#pay(cost: number): void {
		this.#cost += cost;
		if (this.#entry) this.#entry.cost += cost;
		else if (!this.#list && this.#cost > this.#limits.cost) this.#fault = 'too-many-values';
	}

	#beginEntry(start = this.#at): void {
		if (this.#list?.end !== -1) return;
		this.#entry = { start, cost: 0, deepest: this.#depth, name: undefined };
	}

	#endEntry(): void {
		const entry = this.#entry;
		if (!entry || !this.#list) return;
		this.#entry = undefined;
		const { start, cost, deepest, name } = entry;
		// What is not kept is not parsed either.
		if (this.#isListFull) this.#cost -= cost;
		else this.#list.entries.push({ start, end: this.#at, cost, depth: deepest - listDepth, name });
	}

	/** Whether a list is being read of which enough is kept. */
	get #isListFull(): boolean {
		return this.#list?.end === -1 && this.#list.entries.length >= this.#limits.entries;
	}

	#isTooMuch({ cost, depth }: Entry): boolean {
		return cost > this.#limits.entryCost || depth > this.#limits.entryDepth;
	}

	#shortened(start: number, end: number, entries: readonly Entry[]): Buffer {
		const parts: Buffer[] = [this.#bytes.subarray(0, start + 1)];
		for (const [i, entry] of entries.entries()) {
			if (i > 0) parts.push(Buffer.of(comma));
			parts.push(this.#isTooMuch(entry) ? this.#stubOf(entry) : this.#bytes.subarray(entry.start, entry.end));
		}
		return Buffer.concat([...parts, this.#bytes.subarray(end)]);
	}

	#stubOf(entry: Entry): Buffer {
		const [from, to] = entry.name ?? [0, 0];
		const name =
			to > from && to - from <= longestName ? `"name":${this.#bytes.toString('utf8', from, to)},` : '';
		const why =
			entry.depth > this.#limits.entryDepth
				? `it is nested over ${this.#limits.entryDepth} levels`
				: `it has more than ${this.#limits.entryCost} values`;
		return Buffer.from(`{${name}"${leftOutMember}":${JSON.stringify(why)}}`);
	}
}

function isVisible(byte: number | undefined): boolean {
	return byte !== undefined && byte > 0x20;
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(bytes: Buffer, at: number, start: number): boolean {
	let before = at - 1;
	while (before > start && bytes[before] === backslash) before -= 1;
	return (at - 1 - before) % 2 === 1;
}
