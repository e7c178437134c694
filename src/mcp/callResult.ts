import { isDeepStrictEqual } from 'node:util';
import { isRecord, type JsonRecord } from '../common/json.ts';
import { oneLine } from '../common/text.ts';
import { errorResult, type ResultContent, type ToolResult } from '../discovery/catalog/tool.ts';
import type { ResourceContents } from './connection/offerTypes.ts';
import { partOfBytes, plainBase64 } from './resourceBytes.ts';

/** Members of a result that are no data. */
const resultMetadata = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType']);
const maxTypeCharacters = 100;
/** Values of structured content that are looked for in the texts; the others are taken to be like them. */
const comparedValues = 64;

/**
 * Converts a result. It is JSON, but perhaps not what the protocol says: servers send plain objects, texts instead of lists, and parts of their own;
 * whatever a result contains reaches the model, as text if it is nothing else.
 */
export function toToolResult(raw: unknown): ToolResult {
	if (!isRecord(raw)) return errorResult('The server answered with something that is not a tool result.');
	const isError = raw.isError === true;
	const parts = partsOf(raw.content);
	const { structuredContent: structured } = raw;
	// The specification wants structured content repeated as text. Not all servers do, and the model would not see it.
	if (structured !== undefined && structured !== null && !repeatsStructured(parts, structured))
		parts.push(text(jsonText(structured, parts)));
	if (parts.length > 0 || structured !== undefined) return { content: parts, isError };
	// The revision 2024-10-07 had all of a result in one member.
	if (isRecord(raw.toolResult)) return { ...toToolResult(raw.toolResult), ...(isError && { isError }) };
	const data = Object.entries(raw).filter(([name]) => !resultMetadata.has(name));
	return { content: data.length > 0 ? [text(jsonText(Object.fromEntries(data)))] : [], isError };
}

function partsOf(content: unknown): ResultContent[] {
	if (content === undefined || content === null) return [];
	return Array.isArray(content) ? content.flatMap(partsOf) : [contentOf(content)];
}

/**
 * Whether the parts of a result already say what its structured content says. Servers repeat it as JSON, as a table or in a sentence, or put only a
 * summary into the text. FastMCP repeats the parts themselves as structured content.
 */
function repeatsStructured(parts: readonly ResultContent[], structured: unknown): boolean {
	const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
	const values = firstValues(structured, parts);
	const hasParts = text.trim() !== '' || parts.some(({ type }) => type !== 'text');
	return hasParts && values.every((value) => containsValue(text, value));
}

/** Whether a text contains a value: a number or a boolean as a word, since the 3 of `13` says nothing. */
function containsValue(text: string, value: string | number | boolean): boolean {
	if (typeof value === 'string') return text.includes(value) || text.includes(escaped(value));
	const word = String(value).replace(/[.+]/g, '\\$&');
	return new RegExp(`${word}(?<![\\w.]${word})(?!\\w|\\.\\d)`, 'i').test(text);
}

/** The first values of structured content, except those that a part of the result already has. */
function firstValues(
	structured: unknown,
	parts: readonly ResultContent[],
): readonly (string | number | boolean)[] {
	const values: (string | number | boolean)[] = [];
	// Without recursion: a server's content may be nested deeply.
	const pending = [structured];
	while (pending.length > 0 && values.length < comparedValues) {
		const value = pending.pop();
		if (typeof value === 'string') values.push(...(bytesOf(value, parts) ? [] : [value.trim()]));
		else if (typeof value === 'number' || typeof value === 'boolean') values.push(value);
		else if (JSON.isRawJSON(value)) values.push(value.rawJSON);
		else if (Array.isArray(value)) pending.push(...value.slice(0, comparedValues).toReversed());
		else if (isRecord(value) && !isPart(value, parts))
			pending.push(...Object.values(value).slice(0, comparedValues).toReversed());
	}
	return values;
}

function isPart(value: JsonRecord, parts: readonly ResultContent[]): boolean {
	return typeof value.type === 'string' && parts.some((part) => isDeepStrictEqual(part, contentOf(value)));
}

/** The part whose bytes a text is. */
function bytesOf(
	value: string,
	parts: readonly ResultContent[],
): Exclude<ResultContent, { type: 'text' }> | undefined {
	return parts.filter((part) => part.type !== 'text').find(({ data }) => data !== '' && value.endsWith(data));
}

