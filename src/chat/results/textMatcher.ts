/** A piece of one of the searched texts that another text contains word for word. */
export interface TextMatch {
	/** Index of the text, and the start and length of the piece in it. */
	readonly index: number;
	readonly start: number;
	readonly length: number;
}

/** Shortest piece that is found anywhere, and shortest token (a possible secret, path or command) that is found as a whole. */
export const shortestPiece = 24;
export const shortestToken = 12;

/** Characters that are compared by their hash. The same as for a token, so that one pass finds both. */
const windowLength = shortestToken;
/** Distance of the windows of a text that are searched: any piece of {@link shortestPiece} contains a complete one. */
const stride = shortestPiece - windowLength + 1;
/** How many equal windows are compared: `aaaa…` has thousands. */
const placesOfWindow = 8;
/**
 * Maximum comparisons per character of the other text: repetitive texts match almost everywhere, which would take too long.
 */
const comparedEach = 4;
/**
 * Base of the rolling hash (Rabin and Karp), modulo 2^32, and its power for the oldest character of a window. Substrings as keys of a map would
 * be simpler, but took 0.5 s for the 4 million characters that a chat keeps, and this is done before each call.
 */
const base = 0x01000193;
const oldestPower = power(base, windowLength - 1);
/** Hashes are first looked up in a table by this many of their bits. */
const filterBits = 20;

interface Window {
	readonly index: number;
	readonly start: number;
	/** Length of a token; absent for any other window. */
	readonly token?: number;
}

/**
 * Finds what several texts have in common with other texts, in one pass over each of the others. All texts must be folded beforehand.
 */
export class TextMatcher {
	readonly #texts: readonly string[];
	readonly #places = new Map<number, Window[]>();
	readonly #filter = new Uint8Array(1 << filterBits);
	/** Characters that may still be compared. */
	#left = 0;

	constructor(texts: readonly string[]) {
		this.#texts = texts;
		for (const [index, text] of texts.entries()) {
			for (let start = 0; start + windowLength <= text.length; start += stride) this.#add({ index, start });
			for (const { start, length } of [...tokensOf(text), ...placesOf(text), ...commandsOf(text)])
				this.#add({ index, start, token: length });
		}
	}

	/** The longest piece of each text that `other` contains. */
	longestIn(other: string): readonly TextMatch[] {
		const longest = new Map<number, TextMatch>();
		if (this.#places.size === 0) return [];
		this.#left = comparedEach * other.length;
		const filter = this.#filter;
		const last = other.length - windowLength;
		let hash = hashAt(other, 0);
		for (let at = 0; at <= last; ) {
			if (filter[filtered(hash)] === 1) {
				const match = this.#bestAt(other, at, hash);
				if (match && match.length > (longest.get(match.index)?.length ?? 0)) longest.set(match.index, match);
				if (match && match.length >= shortestPiece) {
					// Continues after the match, which need not be found again at each of its characters.
					at += Math.max(1, match.beyond - windowLength);
					hash = hashAt(other, at);
					continue;
				}
			}
			hash = rolled(hash, other.charCodeAt(at), other.charCodeAt(at + windowLength));
			at++;
		}
		return [...longest.values()].map(({ index, start, length }) => ({ index, start, length }));
	}

	#add(place: Window): void {
		const hash = hashAt(this.#texts[place.index] ?? '', place.start);
		const places = this.#places.get(hash) ?? [];
		if (places.length >= placesOfWindow) return;
		places.push(place);
		this.#places.set(hash, places);
		this.#filter[filtered(hash)] = 1;
	}

	/** The longest match around a window of `other`; `beyond`: its length from the start of the window. */
	#bestAt(other: string, at: number, hash: number): (TextMatch & { readonly beyond: number }) | undefined {
		let best: (TextMatch & { readonly beyond: number }) | undefined;
		for (const { index, start, token } of this.#places.get(hash) ?? []) {
			if (this.#left <= 0) break;
			const text = this.#texts[index] ?? '';
			const beyond = commonAfter(text, start, other, at);
			const before = token === undefined ? commonBefore(text, start, other, at) : 0;
			const length = token === undefined ? before + beyond : Math.min(beyond, token);
			this.#left -= before + beyond;
			const isFound = length >= (token ?? shortestPiece);
			if (isFound && length > (best?.length ?? 0)) best = { index, start: start - before, length, beyond };
		}
		return best;
	}
}

const token = new RegExp(`[A-Za-z0-9_+~.-]{${shortestToken},}`, 'g');

/** Words that look like keys, passwords and account numbers: letters mixed with digits, or only digits. */
function* tokensOf(text: string): Generator<{ readonly start: number; readonly length: number }> {
	for (const { 0: word, index: start } of text.matchAll(token)) {
		const bare = word.replace(/[.-]+$/, '');
		const digits = bare.match(/\d/g)?.length ?? 0;
		const letters = bare.match(/[A-Za-z]/g)?.length ?? 0;
		const isSecret = (digits >= 2 && letters >= 3) || digits >= shortestToken;
		// A longer token is found as a piece.
		if (isSecret && bare.length >= shortestToken && bare.length < shortestPiece) {
			yield { start, length: bare.length };
		}
	}
}

const word = new RegExp(`(?<![^\\s=])[^\\s=]{${shortestToken},${shortestPiece - 1}}(?![^\\s=])`, 'g');
/** Absolute paths, paths with several folders or an extension, and addresses; but not `text/markdown` and `Europe/Berlin`. */
const place = /^(?:~?[\\/]|\.{1,2}[\\/]|[a-z]:[\\/])|:\/\/|.@.+\.|[\\/].*[\\/]|[\\/][\w.-]+\.[a-z]\w{0,4}$/i;

function* placesOf(text: string): Generator<{ readonly start: number; readonly length: number }> {
	for (const { 0: found, index: start } of text.matchAll(word)) {
		if (place.test(found)) yield { start, length: found.length };
	}
}

/** Programs that can do harm with a few characters, and the beginning of their arguments. */
const command =
	/(?<![^\s;&|(])(?:sudo|(?:curl|wget|rm|chmod|ssh|scp|bash|sh|powershell|eval|iwr)(?= [-~/.$\w]*[-~/.$]))\s/gi;

function* commandsOf(text: string): Generator<{ readonly start: number; readonly length: number }> {
	for (const { index: start } of text.matchAll(command)) {
		if (start + shortestToken <= text.length) yield { start, length: shortestToken };
	}
}

function commonAfter(a: string, i: number, b: string, j: number): number {
	let length = 0;
	while (i + length < a.length && a.charCodeAt(i + length) === b.charCodeAt(j + length)) length++;
	return length;
}

function commonBefore(a: string, i: number, b: string, j: number): number {
	let length = 0;
	while (length < i && length < j && a.charCodeAt(i - length - 1) === b.charCodeAt(j - length - 1)) length++;
	return length;
}

function hashAt(text: string, start: number): number {
	let hash = 0;
	for (let i = start; i < start + windowLength; i++) hash = (Math.imul(hash, base) + text.charCodeAt(i)) | 0;
	return hash;
}

/** The hash of the window that begins one character later. */
function rolled(hash: number, oldest: number, next: number): number {
	return (Math.imul(hash - Math.imul(oldest, oldestPower), base) + next) | 0;
}

function filtered(hash: number): number {
	// The upper bits depend on more of the window than the lower ones.
	return hash >>> (32 - filterBits);
}

function power(of: number, exponent: number): number {
	let product = 1;
	for (let i = 0; i < exponent; i++) product = Math.imul(product, of);
	return product;
}
