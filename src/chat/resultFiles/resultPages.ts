/** Bytes of one page; with the line above it a page stays below 8 KB. */
export const pageBytes = 8_000;

/** A page ends with a line where one ends in its second half, else between two characters. */
const lineShare = 0.5;
const lineEnd = 0x0a;

/** A text in UTF-8 that is read piece by piece; pages are the same at each reading. */
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

	/** The page of that number, from 1; `undefined` where there is none. */
	page(number: number): string | undefined {
		const end = this.#ends[number - 1];
		return end === undefined ? undefined : this.#bytes.toString('utf8', this.#ends[number - 2] ?? 0, end);
	}

	/** The number of the page that has the byte at that place. */
	pageAt(offset: number): number {
		const page = this.#ends.findIndex((end) => offset < end);
		return page < 0 ? this.count : page + 1;
	}
}

/** The beginning of a text in at most so many bytes, and its end in at most so many. */
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

/** Whether the byte at that place goes on with a character that has begun before it. */
function isInsideCharacter(bytes: Buffer, offset: number): boolean {
	return ((bytes[offset] ?? 0) & 0xc0) === 0x80;
}
