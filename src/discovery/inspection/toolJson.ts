import type { CatalogTool } from '../catalog.ts';
import { isRecord } from '../record.ts';
import { cleanText, cut } from '../text.ts';

/** Characters of a description in a listing, as many as a manifest takes of one. */
const descriptionLimit = 1024;

/** A value as one line of JSON, with all text of servers in it cleaned: names of parameters, too. */
export function cleanJson(value: unknown): string {
	return JSON.stringify(value, (_key, part: unknown) => {
		if (typeof part === 'string') return cleanText(part);
		if (!isRecord(part)) return part;
		return Object.fromEntries(Object.entries(part).map(([key, inner]) => [cleanText(key), inner]));
	});
}

/** A list as JSON with a line for each entry, so that it can be read in pages, and searched by lines. */
export function jsonLines(entries: readonly unknown[]): string {
	return entries.length === 0 ? '[]' : `[\n${entries.map(cleanJson).join(',\n')}\n]`;
}

/** One tool of a listing; its schema where the listing is detailed. */
export function listedTool(tool: CatalogTool, detailed: boolean): object {
	return {
		server: tool.server,
		tool: tool.name,
		description: cut(descriptionOf(tool), descriptionLimit),
		...(detailed && { inputSchema: tool.inputSchema }),
	};
}

/** All that there is to know of one tool to call it. */
export function toolDetails(
	tool: CatalogTool,
): Pick<CatalogTool, 'name' | 'inputSchema'> & { readonly description: string } {
	return { name: tool.name, description: descriptionOf(tool), inputSchema: tool.inputSchema };
}

/** An error as JSON, since whoever reads these results expects nothing else. */
export function errorJson(message: string, closest: readonly CatalogTool[] = []): string {
	const names = closest.map(({ id }) => id);
	return cleanJson({ error: message, ...(names.length > 0 && { closest: names }) });
}

function descriptionOf({ description, title }: CatalogTool): string {
	return cleanText(description ?? title ?? '').trim();
}
