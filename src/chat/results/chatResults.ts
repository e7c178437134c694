import { errorCode, errorMessage } from '../../common/errors.ts';
import { oneLine } from '../../common/text.ts';
import { readResultName } from '../../discovery/catalog/syntheticTool.ts';
import {
	errorResult,
	type ResultContent,
	type ToolResult,
	textResult,
} from '../../discovery/catalog/tool.ts';
import type { BoundedFolder } from '../boundedFolder.ts';
import type { HostedTool, LoopOptions } from '../loopOptions.ts';
import { headAndTail, ResultPages, searchResult } from './resultPages.ts';

/** Maximum bytes of the beginning and the end of a large result for a model, and their shares of a small limit. */
const headBytes = { most: 4 * 1024, share: 1 / 2 };
const tailBytes = { most: 1024, share: 1 / 8 };

/** The large results of one chat. They become files; the model gets their beginning and end, and pages on request. */
export class ChatResults {
	readonly #folder: BoundedFolder;
	/** Files of this chat with the servers that returned them; it can read no others. */
	readonly #files = new Map<string, string | undefined>();

	constructor(folder: BoundedFolder) {
		this.#folder = folder;
	}

	/** The readable files, the oldest first. */
	get names(): readonly string[] {
		return [...this.#files.keys()];
	}

	/**
	 * Shortens a result whose texts have more than `limit` bytes to its beginning and end, with the name of the file that has all of it. Other
	 * content stays. `listing`: the result is JSON, which would be useless if cut, so it becomes a reference to the file with this name.
	 */
	async fit(
		result: ToolResult,
		limit: number,
		{ listing, server }: Parameters<NonNullable<LoopOptions['fitResult']>>[1] = {},
	): Promise<ToolResult> {
		const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
		if (texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= limit) return result;
		const content = Buffer.from(texts.join('\n'));
		const stored = await this.#keep(content, listing, server);
		if (listing !== undefined) return listingReference(content, stored);
		const shortened: ResultContent = { type: 'text', text: shortenedText(content, limit, stored) };
		const first = result.content.findIndex(({ type }) => type === 'text');
		return {
			...result,
			content: result.content.flatMap((part, i): ResultContent[] => {
				if (part.type !== 'text') return [part];
				return i === first ? [shortened] : [];
			}),
		};
	}

	/** The content of one of this chat's files; `undefined` for any other, and for a deleted one. */
	async read(name: string): Promise<Buffer | undefined> {
		return this.#files.has(name) ? this.#folder.read(name) : undefined;
	}

	/** The server whose result is in a file; `undefined` if the text is ours. */
	serverOf(name: string): string | undefined {
		return this.#files.get(name);
	}

	async #keep(
		content: Buffer,
		listing: string | undefined,
		server: string | undefined,
	): Promise<StoredResult> {
		try {
			const file = await this.#folder.keep(content, listing);
			this.#files.set(file, server);
			return { file, pages: new ResultPages(content).count };
		} catch (error) {
			return { fault: errorCode(error) || errorMessage(error) };
		}
	}
}

/** Where a result was stored, or why not. */
type StoredResult =
	| { readonly file: string; readonly pages: number; readonly fault?: never }
	| { readonly fault: string };

function listingReference(content: Buffer, stored: StoredResult): ToolResult {
	if (stored.fault !== undefined) {
		const error = `The list has ${content.length} bytes, and could not be saved (${stored.fault}). Ask for one server, or for words.`;
		return errorResult(JSON.stringify({ error }));
	}
	const { file, pages } = stored;
	const note = `Too large to show. Read its pages with ${readResultName}, or search it.`;
	return textResult(JSON.stringify({ file, bytes: content.length, pages, note }));
}

function shortenedText(content: Buffer, limit: number, stored: StoredResult): string {
	const bytesOf = ({ most, share }: typeof headBytes) => Math.floor(Math.min(most, limit * share));
	const { head, tail } = headAndTail(content, bytesOf(headBytes), bytesOf(tailBytes));
	const omittedBytes = content.length - Buffer.byteLength(head) - Buffer.byteLength(tail);
	const hint =
		stored.fault === undefined
			? `The whole result is file "${stored.file}" with ${stored.pages} pages: read one with ${readResultName} {"file":"${stored.file}","page":1}, or find words in it with {"file":"${stored.file}","search":"words"}.`
			: `They could not be saved (${stored.fault}). If you need them, call the tool again and ask for less.`;
	return `${head.trimEnd()}\n\n[... ${omittedBytes} of ${content.length} bytes are omitted here. ${hint} ...]\n\n${tail}`;
}

/** Maximum files in an error, the newest last, and characters of a name. */
const maxNamedFiles = 10;
const nameLimit = 120;

/**
 * `read_result` for one chat. A model always has it, even if there is nothing to read yet: adding a tool later would break the prompt's cached
 * prefix, which costs more than these few words.
 */
export function readResultTool(results: ChatResults): HostedTool {
	return {
		definition: {
			name: readResultName,
			description:
				'Reads a page of a result that was too large to show, or finds words in it. The result names the file.',
			inputSchema: {
				type: 'object',
				properties: {
					file: { type: 'string', description: 'File name from the result.' },
					page: { type: 'integer', description: 'From 1, the default.' },
					search: { type: 'string', description: 'Words to find instead; returns the pages that have them.' },
				},
				required: ['file'],
			},
		},
		run: async (call, _turn, emit) => {
			emit({ type: 'looking', call });
			const result = await readResult(call.input, results);
			const server = results.serverOf(String(call.input.file).trim());
			return { result, ...(server !== undefined && { from: [server] }) };
		},
	};
}

/** Answers `read_result`. Throws if there is nothing to read: the message tells the model why. */
export async function readResult(
	{ file, page = 1, search }: Readonly<Record<string, unknown>>,
	results: ChatResults,
): Promise<ToolResult> {
	if (typeof file !== 'string') throw new Error("Provide 'file', the file name that a large result gives.");
	const content = await results.read(file.trim());
	if (!content) throw new Error(noFile(file, results.names));
	const pages = new ResultPages(content);
	const name = file.trim();
	if (typeof search === 'string' && search.trim()) return searchAnswer(content, pages, name, search.trim());
	const number = Number(page);
	const text = pages.page(number);
	if (text === undefined) throw new Error(`'${name}' has pages 1 to ${pages.count}.`);
	return textResult(`[Page ${number} of ${pages.count} of ${name}]\n${text}`);
}

function searchAnswer(content: Buffer, pages: ResultPages, name: string, searched: string): ToolResult {
	const { places, more } = searchResult(content, pages, searched);
	const words = oneLine(searched, nameLimit);
	if (places.length === 0) return textResult(`'${words}' is not in ${name}.`);
	return textResult(
		[
			`[Places of '${words}' in ${name}]`,
			...places.map(({ page, excerpt }) => `page ${page}: ${excerpt}`),
			...(more ? ['[There are more places.]'] : []),
		].join('\n'),
	);
}

function noFile(file: string, names: readonly string[]): string {
	const askedFile = oneLine(file, nameLimit);
	if (names.includes(file.trim()))
		return `The file '${askedFile}' is gone. Call the tool again if you need it.`;
	const knownFiles = names.slice(-maxNamedFiles).join(', ') || 'none';
	return `This chat has no file '${askedFile}'. Its files: ${knownFiles}.`;
}
