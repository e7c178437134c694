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

/** A text of ASCII as it was read last; kept, so that reading makes no lists. */
export class AsciiText {
	/** What the places are of. */
	text = '';
	/** The same in lower case. */
	readonly letters = new Letters();
	/** Three numbers for each word: where it begins, where it ends, and the hash of its letters. */
	readonly words = new Numbers();
	/** Where each word of mixed case begins, and where it ends. */
	readonly whole = new Numbers();
}

const ascii = new AsciiText();

/** A text in lower case without diacritics, as the words of {@link tokenize} are. */
export function fold(text: string): string {
	return withoutMarks(text).toLowerCase();
}

/** Whether a word is of a script that is written without blanks. */
export function isUnspaced(word: string): boolean {
	return unspaced.test(word);
}

/** The end of a word in CamelCase; the plural of an acronym (`URLs`) is one word. */
const wordBreak = /[\p{Ll}\p{N}](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))/gu;

/** Letters of scripts that are written without blanks; the Japanese mark of a long vowel belongs to them. */
const unspacedLetters = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}ー';
const unspaced = new RegExp(`[${unspacedLetters}]`, 'u');
const runs = new RegExp(`[${unspacedLetters}]+|[^${unspacedLetters}]+`, 'gu');

/** The words of any text, and those of mixed case as a whole; see {@link readAscii}. */
export function unicodeWords(text: string, whole?: string[]): string[] {
	const words = withoutMarks(text.replace(symbols, ' ')).match(/[\p{L}\p{N}]+/gu) ?? [];
	return words.flatMap((word) => {
		const parts = word.replace(wordBreak, '$& ').toLowerCase().split(' ');
		if (parts[1]) whole?.push(word.toLowerCase());
		return parts.flatMap(partsOf);
	});
}

/** A word in which scripts are mixed (`用slack发送`) falls apart where one ends. */
function partsOf(word: string): string[] {
	return (word.match(runs) ?? []).flatMap((run) => (unspaced.test(run) ? pairs(run) : [run]));
}

function withoutMarks(text: string): string {
	return text.normalize('NFKD').replace(/\p{M}+/gu, '');
}

function pairs(word: string): string[] {
	const characters = [...word];
	if (characters.length < 3) return [word];
	return characters.slice(1).map((character, i) => (characters[i] ?? '') + character);
}

const other = 0;
const upper = 2;
/** Between a capital and its small letter. */
const toLower = 32;
const blank = 32;
const forms = [/[a-z]/, /[A-Z]/, /\d/];

/** What each ASCII character is to a word: 0, or the place of its form, from 1. */
const kinds = Uint8Array.from(
	{ length: 128 },
	(_, code) => forms.findIndex((form) => form.test(String.fromCharCode(code))) + 1,
);

/**
 * Finds the words of a text, and those of mixed case as a whole: the same as {@link unicodeWords}, many times as fast, for nearly all that
 * servers say is ASCII, but for dashes, quotation marks and pictures. Tells whether it is.
 */
export function readAscii(text: string, into: AsciiText): boolean {
	return findWords(text, into) || findWords(text.replace(symbols, ' '), into);
}

/** Where it gives up, what it has found is worth nothing. */
function findWords(text: string, into: AsciiText): boolean {
	const { words, whole, letters } = into;
	const codes = letters.begin(text.length);
	words.length = 0;
	whole.length = 0;
	let start = -1;
	/** Where the words began that no blank parts. */
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

/** Whether a capital after a capital begins a word (`HTTP|Server`), and is not the last of an acronym (`URLs`). */
function beginsWord(text: string, at: number): boolean {
	return /^(?:[a-rt-z]|s[a-z])/.test(text.slice(at + 1, at + 3));
}
