import { isRecord, shortHash } from '../../common/json.ts';
import { cleanText, cut, nameLimit, oneLine } from '../../common/text.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import type { SyntheticResult } from '../catalog/syntheticTool.ts';
import { errorResult, textResult } from '../catalog/tool.ts';
import { namedServer, unknownServer } from '../catalog/toolNames.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';

/** Characters of a description in a listing: the same as in a manifest. */
const descriptionLimit = 1024;

/** JSON on one line, with all server text cleaned, including parameter names. */
export function cleanJson(value: unknown): string {
	return JSON.stringify(value, (_key, part: unknown) => {
		if (typeof part === 'string') return cleanText(part);
		if (!isRecord(part)) return part;
		return Object.fromEntries(Object.entries(part).map(([key, inner]) => [cleanText(key), inner]));
	});
}

/** A JSON list with one entry per line, so that it can be read in pages and searched by lines. */
function jsonLines(entries: readonly unknown[]): string {
	return entries.length === 0 ? '[]' : `[\n${entries.map(cleanJson).join(',\n')}\n]`;
}

function listedTool(tool: CatalogTool, detailed: boolean): object {
	return {
		server: tool.server,
		tool: tool.name,
		description: cut(descriptionOf(tool), descriptionLimit),
		...(detailed && { inputSchema: tool.inputSchema }),
	};
}

/** What is needed to call a tool. */
export function toolDetails(
	tool: CatalogTool,
): Pick<CatalogTool, 'name' | 'inputSchema'> & { readonly description: string } {
	return { name: tool.name, description: descriptionOf(tool), inputSchema: tool.inputSchema };
}

function descriptionOf({ description, title }: CatalogTool): string {
	return cleanText(description ?? title ?? '').trim();
}

export interface ListingRequest {
	readonly server?: string;
	/** Words that a tool's texts must all contain. */
	readonly search?: string;
	readonly detailed: boolean;
}

/** The parsed request, or an error for the model. */
export type ParsedListing =
	| { readonly ok: true; readonly request: ListingRequest }
	| { readonly ok: false; readonly message: string };

/** Empty values count as absent. `serverKey`: the parameter that names the server. */
export function parseListing(input: Readonly<Record<string, unknown>>, serverKey: string): ParsedListing {
	const { search, detailed = false } = input;
	for (const [name, value] of [
		[serverKey, input[serverKey]],
		['search', search],
	] as const) {
		if (value !== undefined && value !== null && typeof value !== 'string')
			return { ok: false, message: `'${name}' must be a string.` };
	}
	if (detailed !== null && typeof detailed !== 'boolean')
		return { ok: false, message: "'detailed' must be true or false." };
	const server = trimmed(input[serverKey]);
	const words = trimmed(search);
	return {
		ok: true,
		request: { ...(server && { server }), ...(words && { search: words }), detailed: detailed === true },
	};
}

/** The requested tools, by server in catalog order. */
export function listedTools(
	surface: ToolSurface,
	{ server, search }: ListingRequest,
):
	| { readonly ok: true; readonly server: string | undefined; readonly tools: readonly CatalogTool[] }
	| { readonly ok: false; readonly message: string } {
	const name = server === undefined ? undefined : namedServer(surface, server);
	if (server !== undefined && name === undefined)
		return { ok: false, message: unknownServer(surface, server) };
	const words = search?.toLowerCase().split(/\s+/) ?? [];
	const tools = surface.tools.filter(
		(tool) => (name === undefined || tool.server === name) && words.every((word) => says(tool, word)),
	);
	return { ok: true, server: name, tools };
}

function says({ id, title = '', description = '', searchHint = '' }: CatalogTool, word: string): boolean {
	return [id, title, description, searchHint].some((text) => text.toLowerCase().includes(word));
}

function trimmed(value: unknown): string | undefined {
	return typeof value === 'string' ? value.trim() || undefined : undefined;
}

/** Letters of a server's name in a listing's name. */
const serverLetters = 30;

export function listAvailableTools(
	surface: ToolSurface,
	input: Readonly<Record<string, unknown>>,
): SyntheticResult {
	const parsed = parseListing(input, 'filter_by_server');
	if (!parsed.ok) return fault(parsed.message);
	const { request } = parsed;
	const listed = listedTools(surface, request);
	if (!listed.ok) return fault(listed.message);
	const text = jsonLines(listed.tools.map((tool) => listedTool(tool, request.detailed)));
	return { result: textResult(text), listing: listingName(surface.tools, listed.server, request) };
}

/** An error as JSON, because callers expect nothing else. */
function fault(message: string, closest: readonly CatalogTool[] = []): SyntheticResult {
	const names = closest.map(({ id }) => id);
	return {
		result: errorResult(cleanJson({ error: message, ...(names.length > 0 && { closest: names }) })),
	};
}

/** `slack-1d2k3…`: the server, a hash of its permitted tools, and the other filters. The name changes exactly when the list does. */
function listingName(
	all: readonly CatalogTool[],
	server: string | undefined,
	{ search, detailed }: ListingRequest,
): string {
	const tools = server === undefined ? all : all.filter((tool) => tool.server === server);
	const list = tools.map(({ id, title, description, inputSchema }) => [id, title, description, inputSchema]);
	return [
		letters(server ?? 'all'),
		shortHash(list),
		...(detailed ? ['detailed'] : []),
		...(search ? [shortHash(search.toLowerCase())] : []),
	].join('-');
}

/** A server's name inside a listing's name. */
function letters(name: string): string {
	const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['server'];
	return words.join('-').slice(0, serverLetters);
}

export function listToolDetails(
	surface: ToolSurface,
	{ server, tool_name: name }: Readonly<Record<string, unknown>>,
): SyntheticResult {
	if (typeof server !== 'string' || typeof name !== 'string' || !server.trim() || !name.trim()) {
		return fault("Provide 'server' and 'tool_name', each as a string.");
	}
	const known = namedServer(surface, server.trim());
	if (known === undefined) return fault(unknownServer(surface, server.trim()));
	const resolution = surface.names.resolve(name, known);
	if (resolution.kind === 'found' && resolution.tool.server === known) {
		const details = cleanJson(toolDetails(resolution.tool));
		// A schema may be too large for a result. The name stays the same while the details do.
		return { result: textResult(details), listing: `${letters(known)}-${shortHash(details)}-details` };
	}
	const near = resolution.kind === 'unknown' ? resolution.closest : surface.names.closest(name);
	return fault(`There is no tool '${oneLine(name, nameLimit)}' on '${oneLine(known, nameLimit)}'.`, near);
}
