import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isRecord } from '../../common/json.ts';
import type { McpLimits } from '../limits.ts';
import type { Piece } from '../stdio/lineSplitter.ts';
import {
	answeredId,
	type JsonRpcMessage,
	malformedAnswer,
	oversizedAnswer,
	type RequestId,
	tooComplexAnswer,
} from './jsonRpc.ts';
import { type ScanFault, type ScanLimits, scanJson } from './jsonScan.ts';

/** What a message counts for, by its size: one for each of these begun, in bytes. */
const bytesPerCount = 4096;
/** Bytes of either end of a message that say whether it is an answer. */
const answerEndsBytes = 512;
/** `{"id":1,"error":0}`; of a flood of less nothing more is asked. */
const shortestAnswer = 18;
const secondMs = 1_000;

export interface FloodGateOptions {
	readonly limits: Pick<McpLimits, 'unaskedPerSecond'>;
	/** Whether we wait for the answer with this id. */
	readonly isAwaited: (id: RequestId) => boolean;
	/** Messages are being dropped; told once a second at most. */
	readonly onFlood: () => void;
	/** In milliseconds, from any beginning. */
	readonly now?: () => number;
}

/**
 * Looks at what a server sends before anything is made of it: parsing and dispatching a message takes a hundred times what it
 * takes to drop it, in time and in memory. Answers that we wait for always pass; of all else a bounded number does each second.
 */
export class FloodGate {
	readonly #options: FloodGateOptions;
	readonly #now: () => number;
	#second = Number.NaN;
	#counted = 0;
	#toldOfFlood = false;

	constructor(options: FloodGateOptions) {
		this.#options = options;
		this.#now = options.now ?? (() => performance.now());
	}

