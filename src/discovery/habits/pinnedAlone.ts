import type { CatalogTool } from '../catalog.ts';
import { placement } from '../partition.ts';
import type { DiscoveryPolicy } from '../policy.ts';

/** Whether a tool is pinned by its name, and not with all of its server. */
export function isPinnedAlone(tool: CatalogTool, policy: DiscoveryPolicy): boolean {
	return placement(tool, policy) === 'pinned' && policy.servers.get(tool.server)?.pinned !== true;
}
