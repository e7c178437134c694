import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord } from '../../../discovery/record.ts';

/** One piece of a result, with all that the server says of it. */
export type ResultPart =
	| { readonly kind: 'text'; readonly text: string }
	/** A text with an address of its own. */
	| { readonly kind: 'document'; readonly text: string; readonly uri: string; readonly mimeType: string }
	/** What is no text; `data` is base64. */
	| {
			readonly kind: 'file';
			readonly what: 'image' | 'audio' | 'resource';
			readonly data: string;
			readonly mimeType: string;
			readonly uri: string;
	  }
	/** Something that the server has elsewhere. `about`: its name, what it is, its type and size, as far as they are known. */
	| { readonly kind: 'link'; readonly uri: string; readonly about: readonly string[] }
	| { readonly kind: 'unknown'; readonly json: string };

/** A file of a result. */
export type FilePart = Extract<ResultPart, { readonly kind: 'file' }>;

/** What a run came to, for people: more than models are told (`ToolResult`). */
export interface RunResult {
	readonly isError: boolean;
	readonly parts: readonly ResultPart[];
	/** `structuredContent`, unless one of the parts says the same. */
	readonly structured?: unknown;
}

/** Reads an MCP `CallToolResult`, of which nothing is known but that it is JSON. */
export function runResult(raw: unknown): RunResult {
	if (!isRecord(raw)) return { isError: true, parts: [unknownPart(raw)] };
	const parts = Array.isArray(raw.content) ? raw.content.map(partOf) : [];
	const { structuredContent: structured } = raw;
	const repeated = parts.some((part) => part.kind === 'text' && saysTheSame(part.text, structured));
	return {
		isError: raw.isError === true,
		parts,
		...(structured !== undefined && !repeated && { structured }),
	};
}

/** Bytes of what a file part holds. */
export function byteLength({ data }: FilePart): number {
	const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
	return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}

/** `512 bytes`, `1.5 KB`. */
export function sizeText(bytes: number): string {
	if (bytes < 1024) return bytes === 1 ? l10n.t('1 byte') : l10n.t('{0} bytes', bytes);
	const kilobytes = bytes / 1024;
	return kilobytes < 1024
		? l10n.t('{0} KB', kilobytes.toFixed(1))
		: l10n.t('{0} MB', (kilobytes / 1024).toFixed(1));
}

function partOf(part: unknown): ResultPart {
	if (!isRecord(part)) return unknownPart(part);
	switch (part.type) {
		case 'text':
			return typeof part.text === 'string' ? { kind: 'text', text: part.text } : unknownPart(part);
		case 'image':
		case 'audio':
			return typeof part.data === 'string'
				? { kind: 'file', what: part.type, data: part.data, mimeType: textOf(part.mimeType), uri: '' }
				: unknownPart(part);
		case 'resource':
			return isRecord(part.resource) ? resourceOf(part.resource) : unknownPart(part);
		case 'resource_link':
			return linkOf(part);
		default:
			return unknownPart(part);
	}
}

function resourceOf(resource: JsonRecord): ResultPart {
	const [uri, mimeType] = [textOf(resource.uri), textOf(resource.mimeType)];
	if (typeof resource.text === 'string') return { kind: 'document', text: resource.text, uri, mimeType };
	if (typeof resource.blob !== 'string') return unknownPart(resource);
	return { kind: 'file', what: 'resource', data: resource.blob, mimeType, uri };
}

function linkOf(link: JsonRecord): ResultPart {
	const size = typeof link.size === 'number' ? sizeText(link.size) : '';
	const about = [textOf(link.title) || textOf(link.name), link.description, link.mimeType, size];
	return { kind: 'link', uri: textOf(link.uri), about: about.map(textOf).filter(Boolean) };
}

function unknownPart(part: unknown): ResultPart {
	return { kind: 'unknown', json: JSON.stringify(part, undefined, 2) ?? 'nothing' };
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** Servers repeat structured content as text, or its only value; it is then shown once. */
function saysTheSame(text: string, structured: unknown): boolean {
	if (structured === undefined) return false;
	const values = isRecord(structured) ? Object.values(structured) : [];
	const told = values.length === 1 ? [structured, values[0]] : [structured];
	return told.includes(text) || told.some((value) => isJsonOf(text, value));
}

function isJsonOf(text: string, value: unknown): boolean {
	try {
		return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
	} catch {
		return false;
	}
}
