import { isUtf8 } from 'node:buffer';
import { visible } from '../../common/text.ts';

/**
 * The letters and digits of a text, which is what all its spellings have in common: without case, accents, width, white space and
 * punctuation. Chinese and Japanese characters count twice, because they say as much as two letters. `https://` is left out, as people do.
 */
export function normalForm(text: string): string {
	const bare = withoutScheme(text).replace(/[^\0-\x7f]+/g, lettersOf);
	// A regular expression that removes every gap would take ten times as long.
	const units = new Uint16Array(bare.length);
	let length = 0;
	for (let at = 0; at < bare.length; at++) {
		const code = bare.charCodeAt(at);
		const unit = code < asciiLetters.length ? (asciiLetters[code] ?? 0) : code;
		if (unit !== 0) units[length++] = unit;
	}
	return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
}

/** Letters in lower case, digits, and 0 for everything else. */
const asciiLetters = Uint8Array.from({ length: 128 }, (_, code) => {
	const [letter = '\0'] = /[a-z0-9]/.exec(String.fromCharCode(code).toLowerCase()) ?? [];
	return letter.charCodeAt(0);
});

/** Where in the text each character of its {@link normalForm} comes from. */
export function placesOf(text: string): readonly number[] {
	const places: number[] = [];
	let at = 0;
	for (const character of withoutScheme(text)) {
		for (let i = lettersOf(character).length; i > 0; i--) places.push(at);
		at += character.length;
	}
	return places;
}

function lettersOf(text: string): string {
	if (/^[\0-\x7f]$/.test(text)) return text.replace(/[^A-Za-z0-9]/, '');
	return (
		text
			.normalize('NFKD')
			.replace(/[^\p{L}\p{N}]+/gu, '')
			.replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, '$&$&')
			// `ß` and `SS`, and both forms of the Greek sigma, are equal only in capitals.
			.toUpperCase()
			.toLowerCase()
			.replaceAll('ς', 'σ')
	);
}

/** Replaces `https://` with blanks, so that positions stay the same. */
function withoutScheme(text: string): string {
	return text.replace(/https?:\/\/(?:www\.)?/gi, (lead) => ' '.repeat(lead.length));
}

/** The different readings of a text, after its escapes, markup and encodings were undone once. */
export function readingsOf(text: string): readonly string[] {
	const plain = visible(text);
	const open = unescaped(plain);
	const readings = [open, ...decodedIn(open)];
	// In such a path, `\n` is the beginning of a name.
	if (/[a-z]:\\/i.test(plain)) readings.push(plain);
	if (/<\/[a-z]/i.test(open)) readings.push(open.replace(/<\/?[a-z][^<>]{0,1000}>/gi, ' '));
	return [...new Set(readings)];
}

const escapes =
	/((?:%[0-9a-f]{2})+|(?:\\+x[0-9a-f]{2})+)|\\+u(?:\{([0-9a-f]{1,6})\}|([0-9a-f]{4}))|\\+[nrtbf]|&#(?:x([0-9a-f]{1,6})|(\d{1,7}));|&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|caron|slash);|&[a-z]{2,8};/gi;

/** Undoes the escapes of addresses, JSON, programs and HTML. */
function unescaped(text: string): string {
	return text.replace(escapes, (_, bytes, braced, json, hex, decimal, letter) => {
		if (bytes !== undefined) return textOf(Buffer.from(bytes.replace(/[%\\x]/gi, ''), 'hex'));
		const code = decimal === undefined ? Number.parseInt(braced ?? json ?? hex, 16) : Number(decimal);
		return code <= 0x10ffff ? String.fromCodePoint(code) : (letter ?? ' ');
	});
}

/** Bytes that are not UTF-8 are one character each. */
function textOf(bytes: Buffer): string {
	return isUtf8(bytes) ? bytes.toString() : bytes.toString('latin1');
}

/** Characters of Base64 for 12 of text. */
const minRunLength = 16;
const base64 = new RegExp(`\\b[\\w+/-]{${minRunLength},}(?:\\r?\\n[\\w+/-]{4,})*`, 'g');
const hexadecimal = /(?:(?:0x|\\x)?[0-9a-f]{2}[\s:,;-]{0,2}){10,}/gi;
/** Longer than what is readable in random bytes by chance. */
const minReadableLength = 10;
const readable = new RegExp(`[ -~]{${minReadableLength},}`, 'g');

/** Readable text in Base64 or hexadecimal, also behind other characters: then it begins in the middle of a group. */
function* decodedIn(text: string): Generator<string> {
	for (const [match] of text.matchAll(base64)) {
		for (const run of new Set([match, ...match.split('/')])) {
			if (run.length < minRunLength) continue;
			for (let start = 0; start < 4; start++) yield* readableIn(Buffer.from(run.slice(start), 'base64'));
		}
	}
	for (const [run] of text.matchAll(hexadecimal)) {
		const digits = run.replace(/0x|[^0-9a-f]/gi, '');
		for (let start = 0; start < 2; start++) yield* readableIn(Buffer.from(digits.slice(start), 'hex'));
	}
}

function* readableIn(bytes: Buffer): Generator<string> {
	let start = 0;
	for (let end = 0; end <= bytes.length; end++) {
		if (end < bytes.length && isPrintable(bytes[end] ?? 0)) continue;
		if (end - start >= minReadableLength) {
			const piece = bytes.subarray(start, end);
			if (isUtf8(piece)) yield unescaped(piece.toString());
			else for (const [ascii] of piece.toString('latin1').matchAll(readable)) yield unescaped(ascii);
		}
		start = end + 1;
	}
	// UTF-16 has a zero in every other byte.
	if (bytes[1] === 0 && bytes[3] === 0) yield bytes.toString('utf16le');
}

function isPrintable(byte: number): boolean {
	return byte >= 0x20 && byte !== 0x7f;
}
