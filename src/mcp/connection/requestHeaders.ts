import { isRecord, type JsonRecord } from '../../common/json.ts';
import type { JsonRpcMessage } from './jsonRpc.ts';

/**
 * Headers of the revision 2026-07-28 (https://modelcontextprotocol.io/specification/2026-07-28/basic/transports). They repeat what a proxy
 * wants to know without reading the body; a server refuses a request whose headers and body disagree.
 */

/** Where a request of the newer protocol states its revision. */
const versionKey = 'io.modelcontextprotocol/protocolVersion';
/** The parameter that holds the name, by method. */
const nameParameters: ReadonlyMap<string, string> = new Map([
	['tools/call', 'name'],
	['prompts/get', 'name'],
	['resources/read', 'uri'],
]);
/** The schema keyword that requests an argument as a header. */
const headerKeyword = 'x-mcp-header';
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const repeatable: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Headers that one tool may ask for; more than servers read. */
const maxHeaders = 64;
const maxArgumentDepth = 16;

/** Headers that repeat the body of a request; `undefined` in the older protocol. */
export function requestHeaders({ method, params }: JsonRpcMessage): Record<string, string> | undefined {
	if (typeof method !== 'string' || !isRecord(params) || !isRecord(params._meta)) return undefined;
	const version = params._meta[versionKey];
	if (typeof version !== 'string') return undefined;
	const name = params[nameParameters.get(method) ?? ''];
	return {
		'mcp-protocol-version': version,
		'mcp-method': method,
		...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
	};
}

/** An argument of a tool that is sent as a header too. */
export interface RepeatedArgument {
	/** The names that lead to it. */
	readonly path: readonly string[];
	readonly header: string;
}

/** Keywords whose values are data, not schemas. */
const dataKeywords = new Set(['default', 'const', 'enum', 'examples']);

/** The arguments that a tool wants as headers; `undefined` if its declaration is invalid, so that it cannot be called over HTTP. */
export function repeatedArguments(inputSchema: unknown): readonly RepeatedArgument[] | undefined {
	const found: RepeatedArgument[] = [];
	const pending: { readonly schema: unknown; readonly path: readonly string[] | undefined }[] = [];
	pending.push({ schema: inputSchema, path: [] });
	for (let next = pending.pop(); next; next = pending.pop()) {
		const { schema, path } = next;
		if (Array.isArray(schema)) for (const one of schema) pending.push({ schema: one, path: undefined });
		if (!isRecord(schema)) continue;
		const header = schema[headerKeyword];
		if (typeof header === 'string') {
			// Only properties at a known path can be found in the arguments.
			if (!path?.length || path.length > maxArgumentDepth || !headerName.test(header)) return undefined;
			if (!repeatable.has(schema.type) || found.length === maxHeaders) return undefined;
			found.push({ path, header });
		}
		for (const [keyword, value] of Object.entries(schema)) {
			if (dataKeywords.has(keyword)) continue;
			if (keyword === 'properties' && isRecord(value) && path) {
				for (const [name, one] of Object.entries(value)) pending.push({ schema: one, path: [...path, name] });
			} else {
				pending.push({ schema: value, path: undefined });
			}
		}
	}
	const headers = new Set(found.map(({ header }) => header.toLowerCase()));
	return headers.size === found.length ? found : undefined;
}

/** The headers of one call. Missing arguments have none. */
export function argumentHeaders(
	repeated: readonly RepeatedArgument[],
	args: JsonRecord,
): Readonly<Record<string, string>> {
	const headers: Record<string, string> = {};
	for (const { path, header } of repeated) {
		const value = path.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), args);
		const isText = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
		if (isText) headers[`Mcp-Param-${header}`] = headerValue(String(value));
	}
	return headers;
}

/** A header value; text other than plain ASCII is encoded as the revision prescribes. */
function headerValue(text: string): string {
	const isPlain = /^[\t\x20-\x7e]+$/.test(text) && text.trim() === text;
	if (isPlain && !/^=\?base64\?.*\?=$/.test(text)) return text;
	return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
