import { cut } from '../../common/text.ts';
import type { CatalogServer, CatalogTool } from '../catalog/catalog.ts';
import type { Unsearched } from '../catalog/searchMiss.ts';
import { namedServer, unknownServer } from '../catalog/toolNames.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { certainty, isLikely } from '../search/certainty.ts';
import type { Hit } from '../search/hit.ts';
import type { SearchRequest } from '../search/searchRequest.ts';

/** No search loads more than this, whatever is configured. */
const maxSearchResultsCap = 25;
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

/** The closest matches for a search that found nothing. */
export type NearestTools =
	/** Tools whose names are spelled similarly. */
	| { readonly kind: 'spelling'; readonly tools: readonly CatalogTool[] }
	/** The searched server, with its tools if they are few. */
	| {
			readonly kind: 'server';
			readonly server: string;
			readonly count: number;
			readonly tools: readonly CatalogTool[];
	  };

interface AskedSearch {
	/** Keywords, names with commas, or the server; empty if unreadable. */
	readonly query: string;
	/** On a miss: what could not be searched. */
	readonly unsearched?: Unsearched;
}

/** The result of a search before anything is loaded. */
export interface SearchFindings extends AskedSearch {
	readonly ok: true;
	readonly kind: 'select' | 'keyword' | 'server';
	/** Best first; to be loaded if they are sure. */
	readonly hits: readonly Hit[];
	/** The next best; never loaded. */
	readonly further: readonly Hit[];
	/** Matches beyond the limit, including `further`. */
	readonly more: number;
	/** Only if keywords found nothing. */
	readonly nearest?: NearestTools;
	readonly missing: readonly MissingName[];
	/** Quarantined tools that match in the version the user accepted. Absent: none. */
	readonly waiting?: readonly CatalogTool[];
	/** Number of names ignored because there were too many. */
	readonly unread?: number;
	/** The caller restricted the search to one server. */
	readonly inServer?: boolean;
	/** See `SearchResult`. */
	readonly hasNeeds?: true;
}

/** A search that failed, with a message for the model. */
export interface SearchFault extends AskedSearch {
	readonly ok: false;
	readonly message: string;
	/** The named server does not exist, or not yet. */
	readonly isUnknownServer?: true;
}

/** Tools named when a search is sure of none. */
export const closestTools = 10;

/** Whether a search found nothing likely: servers it could not search may have the tool. */
export function isMiss(found: SearchFindings | SearchFault): boolean {
	return found.ok ? !found.hits.some(isLikely) : found.isUnknownServer === true;
}

/** {@link isMiss} for a keyword search. */
export function isMissByWords(found: SearchFindings | SearchFault): boolean {
	return found.ok && found.kind === 'keyword' && isMiss(found);
}

/** A search and what it loaded, for the model, the log and the interface. */
export type SearchOutcome = LoadedFindings | SearchFault;

/** The hits of a search by words, best first. `undefined`: it was another search, or it failed. */
export function hitsByWords(search: SearchOutcome): readonly Hit[] | undefined {
	if (!search.ok || search.kind !== 'keyword') return undefined;
	return [...search.hits, ...search.further].toSorted((a, b) => b.score - a.score);
}

export interface LoadedFindings extends SearchFindings {
	readonly hits: readonly OutcomeHit[];
	/** Number of tools searched. */
	readonly searched: number;
	/** How many of the first of `further` would be loaded if they could not change anything; not among `more`. */
	readonly riskyCount?: number;
}

/** Whether the tool may not be what was meant. Named tools, and tools of rankings without confidence, are certain. */
export function isUncertain({ confidence }: Pick<Hit, 'confidence'>): boolean {
	return confidence !== undefined && confidence < certainty;
}

/** What a chat knows besides its surface. */
export interface SearchContext {
	/** Servers whose names mean nothing else, see `EarlierTools`. */
	readonly earlier?: readonly string[];
	/** Tools it has loaded or called, by `server:tool`. */
	readonly after?: readonly string[];
}

/** Characters of the request that are kept. */
const askedLimit = 4_000;

type Found = Omit<SearchFindings, 'query'>;

/** Answers a request within the surface: named tools first, keywords if the names find nothing, all tools of a server if nothing else is given. */
export async function findTools(
	surface: ToolSurface,
	request: SearchRequest,
	chat: SearchContext = {},
): Promise<SearchFindings | SearchFault> {
	const { query, toolNames, serverName } = request;
	const queryText = cut(query ?? toolNames?.join(', ') ?? serverName ?? '', askedLimit);
	const found = { ...(await findUsable(surface, request, chat)), query: queryText };
	if (!found.ok || surface.waiting.length === 0) return found;
	const server = request.serverName === undefined ? undefined : namedServer(surface, request.serverName);
	const { waitingTools } = await import('./waitingTools.ts');
	const waiting = await waitingTools(surface, request, server);
	return waiting.length > 0 ? { ...found, waiting } : found;
}

