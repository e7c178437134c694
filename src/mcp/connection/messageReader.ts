import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { exactJson } from '../../common/exactJson.ts';
import { isRecord, type JsonRecord, parsedJson, recordOf } from '../../common/json.ts';
import { looseJson } from '../../common/looseJson.ts';
import type { McpLimits } from '../limits.ts';
import type { Piece } from '../stdio/lineSplitter.ts';
import type { ConnectOptions } from './connectOptions.ts';
import {
	answeredId,
	errorAnswer,
	type JsonRpcMessage,
	MALFORMED_CODE,
	OVERSIZED_CODE,
	type RequestId,
} from './jsonRpc.ts';
import { type ScanFault, scanJson } from './jsonScan.ts';

/** A message counts once for each of these, begun. */
const bytesPerCount = 4096;
/** Bytes at each end of a message that show whether it is an answer. */
const answerEndsBytes = 512;
/** `{"id":1,"error":0}`. Anything shorter cannot be an answer. */
const minAnswerLength = 18;
const secondMs = 1_000;

/** Longest batch of messages. A batch is handled without pausing, thousands in a second. */
const maxBatchBytes = 65_536;
/** Above this size, invalid UTF-8 and JSON are refused: repairing them takes too long. */
const maxRepairedBytes = 1_048_576;
const versionMember = '"jsonrpc"';
const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** Braces of a line with which a message may begin. */
const maxMessageStarts = 16;
/** Bytes that may precede JSON: white space and a byte order mark. */
const beforeJson: ReadonlySet<unknown> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** The messages of a piece, in order; those that nobody waits for are left out. `dropped`: because of a flood. */
export type Reading = readonly JsonRpcMessage[] | 'dropped' | 'garbage';

/** Of the range that JSON-RPC leaves to servers. */
const unspecifiedCode = -32_000;
const malformed = 'the answer is neither a result nor an error';

type MessageReaderOptions = Pick<ConnectOptions, 'limits' | 'onLog' | 'onListChanged'>;

/**
 * Reads messages from any transport: no more than can be handled, none that would take long to parse, and an error in place of every
 * malformed answer, since its request would wait forever.
 *
 * Of messages that answer nothing we asked, only a number per second is read: parsing and dispatching one takes a hundred times the time and memory of
 * dropping it.
 */
export class MessageReader {
	readonly #options: MessageReaderOptions;
	readonly #limits: McpLimits;
	readonly #unanswered: Pick<ReadonlyMap<RequestId, unknown>, 'has' | 'keys'>;
	/** Whether a result of the server had an id. */
	#hasIds = false;
	/** The present second, and how many unasked messages it has had. */
	#second = Number.NaN;
	#unsolicited = 0;
	#hasReportedFlood = false;

	/** @param unanswered the requests that we wait for */
	constructor(
		options: MessageReaderOptions,
		unanswered: Pick<ReadonlyMap<RequestId, unknown>, 'has' | 'keys'>,
	) {
		this.#options = options;
		this.#limits = options.limits;
		this.#unanswered = unanswered;
	}

	/**
	 * Reads a line, the data of an event, or a body.
	 *
	 * @param requestId the request that it answers, if the transport knows
	 */
	async read(piece: Piece, requestId?: RequestId): Promise<Reading> {
		const second = Math.floor(performance.now() / secondMs);
		if (second !== this.#second) {
			this.#second = second;
			this.#unsolicited = 0;
			this.#hasReportedFlood = false;
		}
		if (!Buffer.isBuffer(piece)) return this.#readEnds(piece);
		if (this.#unsolicited >= this.#limits.unsolicitedPerSecond && !this.#isExpected(piece))
			return this.#drop();
		const reading = await this.#parse(piece, requestId);
		const isAnswer = Array.isArray(reading) && reading.some(({ method }) => method === undefined);
		// Counted after it passes, so that a message larger than a second's allowance is read if it comes first.
		if (!isAnswer) this.#unsolicited += Math.ceil(piece.length / bytesPerCount);
		return reading;
	}

	/** A message that was too large to keep counts by its minimum size. */
	#readEnds({ head, tail }: Exclude<Piece, Buffer>): Reading {
		const { messageBytes } = this.#limits;
		this.#unsolicited += Math.ceil(messageBytes / bytesPerCount);
		const id = answeredId(head.toString('utf8'), tail.toString('utf8'));
		return this.#refuse(id, OVERSIZED_CODE, `over the limit of ${messageBytes} bytes`);
	}

