import { isRecord, type JsonRecord } from '../../common/json.ts';
import type { ServerError } from '../serverError.ts';
import type { ProcessOutput } from './connectErrors.ts';
import { failsLikeLegacy } from './era.ts';
import { completeHandshake, namedVersion } from './handshake.ts';
import type { JsonRpcMessage, RequestId } from './jsonRpc.ts';
import { HttpStatusError } from './requestError.ts';

/** A prefix for method names that keeps the SDK from validating the result. It is removed before sending. */
export const unchecked = 'unchecked:';
/** JSON-RPC: method not found. The SDK takes this as a sign of the older protocol. */
const methodNotFound = -32_601;

/** Options that the SDK passes with a message. */
export interface SendOptions {
	/** Ends the exchange of this message only. */
	readonly requestSignal?: AbortSignal | undefined;
	/** Sent with this message only. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Carries messages to and from one server. The first members are those of the SDK's `Transport`, which only `sdk.ts` may import. */
export interface MessageTransport {
	/** Tells the SDK that ending a call's exchange cancels it, as in the newer protocol. */
	readonly hasPerRequestStream?: boolean;
	/** Whether requests belong to a session that the server may forget. */
	readonly hasSession?: boolean;
	onmessage: ((message: JsonRpcMessage) => void) | undefined;
	onclose: (() => void) | undefined;
	onerror: ((error: Error) => void) | undefined;
	start(): Promise<void>;
	send(message: JsonRpcMessage, options?: SendOptions): Promise<void>;
	close(): Promise<void>;
	setProtocolVersion?(version: string): void;
	/** What an error means here; without an error, why the transport has closed. */
	explain(error: unknown, phase: 'starting' | 'running'): ServerError;
	/** Whether the server is lost after this error. */
	isLost(error: ServerError): boolean;
	/** The output of the process, if there is one. */
	readonly output: ProcessOutput;
}

/** The request that begins a session of the older protocol. */
interface Handshake {
	/** As the SDK has sent it. */
	readonly message: JsonRpcMessage & { readonly id: RequestId; readonly params: JsonRecord };
	/** As the server got it last. */
	readonly sentId: RequestId;
	/** Versions that were asked for, the latest last. */
	readonly tried: ReadonlySet<unknown>;
}

/** Concurrent answers to a server's own requests. */
const answersAtOnce = 32;

/**
 * The transport that the SDK gets. It forwards everything to ours and tracks unanswered requests. If the server does not answer the protocol
 * probe, or fails as if it did not know it, the passage answers instead: the SDK would give up.
 */
export class Passage {
	onmessage: ((message: JsonRpcMessage) => void) | undefined;
	onclose: (() => void) | undefined;
	onerror: ((error: Error) => void) | undefined;
	readonly hasPerRequestStream: boolean;
	readonly #inner: MessageTransport;
	readonly #unanswered: Set<RequestId>;
	readonly #probeMs: number;
	#probeId: RequestId | undefined;
	#hasProbeAnswer = false;
	#handshake: Handshake | undefined;
	#isGivenUp = false;
	/** Whether the server said that it speaks the newer protocol, but too late. */
	saidModernLate = false;
	#probeTimer: NodeJS.Timeout | undefined;
	/** Why the probe failed, if that says nothing about the protocol. The SDK wraps this error. */
	probeFailure: unknown;
	#answering = 0;

	/**
	 * @param unanswered receives the requests that we have sent and that are neither answered nor abandoned
	 * @param probeMs how long to wait for the answer to the probe
	 */
	constructor(inner: MessageTransport, unanswered: Set<RequestId>, probeMs: number) {
		this.#inner = inner;
		this.#unanswered = unanswered;
		this.#probeMs = probeMs;
		this.hasPerRequestStream = inner.hasPerRequestStream === true;
		inner.onmessage = (message) => this.#receive(message);
		inner.onclose = () => {
			clearTimeout(this.#probeTimer);
			this.onclose?.();
		};
		inner.onerror = (error) => this.onerror?.(error);
	}

	/** Whether the server was probed and did not answer. */
	get isProbeUnanswered(): boolean {
		return this.#probeId !== undefined && !this.#hasProbeAnswer;
	}

	start(): Promise<void> {
		return this.#inner.start();
	}

	close(): Promise<void> {
		return this.#inner.close();
	}

	setProtocolVersion(version: string): void {
		this.#inner.setProtocolVersion?.(version);
	}

	send(message: JsonRpcMessage, options?: SendOptions): Promise<void> {
		const { method, id, params } = message;
		if (typeof method !== 'string') return this.#answer(message, options);
		if (method === 'notifications/cancelled' && isRecord(params))
			this.#unanswered.delete(params.requestId as RequestId);
		if (id === undefined) return this.#inner.send(message, options);
		if (method === 'server/discover') return this.#probe(message, id);
		if (method === 'initialize' && isRecord(params)) {
			const tried = new Set([params.protocolVersion]);
			this.#handshake = { message: { ...message, id, params }, sentId: id, tried };
		}
		const isUnchecked = method.startsWith(unchecked);
		return this.#request(
			isUnchecked ? { ...message, method: method.slice(unchecked.length) } : message,
			id,
			options,
		);
	}

