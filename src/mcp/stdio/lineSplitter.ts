const newline = 0x0a;
/** Bytes kept of each end of something too long, to find out whose it was. */
const keptEndsBytes = 512;
const minCapacity = 4096;

/** Bytes in one piece, or only their two ends if they were too many to keep. */
export type Piece = Buffer | { readonly head: Buffer; readonly tail: Buffer };

/**
 * Joins chunks of bytes. They are copied, because a chunk of one byte may keep a block of 64 kB in memory; capacity doubles as needed. Of
 * more than `maxBytes`, only the ends are kept.
 */
export class ByteJoiner {
	readonly #maxBytes: number;
	#bytes = Buffer.alloc(0);
	#length = 0;
	#overlong: { readonly head: Buffer; tail: Buffer } | undefined;

	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	get isEmpty(): boolean {
		return this.#length === 0 && !this.#overlong;
	}

	/** Whether there was more than was kept. */
	get isOverlong(): boolean {
		return this.#overlong !== undefined;
	}

	append(part: Uint8Array): void {
		if (this.#overlong) {
			this.#overlong.tail = lastBytes(Buffer.concat([this.#overlong.tail, lastBytes(part)]));
			return;
		}
		const length = this.#length + part.length;
		if (length > this.#maxBytes) {
			const kept = this.#bytes.subarray(0, this.#length);
			// Copies: slices would keep everything in memory.
			const head = Buffer.concat([kept.subarray(0, keptEndsBytes), part.subarray(0, keptEndsBytes)]);
			const tail = Buffer.concat([lastBytes(kept), lastBytes(part)]);
			this.#overlong = { head: head.subarray(0, keptEndsBytes), tail: lastBytes(tail) };
			this.#bytes = Buffer.alloc(0);
			this.#length = 0;
			return;
		}
		if (length > this.#bytes.length) {
			const doubled = Math.max(2 * this.#bytes.length, length, minCapacity);
			const roomier = Buffer.allocUnsafeSlow(Math.min(doubled, Math.max(this.#maxBytes, minCapacity)));
			this.#bytes.copy(roomier, 0, 0, this.#length);
			this.#bytes = roomier;
		}
		this.#bytes.set(part, this.#length);
		this.#length = length;
	}

	/** Returns everything so far, and starts over. */
	take(): Piece {
		const piece = this.#overlong ?? this.#bytes.subarray(0, this.#length);
		this.#bytes = Buffer.alloc(0);
		this.#length = 0;
		this.#overlong = undefined;
		return piece;
	}
}

/** Reads the body of a response; `undefined`: it has more than `maxBytes`, and the rest is not read. */
export async function boundedBody({ body }: Response, maxBytes: number): Promise<Buffer | undefined> {
	const joiner = new ByteJoiner(maxBytes);
	for await (const chunk of body ?? []) {
		joiner.append(chunk);
		if (joiner.isOverlong) return undefined;
	}
	const piece = joiner.take();
	return Buffer.isBuffer(piece) ? piece : undefined;
}

/**
 * Splits a stream of bytes into lines. It splits bytes rather than text, so that characters cut by a chunk border stay whole; of an endless
 * line it keeps only the ends.
 */
export class LineSplitter {
	readonly #maxBytes: number;
	readonly #line: ByteJoiner;

	/** @param maxBytes longest line that is delivered whole */
	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
		this.#line = new ByteJoiner(maxBytes);
	}

	/** Adds bytes and yields the lines that are complete. Read them before adding more. */
	*push(chunk: Buffer): Generator<Piece> {
		let start = 0;
		for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
			yield this.#finish(chunk.subarray(start, end));
			start = end + 1;
		}
		if (start < chunk.length) this.#line.append(chunk.subarray(start));
	}

	/** The stream has ended: the rest counts as a line. */
	*end(): Generator<Piece> {
		if (!this.#line.isEmpty) yield this.#line.take();
	}

	#finish(rest: Buffer): Piece {
		// Most lines arrive in one chunk and need no copy.
		if (this.#line.isEmpty && rest.length <= this.#maxBytes) return rest;
		this.#line.append(rest);
		return this.#line.take();
	}
}

function lastBytes(bytes: Uint8Array): Buffer {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(
		Math.max(0, bytes.length - keptEndsBytes),
	);
}
