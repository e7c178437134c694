import { isRecord, type JsonRecord } from '../../common/json.ts';
import type { ServerErrorReason } from '../serverError.ts';
import type { Era, KnownEra } from './connectOptions.ts';
import { AnswerError, HttpStatusError, type SendOptions } from './httpTransport.ts';
import type { JsonRpcMessage, RequestId } from './jsonRpc.ts';

/**
 * Two generations of the protocol are spoken: since the revision 2026-07-28 a client asks `server/discover` and each request stands for
 * itself; before it there is a handshake, `initialize`. Which one a server speaks is found out by asking it the newer question, the probe.
 */

/** For so long a server that spoke the older protocol is not asked again: one that was brought up to date may still speak it. */
const legacyKeptMs = 7 * 86_400_000;
/** Longest time for which an answer to the probe stands in for another, whatever the server allows. */
const longestDiscoverMs = 86_400_000;
/** Longest such answer that is kept, in characters of JSON. */
const longestKeptDiscover = 65_536;

/** What a start need not ask for, by what an earlier one has found out: to be given to the SDK as `prior`. */
export function priorEra(known: KnownEra | undefined, now: number): Era | undefined {
	if (!known) return undefined;
	const age = now - known.since;
	if (known.kind === 'legacy') return age < legacyKeptMs ? { kind: 'legacy' } : undefined;
	const { discover } = known;
	const ttl = typeof discover?.ttlMs === 'number' ? discover.ttlMs : 0;
	return discover && age < Math.min(ttl, longestDiscoverMs) ? { kind: 'modern', discover } : undefined;
}

/** A modern server by its answer to the probe. */
export function modernEra(discover: object): Era {
	const isKept = JSON.stringify(discover).length <= longestKeptDiscover;
	return { kind: 'modern', ...(isKept ? { discover: discover as JsonRecord } : {}) };
}

/** Statuses that say of a failed probe who asked, or how often, and nothing of the protocol. */
const notAboutTheProbe = new Set([401, 403, 407, 429]);

/**
 * Whether the way in which a probe failed is that of a server that does not know the newer protocol. Those in use answer with any status of
 * failure, with nothing, or with a page; what a network did, or a server that wants credentials, says nothing of it.
 */
export function failsLikeLegacy(error: unknown): boolean {
	if (error instanceof HttpStatusError) return error.code >= 400 && !notAboutTheProbe.has(error.code);
	return error instanceof AnswerError;
}

/**
 * Whether a failure is what comes of speaking the wrong protocol to a server, rather than of the network, of credentials, or of a crash.
 *
 * @param reason what the failure was explained as
 */
export function contradictsEra(error: unknown, reason: ServerErrorReason): boolean {
	if (error instanceof HttpStatusError) return failsLikeLegacy(error) && error.code < 500;
	return reason === 'protocol' || reason === 'request-refused';
}

/** Before the name of a method, it keeps the SDK from checking the result by its own schema; it is taken off on the way out. */
export const unchecked = 'unchecked:';
/** JSON-RPC: no such method. What the SDK takes as the sign of the older protocol. */
const methodNotFound = -32_601;

/** The members of a transport that the passage uses. */
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
 * What the SDK is given as its transport: passes everything on to ours, and answers the probe in the server's place where that is silent or
 * fails like one that does not know it. The SDK itself would give up connecting.
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

	/** @param probeMs how long the answer to the probe is waited for */
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

	/** Whether the server has been asked which protocol it speaks, and has said nothing. */
	get isProbeUnanswered(): boolean {
		return this.#probeId !== undefined && !this.#hasProbeAnswer;
	}

	/** Whether it has said that it speaks the newer protocol only when that was not waited for any more. */
	get saidModernLate(): boolean {
		return this.#saidLate;
	}

	/** Why there was no answer to the probe, where that says nothing of the protocol; the SDK wraps it. */
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
			// Over HTTP that ends the exchange; a process may still answer.
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
			// Nobody expects it any more.
			if (this.#isGivenUp) return;
		}
		const { result } = message;
		// The newer protocol has each result say whether it is complete. One that does not is, and the SDK would refuse it.
		const isUntyped = isRecord(result) && result.resultType === undefined;
		this.onmessage?.(isUntyped ? { ...message, result: { ...result, resultType: 'complete' } } : message);
	}
}
