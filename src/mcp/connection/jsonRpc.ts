/** The SDK numbers its requests; ids of probes and subscriptions are strings. */
export type RequestId = number | string;

/** A JSON-RPC 2.0 message as received. Nothing else is known about it. */
export interface JsonRpcMessage {
	readonly jsonrpc: '2.0';
	readonly id?: RequestId;
	readonly [member: string]: unknown;
}

/** Codes of the errors that replace missing answers, from the range that JSON-RPC leaves to implementations. */
export const OVERSIZED_CODE = -32_090;
export const STREAM_CUT_CODE = -32_091;
export const MALFORMED_CODE = -32_092;
export const OTHER_TRANSPORT_CODE = -32_093;

/** Replaces an answer that cannot be used, so that only its own call fails. `message` is a clause. */
export function errorAnswer(id: RequestId, code: number, message: string): JsonRpcMessage {
	return { jsonrpc: '2.0', id, error: { code, message } };
}

/**
 * The request that an oversized message answers, according to its two ends: libraries write `jsonrpc` and `id` either first or last.
 * `undefined` if neither end says so, as in requests and notifications.
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
