type RequestId = number | string;

interface Message {
	readonly id?: RequestId | undefined;
	readonly method?: string;
	readonly params?: { readonly requestId?: unknown } | undefined;
}

/** The part of a transport that messages pass, in both directions. */
interface Passage<Sent, Received, Options> {
	send(message: Sent, options?: Options): Promise<void>;
	onmessage?: ((message: Received) => void) | undefined;
}

/** The requests that we have sent, and that are neither answered nor given up. */
export class Unanswered {
	readonly #ids = new Set<unknown>();

	has(id: RequestId): boolean {
		return this.#ids.has(id);
	}

	/** Has an eye on what passes a transport, to which nobody listens yet: whoever does must keep the listener that is there. */
	watch<Sent extends object, Received extends object, Options>(
		transport: Passage<Sent, Received, Options>,
	): void {
		const send = transport.send.bind(transport);
		transport.send = (message, options) => {
			const { method, id, params }: Message = message;
			if (method !== undefined && id !== undefined) this.#ids.add(id);
			if (method === 'notifications/cancelled') this.#ids.delete(params?.requestId);
			return send(message, options);
		};
		transport.onmessage = (message) => {
			const { method, id }: Message = message;
			if (method === undefined) this.#ids.delete(id);
		};
	}
}
