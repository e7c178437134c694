import type { CatalogTool } from '../catalog.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { listAvailableToolsName, type SyntheticResult, type SyntheticTool } from '../syntheticTool.ts';
import type { ToolDefinition } from '../tool.ts';
import { errorResult, type ToolResult, textResult } from '../toolResult.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { errorJson, jsonLines, listedTool } from './toolJson.ts';
import { type ListingRequest, listedTools, parseListing } from './toolListing.ts';

export const listAvailableToolsDefinition: ToolDefinition = {
	name: listAvailableToolsName,
	description:
		'Lists the tools of all MCP servers, or of one, as JSON objects of server, tool and description. It loads none of them.',
	inputSchema: {
		type: 'object',
		properties: {
			detailed: { type: 'boolean', description: 'Also each input schema. Default: false.' },
			filter_by_server: { type: 'string', description: 'Only the tools of this server.' },
			search: { type: 'string', description: 'Only tools that say all of these words of themselves.' },
		},
	},
};

/** Letters of a server's name in the name of a listing. */
const serverLetters = 30;

/** The synthetic tool that lists what a surface permits. */
export class ListAvailableTools implements SyntheticTool {
	readonly name = listAvailableToolsName;
	readonly definition = listAvailableToolsDefinition;
	readonly #surface: ToolSurface;

	constructor(surface: ToolSurface) {
		this.#surface = surface;
	}

	execute(input: Readonly<Record<string, unknown>>): SyntheticResult {
		const parsed = parseListing(input, 'filter_by_server');
		if (!parsed.ok) return answered(errorResult(errorJson(parsed.message)));
		const { request } = parsed;
		const listed = listedTools(this.#surface, request);
		if (!listed.ok) return answered(errorResult(errorJson(listed.message)));
		const text = jsonLines(listed.tools.map((tool) => listedTool(tool, request.detailed)));
		return {
			...answered(textResult(text)),
			listing: listingName(this.#surface.tools, listed.server, request),
		};
	}
}

/** What an inspection comes to: it loads nothing, and so evicts nothing. */
export function answered(result: ToolResult): SyntheticResult {
	return { result, newlyLoaded: [], evicted: [] };
}

/**
 * `slack-1d2k3…`: the server with the hash of its list of tools, as far as they are permitted, and what else was asked for. The name is
 * the same as long as that list is, and another one as soon as anything in it changes.
 */
function listingName(
	all: readonly CatalogTool[],
	server: string | undefined,
	{ search, detailed }: ListingRequest,
): string {
	const its = server === undefined ? all : all.filter((tool) => tool.server === server);
	const list = its.map(({ id, title, description, inputSchema }) => [id, title, description, inputSchema]);
	return [
		letters(server ?? 'all'),
		fingerprintOf(list),
		...(detailed ? ['detailed'] : []),
		...(search ? [fingerprintOf(search.toLowerCase())] : []),
	].join('-');
}

/** A server's name as a part of the name of a listing. */
export function letters(name: string): string {
	const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['server'];
	return words.join('-').slice(0, serverLetters);
}
