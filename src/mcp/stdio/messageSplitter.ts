import { ByteJoiner, LineSplitter, type Piece } from './lineSplitter.ts';

const newline = 0x0a;
const openBrace = 0x7b;
/** A brace and a carriage return. */
const longestBraceLine = 2;
const lengthHeader = /^content-length:\s*(\d{1,15})$/i;
const anyHeader = /^[\w-]+:/;
/** Longest header, in bytes. */
const longestHeader = 256;

/**
 * Splits the output of a server into messages: a line each, as specified; as many bytes as a `Content-Length` header says, as language servers write
 * them, without a newline at the end; or the lines of an object that is printed for people, from the line that is only its brace to the line that is
 * only the other one.
 */
export class MessageSplitter {
	readonly #lines: LineSplitter;
	readonly #frame: ByteJoiner;
	/** The lines of an object that has begun. */
	readonly #object: ByteJoiner;
	/** Announced length of a message whose headers have not ended. */
	#announced: number | undefined;
	/** Bytes of such a message that have not arrived. */
	#left = 0;

	/** @param maxBytes longest message that is delivered whole */
	constructor(maxBytes: number) {
		this.#lines = new LineSplitter(maxBytes);
		this.#frame = new ByteJoiner(maxBytes);
		this.#object = new ByteJoiner(maxBytes);
	}

	/** Adds bytes and yields the messages that are complete. Read them before adding more. */
	*push(chunk: Buffer): Generator<Piece> {
		for (let rest = chunk; rest.length > 0; ) {
			if (this.#left > 0) {
				const part = rest.subarray(0, this.#left);
				this.#frame.append(part);
				this.#left -= part.length;
				rest = rest.subarray(part.length);
				if (this.#left === 0) yield this.#frame.take();
				continue;
			}
			const end = rest.indexOf(newline) + 1 || rest.length;
			for (const line of this.#lines.push(rest.subarray(0, end)))
				if (!this.#takeHeader(line)) yield* this.#takeLine(line);
			rest = rest.subarray(end);
		}
	}

	/** The stream has ended: the rest counts as a message. */
	*end(): Generator<Piece> {
		if (!this.#frame.isEmpty) yield this.#frame.take();
		if (!this.#object.isEmpty) yield this.#object.take();
		yield* this.#lines.end();
	}

	*#takeLine(line: Piece): Generator<Piece> {
		if (!Buffer.isBuffer(line)) {
			yield line;
			return;
		}
		const brace = line.length <= longestBraceLine ? line.toString('latin1').trimEnd() : undefined;
		// Another object begins: the last one was not one, or has no end.
		if (line[0] === openBrace) this.#object.take();
		if (brace !== '{' && this.#object.isEmpty) {
			yield line;
			return;
		}
		this.#object.append(line);
		this.#object.append(Buffer.of(newline));
		if (brace === '}') yield this.#object.take();
	}

	/** Whether a line belongs to the headers of a message. */
	#takeHeader(line: Piece): boolean {
		if (!Buffer.isBuffer(line) || line.length > longestHeader) return false;
		const text = line.toString('latin1').trim();
		const length = lengthHeader.exec(text)?.[1];
		if (length !== undefined) {
			this.#announced = Number(length);
			return true;
		}
		if (this.#announced === undefined) return false;
		if (text === '') {
			this.#left = this.#announced;
			this.#announced = undefined;
			return true;
		}
		if (anyHeader.test(text)) return true;
		this.#announced = undefined;
		return false;
	}
}
