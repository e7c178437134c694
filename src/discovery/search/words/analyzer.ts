import { stem as porter2 } from 'porter2';
import { Memo } from '../../../common/memo.ts';
import { tokenize } from './tokenizer.ts';

/** A word's term in the index: its stem (Porter2). Expects a word from {@link tokenize}. */
export function stem(word: string): string {
	return stems.get(word, () => porter2(word));
}

/** The term of adjacent words joined into one. */
export function joinedTerm(words: readonly string[]): string {
	return words.slice(0, -1).join('') + stem(words.at(-1) ?? '');
}

/** Bounded, because texts may contain any number of made-up names; a language has fewer words than this. */
const stems = new Memo<string, string>(50_000);

/** Words that never distinguish tools, in descriptions or requests. */
export function isStopWord(word: string): boolean {
	return stopWords.has(word);
}

/** Words that may stand before any thing or wish and change nothing: phrases and neighbours are read without them. */
export function isFiller(word: string): boolean {
	return fillers.has(word);
}

const fillers = new Set('my our your the this please'.split(' '));

/** Words that are frequent in requests but not in definitions: they say little about the need. */
export function isSmallTalk(word: string): boolean {
	return smallTalk.has(word);
}

/** Whether an English noun looks plural. */
export function isPlural(word: string): boolean {
	return word === 'people' || word === 'children' || (word.length > 3 && /[^sui]s$/.test(word));
}

/** {@link tokenize} without stop words. */
export function contentWords(text: string, whole?: string[]): string[] {
	return tokenize(text, whole).filter((word) => !stopWords.has(word));
}

const stopWords = new Set(
	`a about all also am an and any are as at be been but by can could did do does doing done for from get give had has have
	how i if in into is it its just let like may me might more most must my need no not now of on one only or other our out
	please should show so some such than that the their them then there these they this those to tool tools up us use used
	uses using via want ain aren couldn didn doesn don hadn hasn haven isn shouldn wasn weren won wouldn was we were what when where which who why will with would you your`.split(
		/\s+/,
	),
);

const smallTalk = new Set(
	`able above again already always am anyone anything assist available based before best between business come company currently curious
	day detailed details different during each even ever everyone everything existing family find first friend friends friday go going
	good got grab great hello help here hey hi id im include including information interested ive keep know last later kind lets looking
	lot made make many mine monday month much myself never next okay once own particular per pick planning pop put provide really recommend
	related relevant return right saturday several since someone something soon specific specifically stick still stuff suggest sunday sure take tell
	thank thanks thing things think three through thursday today together tomorrow took top try trying tuesday two until various very wednesday week well
	while within without wonder wondering work working year yes yesterday`.split(/\s+/),
);
