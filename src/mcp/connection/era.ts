import { isRecord, type JsonRecord } from '../../common/json.ts';
import type { ServerErrorReason } from '../serverError.ts';
import type { Era, KnownEra } from './connectOptions.ts';
import { AnswerError, HttpStatusError, type SendOptions } from './httpTransport.ts';
import type { JsonRpcMessage, RequestId } from './jsonRpc.ts';

/**
 * The protocol has two generations. Since the revision 2026-07-28, a client asks `server/discover` and each request is self-contained;
 * before that, a session begins with `initialize`. To find out which one a server speaks, we ask the newer question, the probe.
 */

/** How long a server counts as speaking the older protocol before it is probed again: it may have been updated. */
const legacyKeptMs = 7 * 86_400_000;
/** Longest time for which an answer to the probe is reused, whatever the server allows. */
const longestDiscoverMs = 86_400_000;
/** Longest answer to keep, in characters of JSON. */
const longestKeptDiscover = 65_536;

/** What a start need not ask because an earlier one has found it out: the SDK's `prior`. */
export function priorEra(known: KnownEra | undefined, now: number): Era | undefined {
	if (!known) return undefined;
	const age = now - known.since;
	if (known.kind === 'legacy') return age < legacyKeptMs ? { kind: 'legacy' } : undefined;
	const { discover } = known;
	const ttl = typeof discover?.ttlMs === 'number' ? discover.ttlMs : 0;
	return discover && age < Math.min(ttl, longestDiscoverMs) ? { kind: 'modern', discover } : undefined;
}

/** A modern server, identified by its answer to the probe. */
export function modernEra(discover: object): Era {
	const isKept = JSON.stringify(discover).length <= longestKeptDiscover;
	return { kind: 'modern', ...(isKept ? { discover: discover as JsonRecord } : {}) };
}

/** Statuses that concern credentials or the rate of requests, not the protocol. */
const notAboutTheProbe = new Set([401, 403, 407, 429]);

/**
 * Whether a failed probe means that the server does not know the newer protocol. Such servers answer with any error status, with nothing,
 * or with a web page. Network errors and missing credentials mean nothing.
 */
export function failsLikeLegacy(error: unknown): boolean {
	if (error instanceof HttpStatusError) return error.code >= 400 && !notAboutTheProbe.has(error.code);
	return error instanceof AnswerError;
}

/**
 * Whether a failure comes from speaking the wrong protocol, rather than from the network, credentials, or a crash.
 *
 * @param reason what the failure was explained as
 */
export function contradictsEra(error: unknown, reason: ServerErrorReason): boolean {
	if (error instanceof HttpStatusError) return failsLikeLegacy(error) && error.code < 500;
	return reason === 'protocol' || reason === 'request-refused';
}

/** A prefix for method names that keeps the SDK from validating the result. It is removed before sending. */
export const unchecked = 'unchecked:';
/** JSON-RPC: method not found. The SDK takes this as a sign of the older protocol. */
const methodNotFound = -32_601;

/** The members of a transport that are used here. */
interface Inner {
	readonly hasPerRequestStream?: boolean;
	onmessage?: ((message: JsonRpcMessage) => void) | undefined;
	onclose?: (() => void) | undefined;
	onerror?: ((error: Error) => void) | undefined;
	start(): Promise<void>;
	send(message: JsonRpcMessage, options?: SendOptions): Promise<void>;
	close(): Promise<void>;
	setProtocolVersion?(version: string): void;
}

/**
 * The transport that the SDK gets. It forwards everything to ours, and answers the probe itself if the server is silent or fails like one
 * that does not know it: the SDK would give up.
 */
export class Passage {
	onmessage: ((message: JsonRpcMessage) => void) | undefined;
	onclose: (() => void) | undefined;
	onerror: ((error: Error) => void) | undefined;
	readonly hasPerRequestStream: boolean;
	readonly #inner: Inner;
	readonly #probeMs: number;
	#probeId: RequestId | undefined;
	#hasProbeAnswer = false;
	#isGivenUp = false;
	#saidLate = false;
	#probeTimer: NodeJS.Timeout | undefined;
	#probeFailure: unknown;

	/** @param probeMs how long to wait for the answer to the probe */
	constructor(inner: Inner, probeMs: number) {
		this.#inner = inner;
		this.#probeMs = probeMs;
		this.hasPerRequestStream = inner.hasPerRequestStream === true;
		const { onmessage } = inner;
		inner.onmessage = (message) => {
			onmessage?.(message);
			this.#receive(message);
		};
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

	/** Whether the server said that it speaks the newer protocol, but too late. */
	get saidModernLate(): boolean {
		return this.#saidLate;
	}

	/** Why the probe failed, if that says nothing about the protocol. The SDK wraps this error. */
	get probeFailure(): unknown {
		return this.#probeFailure;
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
		const { method, id } = message;
		if (typeof method !== 'string') return this.#inner.send(message, options);
		if (method === 'server/discover' && id !== undefined) return this.#probe(message, id);
		const named = method.startsWith(unchecked)
			? { ...message, method: method.slice(unchecked.length) }
			: message;
		return this.#inner.send(named, options);
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
			await this.#inner.send(message, {
				requestSignal: this.hasPerRequestStream ? patience.signal : undefined,
			});
		} catch (error) {
			clearTimeout(this.#probeTimer);
			if (failsLikeLegacy(error)) {
				this.#answerAsLegacy(id);
				return;
			}
			this.#probeFailure = error;
			throw error;
		}
	}

	#answerAsLegacy(id: RequestId): void {
		if (this.#hasProbeAnswer) return;
		this.#isGivenUp = true;
		this.onmessage?.({ jsonrpc: '2.0', id, error: { code: methodNotFound, message: 'no answer' } });
	}

	#receive(message: JsonRpcMessage): void {
		if (message.method === undefined && message.id !== undefined && message.id === this.#probeId) {
			clearTimeout(this.#probeTimer);
			this.#hasProbeAnswer = true;
			this.#saidLate =
				this.#isGivenUp && isRecord(message.result) && Array.isArray(message.result.supportedVersions);
			// Nobody waits for it any more.
			if (this.#isGivenUp) return;
		}
		const { result } = message;
		// In the newer protocol, each result says whether it is complete. The SDK would refuse one that does not, but it is.
		const isUntyped = isRecord(result) && result.resultType === undefined;
		this.onmessage?.(isUntyped ? { ...message, result: { ...result, resultType: 'complete' } } : message);
	}
}
