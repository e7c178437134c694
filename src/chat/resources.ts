import type { CatalogTool } from '../discovery/catalog/catalog.ts';
import { readResourceDefinition, readResourceName } from '../discovery/catalog/syntheticTool.ts';
import { toolId } from '../discovery/catalog/tool.ts';

/**
 * A tool that reads resources of a server, so that reading one is confirmed, shown, checked for text of other servers and counted like any call.
 * It is marked read-only, which is only the server's word, as with its tools.
 */
export function resourceReader(server: string): CatalogTool {
	const { description, inputSchema } = readResourceDefinition;
	return {
		server,
		name: readResourceName,
		id: toolId({ server, name: readResourceName }),
		wireName: readResourceName,
		description,
		inputSchema,
		annotations: { readOnlyHint: true },
	};
}

/** Whether a call of this tool reads a resource. A server's tool of the same name has another wire name, which begins with the server's. */
export function isResourceReader({ wireName }: CatalogTool): boolean {
	return wireName === readResourceName;
}
