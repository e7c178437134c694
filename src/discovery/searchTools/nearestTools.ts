import type { CatalogServer, CatalogTool } from '../catalog.ts';
import type { ToolIndex } from '../search/toolIndex.ts';
import type { ToolSurface } from '../toolSurface.ts';

/** What is nearest to a search that found nothing. */
export type NearestTools =
	| {
			/** Servers of the tools that resemble it at all, nearest first, with what is permitted of them. */
			readonly kind: 'resembling';
			readonly servers: readonly { readonly name: string; readonly tools: number }[];
			/** Nearest first. */
			readonly tools: readonly CatalogTool[];
	  }
	/** Tools whose names are spelled much like it. */
	| { readonly kind: 'spelling'; readonly tools: readonly CatalogTool[] }
	/** The server that was searched, with its tools if they are few. */
	| {
			readonly kind: 'server';
			readonly server: string;
			readonly count: number;
			readonly tools: readonly CatalogTool[];
	  };

/** Unlikely matches that are looked at, and servers and tools that are named of them. */
const considered = 10;
const namedServers = 3;
const namedTools = 3;
/** Tools up to which a server counts as small. */
const fewTools = 10;

/** What to name to somebody whose keywords found nothing, in all servers or in one. */
export function nearestTools(
	surface: ToolSurface,
	index: ToolIndex<CatalogTool>,
	query: string,
	server: string | undefined,
): NearestTools {
	if (server !== undefined) {
		const its = toolsOf(surface, server);
		return { kind: 'server', server, count: its.length, tools: its.length <= fewTools ? its : [] };
	}
	const resembling = index.search(query, { unlikely: true, limit: considered }).map(({ tool }) => tool);
	if (resembling.length === 0) return { kind: 'spelling', tools: surface.names.closest(query, namedTools) };
	const servers = [...new Set(resembling.map((tool) => tool.server))].slice(0, namedServers);
	return {
		kind: 'resembling',
		servers: servers.map((name) => ({ name, tools: toolsOf(surface, name).length })),
		tools: resembling.slice(0, namedTools),
	};
}

function toolsOf(surface: ToolSurface, server: CatalogServer['name']): CatalogTool[] {
	return surface.tools.filter((tool) => tool.server === server);
}