/** As in JSON. */
function escaped(value: string): string {
	return JSON.stringify(value).slice(1, -1);
}

/** `parts`: their bytes are not written again. */
function jsonText(value: unknown, parts: readonly ResultContent[] = []): string {
	if (typeof value === 'string') return value;
	const replaceBytes = (_key: string, inner: unknown) => {
		const part = typeof inner === 'string' ? bytesOf(inner, parts) : undefined;
		return part ? `[${part.type} ${part.mimeType}]` : inner;
	};
	try {
		return JSON.stringify(value, replaceBytes);
	} catch {
		// `JSON.parse` does not use the stack, but `JSON.stringify` does, and may overflow it.
		return '[content that is nested too deeply to be shown]';
	}
}

/** Converts one piece of a result or of a prompt's message. A piece that the protocol does not define is shown as it is. */
export function contentOf(part: unknown): ResultContent {
	if (!isRecord(part)) return text(jsonText(part));
	switch (part.type) {
		case 'text':
			return part.text === undefined || part.text === null ? unknownPart(part) : text(jsonText(part.text));
		case 'resource':
			return isRecord(part.resource) ? embedded(part.resource) : unknownPart(part);
		case 'resource_link':
			return text(linkText(part));
		default:
			return media(part) ?? (typeof part.text === 'string' ? text(part.text) : unknownPart(part));
	}
}

/** A part that carries bytes: an image, a sound, or a kind that only the server knows. */
function media(part: JsonRecord): ResultContent | undefined {
	const { type, uri, name, filename } = part;
	const isMedia = type === 'image' || type === 'audio';
	const { data, mimeType = '' } = bytesIn(part) ?? {};
	// An address is no data.
	if (data === undefined || /^https?:/i.test(data) || (!isMedia && mimeType === '')) return undefined;
	return isMedia
		? { type, data: plainBase64(data), mimeType }
		: partOfBytes(data, mimeType, name ?? filename ?? uri);
}

/** The bytes of a part: as MCP writes them, or in a member of its own or a `data:` URL, as the providers of models do. */
function bytesIn(
	part: JsonRecord,
	isInner = false,
): { readonly data: string; readonly mimeType?: string } | undefined {
	if (typeof part.data === 'string') {
		const declaredType = part.mimeType ?? part.mime_type ?? part.media_type;
		return { data: part.data, ...(typeof declaredType === 'string' && { mimeType: declaredType }) };
	}
	for (const value of Object.values(part)) {
		const mimeType = typeof value === 'string' ? /^data:([^;,]+);base64,/.exec(value)?.[1] : undefined;
		if (mimeType !== undefined) return { data: String(value), mimeType };
		const inner = isRecord(value) && !isInner ? bytesIn(value, true) : undefined;
		if (inner) return inner;
	}
	return undefined;
}

function embedded({ uri, mimeType, text: content, blob }: JsonRecord): ResultContent {
	if (content !== undefined && content !== null) return text(jsonText(content));
	if (typeof blob === 'string') return partOfBytes(blob, typeof mimeType === 'string' ? mimeType : '', uri);
	return text(`[resource ${describe(uri, mimeType)}]`);
}

function linkText(link: JsonRecord): string {
	const words = [link.title ?? link.name, link.description].filter((value) => typeof value === 'string');
	return `[link to resource ${describe(link.uri, link.mimeType)}] ${words.join(': ')}`.trimEnd();
}

function describe(uri: unknown, mimeType: unknown): string {
	return [uri, mimeType].filter((value) => typeof value === 'string').join(', ');
}

function unknownPart(part: JsonRecord): ResultContent {
	const { type, ...data } = part;
	const label = labelOf(type);
	return text([label, Object.keys(data).length > 0 ? jsonText(data) : ''].filter(Boolean).join(' '));
}

function labelOf(type: unknown): string {
	if (type === undefined) return '';
	const kind = oneLine(typeof type === 'string' ? type : jsonText(type), maxTypeCharacters);
	return type === 'image' || type === 'audio'
		? `[${kind} without data]`
		: `[content of unknown type "${kind}"]`;
}

function text(value: string): ResultContent {
	return { type: 'text', text: value };
}

/** A resource as the result of a call. */
export function resourceResult(parts: readonly ResourceContents[]): ToolResult {
	return toToolResult({ content: parts.map((resource) => ({ type: 'resource', resource })) });
}
