import type { CatalogTool } from '../catalog.ts';
import { cleanJson } from '../inspection/toolJson.ts';
import { findTools, type SearchFindings, type SearchHit } from '../searchTools/findTools.ts';
import { isUncertain } from '../searchTools/outcome.ts';
import { parseRequest } from '../searchTools/request.ts';
import { searchResultJson } from '../searchTools/resultJson.ts';
import { folded } from '../text.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { callableName, failedAnswer, jsonAnswer, type VerbAnswer } from './verb.ts';

/** Characters of all schemas of an answer; those beyond it are told one by one. */
const schemaCharacters = 20_000;
/** Tools of a server that is asked for without words, and characters of a description and of the query that is repeated. */
const serverTools = 10;
const descriptionLimit = 600;
const queryLimit = 200;

/** What stands in place of a schema for which there is no room. */
const tooLarge = 'Too large to be shown here: ask for the details of this tool.';

/**
 * `{query, server?}` → the JSON form of a search's answer, as `/find --json` gives it, with each tool by the name it can be called by, and
 * `{next?, more?, nearest?}`: the next best by name, how many others match, and what is nearest where nothing does.
 */
export async function searchToolsVerb(
	surface: ToolSurface,
	{ query, server }: Readonly<Record<string, unknown>>,
): Promise<VerbAnswer> {
	const parsed = parseRequest({ query, server_name: server });
	if (!parsed.ok) return failedAnswer("Give 'query': what the tool should do, in a few words.");
	const findings = await findTools(surface, parsed.request);
	if (!findings.ok) return failedAnswer(findings.message);
	const asked = typeof query === 'string' && query.trim() ? query : server;
	return jsonAnswer(cleanJson(found(folded(String(asked), queryLimit), findings, surface)));
}

function found(query: string, findings: SearchFindings, { names, deferred }: ToolSurface): object {
	const nameOf = (tool: CatalogTool) => callableName(tool, names);
	const hits = findings.kind === 'server' ? findings.hits.slice(0, serverTools) : findings.hits;
	const next = findings.further.map(({ tool }) => nameOf(tool));
	const more = findings.more + findings.hits.length - hits.length;
	const near = findings.nearest?.tools ?? findings.missing.flatMap(({ candidates }) => candidates);
	const nearest = near.map(nameOf);
	const { matches, ...answer } = searchResultJson(query, { ...findings, hits }, deferred.length, nameOf);
	let room = schemaCharacters;
	const bounded = (match: (typeof matches)[number], hit: SearchHit | undefined) => {
		room -= JSON.stringify(match.parameters).length;
		return {
			...match,
			...(hit && isUncertain(hit) && { uncertain: true }),
			description: folded(match.description, descriptionLimit),
			parameters: room >= 0 ? match.parameters : tooLarge,
		};
	};
	return {
		...answer,
		matches: matches.map((match, i) => bounded(match, hits[i])),
		...(next.length > 0 && { next }),
		...(more > 0 && { more }),
		...(nearest.length > 0 && { nearest }),
	};
}
