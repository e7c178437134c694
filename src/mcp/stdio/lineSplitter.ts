const newline = 0x0a;
/** Bytes kept of either end of a line that is too long, for whoever wants to know whose it was. */
const keptEndsBytes = 512;

export interface LineSplitterOptions {
	/** Longest line that is delivered whole. */
	readonly maxBytes: number;
	/** Whether a line is wanted at all, asked before anything is made of it; all are unless said otherwise. */
	readonly isWanted?: (line: Buffer) => boolean;
	readonly onLine: (line: string) => void;
	/** A longer line came to its end; `head` and `tail` are its two ends. */
	readonly onOverlong: (head: string, tail: string) => void;
}

/**
 * Cuts a stream of bytes into lines. It cuts bytes, not text, so a character split between two chunks stays whole;
 * of an endless line it keeps the ends only.
 */
export class LineSplitter {
	readonly #options: LineSplitterOptions;
	#parts: Buffer[] = [];
	#bytes = 0;
	/** Set while inside a line that is too long. */
	#overlong: { readonly head: Buffer; tail: Buffer } | undefined;

	constructor(options: LineSplitterOptions) {
		this.#options = options;
	}

	push(chunk: Buffer): void {
		let start = 0;
		for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
			this.#append(chunk.subarray(start, end));
			this.#finish();
			start = end + 1;
		}
		if (start < chunk.length) this.#append(chunk.subarray(start));
	}

	/** The stream ended: what is left counts as a line. */
	end(): void {
		if (this.#overlong || this.#bytes > 0) this.#finish();
	}

	#append(part: Buffer): void {
		if (this.#overlong) {
			this.#overlong.tail = lastBytes(Buffer.concat([this.#overlong.tail, lastBytes(part)]));
			return;
		}
		this.#parts.push(part);
		this.#bytes += part.length;
		if (this.#bytes <= this.#options.maxBytes) return;
		const line = Buffer.concat(this.#parts);
		// Copies, or the ends would keep the whole line in memory.
		this.#overlong = {
			head: Buffer.from(line.subarray(0, keptEndsBytes)),
			tail: Buffer.from(lastBytes(line)),
		};
		this.#parts = [];
		this.#bytes = 0;
	}

	#finish(): void {
		const overlong = this.#overlong;
		const [first] = this.#parts;
		// Most lines come in one part, and need no copy.
		const line = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
		this.#overlong = undefined;
		this.#parts = [];
		this.#bytes = 0;
		if (overlong) this.#options.onOverlong(overlong.head.toString('utf8'), overlong.tail.toString('utf8'));
		else if (this.#options.isWanted?.(line) ?? true) this.#options.onLine(line.toString('utf8'));
	}
}

function lastBytes(bytes: Buffer): Buffer {
	return bytes.subarray(Math.max(0, bytes.length - keptEndsBytes));
}
