import { isRecord } from '../../discovery/record.ts';

/** A JSON-RPC 2.0 message as it comes off a wire: an object that says so, nothing more is known of it. */
export interface JsonRpcMessage {
	readonly jsonrpc: '2.0';
	readonly id?: string | number;
	readonly [member: string]: unknown;
}

/** Codes of the answers that we put in the place of missing ones, from the range JSON-RPC leaves to implementations. */
export const OVERSIZED_CODE = -32_090;
export const STREAM_CUT_CODE = -32_091;
export const MALFORMED_CODE = -32_092;

/** Reads one line; `undefined` if it is not a message. An answer that is none is read as an error: its request would wait for ever. */
export function parseMessage(line: string): JsonRpcMessage | undefined {
	// Trimming takes the byte order mark too that some programs begin with. Of a flood of other output nothing is parsed: failing takes longest.
	const text = line.trim();
	if (!text.startsWith('{')) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		if (!isMessage(value)) return undefined;
		return value.id !== undefined && !isRequest(value) && !isAnswer(value)
			? malformedAnswer(value.id)
			: value;
	} catch {
		return undefined;
	}
}

function isRequest(message: JsonRpcMessage): boolean {
	return typeof message.method === 'string';
}

function isAnswer({ result, error }: JsonRpcMessage): boolean {
	return (
		isRecord(result) ||
		(isRecord(error) && typeof error.code === 'number' && typeof error.message === 'string')
	);
}

function isMessage(value: unknown): value is JsonRpcMessage {
	return isRecord(value) && value.jsonrpc === '2.0';
}

/** The answer in the place of one that is over the limit, so that the call it belongs to fails, and no other. */
export function oversizedAnswer(id: number | string, limitBytes: number): JsonRpcMessage {
	return errorAnswer(id, OVERSIZED_CODE, `over the limit of ${Math.round(limitBytes / 1024 / 1024)} MB`);
}

/** The answer in the place of one that can no longer come, because its stream ended. */
export function streamCutAnswer(id: number | string): JsonRpcMessage {
	return errorAnswer(id, STREAM_CUT_CODE, 'the stream ended before the answer');
}

function malformedAnswer(id: number | string): JsonRpcMessage {
	return errorAnswer(id, MALFORMED_CODE, 'the answer is neither a result nor an error');
}

function errorAnswer(id: number | string, code: number, message: string): JsonRpcMessage {
	return { jsonrpc: '2.0', id, error: { code, message } };
}

/**
 * Which request a message answers that was too long to keep, by its two ends: libraries write `jsonrpc` and `id` either
 * first or last. `undefined` where neither end says so, which is also true of requests and notifications.
 */
export function answeredId(head: string, tail: string): number | undefined {
	const id =
		/^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/.exec(
			head,
		) ??
		/"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d+)\s*\}\s*$/.exec(tail) ??
		/[}\]]\s*,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail);
	return id ? Number(id[1]) : undefined;
}
