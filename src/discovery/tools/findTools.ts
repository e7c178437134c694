import type { CatalogServer, CatalogTool } from '../catalog/catalog.ts';
import type { Unsearched } from '../catalog/searchMiss.ts';
import { namedServer, unknownServer } from '../catalog/toolNames.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { certainty } from '../search/confidence.ts';
import type { SearchRequest } from '../search/searchRequest.ts';
import type { SearchHit } from '../search/toolIndex.ts';
import { waitingTools } from './waitingTools.ts';

/** No search loads more than this, whatever is configured. */
export const maxSearchResultsCap = 25;
/** Matches that are looked at beyond those that a search may load: as far as there is room, they are named. */
const furtherLimit = 20;

/** Unknown names of which the closest are looked for. */
const explainedNames = 10;

/** A name that led to no tool, or not to one. */
export interface MissingName {
	readonly name: string;
	readonly why: 'unknown' | 'ambiguous' | 'other-server';
	/** `unknown`: the closest; `ambiguous`: the candidates; `other-server`: the tools of that name elsewhere. */
	readonly candidates: readonly CatalogTool[];
}

/** What is nearest to a search that found nothing. */
export type NearestTools =
	/** Tools whose names are spelled much like it. */
	| { readonly kind: 'spelling'; readonly tools: readonly CatalogTool[] }
	/** The server that was searched, with its tools if they are few. */
	| {
			readonly kind: 'server';
			readonly server: string;
			readonly count: number;
			readonly tools: readonly CatalogTool[];
	  };

/** What a search found, before anything is loaded. */
export interface SearchFindings {
	readonly ok: true;
	readonly kind: 'select' | 'keyword' | 'server';
	/** Best first; what is to be loaded, if it is sure. */
	readonly hits: readonly SearchHit[];
	/** The next best; none of them is loaded. */
	readonly further: readonly SearchHit[];
	/** Matches that the limit cut off, the further ones among them. */
	readonly more: number;
	/** Only where keywords found nothing. */
	readonly nearest?: NearestTools;
	readonly missing: readonly MissingName[];
	/** Tools that match as the user accepted them; they are not used until the user accepts their change. Absent: none. */
	readonly waiting?: readonly CatalogTool[];
	/** Names that were not looked for, as there were too many. */
	readonly unread?: number;
	/** The search was of one server, which the caller has chosen. */
	readonly inServer?: boolean;
}

/** A search that cannot be done, and what to tell the model. */
export interface SearchFault {
	readonly ok: false;
	readonly message: string;
	/** It named a server that is not there, or not yet. */
	readonly isUnknownServer?: true;
}

/** Tools that are named where a search is sure of none. */
export const closestTools = 10;

/** Whether a search has found nothing, or nothing of which it is sure: what it could not look at may have it. */
export function isMiss(found: SearchFindings | SearchFault): boolean {
	return found.ok ? found.hits.every(isUncertain) : found.isUnknownServer === true;
}

/** {@link isMiss} of a search by words. */
export function isMissByWords(found: SearchFindings | SearchFault): boolean {
	return found.ok && found.kind === 'keyword' && isMiss(found);
}

/** A search with what it loaded, for the model's text, the log and whoever shows it. */
export type SearchOutcome = Asked & (LoadedFindings | SearchFault);

export interface Asked {
	/** What was asked for: keywords, names with commas, or the server; empty where that could not be read. */
	readonly query: string;
	/** Where it has missed: what it could not look at. */
	readonly unsearched?: Unsearched;
}

export interface LoadedFindings extends SearchFindings {
	readonly hits: readonly OutcomeHit[];
	/** Tools there were to search. */
	readonly searched: number;
	/** Unloaded to make room, by wire name. */
	readonly evicted: readonly string[];
}

/** Whether a tool may not be what was meant; one that was named, or whose ranking cannot tell, is taken for what it is. */
export function isUncertain({ confidence }: Pick<SearchHit, 'confidence'>): boolean {
	return confidence !== undefined && confidence < certainty;
}

