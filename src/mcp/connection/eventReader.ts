import { ByteJoiner, LineSplitter, type Piece } from '../stdio/lineSplitter.ts';

const colon = 0x3a;
const space = 0x20;
/** A byte order mark may precede the first line. */
const mark = Buffer.from('\uFEFF');
/** Characters that no header can hold: an id with one could never be sent back. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unsendable = /[\0-\x08\x0a-\x1f\x7f]/;
/** Longest field name that means anything, in bytes. */
const longestField = 5;
/** Longest value of a field other than data. */
const longestValue = 1024;
/** Shorter lines are copied: a slice would keep its whole chunk in memory. */
const copiedBelowBytes = 65_536;

export interface ServerEvent {
	/** `message` unless the server says otherwise. */
	readonly type: string;
	readonly data: Piece;
}

/**
 * Reads a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) as bytes, yielding each event as
 * soon as it is complete. Of an event that is too large, only the ends are kept.
 */
export class EventReader {
	/** The id of the last event, if the server numbers them. It allows a stream to be resumed. */
	lastEventId: string | undefined;
	/** How long the server wants us to wait before that, in milliseconds. */
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

	/** Adds bytes and yields the events that are complete. */
	*read(chunk: Buffer): Generator<ServerEvent> {
		for (const line of this.#lines.push(chunk)) {
			const isMarked = this.#isFirstLine && Buffer.isBuffer(line) && line.indexOf(mark) === 0;
			this.#isFirstLine = false;
			if (!Buffer.isBuffer(line)) this.#takeOverlong(line);
			else if (line.length > 0) this.#takeField(isMarked ? line.subarray(mark.length) : line);
			else yield* this.#finish();
		}
	}

	/** The stream has ended; another one continues after the last complete event. */
	restart(): void {
		this.#lines = newSplitter(this.#maxBytes);
		this.#isFirstLine = true;
		this.#forget();
	}

	*#finish(): Generator<ServerEvent> {
		const type = this.#type || 'message';
		const data = this.#joined?.take() ?? this.#data;
		this.#forget();
		// Empty events number the stream or keep it alive.
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
		// An empty id resets it.
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

	/** Only data is ever this long. */
	#takeOverlong(line: Exclude<Piece, Buffer>): void {
		this.#data = line;
		this.#joined = undefined;
	}
}

function newSplitter(maxBytes: number): LineSplitter {
	return new LineSplitter(maxBytes, { returnsEndLines: true });
}
