import type { CatalogTool } from './catalog.ts';
import type { DiscoveryPolicy, ServerPolicy } from './policy.ts';
import type { Tool } from './tool.ts';

/** Whether a tool's schema is in every request, or must be searched for first. */
export type Placement = 'pinned' | 'loaded' | 'deferred';

/**
 * Where a tool stands, by the first of these that says something: pinned · the tool's own `defer_loading` · `defer_all` ·
 * the server's `defer_loading` · loaded. While discovery is off, and for a server the configuration does not name, a tool is loaded.
 */
export function placement(tool: Pick<Tool, 'server' | 'name'>, policy: DiscoveryPolicy): Placement {
	const server = policy.servers.get(tool.server);
	if (!policy.enabled || !server) return 'loaded';
	if (isPinned(server, tool.name)) return 'pinned';
	const deferred = server.tools.get(tool.name)?.deferLoading ?? (policy.deferAll || server.deferLoading);
	return deferred ? 'deferred' : 'loaded';
}

/** Tools split by {@link placement}; each half keeps the order it came in. */
export function partition(
	tools: readonly CatalogTool[],
	policy: DiscoveryPolicy,
): { loaded: CatalogTool[]; deferred: CatalogTool[] } {
	const halves = { loaded: [] as CatalogTool[], deferred: [] as CatalogTool[] };
	for (const tool of tools) halves[placement(tool, policy) === 'deferred' ? 'deferred' : 'loaded'].push(tool);
	return halves;
}

function isPinned(server: ServerPolicy, tool: string): boolean {
	return typeof server.pinned === 'boolean' ? server.pinned : server.pinned.includes(tool);
}
