import type { CatalogTool } from '../catalog.ts';
import { namedServer, unknownServer } from '../namedServer.ts';
import type { ToolSurface } from '../toolSurface.ts';

/** Which tools are to be listed. */
export interface ListingRequest {
	readonly server?: string;
	/** Words that all have to be in what a tool says of itself. */
	readonly search?: string;
	readonly detailed: boolean;
}

/** What was asked for, or what is wrong with it, for the model. */
export type ParsedListing =
	| { readonly ok: true; readonly request: ListingRequest }
	| { readonly ok: false; readonly message: string };

/** Reads what a model wrote; empty values count as absent. `serverKey`: the parameter that names the server. */
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

/** The tools that are asked for, by server in the order of the catalog; of one server only its own tools are looked at. */
export function listedTools(
	surface: ToolSurface,
	{ server, search }: ListingRequest,
):
	| { readonly ok: true; readonly server: string | undefined; readonly tools: readonly CatalogTool[] }
	| { readonly ok: false; readonly message: string } {
	const its = server === undefined ? undefined : namedServer(surface, server);
	if (server !== undefined && its === undefined)
		return { ok: false, message: unknownServer(surface, server) };
	const words = search?.toLowerCase().split(/\s+/) ?? [];
	const tools = surface.tools.filter(
		(tool) => (its === undefined || tool.server === its) && words.every((word) => says(tool, word)),
	);
	return { ok: true, server: its, tools };
}

function says({ id, title = '', description = '', searchHint = '' }: CatalogTool, word: string): boolean {
	return [id, title, description, searchHint].some((text) => text.toLowerCase().includes(word));
}

function trimmed(value: unknown): string | undefined {
	return typeof value === 'string' ? value.trim() || undefined : undefined;
}
