/**
 * Words of a text: split at white space, `_`, `.`, `-`, other punctuation and CamelCase, in lower case without diacritics.
 * `mcp__slack__sendMessage` gives `mcp slack send message`. Scripts written without blanks give overlapping pairs of characters.
 */
export function tokenize(text: string): string[] {
	if (ascii.test(text)) return asciiWords(text);
	// Most texts are English but for their dashes, quotation marks and pictures.
	const plain = text.replace(symbols, ' ');
	return ascii.test(plain) ? asciiWords(plain) : unicodeWords(plain);
}

/** A text in lower case without diacritics, as the words of {@link tokenize} are. */
export function fold(text: string): string {
	return withoutMarks(text).toLowerCase();
}

/** Whether a word is of a script that is written without blanks. */
export function isUnspaced(word: string): boolean {
	return unspaced.test(word);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
const ascii = /^[\u0000-\u007f]*$/;

/** Punctuation, arrows, boxes and emoji: nothing that is a letter or digit, or stands for one (`①`, `™`, `²`). */
const symbols =
	/[\u2000-\u206f\u2190-\u245f\u2500-\u2bff\u3000-\u3003\u3008-\u3020]|\ufe0f|[\ud83c-\ud83e][\udc00-\udfff]/g;

/** The end of a word in CamelCase; the plural of an acronym (`URLs`) is one word. */
const wordBreak = /[\p{Ll}\p{N}](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))/gu;

/** Letters of scripts that are written without blanks; the Japanese mark of a long vowel belongs to them. */
const unspacedLetters =
	'\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}ー';
const unspaced = new RegExp(`[${unspacedLetters}]`, 'u');
const runs = new RegExp(`[${unspacedLetters}]+|[^${unspacedLetters}]+`, 'gu');

function unicodeWords(text: string): string[] {
	const spaced = withoutMarks(text).replace(wordBreak, '$& ').toLowerCase();
	const words = spaced.match(/[\p{L}\p{N}]+/gu) ?? [];
	return words.flatMap((word) => (unspaced.test(word) ? partsOf(word) : [word]));
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
const lower = 1;
const upper = 2;
const digit = 3;

/** What each ASCII character is to a word. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
	const character = String.fromCharCode(code);
	if (/[a-z]/.test(character)) return lower;
	if (/[A-Z]/.test(character)) return upper;
	return /[0-9]/.test(character) ? digit : other;
});

/** The same as {@link unicodeWords}, four times as fast: nearly all that servers say is ASCII, and indexing is mostly this. */
function asciiWords(text: string): string[] {
	const words: string[] = [];
	let start = -1;
	let previous = other;
	const end = (at: number): void => {
		if (start >= 0) words.push(text.slice(start, at).toLowerCase());
		start = -1;
	};
	for (let i = 0; i < text.length; i++) {
		const kind = kinds[text.charCodeAt(i)] ?? other;
		if (kind === other) end(i);
		else if (start < 0) start = i;
		else if (kind === upper && (previous !== upper || beginsWord(text, i))) {
			end(i);
			start = i;
		}
		previous = kind;
	}
	end(text.length);
	return words;
}

/** Whether a capital after a capital begins a word (`HTTP|Server`), and is not the last of an acronym (`URLs`). */
function beginsWord(text: string, at: number): boolean {
	const next = text.charCodeAt(at + 1);
	if (kinds[next] !== lower) return false;
	return next !== 0x73 /* s */ || kinds[text.charCodeAt(at + 2)] === lower;
}
