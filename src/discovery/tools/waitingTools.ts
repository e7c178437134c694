import { weakMemo } from '../../common/memo.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import { ToolNames } from '../catalog/toolNames.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { certainty } from '../search/confidence.ts';
import type { SearchRequest } from '../search/searchRequest.ts';

/** Waiting tools that one search tells of. */
const mostTold = 3;
/** Share of the best score from which on a tool is worth a line: the name of a server alone makes all of its tools match a little. */
const nearlyBest = 0.5;

/** What the user accepted of the tools that wait. What these tools are now decides nothing. */
const acceptedOf = weakMemo((surface: ToolSurface): readonly CatalogTool[] =>
	surface.waiting.flatMap(({ accepted, id, wireName }) => (accepted ? [{ ...accepted, id, wireName }] : [])),
);

/** The index as it would be, had no server changed a tool; it reuses the documents of the surface's own. */
const indexOf = weakMemo(async (surface: ToolSurface) => {
	await surface.index();
	return surface.indexOf([...surface.deferred, ...acceptedOf(surface)]);
});

/**
 * Tools that a search would have found, had their servers not changed them: they wait until the user accepts the change. `server`: the one
 * that is searched, if it is only one.
 */
export async function waitingTools(
	surface: ToolSurface,
	{ query, toolNames = [] }: SearchRequest,
	server: string | undefined,
): Promise<readonly CatalogTool[]> {
	const accepted = acceptedOf(surface);
	const names = new ToolNames(accepted);
	const found = toolNames.flatMap((name) => {
		const resolution = names.resolve(name, server);
		return resolution.kind === 'found' ? [resolution.tool] : [];
	});
	if (query !== undefined) {
		const index = await indexOf(surface);
		const limit = surface.policy.maxSearchResults;
		const { hits } = index.find(query, { limit, ...(server !== undefined && { server }) });
		const least = (hits[0]?.score ?? 0) * nearlyBest;
		for (const { tool, score, confidence = 1 } of hits)
			if (accepted.some(({ id }) => id === tool.id) && confidence >= certainty && score >= least)
				found.push(tool);
	}
	return [...new Map(found.map((tool) => [tool.id, tool])).values()].slice(0, mostTold);
}
