import type { JsonSchema } from '../../common/jsonSchema.ts';
import { cleanText, folded } from '../../common/text.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import { cleanSchema } from '../catalog/hiddenText.ts';
import { errorResult, type ToolResult, textResult } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import type { Hit } from '../search/hit.ts';
import { parseRequest } from '../search/searchRequest.ts';
import { callableName, callableTool } from '../session/callTarget.ts';
import { findTools, isUncertain, type SearchFault, type SearchFindings } from './findTools.ts';
import { cleanJson, listedTools, parseListing, toolDetails } from './inspection.ts';

export interface SearchResultJson {
	readonly query: string;
	readonly query_kind: 'select' | 'keyword';
	readonly total_deferred_tools: number;
	readonly matches: readonly {
		readonly name: string;
		/** Absent if the tools were named. */
		readonly score?: number;
		/** 0 to 1; absent if the tools were named or the ranking has no confidence. */
		readonly confidence?: number;
		readonly description: string;
		readonly parameters: JsonSchema;
	}[];
	/** Names without a tool; only if tools were named. */
	readonly missing?: readonly string[];
	/** Only if the search failed. */
	readonly error?: string;
}

/** A search result as JSON. `totalDeferred`: number of deferred tools. `nameOf`: how the caller calls a tool. */
export function searchResultJson(
	query: string,
	findings: SearchFindings | SearchFault,
	totalDeferred: number,
	nameOf: (tool: CatalogTool) => string = ({ wireName }) => wireName,
): SearchResultJson {
	const select = findings.ok && findings.kind === 'select';
	return {
		query,
		query_kind: select ? 'select' : 'keyword',
		total_deferred_tools: totalDeferred,
		matches: (findings.ok ? findings.hits : []).map(({ tool, score, confidence }) => ({
			name: nameOf(tool),
			...(findings.ok && findings.kind === 'keyword' && { score }),
			...(confidence !== undefined && { confidence }),
			description: cleanText(tool.description ?? tool.title ?? '').trim(),
			parameters: cleanSchema(tool.inputSchema),
		})),
		...(select && { missing: findings.missing.map(({ name }) => name) }),
		...(!findings.ok && { error: findings.message }),
	};
}

/** Characters of all schemas in an answer; larger schemas must be requested one by one. */
const schemaCharacters = 20_000;
/** Tools listed for a server without a query, and characters of a description and of the repeated query. */
const serverTools = 10;
const descriptionLimit = 600;
const queryLimit = 200;

/** Stands in for a schema that does not fit. */
const tooLarge = 'Too large to show here. Get the details of this tool.';
/** Stands in for a schema that this caller has. */
const shownBefore = 'As shown before. To see them again, get the details of this tool.';

/** Calls after which a search ranks what usually follows. */
const lastCalls = 3;

/** What one session of another chat or agent has seen and done. */
export class SearchMemory {
	/** Tools whose parameters it has. A new catalog has new tools. */
	readonly sentSchemas = new WeakSet<CatalogTool>();
	#calls: readonly string[] = [];

	/** Tools it called last, by `server:tool`. */
	get after(): readonly string[] {
		return this.#calls;
	}

	called(tool: string): void {
		this.#calls = [...this.#calls.filter((id) => id !== tool), tool].slice(-lastCalls);
	}
}

/**
 * `{query, server?}` → the JSON form of a search's answer, as `/find --json` gives it, with each tool by the name it can be called by, and
 * `{next?, more?, nearest?}`: the next best by name, how many others match, and what is nearest where nothing does. A caller with a memory
 * gets each schema once.
 */
