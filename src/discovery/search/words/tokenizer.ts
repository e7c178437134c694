/**
 * Words of a text: split at white space, `_`, `.`, `-`, other punctuation and CamelCase, in lower case without diacritics.
 * `mcp__slack__sendMessage` gives `mcp slack send message`. Scripts written without blanks give overlapping pairs of characters.
 * `whole` takes the words that CamelCase splits, each as one: `MySQL` gives `my sql`, and `mysql`.
 */
export function tokenize(text: string, whole?: string[]): string[] {
	const words = asciiWords(text, whole);
	if (words) return words;
	// Most texts are English but for their dashes, quotation marks and pictures.
	const plain = text.replace(symbols, ' ');
	return asciiWords(plain, whole) ?? unicodeWords(plain, whole);
}

/** A text in lower case without diacritics, as the words of {@link tokenize} are. */
export function fold(text: string): string {
	return withoutMarks(text).toLowerCase();
}

/** Whether a word is of a script that is written without blanks. */
export function isUnspaced(word: string): boolean {
	return unspaced.test(word);
}

/** Punctuation, arrows, boxes and emoji: nothing that is a letter or digit, or stands for one (`①`, `™`, `²`). */
const symbols =
	/[\u2000-\u206f\u2190-\u245f\u2500-\u2bff\u3000-\u3003\u3008-\u3020]|\ufe0f|[\ud83c-\ud83e][\udc00-\udfff]/g;

/** The end of a word in CamelCase; the plural of an acronym (`URLs`) is one word. */
const wordBreak = /[\p{Ll}\p{N}](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))/gu;

/** Letters of scripts that are written without blanks; the Japanese mark of a long vowel belongs to them. */
const unspacedLetters = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}ー';
const unspaced = new RegExp(`[${unspacedLetters}]`, 'u');
const runs = new RegExp(`[${unspacedLetters}]+|[^${unspacedLetters}]+`, 'gu');

function unicodeWords(text: string, whole?: string[]): string[] {
	const words = withoutMarks(text).match(/[\p{L}\p{N}]+/gu) ?? [];
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
const forms = [/[a-z]/, /[A-Z]/, /\d/];

/** What each ASCII character is to a word: 0, or the place of its form, from 1. */
const kinds = Uint8Array.from(
	{ length: 128 },
	(_, code) => forms.findIndex((form) => form.test(String.fromCharCode(code))) + 1,
);

/**
 * The same as {@link unicodeWords}, four times as fast: nearly all that servers say is ASCII, and indexing is mostly this. `undefined` where
 * the text is not ASCII.
 */
function asciiWords(text: string, whole?: string[]): string[] | undefined {
	const words: string[] = [];
	const small = text.toLowerCase();
	let start = -1;
	/** Where the words began that no blank parts. */
	let run = 0;
	let previous = other;
	for (let i = 0; i <= text.length; i++) {
		const kind = i < text.length ? kinds[text.charCodeAt(i)] : other;
		if (kind === undefined) {
			whole?.splice(0);
			return;
		}
		if (kind === other) {
			if (start >= 0) words.push(small.slice(start, i));
			if (start > run) whole?.push(small.slice(run, i));
			start = -1;
		} else if (start < 0) start = run = i;
		else if (kind === upper && (previous !== upper || beginsWord(text, i))) {
			words.push(small.slice(start, i));
			start = i;
		}
		previous = kind;
	}
	return words;
}

/** Whether a capital after a capital begins a word (`HTTP|Server`), and is not the last of an acronym (`URLs`). */
function beginsWord(text: string, at: number): boolean {
	return /^(?:[a-rt-z]|s[a-z])/.test(text.slice(at + 1, at + 3));
}
