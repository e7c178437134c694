/** A line of its own; inside of an event's JSON there are no line ends. */
const mark = /(?:^|[\r\n])data: ?\[DONE\]/;
/** Bytes of one piece of a stream that may belong to a mark which the next piece completes. */
const overlap = '\ndata: [DONE]'.length;

/** Looks for the `data: [DONE]` that ends a stream of Chat Completions; the SDK stops there without saying so. */
export class DoneMark {
	#isSeen = false;
	#tail = '';

	get isSeen(): boolean {
		return this.#isSeen;
	}

	/** What a stream is piped through, unchanged. */
	watch(): TransformStream<Uint8Array, Uint8Array> {
		return new TransformStream({
			transform: (bytes, controller) => {
				this.#look(bytes);
				controller.enqueue(bytes);
			},
		});
	}

	#look(bytes: Uint8Array): void {
		const text = this.#tail + Buffer.from(bytes).toString('latin1');
		this.#isSeen ||= mark.test(text);
		this.#tail = text.slice(-overlap);
	}
}