/** What a chat knows besides the surface that it searches. */
export interface SearchingChat {
	/** Servers whose names mean nothing else, see `EarlierTools`. */
	readonly earlier?: readonly string[];
	/** Tools that it has loaded or called, by `server:tool`. */
	readonly after?: readonly string[];
}

/**
 * Answers a request from what the surface permits: named tools first, keywords where the names find nothing, a server's
 * tools where nothing else is asked.
 */
export async function findTools(
	surface: ToolSurface,
	request: SearchRequest,
	chat: SearchingChat = {},
): Promise<SearchFindings | SearchFault> {
	const found = await findUsable(surface, request, chat);
	if (!found.ok || surface.waiting.length === 0) return found;
	const server = request.serverName === undefined ? undefined : namedServer(surface, request.serverName);
	const waiting = await waitingTools(surface, request, server);
	return waiting.length > 0 ? { ...found, waiting } : found;
}

async function findUsable(
	surface: ToolSurface,
	request: SearchRequest,
	{ earlier = [], after = [] }: SearchingChat,
): Promise<SearchFindings | SearchFault> {
	const server = request.serverName === undefined ? undefined : namedServer(surface, request.serverName);
	if (request.serverName !== undefined && server === undefined)
		return { ok: false, message: unknownServer(surface, request.serverName), isUnknownServer: true };
	if (request.toolNames) {
		const found = byName(surface, request.toolNames, server, earlier);
		const named = request.unread === undefined ? found : { ...found, unread: request.unread };
		if (named.hits.length > 0 || request.query === undefined) return named;
		return { ...named, ...(await byQuery(surface, request.query, server, after)), missing: named.missing };
	}
	if (request.query !== undefined) return byQuery(surface, request.query, server, after);
	const hits = surface.tools.filter((tool) => tool.server === server).map((tool) => ({ tool }));
	return { ok: true, kind: 'server', hits, further: [], more: 0, missing: [] };
}

async function byQuery(
	surface: ToolSurface,
	query: string,
	server: string | undefined,
	after: readonly string[],
): Promise<SearchFindings> {
	const loaded = Math.min(surface.policy.maxSearchResults, maxSearchResultsCap);
	const index = await surface.index();
	const limit = loaded + furtherLimit;
	const options = { limit, after, ...(server !== undefined && { server }) };
	const deferred = index.find(query, options);
	// A server that is named may have the tool among those that are loaded already.
	const looksFurther = deferred.hits.length === 0 && server !== undefined;
	const { hits, matches } = looksFurther ? (await surface.loadedIndex()).find(query, options) : deferred;
	return {
		ok: true,
		kind: 'keyword',
		hits: hits.slice(0, loaded),
		further: hits.slice(loaded),
		more: Math.max(0, matches - loaded),
		...(hits.length === 0 && { nearest: nearestTools(surface, query, server) }),
		inServer: server !== undefined,
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

/** One tool of a search's answer. */
export interface OutcomeHit extends SearchHit {
	/**
	 * Not loaded are those that are `refused`, since this turn has filled the set, `crowded`, since a request takes no more tools, and
	 * `unsendable`, since the model's provider does not take them.
	 */
	readonly state: 'loaded' | 'already-loaded' | 'refused' | 'crowded' | 'unsendable';
	/** Why it is unsendable, as a sentence. */
	readonly refusal?: string | undefined;
}

/** Tools with a name like the query that are named. */
const namedTools = 3;
/** Tools up to which a server counts as small. */
const fewTools = 10;

/** What to name to somebody whose keywords found nothing, in all servers or in one. */
function nearestTools(surface: ToolSurface, query: string, server: string | undefined): NearestTools {
	if (server !== undefined) {
		const its = toolsOf(surface, server);
		return { kind: 'server', server, count: its.length, tools: its.length <= fewTools ? its : [] };
	}
	return { kind: 'spelling', tools: surface.names.closest(query, namedTools) };
}

function toolsOf(surface: ToolSurface, server: CatalogServer['name']): CatalogTool[] {
	return surface.tools.filter((tool) => tool.server === server);
}