	async #request(message: JsonRpcMessage, id: RequestId, options?: SendOptions): Promise<void> {
		this.#unanswered.add(id);
		options?.requestSignal?.addEventListener('abort', () => this.#unanswered.delete(id), { once: true });
		try {
			await this.#inner.send(message, options);
		} catch (error) {
			const handshake = this.#handshake;
			const isRefused = handshake?.sentId === id && error instanceof HttpStatusError;
			const again = isRefused ? this.#askAgain(handshake, error.said) : undefined;
			if (!again) throw error;
			await again;
		}
	}

	/** Asks for a version that the refusal of the handshake names; `undefined`: it names none. */
	#askAgain(handshake: Handshake, refusal: string): Promise<void> | undefined {
		const { message, sentId } = handshake;
		const version = namedVersion(refusal, handshake.tried);
		if (version === undefined) return undefined;
		this.#unanswered.delete(sentId);
		const tried = new Set([...handshake.tried, version]);
		const id = `${message.id}-${version}`;
		this.#handshake = { message, sentId: id, tried };
		const params = { ...message.params, protocolVersion: version };
		return this.#request({ ...message, id, params }, id);
	}

	/** Answers a request of the server. Each answer may be an HTTP request, so a server that keeps asking is not answered. */
	async #answer(message: JsonRpcMessage, options?: SendOptions): Promise<void> {
		if (this.#answering === answersAtOnce) return;
		this.#answering += 1;
		try {
			await this.#inner.send(message, options);
		} finally {
			this.#answering -= 1;
		}
	}

	async #probe(message: JsonRpcMessage, id: RequestId): Promise<void> {
		this.#probeId = id;
		this.#hasProbeAnswer = false;
		const patience = new AbortController();
		this.#probeTimer = setTimeout(() => {
			// Over HTTP this ends the exchange. A process may still answer.
			patience.abort();
			this.#answerAsLegacy(id);
		}, this.#probeMs);
		try {
			await this.#request(message, id, {
				requestSignal: this.hasPerRequestStream ? patience.signal : undefined,
			});
		} catch (error) {
			clearTimeout(this.#probeTimer);
			if (failsLikeLegacy(error)) {
				this.#answerAsLegacy(id);
				return;
			}
			this.probeFailure = error;
			throw error;
		}
	}

	#answerAsLegacy(id: RequestId): void {
		if (this.#hasProbeAnswer) return;
		this.#isGivenUp = true;
		this.onmessage?.({ jsonrpc: '2.0', id, error: { code: methodNotFound, message: 'no answer' } });
	}

	#receive(message: JsonRpcMessage): void {
		const isAnswer = message.method === undefined && message.id !== undefined;
		if (isAnswer) this.#unanswered.delete(message.id);
		if (isAnswer && message.id === this.#probeId) {
			clearTimeout(this.#probeTimer);
			this.#hasProbeAnswer = true;
			this.saidModernLate =
				this.#isGivenUp && isRecord(message.result) && Array.isArray(message.result.supportedVersions);
			// Nobody waits for it any more.
			if (this.#isGivenUp) return;
		}
		const handshake = isAnswer && message.id === this.#handshake?.sentId ? this.#handshake : undefined;
		if (handshake) this.#finishHandshake(handshake, message);
		else this.#deliver(message);
	}

	#finishHandshake(handshake: Handshake, answer: JsonRpcMessage): void {
		const { id } = handshake.message;
		const { result, error } = answer;
		const again = error === undefined ? undefined : this.#askAgain(handshake, JSON.stringify(error));
		if (again) {
			again.catch(() => this.#deliver({ ...answer, id }));
			return;
		}
		const complete = isRecord(result) && completeHandshake(result, [...handshake.tried].at(-1));
		this.#deliver({ ...answer, id, ...(complete && { result: complete }) });
	}

	#deliver(message: JsonRpcMessage): void {
		const { result } = message;
		// In the newer protocol, each result says whether it is complete. The SDK rejects a result that does not say so; we treat it as complete.
		const isUntyped = isRecord(result) && result.resultType === undefined;
		this.onmessage?.(isUntyped ? { ...message, result: { ...result, resultType: 'complete' } } : message);
	}
}
