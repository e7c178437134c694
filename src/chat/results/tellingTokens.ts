import { normalForm } from './normalForm.ts';

/** Shortest key or number, and shortest path or address, as written; and the shortest of all in normal form. */
const minKeyLength = 12;
const minPlaceLength = '/etc/passwd'.length;
export const minTokenLength = 7;
/** Longer words are found by their pieces. */
const maxWordCharacters = 300;

/** Short pieces of a text that say who, where, or how to get in, each in its normal form. */
export interface TellingTokens {
	/** Keys, and numbers of cards and accounts. */
	readonly keys: readonly string[];
	/** Paths and addresses, as a whole, and the beginnings of harmful commands. */
	readonly places: readonly string[];
}

export function tellingTokens(texts: readonly string[]): TellingTokens {
	const keys = new Set<string>();
	const places = new Set<string>();
	for (const text of texts) {
		for (const longWord of longWords(text)) {
			const word = longWord.replace(/[.:!?-]{1,3}$/, '');
			if (startsWithDate.test(word)) continue;
			if (place.test(word)) places.add(normalForm(word));
			else if (word.length >= minKeyLength && isKey(word)) keys.add(normalForm(word));
		}
		for (const [number] of text.matchAll(numbers)) {
			const digits = number.replace(/\D/g, '');
			if (digits.length >= minKeyLength && !timestamp.test(digits)) keys.add(digits);
		}
		for (const { index } of text.matchAll(command))
			places.add(normalForm(text.slice(index, index + minKeyLength)));
	}
	const isLongEnough = ({ length }: string) => length >= minTokenLength;
	return { keys: [...keys].filter(isLongEnough), places: [...places].filter(isLongEnough) };
}

/** Characters between words. */
export const wordBreak = '\\s"\'`“”‘’«»<>()[\\]{}*|,;=';
const isBreak = new RegExp(`[${wordBreak}]`);
/** Up to the last kind of blank. */
const breaks = Uint8Array.from({ length: 0x3001 }, (_, code) =>
	Number(isBreak.test(String.fromCharCode(code))),
);

/** A regular expression would try each character of each short word. */
function* longWords(text: string): Generator<string> {
	let start = 0;
	for (let at = 0; at <= text.length; at++) {
		if (at < text.length && breaks[text.charCodeAt(at)] !== 1) continue;
		if (at - start >= minPlaceLength && at - start <= maxWordCharacters) yield text.slice(start, at);
		start = at + 1;
	}
}

/** Letters mixed with digits. */
function isKey(word: string): boolean {
	return /^[\w+~./-]+$/.test(word) && /\d.*\d/.test(word) && /[a-z].*[a-z].*[a-z]/i.test(word);
}

const startsWithDate = /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}/;

/** Absolute paths, paths with several folders or an extension, and addresses; but not `text/markdown` and `Europe/Berlin`. */
const place = /^(?:~?[\\/]|\.{1,2}[\\/]|[a-z]:[\\/])|:\/\/|.@.+\.|[\\/].*[\\/]|[\\/][\w.-]+\.[a-z]\w{0,4}$/i;

/** Digits, also in groups as on cards and in accounts, but no decimals. */
const numbers = /(?<![\d.,-])(?:\d{12,40}|\d{2,6}(?:[ .-]\d{3,6})+(?:[ .-]\d{2})?)(?!\d|[.,]\d)/g;
/** `20261123101500`, and milliseconds since 1970. */
const timestamp = /^(?:20\d{2}(?:0[1-9]|1[0-2])[0-3]\d[0-2]\d[0-5]\d(?:[0-5]\d(?:\d{3})?)?|1[4-9]\d{11})$/;

/** Programs that can do harm with a few characters, and the beginning of their arguments. */
const command =
	/(?<![^\s;&|(])(?:sudo|(?:curl|wget|rm|chmod|ssh|scp|bash|sh|powershell|eval|iwr)(?= [-~/.$\w]*[-~/.$]))\s/gi;
