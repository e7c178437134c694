import { isRecord } from '../../common/json.ts';
import { normalForm, placesOf, readingsOf } from './normalForm.ts';
import { minTokenLength, type TellingTokens, tellingTokens, wordBreak } from './tellingTokens.ts';

/** Characters in normal form of the shortest piece that counts wherever it stands, and how many of them are letters. */
const minPieceLength = 20;
const minLetters = 8;
/** Longest single word that says nothing: `internationalization`. */
const maxWordCharacters = 22;
/** Characters of a call's texts that are compared. */
const comparedCharacters = 256 * 1024;
/** Bits of {@link sampleAt}. */
const sampleBits = 18;

/** A text that was read, prepared to be compared. */
export interface ComparableText extends TellingTokens {
	/** All its readings in normal form, by line. */
	readonly forms: string;
}

export function comparable(text: string): ComparableText {
	const readings = readingsOf(text);
	return { forms: readings.map(normalForm).join('\n'), ...tellingTokens(readings) };
}

interface Reading {
	readonly text: string;
	readonly form: string;
	/** See {@link placesOf}. */
	readonly places: readonly number[];
}

/** A place in a reading's normal form. */
interface Place {
	readonly reading: Reading;
	readonly at: number;
}

/** What a call and a text have in common. */
export interface CommonPiece {
	/** In normal form. */
	readonly length: number;
	/** As in the call. */
	readonly textInCall: string;
}

/** The texts of a call, in which what was read is looked for. */
export class CallTexts {
	readonly #readings: readonly Reading[];
	/** Every piece of {@link minPieceLength} characters. */
	readonly #pieces = new Map<string, Place>();
	/** The call's telling tokens, by their beginning. */
	readonly #tokens: Map<string, string[]>;
	/** Which values of {@link sampleAt} occur in the call. Few do, so megabytes of other text are compared in milliseconds. */
	readonly #samples = new Uint8Array(2 ** sampleBits);
	readonly #userText: string;
	/** There is too much text to compare. */
	readonly isTooLong: boolean;

