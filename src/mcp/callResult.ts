import { defined, isRecord, type JsonRecord } from '../common/json.ts';
import { errorResult, type ResultContent, type ToolResult } from '../discovery/catalog/tool.ts';
import type { ResourceContents } from './connection/offerTypes.ts';

/** Converts an MCP `CallToolResult`, of which nothing is known except that it is JSON. */
export function toToolResult(raw: unknown): ToolResult {
	if (!isRecord(raw)) return errorResult('The server answered with something that is not a tool result.');
	const parts = Array.isArray(raw.content) ? raw.content.map(contentOf) : [];
	const hasText = parts.some((part) => part.type === 'text');
	// The specification wants structured content repeated as text. Not all servers do, and the model would see nothing.
	if (!hasText && raw.structuredContent !== undefined)
		parts.push(text(structuredText(raw.structuredContent)));
	return { content: parts, isError: raw.isError === true };
}

function structuredText(value: unknown): string {
	try {
		return JSON.stringify(value);
	} catch {
		// `JSON.parse` does not use the stack, but `JSON.stringify` does, and may overflow it.
		return '[structured content, nested too deeply to be shown]';
	}
}

/** Converts one piece of a result or of a prompt's message. */
export function contentOf(part: unknown): ResultContent {
	if (!isRecord(part)) return text('[unknown content]');
	switch (part.type) {
		case 'text':
			return text(typeof part.text === 'string' ? part.text : '');
		case 'image':
		case 'audio':
			return media(part.type, part.data, part.mimeType) ?? text(`[${part.type} without data]`);
		case 'resource':
			return isRecord(part.resource) ? embedded(part.resource) : text('[empty resource]');
		case 'resource_link':
			return text(linkText(part));
		default:
			return text(`[content of unknown type ${JSON.stringify(part.type)}]`);
	}
}

function embedded(resource: JsonRecord): ResultContent {
	if (typeof resource.text === 'string') return text(resource.text);
	const kind = /^(image|audio)\//.exec(String(resource.mimeType))?.[1] as 'image' | 'audio' | undefined;
	const content = kind && media(kind, resource.blob, resource.mimeType);
	return content ?? text(`[resource ${describe(resource.uri, resource.mimeType)}]`);
}

function linkText(link: JsonRecord): string {
	const about = [link.title ?? link.name, link.description].filter((value) => typeof value === 'string');
	return `[link to resource ${describe(link.uri, link.mimeType)}] ${about.join(': ')}`.trimEnd();
}

function describe(uri: unknown, mimeType: unknown): string {
	return [uri, mimeType].filter((value) => typeof value === 'string').join(', ');
}

function media(type: 'image' | 'audio', data: unknown, mimeType: unknown): ResultContent | undefined {
	return typeof data === 'string' && typeof mimeType === 'string' ? { type, data, mimeType } : undefined;
}

function text(value: string): ResultContent {
	return { type: 'text', text: value };
}

/** Media types that are text. */
const textType = /^text\/|[/+](json|xml|yaml|javascript)\b/;

/** A resource as the result of a call: text and images unchanged; bytes of a text type become text. */
export function resourceResult(parts: readonly ResourceContents[]): ToolResult {
	const content = parts.map((part) => ({
		type: 'resource',
		resource: { ...part, ...defined({ text: resourceText(part) }) },
	}));
	return toToolResult({ content });
}

/** The text of a part; `undefined` if it is not text. */
export function resourceText(part: ResourceContents): string | undefined {
	if ('text' in part) return part.text;
	if (!textType.test(part.mimeType ?? '')) return undefined;
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part.blob, 'base64'));
	} catch {
		return undefined;
	}
}
