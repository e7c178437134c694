import type { CatalogTool } from '../../discovery/catalog.ts';
import { isUnconfigured } from '../../discovery/policy.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import type { ToolNode } from '../servers/treeNodes.ts';

/** Among which tools a person searches. */
export interface SearchScope {
	/** What is indexed. */
	readonly tools: (hub: DiscoveryHub) => readonly CatalogTool[];
	/** What of it is shown, as it stands by then. */
	readonly shows: (node: ToolNode) => boolean;
	/** Whether buttons beside a tool load, pin, defer and run it. */
	readonly hasActions: boolean;
}

/** What the toolset of the last used chat has. */
export const chatScope: SearchScope = {
	tools: (hub) => hub.currentSurface.tools,
	shows: ({ state }) => state !== 'outside',
	hasActions: true,
};

/** All tools of the configured servers: a chat's toolset is no limit to what a person does by hand. */
export const serversScope: SearchScope = {
	tools: ({ catalog, policy }) => catalog.tools.filter((tool) => !isUnconfigured(tool, policy)),
	shows: ({ unconfigured }) => unconfigured !== true,
	hasActions: false,
};
