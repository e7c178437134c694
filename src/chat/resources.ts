import type { CatalogTool } from '../discovery/catalog/catalog.ts';
import { readResourceDefinition, readResourceName } from '../discovery/catalog/syntheticTool.ts';
import { toolId } from '../discovery/catalog/tool.ts';

/** The tools of {@link resourceReader}: a server may have one of the same name. */
const readers = new WeakSet<CatalogTool>();

/**
 * A tool that reads resources of a server. So such a call is confirmed, shown, checked for text of other servers and counted like any other. It
 * only reads, but as with the server's tools we have only the server's word for it.
 */
export function resourceReader(server: string): CatalogTool {
	const { description, inputSchema } = readResourceDefinition;
	const tool: CatalogTool = {
		server,
		name: readResourceName,
		id: toolId({ server, name: readResourceName }),
		wireName: readResourceName,
		description,
		inputSchema,
		annotations: { readOnlyHint: true },
	};
	readers.add(tool);
	return tool;
}

/** Whether a call of this tool reads a resource. */
export function isResourceReader(tool: CatalogTool): boolean {
	return readers.has(tool);
}
