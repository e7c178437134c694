import type { CatalogTool } from '../catalog.ts';
import { cleanJson, toolDetails } from '../inspection/toolJson.ts';
import { findTools, type SearchFindings, type SearchHit } from '../searchTools/findTools.ts';
import { isUncertain } from '../searchTools/outcome.ts';
import { parseRequest } from '../searchTools/request.ts';
import { folded } from '../text.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { callableName, failedAnswer, jsonAnswer, type VerbAnswer } from './verb.ts';

/** Characters of all schemas of an answer; those beyond it are told one by one. */
const schemaCharacters = 20_000;
/** Tools of a server that is asked for without words, and characters of a description. */
const serverTools = 10;
const descriptionLimit = 600;

/**
 * `{query, server?}` → `{matches: [{tool, description, inputSchema}], next?, more?}`: the tools that do it, each as it can be called; the
 * next best by name.
 */
export async function searchToolsVerb(
	surface: ToolSurface,
	{ query, server }: Readonly<Record<string, unknown>>,
): Promise<VerbAnswer> {
	const parsed = parseRequest({ query, server_name: server });
	if (!parsed.ok) return failedAnswer("Give 'query': what the tool should do, in a few words.");
	const findings = await findTools(surface, parsed.request);
	if (!findings.ok) return failedAnswer(findings.message);
	return jsonAnswer(cleanJson(found(findings, surface)));
}

function found(findings: SearchFindings, { names }: ToolSurface): object {
	const nameOf = (tool: CatalogTool) => callableName(tool, names);
	const hits = findings.kind === 'server' ? findings.hits.slice(0, serverTools) : findings.hits;
	const next = findings.further.map(({ tool }) => nameOf(tool));
	const more = findings.more + findings.hits.length - hits.length;
	const near = findings.nearest?.tools ?? findings.missing.flatMap(({ candidates }) => candidates);
	const nearest = near.map(nameOf);
	let room = schemaCharacters;
	const match = (hit: SearchHit) => {
		const { description, inputSchema } = toolDetails(hit.tool);
		room -= JSON.stringify(inputSchema).length;
		return {
			tool: nameOf(hit.tool),
			...(isUncertain(hit) && { uncertain: true }),
			description: folded(description, descriptionLimit),
			inputSchema: room >= 0 ? inputSchema : 'Too large to be shown here: ask for the details of this tool.',
		};
	};
	return {
		matches: hits.map(match),
		...(next.length > 0 && { next }),
		...(more > 0 && { more }),
		...(nearest.length > 0 && { nearest }),
	};
}
