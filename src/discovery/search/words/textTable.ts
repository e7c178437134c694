/** A growing array of numbers, reused so that reading a text allocates nothing. */
export class Numbers {
	values = new Int32Array(256);
	length = 0;

	push(value: number): void {
		if (this.length === this.values.length) this.values = longer(this.values, 2 * this.length);
		this.values[this.length++] = value;
	}
}

/** Letters to look up in a {@link TextTable}. */
export class Letters {
	codes = new Uint16Array(256);
	length = 0;

	/** Clears it and makes room. */
	begin(most: number): Uint16Array {
		if (most > this.codes.length) this.codes = new Uint16Array(2 * most);
		this.length = 0;
		return this.codes;
	}

	/** Copies a whole text. */
	take(text: string): this {
		const codes = this.begin(text.length);
		for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i);
		this.length = text.length;
		return this;
	}

	/** Copies two texts from tables, joined. */
	join(first: TextTable, a: number, second: TextTable, b: number): this {
		const codes = this.begin(first.lengthOf(a) + second.lengthOf(b));
		const middle = first.copy(a, codes, 0);
		this.length = second.copy(b, codes, middle);
		return this;
	}
}

/** FNV-1a's initial value, random per process, so that nobody can craft words that collide. */
export const noLetters = Math.floor(Math.random() * 2 ** 32) | 0;

/** Hashes one more letter. */
export function hashed(hash: number, code: number): number {
	return Math.imul(hash ^ code, 0x01000193);
}

function hashOf(codes: Uint16Array, start: number, end: number): number {
	let hash = noLetters;
	for (let i = start; i < end; i++) hash = hashed(hash, codes[i] as number);
	return hash;
}

/**
 * Numbers for texts, from 0. Most words of tools repeat: this table finds them by their letters, whereas a map would create and hash a string every
 * time.
 */
export class TextTable {
	size = 0;
	/** The letters of all texts, and where each text begins; the last entry is the end. */
	#codes = new Uint16Array(4096);
	#begins = new Uint32Array(512);
	#hashes = new Int32Array(512);
	/** Open-addressing hash table of text numbers, from 1. Its size is a power of 2, at most half full. */
	#slots = new Int32Array(1024);

	/** The number of a text, by default all letters; adds a new one. */
	add({ codes, length }: Letters, start = 0, end = length, hash = hashOf(codes, start, end)): number {
		const slot = this.#slotOf(codes, start, end, hash);
		const known = this.#slots[slot] as number;
		return known > 0 ? known - 1 : this.#append(codes, start, end, hash, slot);
	}

	/** The number of a text; -1: unknown. */
	find({ codes, length }: Letters): number {
		return (this.#slots[this.#slotOf(codes, 0, length, hashOf(codes, 0, length))] as number) - 1;
	}

	text(number: number): string {
		const codes = this.#codes.subarray(this.#begins[number], this.#begins[number + 1]);
		let text = '';
		for (let i = 0; i < codes.length; i++) text += String.fromCharCode(codes[i] as number);
		return text;
	}

	lengthOf(number: number): number {
		return (this.#begins[number + 1] as number) - (this.#begins[number] as number);
	}

	/** Copies a text's letters; returns their end. */
	copy(number: number, into: Uint16Array, at: number): number {
		const begin = this.#begins[number] as number;
		const length = (this.#begins[number + 1] as number) - begin;
		for (let i = 0; i < length; i++) into[at + i] = this.#codes[begin + i] as number;
		return at + length;
	}

	/** The slot where a text is, or would be inserted. */
	#slotOf(codes: Uint16Array, start: number, end: number, hash: number): number {
		const slots = this.#slots;
		const last = slots.length - 1;
		for (let slot = (hash ^ (hash >>> 15)) & last; ; slot = (slot + 1) & last) {
			const known = (slots[slot] as number) - 1;
			if (known < 0) return slot;
			if (this.#hashes[known] === hash && this.#isText(known, codes, start, end)) return slot;
		}
	}

	#isText(number: number, codes: Uint16Array, start: number, end: number): boolean {
		const own = this.#codes;
		let at = this.#begins[number] as number;
		if ((this.#begins[number + 1] as number) - at !== end - start) return false;
		for (let i = start; i < end; i++, at++) if (own[at] !== codes[i]) return false;
		return true;
	}

	#append(codes: Uint16Array, start: number, end: number, hash: number, slot: number): number {
		const number = this.size++;
		const begin = this.#begins[number] as number;
		const next = begin + end - start;
		if (next > this.#codes.length) this.#codes = longer(this.#codes, 2 * next);
		if (this.size === this.#begins.length) {
			this.#begins = longer(this.#begins, 2 * this.size);
			this.#hashes = longer(this.#hashes, 2 * this.size);
		}
		for (let i = start; i < end; i++) this.#codes[begin + i - start] = codes[i] as number;
		this.#begins[this.size] = next;
		this.#hashes[number] = hash;
		this.#slots[slot] = this.size;
		if (2 * this.size > this.#slots.length) this.#spread();
		return number;
	}

	#spread(): void {
		const slots = new Int32Array(2 * this.#slots.length);
		const last = slots.length - 1;
		for (let number = 0; number < this.size; number++) {
			const hash = this.#hashes[number] as number;
			let slot = (hash ^ (hash >>> 15)) & last;
			while (slots[slot] !== 0) slot = (slot + 1) & last;
			slots[slot] = number + 1;
		}
		this.#slots = slots;
	}
}

function longer<A extends Int32Array | Uint32Array | Uint16Array | Uint8Array>(array: A, length: number): A {
	const copy = new (array.constructor as new (length: number) => A)(length);
	copy.set(array);
	return copy;
}
