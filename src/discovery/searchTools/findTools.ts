import type { CatalogTool } from '../catalog.ts';
import { namedServer, unknownServer } from '../namedServer.ts';
import { isLikely } from '../search/confidence.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { type NearestTools, nearestTools } from './nearestTools.ts';
import type { SearchRequest } from './request.ts';

/** No search loads more than this, whatever is configured. */
export const maxSearchResultsCap = 25;
/** Matches that are named after those that are loaded. */
const furtherLimit = 10;

/** Unknown names of which the closest are looked for. */
const explainedNames = 10;

/** A tool that a search found. */
export interface SearchHit {
	readonly tool: CatalogTool;
	/** Absent where the tool was named. */
	readonly score?: number;
	/** How sure it is that this was meant, 0 to 1; absent where the tool was named, and where the ranking cannot tell. */
	readonly confidence?: number;
}

/** A name that led to no tool, or not to one. */
export interface MissingName {
	readonly name: string;
	readonly why: 'unknown' | 'ambiguous' | 'other-server';
	/** `unknown`: the closest; `ambiguous`: the candidates; `other-server`: the tools of that name elsewhere. */
	readonly candidates: readonly CatalogTool[];
}

/** What a search found, before anything is loaded. */
export interface SearchFindings {
	readonly ok: true;
	readonly kind: 'select' | 'keyword' | 'server';
	/** Best first; what is to be loaded. */
	readonly hits: readonly SearchHit[];
	/** The next best, as far as they are likely; not to be loaded. */
	readonly further: readonly SearchHit[];
	/** Matches that the limit cut off, the further ones among them. */
	readonly more: number;
	/** Only where keywords found nothing. */
	readonly nearest?: NearestTools;
	readonly missing: readonly MissingName[];
	/** Names that were not looked for, as there were too many. */
	readonly unread?: number;
}

/** A search that cannot be done, and what to tell the model. */
export interface SearchFault {
	readonly ok: false;
	readonly message: string;
}

/**
 * Answers a request from what the surface permits: named tools first, keywords where the names find nothing, a server's
 * tools where nothing else is asked. `earlier`: servers whose names mean nothing else, see `EarlierTools`.
 */
export async function findTools(
	surface: ToolSurface,
	request: SearchRequest,
	earlier: readonly string[] = [],
): Promise<SearchFindings | SearchFault> {
	const server = request.serverName === undefined ? undefined : namedServer(surface, request.serverName);
	if (request.serverName !== undefined && server === undefined)
		return { ok: false, message: unknownServer(surface, request.serverName) };
	if (request.toolNames) {
		const found = byName(surface, request.toolNames, server, earlier);
		const named = request.unread === undefined ? found : { ...found, unread: request.unread };
		if (named.hits.length > 0 || request.query === undefined) return named;
		return { ...named, ...(await byQuery(surface, request.query, server)), missing: named.missing };
	}
	if (request.query !== undefined) return byQuery(surface, request.query, server);
	const hits = surface.tools.filter((tool) => tool.server === server).map((tool) => ({ tool }));
	return { ok: true, kind: 'server', hits, further: [], more: 0, missing: [] };
}

async function byQuery(
	surface: ToolSurface,
	query: string,
	server: string | undefined,
): Promise<SearchFindings> {
	const loaded = Math.min(surface.policy.maxSearchResults, maxSearchResultsCap);
	const index = await surface.index();
	const limit = loaded + furtherLimit;
	const { hits, matches } = index.find(query, server === undefined ? { limit } : { limit, server });
	return {
		ok: true,
		kind: 'keyword',
		hits: hits.slice(0, loaded),
		further: hits.slice(loaded).filter(isLikely),
		more: Math.max(0, matches - loaded),
		...(hits.length === 0 && { nearest: nearestTools(surface, index, query, server) }),
		missing: [],
	};
}

function byName(
	surface: ToolSurface,
	names: readonly string[],
	server: string | undefined,
	earlier: readonly string[],
): SearchFindings {
	const hits = new Map<CatalogTool, SearchHit>();
	const missing: MissingName[] = [];
	for (const name of names) {
		const resolution = surface.names.resolve(name, server, earlier);
		if (resolution.kind === 'unknown') {
			// To find what is closest, a name is compared with all there are.
			const candidates = missing.length < explainedNames ? resolution.closest : [];
			missing.push({ name, why: 'unknown', candidates });
			continue;
		}
		const candidates = resolution.kind === 'found' ? [resolution.tool] : resolution.candidates;
		const elsewhere = server !== undefined && candidates.every((tool) => tool.server !== server);
		if (elsewhere) missing.push({ name, why: 'other-server', candidates });
		else if (resolution.kind === 'ambiguous') missing.push({ name, why: 'ambiguous', candidates });
		else hits.set(resolution.tool, { tool: resolution.tool });
	}
	return { ok: true, kind: 'select', hits: [...hits.values()], further: [], more: 0, missing };
}
