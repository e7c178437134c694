import * as l10n from '@vscode/l10n';
import { writtenOut } from '../../common/exactText.ts';
import { exactCode, exactLines } from '../../common/exactValue.ts';
import { isRecord, type JsonRecord } from '../../common/json.ts';
import { code, codeBlock, plain } from '../../common/markdown.ts';
import { cut } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolResult } from '../../discovery/catalog/tool.ts';
import { fileBaseName } from '../ui/labelText.ts';

/** One part of a result, with everything that the server says about it. */
type ResultPart =
	| { readonly kind: 'text'; readonly text: string }
	/** A text with its own address. */
	| { readonly kind: 'document'; readonly text: string; readonly uri: string; readonly mimeType: string }
	/** Binary data; `data` is base64. */
	| {
			readonly kind: 'file';
			readonly what: 'image' | 'audio' | 'resource';
			readonly data: string;
			readonly mimeType: string;
			readonly uri: string;
	  }
	/** A link to a resource. `about`: its name, description, type and size, if known. */
	| { readonly kind: 'link'; readonly uri: string; readonly about: readonly string[] }
	| { readonly kind: 'unknown'; readonly json: string };

type FilePart = Extract<ResultPart, { readonly kind: 'file' }>;

/** A result for people, which has more than models are told (`ToolResult`). */
export interface RunResult {
	readonly isError: boolean;
	readonly parts: readonly ResultPart[];
	/** `structuredContent`, unless a part repeats it. */
	readonly structured?: unknown;
}

/** Reads an MCP `CallToolResult`, of which only its being JSON is certain. */
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

/** Servers often repeat structured content, or its only value, as text. It is then shown once. */
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

/** A run that has a result. */
export interface Run {
	/** `server:tool`. */
	readonly tool: string;
	/** Without secrets. */
	readonly args: Readonly<Record<string, unknown>>;
	/** Duration of the call in milliseconds; absent if unknown. */
	readonly ms?: number;
	readonly result: RunResult;
}

export interface ResultDocument {
	readonly language: 'json' | 'markdown';
	readonly text: string;
}

/** A call of a chat; `result`: as the model received it. */
export interface ChatCall {
	readonly tool: CatalogTool;
	readonly args: Readonly<Record<string, unknown>>;
	/** Absent: the call waits for the user. */
	readonly result?: ToolResult;
}

/** A run whose result an editor shows. */
export interface ShownRun {
	readonly tool: CatalogTool;
	/** To start from when it runs again; absent: those of the last run. */
	readonly args?: Readonly<Record<string, unknown>>;
	readonly result: RunResult;
	readonly document: ResultDocument;
}

/** Characters of one text in an editor. A saved text is whole. */
const shownCharacters = 1_000_000;

/**
 * JSON if the result is nothing else; otherwise Markdown with the server's texts in code blocks, so that a preview shows none of their
 * links, images or HTML.
 */
export function resultDocument(run: Run): ResultDocument {
	const only = onlyJson(run.result);
	return only === undefined
		? { language: 'markdown', text: markdownOf(run) }
		: { language: 'json', text: `${cut(JSON.stringify(only, undefined, 2), shownCharacters)}\n` };
}

/** A call with all of its arguments, which a chat does not show. */
export function shownCall({ tool, args, result: answer }: ChatCall): ShownRun {
	const result = runResult(answer ? { content: answer.content, isError: answer.isError } : {});
	const text = answer
		? markdownOf({ tool: tool.id, args, result })
		: `${[`# ${exactCode(tool.id)}`, l10n.t('This call waits for your answer.'), ...exactArguments(args)].join('\n\n')}\n`;
	const document = { language: 'markdown', text } as const;
	return { tool, args, result, document };
}

/** In the order of their numbers in the document. */
export function filesOf({ parts }: RunResult): readonly FilePart[] {
	return parts.filter((part) => part.kind === 'file');
}

/** `image, image/png, 1.5 KB`. */
export function fileWords(file: FilePart): string {
	return [kindOf(file), typeOf(file), sizeOf(file)].join(', ');
}

function kindOf({ what }: FilePart): string {
	switch (what) {
		case 'image':
			return l10n.t('image');
		case 'audio':
			return l10n.t('audio');
		case 'resource':
			return l10n.t('resource');
	}
}

function typeOf({ mimeType }: FilePart): string {
	return mimeType || l10n.t('unknown type');
}

function sizeOf(file: FilePart): string {
	return sizeText(byteLength(file));
}

