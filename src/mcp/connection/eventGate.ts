import { answeredId, oversizedAnswer } from '../stdio/jsonRpc.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;
/** Bytes kept of either end of an event that is too large, to see whose it was. */
const keptEndsBytes = 512;
/** Bytes of a line that say whether it is an event's id. */
const idField = 'id:';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Lets the events of a stream pass one by one, as soon as each is whole. Of one that is too large nothing passes, and the
 * request that it answers is answered in its place; memory never holds more than one event.
 */
export class EventGate {
	readonly #maxBytes: number;
	readonly #requestId: number | string | undefined;
	readonly #admits: (event: Buffer) => boolean;
	#parts: Bytes[] = [];
	#bytes = 0;
	/** Set while inside an event that is too large. */
	#oversized: { readonly head: string; tail: Buffer; answered: boolean } | undefined;
	#lineBytes = 0;
	#lineStart = '';
	#afterReturn = false;
	/** Whether the server numbers its events, so that a stream can be taken up again. */
	sawEventId = false;

	/**
	 * @param requestId the request that the stream is to answer, where it is to answer one only
	 * @param admits whether an event that is whole may pass
	 */
	constructor(
		maxBytes: number,
		requestId: number | string | undefined,
		admits: (event: Buffer) => boolean = () => true,
	) {
		this.#maxBytes = maxBytes;
		this.#requestId = requestId;
		this.#admits = admits;
	}

	/** Takes bytes in; returns what may pass now. */
	pass(chunk: Bytes): Bytes[] {
		const passing: Bytes[] = [];
		let start = 0;
		for (let i = 0; i < chunk.length; i += 1) {
			const end = this.#eventEnd(chunk[i] ?? 0, i);
			if (end === undefined) continue;
			passing.push(...this.#keep(chunk.subarray(start, end)), ...this.#finish());
			start = end;
		}
		passing.push(...this.#keep(chunk.subarray(start)));
		return passing;
	}

	/** The stream ended: what is left of it. */
	end(): Bytes[] {
		return this.#finish();
	}

	/** Takes the byte at `index` in; where the event ends that an empty line before or at it ends. */
	#eventEnd(byte: number, index: number): number | undefined {
		// A return may be half of a line end, so it ends a line only with what comes next.
		const endedBefore = this.#afterReturn && byte !== newline && this.#endLine();
		this.#afterReturn = byte === carriageReturn;
		if (byte === newline) return this.#endLine() ? index + 1 : undefined;
		if (!this.#afterReturn) {
			if (this.#lineBytes < idField.length) this.#lineStart += String.fromCharCode(byte);
			this.#lineBytes += 1;
		}
		return endedBefore ? index : undefined;
	}

	/** Whether the line that ends here is empty, which ends an event. */
	#endLine(): boolean {
		if (this.#lineStart === idField) this.sawEventId = true;
		const isEmpty = this.#lineBytes === 0;
		this.#lineBytes = 0;
		this.#lineStart = '';
		return isEmpty;
	}

	/** Keeps a part of the event, or its end only; returns an answer in its place if its request is known already. */
	#keep(part: Bytes): Bytes[] {
		if (part.length === 0) return [];
		if (this.#oversized) {
			this.#oversized.tail = lastBytes(Buffer.concat([this.#oversized.tail, lastBytes(part)]));
			return [];
		}
		this.#parts.push(part);
		this.#bytes += part.length;
		if (this.#bytes <= this.#maxBytes) return [];
		const event = Buffer.concat(this.#parts);
		const head = event.toString('utf8', 0, keptEndsBytes).replace(/^[^{]*/, '');
		const id = this.#requestId ?? answeredId(head, '');
		// A copy, or the end would keep the whole event in memory.
		this.#oversized = { head, tail: Buffer.from(lastBytes(event)), answered: id !== undefined };
		this.#parts = [];
		return this.#inPlace(id);
	}

	#finish(): Bytes[] {
		const { head, tail, answered } = this.#oversized ?? {};
		const whole = this.#parts;
		this.#parts = [];
		this.#bytes = 0;
		this.#oversized = undefined;
		if (tail) return answered ? [] : this.#inPlace(answeredId(head ?? '', tail.toString('utf8')));
		return whole.length === 0 || this.#admits(Buffer.concat(whole)) ? whole : [];
	}

	#inPlace(id: number | string | undefined): Bytes[] {
		if (id === undefined) return [];
		return [new TextEncoder().encode(`data: ${JSON.stringify(oversizedAnswer(id, this.#maxBytes))}\n\n`)];
	}
}

function lastBytes(bytes: Uint8Array): Buffer {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(-keptEndsBytes);
}
