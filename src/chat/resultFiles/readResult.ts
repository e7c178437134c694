import { readResultName } from '../../discovery/syntheticTool.ts';
import { oneLine } from '../../discovery/text.ts';
import { errorResult, type ToolResult, textResult } from '../../discovery/toolResult.ts';
import type { HostedTool } from '../hostedTool.ts';
import type { ChatResults } from './chatResults.ts';
import { ResultPages } from './resultPages.ts';
import { searchResult } from './searchResult.ts';

/** Files that an error names, the newest last, and characters of a name that it repeats. */
const namedFiles = 10;
const nameLimit = 120;

/**
 * `read_result` for one chat. A model always has it, and not only once there is something to read: a tool that comes later would break
 * the beginning of the prompt, which costs more than these few words.
 */
export function readResultTool(results: ChatResults): HostedTool {
	return {
		definition: {
			name: readResultName,
			description:
				'Reads a page of a result that was too large to show, or finds words in it. The result says which file to read.',
			inputSchema: {
				type: 'object',
				properties: {
					file: { type: 'string', description: 'Name of the file, as the result gave it.' },
					page: { type: 'integer', description: 'From 1, the default.' },
					search: { type: 'string', description: 'Words to find instead; says on which pages they stand.' },
				},
				required: ['file'],
			},
		},
		run: async (call, _turn, emit) => {
			emit({ type: 'looking', call });
			const result = await read(call.input, results);
			if (result.isError) emit({ type: 'toolFinished', call, result });
			return result;
		},
	};
}

async function read(
	{ file, page = 1, search }: Readonly<Record<string, unknown>>,
	results: ChatResults,
): Promise<ToolResult> {
	if (typeof file !== 'string') return errorResult("Error: Give 'file', the name that a large result has.");
	const content = await results.read(file.trim());
	if (!content) return errorResult(noFile(file, results.names));
	const pages = new ResultPages(content);
	const name = file.trim();
	if (typeof search === 'string' && search.trim()) return found(content, pages, name, search.trim());
	const number = Number(page);
	const text = pages.page(number);
	if (text === undefined) return errorResult(`Error: '${name}' has pages 1 to ${pages.count}.`);
	return textResult(`[Page ${number} of ${pages.count} of ${name}]\n${text}`);
}

function found(content: Buffer, pages: ResultPages, name: string, searched: string): ToolResult {
	const { places, more } = searchResult(content, pages, searched);
	const words = oneLine(searched, nameLimit);
	if (places.length === 0) return textResult(`'${words}' does not stand in ${name}.`);
	return textResult(
		[
			`[Places of '${words}' in ${name}]`,
			...places.map(({ page, excerpt }) => `page ${page}: ${excerpt}`),
			...(more ? ['[There are more places.]'] : []),
		].join('\n'),
	);
}

function noFile(file: string, names: readonly string[]): string {
	const asked = oneLine(file, nameLimit);
	if (names.includes(file.trim()))
		return `Error: The file '${asked}' is gone. Call the tool again if you need it.`;
	const known = names.slice(-namedFiles).join(', ') || 'none';
	return `Error: This chat has no file '${asked}'. Its files: ${known}.`;
}