	/** Whether a message may pass; `message` is its bytes or its text, from the opening brace or shortly before it. */
	admits(message: Buffer): boolean {
		this.#beginSecond();
		// Counted after it has passed: a message that is larger than what a whole second may bring is let in if it comes first.
		if (this.#counted < this.#options.limits.unaskedPerSecond) {
			if (!this.#isAwaited(message)) this.count(message.length);
			return true;
		}
		if (this.#isAwaited(message)) return true;
		if (!this.#toldOfFlood) this.#options.onFlood();
		this.#toldOfFlood = true;
		return false;
	}

	/** Counts what was not even kept, so many bytes of it at least. */
	count(bytes: number): void {
		this.#beginSecond();
		this.#counted += Math.ceil(bytes / bytesPerCount);
	}

	#beginSecond(): void {
		const second = Math.floor(this.#now() / secondMs);
		if (second === this.#second) return;
		this.#second = second;
		this.#counted = 0;
		this.#toldOfFlood = false;
	}

	#isAwaited(message: Buffer): boolean {
		if (message.length < shortestAnswer) return false;
		const head = message.toString('latin1', 0, answerEndsBytes).replace(/^[^{]*/, '');
		const id = answeredId(head, message.toString('latin1', Math.max(0, message.length - answerEndsBytes)));
		return id !== undefined && this.#options.isAwaited(id);
	}
}

/** Longest text with several messages: they are dealt with without a pause, thousands in a second. */
const longestBatchBytes = 65_536;
/** From this size on, text that is not UTF-8 is refused: putting it right takes longer than all else. */
const mendedBytes = 1_048_576;
/** Bytes of either end of a message that say whether it is an answer. */
const endsBytes = 512;
const openBracket = 0x5b;
const openBrace = 0x7b;
/** Bytes that may stand before JSON: white space, and those of a byte order mark. */
const beforeJson = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

export interface MessageReaderOptions {
	readonly limits: McpLimits;
	/** Whether we wait for the answer to this request. */
	readonly isAwaited: (id: RequestId) => boolean;
	/** Whether whoever gets the messages can do something with one of this form. */
	readonly isMessage: (value: unknown) => boolean;
	/** More comes than is read; told once a second at most. */
	readonly onFlood: () => void;
}

/** What came of a piece. */
export type Reading =
	/** In their order; none where nobody waits for what was said. */
	| { readonly kind: 'messages'; readonly messages: readonly JsonRpcMessage[] }
	/** One too many. */
	| { readonly kind: 'dropped' }
	| { readonly kind: 'garbage' }
	/** `why` is a clause; `answer` stands in the place of the one that was in it. */
	| { readonly kind: 'refused'; readonly why: string; readonly answer: JsonRpcMessage | undefined };

const nothing: Reading = { kind: 'messages', messages: [] };
const garbage: Reading = { kind: 'garbage' };

/**
 * Makes messages of what a server sends, whatever the transport: no more of them than can be dealt with, none that would take long to parse,
 * and for each answer that is none an error, since its request would wait for ever.
 */
export class MessageReader {
	readonly #options: MessageReaderOptions;
	readonly #scanLimits: ScanLimits;
	readonly #gate: FloodGate;

	constructor(options: MessageReaderOptions) {
		this.#options = options;
		const { messageDepth, messageValues, toolValues, schemaDepth, toolsPerServer } = options.limits;
		this.#scanLimits = {
			depth: messageDepth,
			cost: messageValues,
			entryCost: toolValues,
			// The entry itself, its schema, and room for what else it has.
			entryDepth: schemaDepth + 4,
			// One over the limit, so that it shows that there are more.
			entries: toolsPerServer + 1,
		};
		const { limits, isAwaited, onFlood } = options;
		this.#gate = new FloodGate({ limits, isAwaited, onFlood });
	}

	/** Whether we still wait for the answer to a request. */
	isAwaited(id: RequestId): boolean {
		return this.#options.isAwaited(id);
	}

	/**
	 * Reads a line, the data of an event, or a body.
	 *
	 * @param requestId the request that it came in answer to, where the transport tells
	 */
	async read(piece: Piece, requestId?: RequestId): Promise<Reading> {
		if (!Buffer.isBuffer(piece)) {
			this.#gate.count(this.#options.limits.messageBytes);
			const text = piece.head.toString('utf8').replace(/^[^{]*/, '');
			const id = answeredId(text, piece.tail.toString('utf8')) ?? requestId;
			const { messageBytes } = this.#options.limits;
			const answer = id === undefined ? undefined : oversizedAnswer(id, messageBytes);
			return {
				kind: 'refused',
				why: `over the limit of ${messageBytes} bytes`,
				answer: this.#ifAwaited(answer),
			};
		}
		if (!this.#gate.admits(piece)) return { kind: 'dropped' };
		const begin = piece.findIndex((byte) => !beforeJson.has(byte));
		if (begin === -1) return nothing;
		// From here on the byte order mark is left out too that some programs begin with.
		const first = piece[begin];
		// Of a flood of other output nothing is parsed: failing takes longest.
		if (first !== openBrace && first !== openBracket) return garbage;
		if (first === openBracket && piece.length > longestBatchBytes)
			return this.#refuse('too-many-values', piece, requestId);
		if (piece.length > mendedBytes && !isUtf8(piece)) return this.#refuse('not-json', piece, requestId);
		const scan = scanJson(piece, this.#scanLimits);
		let step = scan.next();
		for (; !step.done; step = scan.next()) await nextTurn();
		const text = step.value;
		if (typeof text === 'string') return this.#refuse(text, piece, requestId);
		let value: unknown;
		try {
			value = JSON.parse(text.toString('utf8', begin));
		} catch {
			return this.#refuse('not-json', piece, requestId);
		}
		const judged = (Array.isArray(value) ? value : [value]).map((one) => this.#judge(one));
		const messages = judged.filter(isMessage);
		return messages.length === 0 && judged.includes('garbage') ? garbage : { kind: 'messages', messages };
	}

	/** What one value is to us. Members of an answer that are not known are left out; an answer of a wrong form becomes an error. */
	#judge(value: unknown): JsonRpcMessage | 'unasked' | 'garbage' {
		if (!isRecord(value)) return 'garbage';
		const { jsonrpc, method } = value;
		if (method !== undefined) return this.#options.isMessage(value) ? (value as JsonRpcMessage) : 'garbage';
		const id = this.#idOf(value.id);
		if (id === undefined) return 'garbage';
		if (!this.#options.isAwaited(id)) return jsonrpc === '2.0' ? 'unasked' : 'garbage';
		const answer = { jsonrpc: '2.0' as const, id, ...resultOrError(value) };
		return jsonrpc === '2.0' && this.#options.isMessage(answer) ? answer : malformedAnswer(id);
	}

	/** Some servers write the number of a request as a text. */
	#idOf(id: unknown): RequestId | undefined {
		if (typeof id === 'number') return id;
		if (typeof id !== 'string' || id.trim() === '') return undefined;
		return this.#options.isAwaited(id) ? id : Number(id);
	}

	#refuse(fault: ScanFault, piece: Buffer, requestId: RequestId | undefined): Reading {
		const [head = '', tail = ''] = [piece.subarray(0, endsBytes), piece.subarray(-endsBytes)].map((end) =>
			end.toString('utf8').trim(),
		);
		const said = answeredId(head, tail);
		if (fault === 'not-json') {
			const answer = said === undefined ? undefined : this.#ifAwaited(malformedAnswer(said));
			return answer ? { kind: 'refused', why: 'no JSON', answer } : garbage;
		}
		const id = said ?? requestId;
		const why = fault === 'too-deep' ? 'nested too deep' : 'of too many values';
		const answer = id === undefined ? undefined : this.#ifAwaited(tooComplexAnswer(id, why));
		return { kind: 'refused', why, answer };
	}

	#ifAwaited(answer: JsonRpcMessage | undefined): JsonRpcMessage | undefined {
		return answer?.id !== undefined && this.#options.isAwaited(answer.id) ? answer : undefined;
	}
}

/** Servers that write both members mean the one that is not null. */
function resultOrError({ result, error }: Readonly<Record<string, unknown>>): object {
	return error === undefined || error === null ? { result } : { error };
}

function isMessage(judged: JsonRpcMessage | 'unasked' | 'garbage'): judged is JsonRpcMessage {
	return typeof judged === 'object';
}
