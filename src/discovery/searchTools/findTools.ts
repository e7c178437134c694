import type { CatalogTool } from '../catalog.ts';
import { nearestName } from '../nearestName.ts';
import { oneLine } from '../text.ts';
import type { ToolSurface } from '../toolSurface.ts';
import type { SearchRequest } from './request.ts';

/** No search loads more than this, whatever is configured. */
export const maxSearchResultsCap = 25;

/** A tool that a search found; the score is absent where it was named. */
export interface SearchHit {
	readonly tool: CatalogTool;
	readonly score?: number;
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
	/** Matches that the limit cut off. */
	readonly more: number;
	readonly missing: readonly MissingName[];
}

/** A search that cannot be done, and what to tell the model. */
export interface SearchFault {
	readonly ok: false;
	readonly message: string;
}

/** Most names that an error lists, and characters of each. */
const listedNames = 100;
const nameLimit = 100;

/**
 * Answers a request from what the surface permits: named tools first, keywords where the names find nothing, a server's
 * tools where nothing else is asked.
 */
export function findTools(surface: ToolSurface, request: SearchRequest): SearchFindings | SearchFault {
	const server = request.serverName === undefined ? undefined : resolveServer(surface, request.serverName);
	if (request.serverName !== undefined && server === undefined)
		return unknownServer(surface, request.serverName);
	if (request.toolNames) {
		const named = byName(surface, request.toolNames, server);
		if (named.hits.length > 0 || request.query === undefined) return named;
		return { ...byQuery(surface, request.query, server), missing: named.missing };
	}
	if (request.query !== undefined) return byQuery(surface, request.query, server);
	const hits = surface.tools.filter((tool) => tool.server === server).map((tool) => ({ tool }));
	return { ok: true, kind: 'server', hits, more: 0, missing: [] };
}

function byQuery(surface: ToolSurface, query: string, server: string | undefined): SearchFindings {
	const limit = Math.min(surface.policy.maxSearchResults, maxSearchResultsCap);
	const all = surface.index.search(query, server === undefined ? {} : { server });
	return {
		ok: true,
		kind: 'keyword',
		hits: all.slice(0, limit),
		more: Math.max(0, all.length - limit),
		missing: [],
	};
}

function byName(surface: ToolSurface, names: readonly string[], server: string | undefined): SearchFindings {
	const hits = new Map<CatalogTool, SearchHit>();
	const missing: MissingName[] = [];
	for (const name of names) {
		const resolution = surface.names.resolve(name, server);
		if (resolution.kind === 'unknown') {
			missing.push({ name, why: 'unknown', candidates: resolution.closest });
			continue;
		}
		const candidates = resolution.kind === 'found' ? [resolution.tool] : resolution.candidates;
		const elsewhere = server !== undefined && candidates.every((tool) => tool.server !== server);
		if (elsewhere) missing.push({ name, why: 'other-server', candidates });
		else if (resolution.kind === 'ambiguous') missing.push({ name, why: 'ambiguous', candidates });
		else hits.set(resolution.tool, { tool: resolution.tool });
	}
	return { ok: true, kind: 'select', hits: [...hits.values()], more: 0, missing };
}

function resolveServer(surface: ToolSurface, name: string): string | undefined {
	const names = surface.servers.map((server) => server.name);
	return (
		names.find((known) => known === name) ?? names.find((known) => known.toLowerCase() === name.toLowerCase())
	);
}

function unknownServer(surface: ToolSurface, name: string): SearchFault {
	const names = surface.servers.map((server) => oneLine(server.name, nameLimit));
	const closest = nearestName(name, names);
	const listed = names.slice(0, listedNames).join(', ');
	const rest = names.length > listedNames ? `, ... and ${names.length - listedNames} more` : '';
	const hint = closest ? ` Did you mean '${closest}'?` : '';
	return {
		ok: false,
		message: `Unknown server '${oneLine(name, nameLimit)}'.${hint} Available servers: ${listed}${rest}`,
	};
}
