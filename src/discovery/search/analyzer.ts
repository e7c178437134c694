import { stemmer } from 'stemmer';

/**
 * Words of a text: split at white space, `_`, `.`, `-`, other punctuation and CamelCase, in lower case without diacritics.
 * `mcp__slack__sendMessage` gives `mcp slack send message`. Scripts written without blanks give overlapping pairs of characters.
 */
export function tokenize(text: string): string[] {
	const spaced = withoutMarks(text).replace(wordBreak, '$& ').toLowerCase();
	const words = spaced.match(/[\p{L}\p{N}]+/gu) ?? [];
	return words.flatMap((word) => (unspaced.test(word) ? pairs(word) : [word]));
}

/** A text in lower case without diacritics, as the words of {@link tokenize} are. */
export function fold(text: string): string {
	return withoutMarks(text).toLowerCase();
}

/** Terms of prose as the index holds them: {@link tokenize}, without stop words, stemmed (Porter). */
export function analyze(text: string): string[] {
	return tokenize(text)
		.filter((word) => !stopWords.has(word))
		.map(stemmer);
}

/** {@link analyze} for a name, in which every word counts: `get_user`, `who_am_i`. */
export function analyzeName(name: string): string[] {
	return tokenize(name).map(stemmer);
}

/** {@link analyze}, or all words where a text is made of stop words alone ("who am I"). */
export function analyzeQuery(text: string): string[] {
	const terms = analyze(text);
	return terms.length > 0 ? terms : analyzeName(text);
}

/** The end of a word in CamelCase; the plural of an acronym (`URLs`) is one word. */
const wordBreak = /[\p{Ll}\p{N}](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))/gu;

const unspaced =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

function withoutMarks(text: string): string {
	return text.normalize('NFKD').replace(/\p{M}+/gu, '');
}

function pairs(word: string): string[] {
	const characters = [...word];
	if (characters.length < 3) return [word];
	return characters.slice(1).map((character, i) => (characters[i] ?? '') + character);
}

/** Words that tell no tool from another in a request or a description. */
const stopWords = new Set(
	`a about all also am an and any are as at be been but by can could did do does doing done for from get give had has have
	how i if in into is it its just let like may me might more most must my need no not now of on one only or other our out
	please should show so some such than that the their them then there these they this those to tool tools up us use used
	uses using via want was we were what when where which who why will with would you your`.split(/\s+/),
);