	/** `ownText`: what the user wrote, in normal form. It does not count. */
	constructor(input: Readonly<Record<string, unknown>>, userText: string) {
		const texts = textsOf(input);
		this.isTooLong = texts.reduce((sum, { length }) => sum + length, 0) > comparedCharacters;
		const readings = this.isTooLong ? [] : texts.flatMap(readingsOf);
		this.#readings = readings.map((text) => ({ text, form: normalForm(text), places: placesOf(text) }));
		this.#userText = userText;
		for (const reading of this.#readings) this.#add(reading);
		const { keys, places } = tellingTokens(readings);
		this.#tokens = Map.groupBy([...keys, ...places], beginningOf);
		for (let at = 0; at + minPieceLength <= userText.length; at++)
			if (this.#samples[sampleAt(userText, at)] === 1)
				this.#pieces.delete(userText.slice(at, at + minPieceLength));
	}

	/** Whether there is enough text to carry anything. */
	get hasText(): boolean {
		return this.isTooLong || this.#readings.some(({ form }) => form.length >= minTokenLength);
	}

	/** The longest piece that a text has, too. */
	longestIn({ forms, keys, places }: ComparableText): CommonPiece | undefined {
		let longest: (Place & { readonly length: number }) | undefined;
		const keepIfLonger = (place: Place | undefined, length: number) => {
			if (place && length > (longest?.length ?? 0)) longest = { ...place, length };
		};
		for (let at = 0; at + minTokenLength <= forms.length; at++) {
			if (this.#samples[sampleAt(forms, at)] === 0) continue;
			for (const token of this.#tokens.get(forms.slice(at, at + minTokenLength)) ?? [])
				if (forms.startsWith(token, at)) keepIfLonger(this.#placeOf(token), token.length);
			const place = this.#pieces.get(forms.slice(at, at + minPieceLength));
			if (!place) continue;
			const length = commonLength(place, forms, at);
			keepIfLonger(place, length);
			at += length - minPieceLength;
		}
		for (const key of keys) keepIfLonger(this.#placeOf(key, apart), key.length);
		for (const place of places) keepIfLonger(this.#placeOf(place, wholeWord), place.length);
		return longest && { length: longest.length, textInCall: textInCallOf(longest) };
	}

	#add(reading: Reading): void {
		const { form } = reading;
		for (let at = 0; at + minTokenLength <= form.length; at++) this.#samples[sampleAt(form, at)] = 1;
		for (const at of placesOfPieces(reading)) {
			const piece = form.slice(at, at + minPieceLength);
			if (!this.#pieces.has(piece)) this.#pieces.set(piece, { reading, at });
		}
	}

	/** A place of a token that the user has not written. `beside`: what has to stand before and after it. */
	#placeOf(token: string, beside?: AdjacentText): Place | undefined {
		if (this.#samples[sampleAt(token, 0)] === 0 || this.#userText.includes(token)) return undefined;
		for (const reading of this.#readings) {
			const { form, text, places } = reading;
			for (let at = form.indexOf(token); at >= 0; at = form.indexOf(token, at + 1)) {
				const [start = 0, last = 0] = [places[at], places[at + token.length - 1]];
				const isBeside =
					!beside ||
					(beside.before.test(text.slice(Math.max(0, start - reach), start)) &&
						beside.after.test(text.slice(last + 1, last + 1 + reach)));
				if (isBeside) return { reading, at };
			}
		}
		return undefined;
	}
}

interface AdjacentText {
	readonly before: RegExp;
	readonly after: RegExp;
}

/** Characters that are looked at. */
const reach = 8;
const apart: AdjacentText = { before: /(?:^|[^\p{L}\p{N}])$/u, after: /^(?:$|[^\p{L}\p{N}])/u };
/** The whole word, without punctuation at its ends: `github.com` does not match `github.com/mine`. */
const wholeWord: AdjacentText = {
	before: new RegExp(`(?:^|[${wordBreak}])[^\\p{L}\\p{N}${wordBreak}]*$`, 'u'),
	after: new RegExp(`^[^\\p{L}\\p{N}${wordBreak}]*(?:$|[${wordBreak}])`, 'u'),
};

/** The values of a call's arguments, and the names, each joined: a text may be spread over a list. */
function textsOf(input: Readonly<Record<string, unknown>>): readonly string[] {
	const values: string[] = [];
	const names: string[] = [];
	// Without recursion: a model's arguments may be nested deeply.
	const open: unknown[] = [input];
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value === 'string') values.push(value);
		else if (typeof value === 'number') values.push(String(value));
		else if (Array.isArray(value)) for (const item of value.toReversed()) open.push(item);
		else if (isRecord(value)) {
			for (const name of Object.keys(value)) names.push(name);
			for (const item of Object.values(value).toReversed()) open.push(item);
		}
	}
	return [values, names].map((texts) => texts.join('\n'));
}

/** Where pieces begin that say something: neither a single word, nor mostly numbers and dates. */
function* placesOfPieces({ text, form, places }: Reading): Generator<number> {
	const telling = text.replace(dull, (word) => ' '.repeat(word.length));
	const isLetter = (at: number) => Number(/\D/.test(form[at] ?? '0') && telling[places[at] ?? 0] !== ' ');
	let letters = 0;
	for (let end = 0; end < form.length; end++) {
		letters += isLetter(end) - isLetter(end - minPieceLength);
		const at = end - minPieceLength + 1;
		if (at >= 0 && letters >= minLetters) yield at;
	}
}

const dull = new RegExp(
	`(?<![\\p{L}\\p{N}])(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|june|july|august|` +
		`(?:septem|octo|novem|decem)ber|\\p{L}{${minPieceLength},${maxWordCharacters}})(?![\\p{L}\\p{N}])`,
	'giu',
);

function beginningOf(token: string): string {
	return token.slice(0, minTokenLength);
}

function commonLength({ reading: { form }, at }: Place, other: string, start: number): number {
	let length = minPieceLength;
	while (at + length < form.length && form.charCodeAt(at + length) === other.charCodeAt(start + length))
		length++;
	return length;
}

/** The piece as the call has it, without the end of a word that only happens to continue it. */
function textInCallOf({
	reading: { text, places },
	at,
	length,
}: Place & { readonly length: number }): string {
	const last = places[at + length - 1] ?? 0;
	const [end = ''] = /^.[^\s\p{L}\p{N}]*/su.exec(text.slice(last)) ?? [];
	const piece = text.slice(places[at], last + end.length);
	const isInWord = /[\p{L}\p{N}]$/u.test(text.slice(0, places[at]));
	return isInWord ? piece.replace(/^[\p{L}\p{N}]+[^\p{L}\p{N}]+(?=.)/su, '') : piece;
}

/** Some of the first {@link minTokenLength} characters, as one number. */
function sampleAt(text: string, at: number): number {
	const first = text.charCodeAt(at) ^ (text.charCodeAt(at + 2) << 4);
	return (first ^ (text.charCodeAt(at + 4) << 8) ^ (text.charCodeAt(at + 6) << 12)) & (2 ** sampleBits - 1);
}
