import * as l10n from '@vscode/l10n';
import { code, codeBlock, plain } from '../../../discovery/markdown.ts';
import { isRecord } from '../../../discovery/record.ts';
import { cut } from '../../../discovery/text.ts';
import { byteLength, type FilePart, type ResultPart, type RunResult, sizeText } from './runResult.ts';

/** One run of a tool that came to a result. */
export interface Run {
	/** `server:tool`. */
	readonly tool: string;
	/** As they may be shown: without secrets. */
	readonly args: Readonly<Record<string, unknown>>;
	/** How long the call took. */
	readonly ms: number;
	readonly result: RunResult;
}

/** A result as an editor shows it. */
export interface ResultDocument {
	readonly language: 'json' | 'markdown';
	readonly text: string;
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
	return mimeType || l10n.t('of unknown type');
}

function sizeOf(file: FilePart): string {
	return sizeText(byteLength(file));
}

/** What is nothing but one object or list. An object with `$schema` is not among them: the editor would fetch that address. */
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
		isError ? l10n.t('**The tool reports an error**, after {0} ms.', ms) : l10n.t('Done in {0} ms.', ms),
		...(Object.keys(args).length > 0 ? [`## ${l10n.t('Arguments')}`, json(args)] : []),
		`## ${isError ? l10n.t('Error') : l10n.t('Result')}`,
		...(isEmpty ? [l10n.t('The result is empty.')] : []),
		...parts.flatMap((part) => sectionOf(part, files)),
		...(structured === undefined ? [] : [`### ${l10n.t('Structured content')}`, json(structured)]),
	].join('\n\n')}\n`;
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
			return [`### ${l10n.t('Content of an unknown kind')}`, codeBlock(part.json, 'json')];
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

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
