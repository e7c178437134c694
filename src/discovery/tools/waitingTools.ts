import { weakMemo } from '../../common/memo.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import { ToolNames } from '../catalog/toolNames.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { isLikely } from '../search/certainty.ts';
import type { SearchRequest } from '../search/searchRequest.ts';

/** Quarantined tools named per search. */
const maxWaitingTools = 3;
/** Share of the best score from which a quarantined tool is worth a line: a server's name alone makes all its tools match a little. */
const nearlyBest = 0.5;

/** The accepted versions of quarantined tools. Their current versions have no influence. */
const acceptedOf = weakMemo((surface: ToolSurface): readonly CatalogTool[] =>
	surface.waiting.flatMap(({ accepted, id, wireName }) => (accepted ? [{ ...accepted, id, wireName }] : [])),
);

/** The index as if no server had changed a tool; it reuses the surface's documents. */
const indexOf = weakMemo(async (surface: ToolSurface) => {
	await surface.index();
	return surface.indexOf([...surface.deferred, ...acceptedOf(surface)]);
});

/** Tools that the search would have found if their servers had not changed them. `server`: restricts the search. */
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
		const accepts = new Set(accepted.map(({ wireName }) => wireName));
		const isTold = (hit: (typeof hits)[number]) =>
			accepts.has(hit.tool.wireName) && isLikely(hit) && hit.score >= least;
		found.push(...hits.filter(isTold).map(({ tool }) => tool));
	}
	return [...new Map(found.map((tool) => [tool.wireName, tool])).values()].slice(0, maxWaitingTools);
}