export async function searchToolsAnswer(
	surface: ToolSurface,
	{ query, server }: Readonly<Record<string, unknown>>,
	memory = new SearchMemory(),
	onFound: (tools: readonly CatalogTool[]) => void = () => {},
): Promise<ToolResult> {
	const parsed = parseRequest({ query, server_name: server });
	if (!parsed.ok) return errorResult("Provide 'query': what the tool should do, in a few words.");
	const findings = await findTools(surface, parsed.request, { after: memory.after });
	if (!findings.ok) return errorResult(findings.message);
	onFound(findings.hits.map(({ tool }) => tool));
	const queryOrServer = typeof query === 'string' && query.trim() ? query : server;
	return textResult(
		cleanJson(answerOf(folded(String(queryOrServer), queryLimit), findings, surface, memory)),
	);
}

function answerOf(
	query: string,
	findings: SearchFindings,
	{ names, deferred }: ToolSurface,
	memory: SearchMemory,
): object {
	const nameOf = (tool: CatalogTool) => callableName(tool, names);
	const hits = findings.kind === 'server' ? findings.hits.slice(0, serverTools) : findings.hits;
	const next = findings.further.map(({ tool }) => nameOf(tool));
	const more = findings.more + findings.hits.length - hits.length;
	const near = findings.nearest?.tools ?? findings.missing.flatMap(({ candidates }) => candidates);
	const nearest = near.map(nameOf);
	const { matches, ...answer } = searchResultJson(query, { ...findings, hits }, deferred.length, nameOf);
	let room = schemaCharacters;
	const bounded = (match: (typeof matches)[number], hit: Hit | undefined) => {
		const isKnown = hit !== undefined && memory.sentSchemas.has(hit.tool);
		if (!isKnown) room -= JSON.stringify(match.parameters).length;
		if (hit && room >= 0) memory.sentSchemas.add(hit.tool);
		return {
			...match,
			...(hit && isUncertain(hit) && { uncertain: true }),
			description: folded(match.description, descriptionLimit),
			parameters: isKnown ? shownBefore : room >= 0 ? match.parameters : tooLarge,
		};
	};
	return {
		...answer,
		matches: matches.map((match, i) => bounded(match, hits[i])),
		...(next.length > 0 && { next }),
		...(more > 0 && { more }),
		...(nearest.length > 0 && { nearest }),
		...(findings.waiting && { waitingForApproval: findings.waiting.map(({ id }) => id) }),
	};
}

/** Characters per page, and per description. */
const pageCharacters = 8_000;
const lineDescriptionLimit = 200;

/** `{server?, search?, page?}` → `{tools: [{tool, description}], page, pages}`. */
export function listToolsAnswer(surface: ToolSurface, input: Readonly<Record<string, unknown>>): ToolResult {
	const parsed = parseListing(input, 'server');
	if (!parsed.ok) return errorResult(parsed.message);
	const listed = listedTools(surface, parsed.request);
	if (!listed.ok) return errorResult(listed.message);
	const pages = pagesOf(
		listed.tools.map((tool) =>
			cleanJson({
				tool: callableName(tool, surface.names),
				description: folded(toolDetails(tool).description, lineDescriptionLimit),
			}),
		),
	);
	const page = Number(input.page ?? 1);
	const entries = pages[page - 1];
	if (!entries) return errorResult(`There are pages 1 to ${pages.length}.`);
	return textResult(`{"tools":[\n${entries.join(',\n')}\n],"page":${page},"pages":${pages.length}}`);
}

/** Splits entries into pages; at least one. */
function pagesOf(entries: readonly string[]): string[][] {
	let page: string[] = [];
	const pages = [page];
	let characters = 0;
	for (const entry of entries) {
		characters += entry.length;
		if (page.length > 0 && characters > pageCharacters) {
			page = [];
			pages.push(page);
			characters = entry.length;
		}
		page.push(entry);
	}
	return pages;
}

/** `{tool}` → `{tool, description, inputSchema}`. */
export function toolDetailsAnswer(
	surface: ToolSurface,
	input: Readonly<Record<string, unknown>>,
): ToolResult {
	const found = callableTool(input.tool, surface);
	if (!found.ok) return errorResult(found.message);
	const { description, inputSchema } = toolDetails(found.tool);
	return textResult(cleanJson({ tool: callableName(found.tool, surface.names), description, inputSchema }));
}
