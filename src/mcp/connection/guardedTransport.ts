import { isRecord } from '../../common/json.ts';
import type { ServerError } from '../serverError.ts';
import type { Piece } from '../stdio/lineSplitter.ts';
import type { ProcessOutput } from './connectErrors.ts';
import type { ConnectOptions } from './connectOptions.ts';
import { completeHandshake } from './handshake.ts';
import type { JsonRpcMessage, RequestId } from './jsonRpc.ts';
import { MessageReader, type Reading } from './messageReader.ts';

/** A prefix for method names that keeps the SDK from validating the result. It is removed before sending. */
export const unchecked = 'unchecked:';

/** Options that the SDK passes with a message. */
export interface SendOptions {
	/** Ends the exchange of this message only. */
	readonly requestSignal?: AbortSignal | undefined;
	/** Sent with this message only. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request that was sent. Aborting it ends everything that it has started. */
export class Exchange extends AbortController {
	readonly id: RequestId;
	/** It is answered or abandoned: nobody waits for it any more. */
	isOver = false;

	constructor(id: RequestId) {
		super();
		this.id = id;
	}

	override abort(): void {
		this.isOver = true;
		super.abort();
	}
}

/** A message being sent. */
export interface Outgoing {
	readonly message: JsonRpcMessage;
	/** Of a request. */
	readonly exchange?: Exchange | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Carries messages to one server, and what it says from there, in pieces: a line, the data of an event, or a body. */
export interface ServerTransport {
	/** Tells the SDK that ending a call's exchange cancels it, as in the newer protocol. */
	readonly hasPerRequestStream?: boolean;
	/** Whether requests belong to a session that the server may forget. */
	readonly hasSession?: boolean;
	/** `requestId`: the request that the piece answers, if the transport knows. */
	onpiece: ((piece: Piece, requestId?: RequestId) => Promise<Reading>) | undefined;
	onclose: (() => void) | undefined;
	start(): Promise<void>;
	/** Over HTTP, resolves when the exchange is over. Rejects if the message cannot be answered; if the connection ends, {@link onclose} says so. */
	send(outgoing: Outgoing): Promise<void>;
	close(): Promise<void>;
	setProtocolVersion?(version: string): void;
	/** What an error means here; without an error, why the transport has closed. */
	explain(error: unknown): ServerError;
	/** The output of the process, if there is one. */
	readonly output: ProcessOutput;
}

/** Concurrent answers to a server's own requests. */
const answersAtOnce = 32;

/**
 * The transport that the SDK gets, around one of ours. What the server says is read here, bounded and repaired. Requests are tracked until they are
 * answered, so that only expected answers pass a flood and that abandoned requests leave nothing open.
 */
export class GuardedTransport {
	onmessage: ((message: JsonRpcMessage) => void) | undefined;
	onclose: (() => void) | undefined;
	onerror: ((error: Error) => void) | undefined;
	readonly hasPerRequestStream: boolean;
	readonly #inner: ServerTransport;
	readonly #reader: MessageReader;
	/** Neither answered nor abandoned. */
	readonly #unanswered = new Map<RequestId, Exchange>();
	/** What the transport is still busy with: over HTTP, the server may leave a stream open after its answer. */
	readonly #open = new Set<Exchange>();
	/** The `initialize` that was sent, and the revision in it. */
	#handshake: { readonly id: RequestId; readonly requestedVersion: unknown } | undefined;
	#answering = 0;

	constructor(inner: ServerTransport, options: Pick<ConnectOptions, 'limits' | 'onLog' | 'onListChanged'>) {
		this.#inner = inner;
		this.#reader = new MessageReader(options, this.#unanswered);
		this.hasPerRequestStream = inner.hasPerRequestStream === true;
		inner.onpiece = async (piece, requestId) => {
			const reading = await this.#reader.read(piece, requestId);
			if (typeof reading !== 'string') for (const message of reading) this.#receive(message);
			return reading;
		};
		inner.onclose = () => {
			this.#abortAll();
			this.onclose?.();
		};
	}

	start(): Promise<void> {
		return this.#inner.start();
	}

	/** The SDK gives up. The transport may still serve another client, of the other era. */
	async close(): Promise<void> {
		this.#abortAll();
	}

	setProtocolVersion(version: string): void {
		this.#inner.setProtocolVersion?.(version);
	}

	async send(message: JsonRpcMessage, { requestSignal, headers }: SendOptions = {}): Promise<void> {
		const { method, id, params } = message;
		if (typeof method !== 'string') return this.#answer(message);
		if (method === 'notifications/cancelled' && isRecord(params))
			this.#abandon(this.#unanswered.get(params.requestId as RequestId));
		if (id === undefined) return this.#inner.send({ message });
		if (requestSignal?.aborted) return;
		const exchange = new Exchange(id);
		if (method === 'initialize' && isRecord(params))
			this.#handshake = { id, requestedVersion: params.protocolVersion };
		const giveUp = () => this.#abandon(exchange);
		requestSignal?.addEventListener('abort', giveUp, { once: true });
		const named = method.startsWith(unchecked)
			? { ...message, method: method.slice(unchecked.length) }
			: message;
		this.#unanswered.set(id, exchange);
		this.#open.add(exchange);
		try {
			await this.#inner.send({ message: named, exchange, headers });
		} catch (error) {
			// If the answer has arrived, or nobody waits for it, the rest does not matter.
			if (!exchange.isOver) throw error;
		} finally {
			this.#open.delete(exchange);
			requestSignal?.removeEventListener('abort', giveUp);
		}
	}

	#abortAll(): void {
		for (const exchange of this.#open) exchange.abort();
	}

	/** Nobody waits for the answer any more. */
	#abandon(exchange: Exchange | undefined): void {
		if (!exchange) return;
		this.#unanswered.delete(exchange.id);
		exchange.abort();
	}

	/** Answers a request of the server. Each answer may be an HTTP request, so a server that keeps asking is not answered. */
	async #answer(message: JsonRpcMessage): Promise<void> {
		if (this.#answering === answersAtOnce) return;
		this.#answering += 1;
		try {
			await this.#inner.send({ message });
		} finally {
			this.#answering -= 1;
		}
	}

	#receive(message: JsonRpcMessage): void {
		const isAnswer = message.method === undefined && message.id !== undefined;
		const exchange = isAnswer ? this.#unanswered.get(message.id) : undefined;
		if (exchange) {
			exchange.isOver = true;
			this.#unanswered.delete(exchange.id);
		}
		const { result } = message;
		const isHandshake = isAnswer && message.id === this.#handshake?.id && isRecord(result);
		this.onmessage?.(
			isHandshake
				? { ...message, result: completeHandshake(result, this.#handshake?.requestedVersion) }
				: message,
		);
	}
}