async function findUsable(
	surface: ToolSurface,
	request: SearchRequest,
	{ earlier = [], after = [] }: SearchContext,
): Promise<Found | Omit<SearchFault, 'query'>> {
	const server = request.serverName === undefined ? undefined : namedServer(surface, request.serverName);
	if (request.serverName !== undefined && server === undefined)
		return { ok: false, message: unknownServer(surface, request.serverName), isUnknownServer: true };
	if (request.toolNames) {
		const byNames = byName(surface, request.toolNames, server, earlier);
		const named = request.unread === undefined ? byNames : { ...byNames, unread: request.unread };
		if (named.hits.length > 0 || request.query === undefined) return named;
		const found = await byQuery(surface, request.query, server, after, request.maxResults);
		return { ...named, ...found, missing: named.missing };
	}
	if (request.query !== undefined) return byQuery(surface, request.query, server, after, request.maxResults);
	const hits = surface.tools.filter((tool) => tool.server === server).map(askedFor);
	return { ok: true, kind: 'server', hits, further: [], more: 0, missing: [] };
}

async function byQuery(
	surface: ToolSurface,
	query: string,
	server: string | undefined,
	after: readonly string[],
	asked = surface.policy.maxSearchResults,
): Promise<Found> {
	const loaded = Math.min(asked, maxSearchResultsCap);
	const limit = loaded + furtherLimit;
	const options = { limit, after, ...(server !== undefined && { server }) };
	const { hits, matches, hasNeeds } = await surface.find(query, options);
	return {
		ok: true,
		kind: 'keyword',
		hits: hits.slice(0, loaded),
		further: hits.slice(loaded),
		more: Math.max(0, matches - loaded),
		...(hits.length === 0 && { nearest: nearestTools(surface, query, server) }),
		inServer: server !== undefined,
		...(hasNeeds && { hasNeeds }),
		missing: [],
	};
}

function byName(
	surface: ToolSurface,
	names: readonly string[],
	server: string | undefined,
	earlier: readonly string[],
): Found {
	const hits = new Map<CatalogTool, Hit>();
	const missing: MissingName[] = [];
	for (const name of names) {
		const resolution = surface.names.resolve(name, server, earlier);
		if (resolution.kind === 'unknown') {
			// Finding the closest names compares a name with every tool.
			const candidates = missing.length < explainedNames ? resolution.closest : [];
			missing.push({ name, why: 'unknown', candidates });
			continue;
		}
		const candidates = resolution.kind === 'found' ? [resolution.tool] : resolution.candidates;
		const elsewhere = server !== undefined && candidates.every((tool) => tool.server !== server);
		if (elsewhere) missing.push({ name, why: 'other-server', candidates });
		else if (resolution.kind === 'ambiguous') missing.push({ name, why: 'ambiguous', candidates });
		else hits.set(resolution.tool, askedFor(resolution.tool));
	}
	return { ok: true, kind: 'select', hits: [...hits.values()], further: [], more: 0, missing };
}

function askedFor(tool: CatalogTool): Hit {
	return { tool, score: 1 };
}

/** A tool in the result of a search. */
export interface OutcomeHit extends Hit {
	/** Not loaded: `refused`, this turn can load no more; `unsendable`, the provider does not accept the tool. */
	readonly state: 'loaded' | 'already-loaded' | 'refused' | 'unsendable';
	/** Why it is unsendable, as a sentence. */
	readonly refusal?: string | undefined;
}

/** Similar names that are listed. */
const maxNamedTools = 3;
/** Most tools of a server that are all listed. */
const fewTools = 10;

/** Suggestions after keywords found nothing, in all servers or in one. */
function nearestTools(surface: ToolSurface, query: string, server: string | undefined): NearestTools {
	if (server !== undefined) {
		const tools = toolsOf(surface, server);
		return { kind: 'server', server, count: tools.length, tools: tools.length <= fewTools ? tools : [] };
	}
	return { kind: 'spelling', tools: surface.names.closest(query, maxNamedTools) };
}

function toolsOf(surface: ToolSurface, server: CatalogServer['name']): CatalogTool[] {
	return surface.tools.filter((tool) => tool.server === server);
}
