import { ByteJoiner, LineSplitter, type Piece } from '../stdio/lineSplitter.ts';

const colon = 0x3a;
const space = 0x20;
/** A byte order mark may stand before the first line. */
const mark = Buffer.from('\uFEFF');
/** What no header holds: an id with such a character could never be sent back. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unsendable = /[\0-\x08\x0a-\x1f\x7f]/;
/** Longest name of a field that means anything, in bytes. */
const longestField = 5;
/** Longest value of a field other than data that is read; nobody needs a longer one. */
const longestValue = 1024;
/** A line of less than this is copied: it may lie in a chunk that it would keep in memory. */
const copiedBelowBytes = 65_536;

/** One event of a stream. */
export interface ServerEvent {
	/** `message` unless the server says otherwise. */
	readonly type: string;
	readonly data: Piece;
}

/**
 * Reads a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) as bytes, each event as soon as
 * it is whole. Of one that is too large only the ends are kept.
 */
export class EventReader {
	/** By what the server knows the last event, if it numbers them: with it a stream can be taken up again. */
	lastEventId: string | undefined;
	/** How long the server wants to be left alone before that, in milliseconds. */
	retryMs: number | undefined;
	readonly #maxBytes: number;
	#lines: LineSplitter;
	#isFirstLine = true;
	#type = '';
	#data: Piece | undefined;
	#joined: ByteJoiner | undefined;

	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
		this.#lines = newSplitter(maxBytes);
	}

	/** Takes bytes in; gives the events that have become whole. */
	*read(chunk: Buffer): Generator<ServerEvent> {
		for (const line of this.#lines.push(chunk)) {
			const isMarked = this.#isFirstLine && Buffer.isBuffer(line) && line.indexOf(mark) === 0;
			this.#isFirstLine = false;
			if (!Buffer.isBuffer(line)) this.#takeOverlong(line);
			else if (line.length > 0) this.#takeField(isMarked ? line.subarray(mark.length) : line);
			else yield* this.#finish();
		}
	}

	/** The stream ended, and another goes on with the events after the last whole one. */
	restart(): void {
		this.#lines = newSplitter(this.#maxBytes);
		this.#isFirstLine = true;
		this.#forget();
	}

	*#finish(): Generator<ServerEvent> {
		const type = this.#type || 'message';
		const data = this.#joined?.take() ?? this.#data;
		this.#forget();
		// Events without anything in them number the stream or keep it alive.
		if (data && !(Buffer.isBuffer(data) && data.length === 0)) yield { type, data };
	}

	#forget(): void {
		this.#type = '';
		this.#data = undefined;
		this.#joined = undefined;
	}

	#takeField(line: Buffer): void {
		const end = line.subarray(0, longestField + 1).indexOf(colon);
		if (end === 0 || (end === -1 && line.length > longestField)) return;
		const field = line.toString('latin1', 0, end === -1 ? line.length : end);
		const value =
			end === -1 ? line.subarray(line.length) : line.subarray(end + (line[end + 1] === space ? 2 : 1));
		if (field === 'data') this.#takeData(value);
		const text = value.toString('utf8', 0, longestValue);
		if (field === 'event') this.#type = text;
		// The empty text means: no longer any.
		if (field === 'id' && !unsendable.test(text)) this.lastEventId = text === '' ? undefined : text;
		if (field === 'retry' && /^\d{1,9}$/.test(text)) this.retryMs = Number(text);
	}

	#takeData(value: Buffer): void {
		if (this.#data === undefined) {
			this.#data = value.length < copiedBelowBytes ? Buffer.from(value) : value;
			return;
		}
		if (!Buffer.isBuffer(this.#data)) return;
		if (!this.#joined) {
			this.#joined = new ByteJoiner(this.#maxBytes);
			this.#joined.append(this.#data);
		}
		this.#joined.append(Buffer.of(0x0a));
		this.#joined.append(value);
	}

	/** Nothing but data is ever so long; what else it might be is of no use either. */
	#takeOverlong(line: Exclude<Piece, Buffer>): void {
		this.#data = line;
		this.#joined = undefined;
	}
}

function newSplitter(maxBytes: number): LineSplitter {
	return new LineSplitter(maxBytes, { returnsEndLines: true });
}