	#isExpected(message: Buffer): boolean {
		if (message.length < minAnswerLength) return false;
		const head = message.toString('latin1', 0, answerEndsBytes);
		const id = answeredId(head, message.toString('latin1', Math.max(0, message.length - answerEndsBytes)));
		return id !== undefined && this.#unanswered.has(id);
	}

	#drop(): Reading {
		const { onLog, onListChanged } = this.#options;
		if (!this.#hasReportedFlood) {
			const many = `more than ${this.#limits.unsolicitedPerSecond} unsolicited messages per second`;
			onLog('warn', `${many}: some were dropped`);
			// A dropped message may have been this announcement.
			onListChanged();
		}
		this.#hasReportedFlood = true;
		return 'dropped';
	}

	async #parse(piece: Buffer, requestId: RequestId | undefined): Promise<Reading> {
		let begin = 0;
		while (beforeJson.has(piece[begin])) begin += 1;
		if (begin === piece.length) return [];
		// Decoding starts here, so a byte order mark is skipped too.
		const first = piece[begin];
		// Do not parse a flood of other output: parse failures are slow.
		if (first !== openBrace && first !== openBracket)
			return this.#messageWithin(piece, requestId) ?? 'garbage';
		if (first === openBracket && piece.length > maxBatchBytes)
			return this.#replace('too many values', piece, requestId);
		if (piece.length > maxRepairedBytes && !isUtf8(piece)) return this.#replace('not JSON', piece, requestId);
		const scan = scanJson(piece, this.#limits);
		let step = scan.next();
		for (; !step.done; step = scan.next()) await nextTurn();
		const text = piece.toString('utf8', begin);
		const parse =
			piece.length > maxRepairedBytes ? parsedJson : (json: string) => looseJson(json, parsedJson);
		const rounded = step.value ? undefined : parse(text);
		if (rounded === undefined) return this.#replace(step.value ?? 'not JSON', piece, requestId);
		// The numbers of a tool's definition are compared, those of a result are shown.
		const isResult = isRecord(rounded) && isRecord(rounded.result) && !('tools' in rounded.result);
		const value = isResult ? exactJson(text, rounded) : rounded;
		const messages: JsonRpcMessage[] = [];
		let hasGarbage = false;
		for (const one of Array.isArray(value) ? value : [value]) {
			const validated = this.#validate(one, requestId);
			if (typeof validated === 'object') messages.push(validated);
			hasGarbage ||= validated === 'garbage';
		}
		return messages.length === 0 && hasGarbage ? 'garbage' : messages;
	}

	/** A message in a line with other output: a banner before it, or text behind it. A request there is what a server logs of ours. */
	#messageWithin(piece: Buffer, requestId: RequestId | undefined): Reading | undefined {
		if (piece.length > maxRepairedBytes || piece.indexOf(versionMember) === -1) return undefined;
		const end = piece.lastIndexOf(closeBrace) + 1;
		for (
			let tries = 0, start = piece.indexOf(openBrace);
			tries < maxMessageStarts && start !== -1;
			tries += 1
		) {
			const bytes = piece.subarray(start, end);
			start = piece.indexOf(openBrace, start + 1);
			const scan = scanJson(bytes, this.#limits);
			let step = scan.next();
			while (!step.done) step = scan.next();
			const validated = step.value
				? 'garbage'
				: this.#validate(parsedJson(bytes.toString('utf8')), requestId);
			if (typeof validated === 'object' && !('method' in validated && 'id' in validated)) return [validated];
		}
		return undefined;
	}

	/** Validates one value. Unknown members are left out; a malformed answer becomes an error. */
	#validate(value: unknown, requestId: RequestId | undefined): JsonRpcMessage | 'unasked' | 'garbage' {
		if (!isRecord(value)) return 'garbage';
		const { jsonrpc, method, result } = value;
		if (method !== undefined) {
			const message = requestOrNotification(value);
			if (method !== 'notifications/progress' || !message) return message ?? 'garbage';
			return { ...message, params: this.#progress(recordOf(message.params)) };
		}
		const isVersion = jsonrpc === '2.0' || jsonrpc === 2;
		const isAnswer = isVersion && (result ?? value.error ?? undefined) !== undefined;
		const ownId = this.#idOf(value.id);
		const id = ownId ?? (isAnswer ? (requestId ?? this.#latest()) : undefined);
		if (id === undefined) return 'garbage';
		if (!this.#unanswered.has(id)) return isVersion ? 'unasked' : 'garbage';
		this.#hasIds ||= ownId !== undefined && isRecord(result);
		const outcome = isVersion || jsonrpc === undefined ? outcomeOf(value) : undefined;
		return outcome ? { jsonrpc: '2.0', id, ...outcome } : errorAnswer(id, MALFORMED_CODE, malformed);
	}

	/** The request that an answer without an id belongs to: some servers leave it out when they refuse the handshake, and a few always. */
	#latest(): RequestId | undefined {
		return this.#hasIds ? undefined : [...this.#unanswered.keys()].at(-1);
	}

	/**
	 * Some servers leave out what they do not know, or send `null` or a text for it, and some make up the token: the progress is that of the latest request
	 * then. The SDK drops what is not in the specified form, and the call would seem to be silent.
	 */
	#progress({ progressToken: token, progress, total, message }: JsonRecord): JsonRecord {
		const numbers = Object.entries({ progress, total }).map(([name, value]) => [
			name,
			Number(value ?? Number.NaN),
		]);
		return {
			progressToken: /^\d+$/.test(String(token)) ? token : [...this.#unanswered.keys()].at(-1),
			progress: 0,
			...Object.fromEntries(numbers.filter(([, number]) => Number.isFinite(number))),
			...(typeof message === 'string' && { message }),
		};
	}

	/** Some servers send a numeric id as a string. */
	#idOf(id: unknown): RequestId | undefined {
		if (typeof id === 'number') return id;
		if (typeof id !== 'string' || id.trim() === '') return undefined;
		return this.#unanswered.has(id) ? id : Number(id);
	}

	/** In place of a message that cannot be parsed, or is not: another within it, or an error for the request that it answers. */
	#replace(fault: ScanFault, piece: Buffer, requestId: RequestId | undefined): Reading {
		const [head = '', tail = ''] = [piece.subarray(0, answerEndsBytes), piece.subarray(-answerEndsBytes)].map(
			(end) => end.toString('utf8').trim(),
		);
		const ownId = answeredId(head, tail);
		if (fault !== 'not JSON') return this.#refuse(ownId ?? requestId, OVERSIZED_CODE, fault);
		const isExpected = ownId !== undefined && this.#unanswered.has(ownId);
		const within = this.#messageWithin(piece, requestId);
		return within ?? (isExpected ? this.#refuse(ownId, MALFORMED_CODE, malformed) : 'garbage');
	}

	/** An error in place of the answer to a request that we wait for. `why` is a clause. */
	#refuse(id: RequestId | undefined, code: number, why: string): readonly JsonRpcMessage[] {
		this.#options.onLog('debug', `a message was refused: ${why}`);
		return id !== undefined && this.#unanswered.has(id) ? [errorAnswer(id, code, why)] : [];
	}
}

