import * as l10n from '@vscode/l10n';
import { writtenOut } from '../../common/exactText.ts';
import { exactCode, exactLines } from '../../common/exactValue.ts';
import { isRecord, type JsonRecord } from '../../common/json.ts';
import { code, codeBlock, plain } from '../../common/markdown.ts';
import { cut } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolResult } from '../../discovery/catalog/tool.ts';
import { fileBaseName } from '../ui/labelText.ts';

/** One piece of a result, with all that the server says of it. */
type ResultPart =
	| { readonly kind: 'text'; readonly text: string }
	/** A text with an address of its own. */
	| { readonly kind: 'document'; readonly text: string; readonly uri: string; readonly mimeType: string }
	/** Binary data; `data` is base64. */
	| {
			readonly kind: 'file';
			readonly what: 'image' | 'audio' | 'resource';
			readonly data: string;
			readonly mimeType: string;
			readonly uri: string;
	  }
	/** A link to something that the server has. `about`: its name, description, type and size, as far as they are known. */
	| { readonly kind: 'link'; readonly uri: string; readonly about: readonly string[] }
	| { readonly kind: 'unknown'; readonly json: string };

/** A file of a result. */
type FilePart = Extract<ResultPart, { readonly kind: 'file' }>;

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

/** Whether a text repeats structured content, or its only value, as servers do: it is then shown once. */
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

/** One run of a tool that came to a result. */
export interface Run {
	/** `server:tool`. */
	readonly tool: string;
	/** As they may be shown: without secrets. */
	readonly args: Readonly<Record<string, unknown>>;
	/** How long the call took, in milliseconds; absent where nobody knows. */
	readonly ms?: number;
	readonly result: RunResult;
}

/** A result as an editor shows it. */
export interface ResultDocument {
	readonly language: 'json' | 'markdown';
	readonly text: string;
}

/** A call that a chat has made; `result`: as the model got it. */
export interface ChatCall {
	readonly tool: CatalogTool;
	readonly args: Readonly<Record<string, unknown>>;
	/** Absent: it waits for the user. */
	readonly result?: ToolResult;
}

/** A run whose result an editor shows. */
export interface ShownRun {
	readonly tool: CatalogTool;
	/** To begin with when it is run again; absent: those of its last run. */
	readonly args?: Readonly<Record<string, unknown>>;
	readonly result: RunResult;
	/** The result as it is shown. */
	readonly document: ResultDocument;
}

/** Characters of one text that an editor is given; saved, it is whole. */
const shownCharacters = 1_000_000;

/**
 * JSON where the result is nothing else; Markdown otherwise, with every text of the server's in a block of code, so that a preview
 * shows it as it is: no link, image or HTML of it comes alive.
 */
export function resultDocument(run: Run): ResultDocument {
	const only = onlyJson(run.result);
	return only === undefined
		? { language: 'markdown', text: markdownOf(run) }
		: { language: 'json', text: `${cut(JSON.stringify(only, undefined, 2), shownCharacters)}\n` };
}

/** A chat's call with its arguments, which a chat does not show whole. */
export function shownCall({ tool, args, result: answer }: ChatCall): ShownRun {
	const result = runResult(answer ? { content: answer.content, isError: answer.isError } : {});
	const text = answer
		? markdownOf({ tool: tool.id, args, result })
		: `${[`# ${exactCode(tool.id)}`, l10n.t('This call waits for your answer.'), ...exactArguments(args)].join('\n\n')}\n`;
	const document = { language: 'markdown', text } as const;
	return { tool, args, result, document };
}

/** The files of a result, as they are numbered in its document. */
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

/** The JSON of a result that is nothing but one object or list. Not one with `$schema`: the editor would fetch that address. */
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

/** Each as it is sent, in lines that wrap. */
function exactArguments(args: Readonly<Record<string, unknown>>): readonly string[] {
	return Object.entries(args).flatMap(([name, value]) => [
		`## ${exactCode(name)}`,
		exactLines(cut(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2), shownCharacters)),
	]);
}

/** As they are sent: the server gets what nobody would see, too. */
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

/** Endings by type. An SVG is not drawn: it is a text that can hold more than a picture. */
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

/** A name for a file of a result, made of what cannot lead out of a folder; the server's own name for it is not used. */
export function fileName(tool: string, number: number, { mimeType }: FilePart): string {
	const type = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
	return `${fileBaseName(tool)}-${number}.${Object.hasOwn(endings, type) ? endings[type] : 'bin'}`;
}

/** Whether VS Code shows such a file, and does nothing else with it. */
export function isViewable({ mimeType }: FilePart): boolean {
	return /^image\/(png|jpeg|gif|webp|bmp)$/.test(mimeType.toLowerCase());
}
