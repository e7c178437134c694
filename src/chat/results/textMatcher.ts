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

/** Characters of a window. The same as for a token, so that one pass finds both. */
const windowLength = shortestToken;
/** Distance of the windows of a text that are searched: any piece of {@link shortestPiece} contains a complete one. */
const stride = shortestPiece - windowLength + 1;
/** How many equal windows are compared: `aaaa…` has thousands. */
const mostEqual = 8;
/** Maximum comparisons per character of the other text: repetitive texts match almost everywhere, which would take too long. */
const comparedEach = 4;
/** Bits of {@link mixed}. */
const mixedBits = 20;

/** A place in one of the searched texts where a match may begin. */
interface Anchor {
	readonly index: number;
	readonly start: number;
	/** Length of a token, which must match as a whole; absent for any other window. */
	readonly token?: number;
}

/**
 * Finds what several texts have in common with other texts, in one pass over each of the others. All texts must be folded beforehand.
 */
export class TextMatcher {
	readonly #texts: readonly string[];
	/** By the characters of their window. */
	readonly #anchors = new Map<string, Anchor[]>();
	/** By {@link mixed} characters of each window: looking up every substring of the 4 million characters of a chat would take 0.5 s before each call. */
	readonly #filter = new Uint8Array(2 ** mixedBits);
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
		if (this.#anchors.size === 0) return [];
		this.#left = comparedEach * other.length;
		for (let at = 0; at + windowLength <= other.length; at++) {
			const match = this.#filter[mixed(other, at)] === 1 ? this.#bestAt(other, at) : undefined;
			if (!match) continue;
			if (match.length > (longest.get(match.index)?.length ?? 0)) longest.set(match.index, match);
			// Continues after the match, which need not be found again at each of its characters.
			if (match.length >= shortestPiece) at += Math.max(0, match.beyond - windowLength - 1);
		}
		return [...longest.values()].map(({ index, start, length }) => ({ index, start, length }));
	}

	#add(anchor: Anchor): void {
		const text = this.#texts[anchor.index] ?? '';
		const window = text.slice(anchor.start, anchor.start + windowLength);
		const anchors = this.#anchors.get(window) ?? [];
		if (anchors.length >= mostEqual) return;
		this.#anchors.set(window, [...anchors, anchor]);
		this.#filter[mixed(text, anchor.start)] = 1;
	}

	/** The longest match around a window of `other`; `beyond`: its length from the start of the window. */
	#bestAt(other: string, at: number): (TextMatch & { readonly beyond: number }) | undefined {
		let best: (TextMatch & { readonly beyond: number }) | undefined;
		for (const { index, start, token } of this.#anchors.get(other.slice(at, at + windowLength)) ?? []) {
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

/** Mixes some characters of a window into one number. */
function mixed(text: string, start: number): number {
	const first = text.charCodeAt(start) ^ (text.charCodeAt(start + 4) << 5);
	return (
		(first ^ (text.charCodeAt(start + 7) << 9) ^ (text.charCodeAt(start + 11) << 13)) & (2 ** mixedBits - 1)
	);
}
