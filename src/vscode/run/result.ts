import * as l10n from '@vscode/l10n';
import { decimal, duration } from '../../chat/counts.ts';
import { exactJson } from '../../common/exactJson.ts';
import { writtenOut } from '../../common/exactText.ts';
import { exactCode, exactLines } from '../../common/exactValue.ts';
import { isRecord } from '../../common/json.ts';
import { code, codeBlock, plain } from '../../common/markdown.ts';
import { cut } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ResultContent, ToolResult } from '../../discovery/catalog/tool.ts';
import { fileBaseName } from '../ui/labelText.ts';

/** An image, audio or other file of a result. */
type FilePart = Exclude<ResultContent, { readonly type: 'text' }>;

/** `512 bytes`, `1.5 KB`. */
export function sizeText(bytes: number): string {
	if (bytes < 1024) return bytes === 1 ? l10n.t('1 byte') : l10n.t('{0} bytes', bytes);
	const kilobytes = bytes / 1024;
	return kilobytes < 1024
		? l10n.t('{0} KB', decimal(kilobytes))
		: l10n.t('{0} MB', decimal(kilobytes / 1024));
}

/** A run that has a result. */
export interface FinishedRun {
	/** `server:tool`. */
	readonly tool: string;
	/** Without secrets. */
	readonly args: Readonly<Record<string, unknown>>;
	/** Duration of the call in milliseconds; absent if unknown. */
	readonly ms?: number;
	readonly result: ToolResult;
}

interface ResultDocument {
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
	readonly result: ToolResult;
	readonly document: ResultDocument;
}

/** Characters of one text in an editor. */
const shownCharacters = 1_000_000;

/**
 * JSON if the result is nothing else; otherwise Markdown with the server's texts in code blocks, so that a preview shows none of their
 * links, images or HTML.
 */
export function resultDocument(run: FinishedRun): ResultDocument {
	const only = onlyJson(run.result);
	return only === undefined
		? { language: 'markdown', text: markdownOf(run) }
		: { language: 'json', text: `${cut(JSON.stringify(only, undefined, 2), shownCharacters)}\n` };
}

/** A call with all of its arguments, which a chat does not show. */
export function shownCall({ tool, args, result }: ChatCall): ShownRun {
	const text = result
		? markdownOf({ tool: tool.id, args, result })
		: `${[`# ${plain(writtenOut(tool.id))}`, l10n.t('This call waits for your answer.'), ...exactArguments(args)].join('\n\n')}\n`;
	const document = { language: 'markdown', text } as const;
	return { tool, args, result: result ?? { content: [], isError: false }, document };
}

/** In the order of their numbers in the document. */
export function filesOf({ content }: ToolResult): readonly FilePart[] {
	return content.filter((part) => part.type !== 'text');
}

/** `image, image/png, 1.5 KB`; `report.pdf, application/pdf, 12 KB`. */
export function fileWords(file: FilePart, format = (text: string) => text): string {
	const size = sizeText(Buffer.byteLength(file.data, 'base64'));
	return [kindOf(file, format), format(file.mimeType || l10n.t('unknown type')), size].join(', ');
}

/** A file is known by the name that its server gives it. */
function kindOf(file: FilePart, format: (text: string) => string): string {
	if (file.type === 'file') return format(file.name);
	return file.type === 'image' ? l10n.t('image') : l10n.t('audio');
}

/** The object or list that is all of a result. Not one with `$schema`: VS Code would fetch that address. */
function onlyJson({ isError, content }: ToolResult): object | undefined {
	const [part, ...others] = content;
	if (isError || others.length > 0 || part?.type !== 'text') return undefined;
	const value = exactJson(part.text);
	if (typeof value !== 'object' || value === null) return undefined;
	return isRecord(value) && Object.hasOwn(value, '$schema') ? undefined : value;
}

function markdownOf({ tool, args, ms, result }: FinishedRun): string {
	const { isError, content } = result;
	const files = filesOf(result);
	return `${[
		`# ${plain(tool)}`,
		headline(isError, ms),
		...(Object.keys(args).length > 0 ? [`## ${l10n.t('Arguments')}`, argumentsBlock(args)] : []),
		`## ${isError ? l10n.t('Error') : l10n.t('Result')}`,
		...(content.length === 0 ? [l10n.t('The result is empty.')] : []),
		...content.map((part) =>
			part.type === 'text'
				? textBlock(part.text)
				: `### ${l10n.t('File {0}: {1}', files.indexOf(part) + 1, fileWords(part, code))}`,
		),
	].join('\n\n')}\n`;
}

function headline(isError: boolean, ms: number | undefined): string {
	if (ms === undefined)
		return isError
			? l10n.t('**The tool reported an error.** This is what the model received.')
			: l10n.t('This is what the model received.');
	return isError
		? l10n.t('**The tool reported an error** after {0}.', duration(ms))
		: l10n.t('Done in {0}.', duration(ms));
}

function textBlock(text: string): string {
	const value = exactJson(text);
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
	'video/mp4': 'mp4',
	'application/pdf': 'pdf',
	'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
	'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
	'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
	'application/gzip': 'gz',
	'application/zip': 'zip',
	'application/json': 'json',
	'image/svg+xml': 'svg.txt',
	'text/plain': 'txt',
	'text/csv': 'csv',
};

/** A safe file name. The server's own name for the file is not used. */
export function fileName(tool: string, number: number, { mimeType }: Pick<FilePart, 'mimeType'>): string {
	const type = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
	return `${fileBaseName(tool)}-${number}.${Object.hasOwn(endings, type) ? endings[type] : 'bin'}`;
}

/** Whether VS Code can show the file as an image. */
export function isViewable({ mimeType }: Pick<FilePart, 'mimeType'>): boolean {
	return /^image\/(png|jpeg|gif|webp|bmp)$/.test(mimeType.toLowerCase());
}