/** What is no answer, without members that the protocol does not have. */
function requestOrNotification({ jsonrpc, id, method, params }: JsonRecord): JsonRpcMessage | undefined {
	const isIdentified = typeof id === 'string' || Number.isInteger(id);
	if (
		(jsonrpc !== '2.0' && jsonrpc !== 2) ||
		typeof method !== 'string' ||
		!(isIdentified || id === undefined)
	)
		return undefined;
	if (params !== undefined && params !== null && !isRecord(params)) return undefined;
	return { jsonrpc: '2.0', ...(isIdentified && { id: id as RequestId }), method, ...(params && { params }) };
}

/** What an answer says; `undefined`: nothing. Some servers send both members; the one that is not null counts. */
function outcomeOf({ result, error }: JsonRecord): JsonRecord | undefined {
	if (error !== undefined && error !== null) return completeError(error);
	return result === undefined || result === null ? undefined : { result: completeResult(result) };
}

/**
 * Some servers send the content of a result in its place: a list, a text or a number. Some write null where there is no metadata. In the newer
 * protocol, each result says whether it is complete. The SDK rejects a result that leaves that out; here it counts as complete.
 */
function completeResult(result: unknown): JsonRecord {
	const content = isRecord(result) ? result : { content: result };
	const { _meta: meta, resultType = 'complete', ...others } = content;
	return { ...others, ...(isRecord(meta) && { _meta: meta }), resultType };
}

/** Some servers send a text instead of an error, a code that is no number, or what is wrong in other members than the message. */
function completeError(error: unknown): JsonRecord | undefined {
	if (typeof error === 'string') return { error: { code: unspecifiedCode, message: error } };
	if (!isRecord(error)) return undefined;
	const { message, data, code: rawCode, ...others } = error;
	const code = Number.isInteger(rawCode) ? rawCode : unspecifiedCode;
	if (typeof message === 'string') return { error: { code, message, data } };
	const details = data ?? (Object.keys(others).length > 0 ? others : undefined);
	return details === undefined ? undefined : { error: { code, message: '', data: details } };
}