/** The object or list that is all of a result. Not one with `$schema`: VS Code would fetch that address. */
function onlyJson({ isError, parts, structured }: RunResult): object | undefined {
	const [part, ...others] = parts;
	if (isError || others.length > 0) return undefined;
	if (!part) return asObject(structured);
	return part.kind === 'text' && structured === undefined ? asObject(parsed(part.text)) : undefined;
}

function asObject(value: unknown): object | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	return isRecord(value) && Object.hasOwn(value, '$schema') ? undefined : value;
}

function markdownOf({ tool, args, ms, result }: Run): string {
	const { isError, parts, structured } = result;
	const files = filesOf(result);
	const isEmpty = parts.length === 0 && structured === undefined;
	return `${[
		`# ${code(tool)}`,
		headline(isError, ms),
		...(Object.keys(args).length > 0 ? [`## ${l10n.t('Arguments')}`, argumentsBlock(args)] : []),
		`## ${isError ? l10n.t('Error') : l10n.t('Result')}`,
		...(isEmpty ? [l10n.t('The result is empty.')] : []),
		...parts.flatMap((part) => sectionOf(part, files)),
		...(structured === undefined ? [] : [`### ${l10n.t('Structured content')}`, json(structured)]),
	].join('\n\n')}\n`;
}

function headline(isError: boolean, ms: number | undefined): string {
	if (ms === undefined)
		return isError
			? l10n.t('**The tool reported an error.** This is what the model received.')
			: l10n.t('This is what the model received.');
	return isError ? l10n.t('**The tool reported an error** after {0} ms.', ms) : l10n.t('Done in {0} ms.', ms);
}

function sectionOf(part: ResultPart, files: readonly FilePart[]): string[] {
	switch (part.kind) {
		case 'text':
			return [textBlock(part.text)];
		case 'document':
			return [`### ${code(part.uri)}${part.mimeType && ` (${code(part.mimeType)})`}`, textBlock(part.text)];
		case 'file': {
			const from = part.uri && `: ${code(part.uri)}`;
			const words = [kindOf(part), code(typeOf(part)), sizeOf(part)].join(', ');
			return [`### ${l10n.t('File {0}: {1}', files.indexOf(part) + 1, words)}${from}`];
		}
		case 'link':
			return [[l10n.t('Link: {0}', code(part.uri)), ...part.about.map((text) => plain(text))].join(' · ')];
		case 'unknown':
			return [`### ${l10n.t('Content of unknown type')}`, codeBlock(part.json, 'json')];
	}
}

function textBlock(text: string): string {
	const value = parsed(text);
	return typeof value === 'object' && value !== null
		? json(value)
		: codeBlock(cut(text, shownCharacters), 'text');
}

function json(value: unknown): string {
	return codeBlock(cut(JSON.stringify(value, undefined, 2), shownCharacters), 'json');
}

/** Exact values, in lines that wrap. */
function exactArguments(args: Readonly<Record<string, unknown>>): readonly string[] {
	return Object.entries(args).flatMap(([name, value]) => [
		`## ${exactCode(name)}`,
		exactLines(cut(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2), shownCharacters)),
	]);
}

/** Exact values: invisible characters are sent, too. */
function argumentsBlock(args: Readonly<Record<string, unknown>>): string {
	return codeBlock(writtenOut(cut(JSON.stringify(args, undefined, 2), shownCharacters)), 'json');
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** File extensions by type. SVG can contain more than an image, so it is saved as text. */
const endings: Readonly<Record<string, string>> = {
	'image/png': 'png',
	'image/jpeg': 'jpg',
	'image/gif': 'gif',
	'image/webp': 'webp',
	'image/bmp': 'bmp',
	'audio/mpeg': 'mp3',
	'audio/wav': 'wav',
	'audio/x-wav': 'wav',
	'audio/ogg': 'ogg',
	'application/pdf': 'pdf',
	'application/gzip': 'gz',
	'application/zip': 'zip',
	'application/json': 'json',
	'image/svg+xml': 'svg.txt',
	'text/plain': 'txt',
	'text/csv': 'csv',
};

/** A safe file name. The server's own name for the file is not used. */
export function fileName(tool: string, number: number, { mimeType }: FilePart): string {
	const type = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
	return `${fileBaseName(tool)}-${number}.${Object.hasOwn(endings, type) ? endings[type] : 'bin'}`;
}

/** Whether VS Code can show the file as an image. */
export function isViewable({ mimeType }: FilePart): boolean {
	return /^image\/(png|jpeg|gif|webp|bmp)$/.test(mimeType.toLowerCase());
}
