import { symbols } from './hasWords.ts';
import { hashed, Letters, Numbers, noLetters } from './textTable.ts';

/**
 * Words of a text: split at white space, `_`, `.`, `-`, other punctuation and CamelCase, in lower case without diacritics.
 * `mcp__slack__sendMessage` gives `mcp slack send message`. Scripts written without blanks give overlapping pairs of characters.
 * `whole` takes the words that CamelCase splits, each as one: `MySQL` gives `my sql`, and `mysql`.
 */
export function tokenize(text: string, whole?: string[]): string[] {
	if (!readAscii(text, ascii)) return unicodeWords(text, whole);
	const small = ascii.text.toLowerCase();
	const { values: wholes, length } = ascii.whole;
	if (whole) for (let i = 0; i < length; i += 2) whole.push(small.slice(wholes[i], wholes[i + 1]));
	const words: string[] = [];
	const { values } = ascii.words;
	for (let i = 0; i < ascii.words.length; i += 3) words.push(small.slice(values[i], values[i + 1]));
	return words;
}

/** The last ASCII text that was read; reused, so that reading allocates nothing. */
export class AsciiText {
	/** The text that the positions refer to. */
	text = '';
	/** In lower case. */
	readonly letters = new Letters();
	/** Start, end and hash of each word. */
	readonly words = new Numbers();
	/** Start and end of each mixed-case word. */
	readonly whole = new Numbers();
}

const ascii = new AsciiText();

/** A text in lower case without diacritics, like the words of {@link tokenize}. */
export function fold(text: string): string {
	return withoutMarks(text).toLowerCase();
}

/** Whether a word is in a script without spaces. */
export function isUnspaced(word: string): boolean {
	return unspaced.test(word);
}

/** The end of a word in CamelCase; the plural of an acronym (`URLs`) is one word. */
const wordBreak = /[\p{Ll}\p{N}](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))/gu;

/** Letters of scripts without spaces, including the Japanese long-vowel mark. */
const unspacedLetters = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}ー';
const unspaced = new RegExp(`[${unspacedLetters}]`, 'u');
const runs = new RegExp(`[${unspacedLetters}]+|[^${unspacedLetters}]+`, 'gu');

/** The words of any text, and its mixed-case words as a whole; see {@link readAscii}. */
export function unicodeWords(text: string, whole?: string[]): string[] {
	const words = withoutMarks(text.replace(symbols, ' ')).match(/[\p{L}\p{N}]+/gu) ?? [];
	return words.flatMap((word) => {
		const parts = word.replace(wordBreak, '$& ').toLowerCase().split(' ');
		if (parts[1]) whole?.push(word.toLowerCase());
		return parts.flatMap(partsOf);
	});
}

/** Splits a word of mixed scripts (`用slack发送`). */
function partsOf(word: string): string[] {
	return (word.match(runs) ?? []).flatMap((run) => (unspaced.test(run) ? pairs(run) : [run]));
}

/** A text without its accents. */
export function withoutMarks(text: string): string {
	return text.normalize('NFKD').replace(/\p{M}+/gu, '');
}

function pairs(word: string): string[] {
	const characters = [...word];
	if (characters.length < 3) return [word];
	return characters.slice(1).map((character, i) => (characters[i] ?? '') + character);
}

const other = 0;
const upper = 2;
/** Distance from a capital to its small letter. */
const toLower = 32;
const blank = 32;
const forms = [/[a-z]/, /[A-Z]/, /\d/];

/** Character class of each ASCII code: 0, or the index in `forms` from 1. */
const kinds = Uint8Array.from(
	{ length: 128 },
	(_, code) => forms.findIndex((form) => form.test(String.fromCharCode(code))) + 1,
);

/**
 * Finds the same words as {@link unicodeWords}, many times faster. Nearly all server text is ASCII except dashes, quotation marks and emoji. Returns
 * false for other text.
 */
export function readAscii(text: string, into: AsciiText): boolean {
	return findWords(text, into) || findWords(text.replace(symbols, ' '), into);
}

/** Its results are invalid if it returns false. */
function findWords(text: string, into: AsciiText): boolean {
	const { words, whole, letters } = into;
	const codes = letters.begin(text.length);
	words.length = 0;
	whole.length = 0;
	let start = -1;
	/** Start of the current run of letters and digits. */
	let run = 0;
	let previous = other;
	let hash = noLetters;
	for (let i = 0; i <= text.length; i++) {
		const code = i < text.length ? text.charCodeAt(i) : blank;
		const kind = kinds[code];
		if (kind === undefined) return false;
		if (kind === other) {
			if (start >= 0) addWord(words, start, i, hash);
			if (start > run) {
				whole.push(run);
				whole.push(i);
			}
			start = -1;
		} else {
			if (start < 0) {
				start = run = i;
				hash = noLetters;
			} else if (kind === upper && (previous !== upper || beginsWord(text, i))) {
				addWord(words, start, i, hash);
				start = i;
				hash = noLetters;
			}
			const small = kind === upper ? code + toLower : code;
			codes[i] = small;
			hash = hashed(hash, small);
		}
		previous = kind;
	}
	into.text = text;
	letters.length = text.length;
	return true;
}

function addWord(words: Numbers, start: number, end: number, hash: number): void {
	words.push(start);
	words.push(end);
	words.push(hash);
}

/** Whether a capital after a capital starts a word (`HTTP|Server`) rather than ending an acronym (`URLs`). */
function beginsWord(text: string, at: number): boolean {
	return /^(?:[a-rt-z]|s[a-z])/.test(text.slice(at + 1, at + 3));
}
