/** What names a request. The SDK counts its own; those of a probe and of a subscription are texts. */
export type RequestId = number | string;

/** A JSON-RPC 2.0 message as it comes off a wire: an object that says so, nothing more is known of it. */
export interface JsonRpcMessage {
	readonly jsonrpc: '2.0';
	readonly id?: RequestId;
	readonly [member: string]: unknown;
}

/** Codes of the answers that we put in the place of missing ones, from the range JSON-RPC leaves to implementations. */
export const OVERSIZED_CODE = -32_090;
export const STREAM_CUT_CODE = -32_091;
export const MALFORMED_CODE = -32_092;
export const TOO_COMPLEX_CODE = -32_093;

/** The answer in the place of one that is over the limit, so that the call it belongs to fails, and no other. */
export function oversizedAnswer(id: number | string, limitBytes: number): JsonRpcMessage {
	return errorAnswer(id, OVERSIZED_CODE, `over the limit of ${Math.round(limitBytes / 1024 / 1024)} MB`);
}

/** The answer in the place of one that would take too long to read. `why` is a clause. */
export function tooComplexAnswer(id: number | string, why: string): JsonRpcMessage {
	return errorAnswer(id, TOO_COMPLEX_CODE, why);
}

export function malformedAnswer(id: number | string): JsonRpcMessage {
	return errorAnswer(id, MALFORMED_CODE, 'the answer is neither a result nor an error');
}

function errorAnswer(id: number | string, code: number, message: string): JsonRpcMessage {
	return { jsonrpc: '2.0', id, error: { code, message } };
}

/**
 * Which request a message answers that was too long to keep, by its two ends: libraries write `jsonrpc` and `id` either
 * first or last. `undefined` where neither end says so, which is also true of requests and notifications.
 */
export function answeredId(head: string, tail: string): RequestId | undefined {
	const id =
		/^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[\w:-]+")\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/.exec(
			head,
		) ??
		/"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d+|"[\w:-]+")\s*\}\s*$/.exec(tail) ??
		/[}\]]\s*,\s*"id"\s*:\s*(\d+|"[\w:-]+")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail);
	if (!id) return undefined;
	const [, text = ''] = id;
	return text.startsWith('"') ? text.slice(1, -1) : Number(text);
}

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
export class PendingRequests {
	readonly #ids = new Set<unknown>();

	has(id: RequestId): boolean {
		return this.#ids.has(id);
	}

	/** Has an eye on what passes a transport, to which nobody listens yet: whoever does must keep the listener that is there. */
	watch<
		Sent extends object,
		Received extends object,
		Options extends { readonly requestSignal?: AbortSignal | undefined },
	>(transport: Passage<Sent, Received, Options>): void {
		const send = transport.send.bind(transport);
		transport.send = (message, options) => {
			const { method, id, params }: Message = message;
			if (method !== undefined && id !== undefined) this.#add(id, options?.requestSignal);
			if (method === 'notifications/cancelled') this.#ids.delete(params?.requestId);
			return send(message, options);
		};
		transport.onmessage = (message) => {
			const { method, id }: Message = message;
			if (method === undefined) this.#ids.delete(id);
		};
	}

	/** @param signal gives it up, where the transport has an exchange of its own for each request */
	#add(id: RequestId, signal: AbortSignal | undefined): void {
		this.#ids.add(id);
		signal?.addEventListener('abort', () => this.#ids.delete(id), { once: true });
	}
}

/** Answers to a server's own requests that are under way at the same time; more of them are not given. */
const answersAtOnce = 32;

/** The part of a transport that sends. */
interface Sender<Message, Options> {
	send(message: Message, options?: Options): Promise<void>;
}

/** Keeps a server that asks without end from having us answer without end: each answer may be a request over HTTP. */
export function boundAnswers<Message extends object, Options>(transport: Sender<Message, Options>): void {
	const send = transport.send.bind(transport);
	let underWay = 0;
	transport.send = async (message, options) => {
		if ('method' in message) return send(message, options);
		if (underWay === answersAtOnce) return;
		underWay += 1;
		try {
			await send(message, options);
		} finally {
			underWay -= 1;
		}
	};
}
