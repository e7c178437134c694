/** Bytes of one page; with its heading a page stays below 8 KB. */
export const pageBytes = 8_000;

/** A page ends with a line, if one ends in its second half; otherwise between two characters. */
const lineShare = 0.5;
const lineEnd = 0x0a;

/** Splits a UTF-8 text into pages, always at the same places. */
export class ResultPages {
	readonly #bytes: Buffer;
	/** Where each page ends. */
	readonly #ends: readonly number[];

	constructor(bytes: Buffer) {
		this.#bytes = bytes;
		const ends: number[] = [];
		for (let end = 0; end < bytes.length; ends.push(end)) end = pieceEnd(bytes, end, pageBytes);
		this.#ends = ends.length > 0 ? ends : [0];
	}

	get count(): number {
		return this.#ends.length;
	}

	/** A page by its number, from 1; `undefined` if there is none. */
	page(number: number): string | undefined {
		const end = this.#ends[number - 1];
		return end === undefined ? undefined : this.#bytes.toString('utf8', this.#ends[number - 2] ?? 0, end);
	}

	/** The number of the page that contains a byte. */
	pageAt(offset: number): number {
		const page = this.#ends.findIndex((end) => offset < end);
		return page < 0 ? this.count : page + 1;
	}
}

/** The beginning and the end of a text with at most this many bytes. */
export function headAndTail(bytes: Buffer, head: number, tail: number): { head: string; tail: string } {
	const end = pieceEnd(bytes, 0, head);
	const start = Math.max(end, tailStart(bytes, tail));
	return { head: bytes.toString('utf8', 0, end), tail: bytes.toString('utf8', start) };
}

function pieceEnd(bytes: Buffer, start: number, limit: number): number {
	const most = start + limit;
	if (most >= bytes.length) return bytes.length;
	const line = bytes.lastIndexOf(lineEnd, most - 1) + 1;
	if (line > start + limit * lineShare) return line;
	let end = most;
	while (end > start && isInsideCharacter(bytes, end)) end--;
	return end;
}

function tailStart(bytes: Buffer, limit: number): number {
	let start = Math.max(0, bytes.length - limit);
	const line = bytes.indexOf(lineEnd, start) + 1;
	if (line > 0 && line < start + limit * lineShare) return line;
	while (isInsideCharacter(bytes, start)) start++;
	return start;
}

/** Whether a byte continues a character. */
function isInsideCharacter(bytes: Buffer, offset: number): boolean {
	return ((bytes[offset] ?? 0) & 0xc0) === 0x80;
}

/** Maximum characters of the searched words, bytes of all reported places, and characters on both sides of each. */
const searchedCharacters = 200;
const maxPageBytes = 7_500;
const shownCharacters = 100;

export interface FoundPlace {
	readonly page: number;
	/** The text around it, on one line. */
	readonly excerpt: string;
}

/** Without accents, in as many UTF-16 units: accents that are characters of their own stay, and {@link patternOf} skips them. */
function withoutAccents(text: string): string {
	return text.replace(
		/(?!\p{ASCII})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu,
		(letter) => [...letter.normalize('NFD')][0] ?? letter,
	);
}

function patternOf(words: string): RegExp {
	const letters = withoutAccents(words.normalize('NFC').replace(/\p{M}/gu, ''));
	const parts = letters.match(/./gsu) ?? [];
	const literal = (sign: string) => sign.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
	return new RegExp(parts.map((sign) => `${literal(sign)}\\p{M}*`).join(''), 'giu');
}

/** Finds a text in a result, ignoring case and accents; places within one excerpt count once. */
export function searchResult(
	bytes: Buffer,
	pages: ResultPages,
	searched: string,
): { readonly places: readonly FoundPlace[]; readonly more: boolean } {
	const text = bytes.toString('utf8');
	const plain = withoutAccents(text);
	const pattern = patternOf(searched.slice(0, searchedCharacters));
	const places: FoundPlace[] = [];
	let [at, offset, bytesShown] = [0, 0, 0];
	for (let match = pattern.exec(plain); match; match = pattern.exec(plain)) {
		offset += Buffer.byteLength(text.slice(at, match.index));
		at = match.index;
		const end = match.index + match[0].length + shownCharacters;
		const place = { page: pages.pageAt(offset), excerpt: excerpt(text, match.index - shownCharacters, end) };
		bytesShown += Buffer.byteLength(place.excerpt) + 'page 1234: '.length;
		if (bytesShown > maxPageBytes) return { places, more: true };
		places.push(place);
		pattern.lastIndex = end;
	}
	return { places, more: false };
}

/** The text between two positions on one line, without half characters at its ends. */
function excerpt(text: string, start: number, end: number): string {
	const [from, to] = [Math.max(0, start), Math.min(text.length, end)];
	const piece = text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
	return `${from > 0 ? '…' : ''}${piece.replace(/\s+/g, ' ').trim()}${to < text.length ? '…' : ''}`;
}
