import type { CatalogTool } from '../discovery/catalog/catalog.ts';
import { readResourceDefinition, readResourceName } from '../discovery/catalog/syntheticTool.ts';
import { toolId } from '../discovery/catalog/tool.ts';

/** The tools of {@link resourceReader}: a server may have one of the same name. */
const readers = new WeakSet<CatalogTool>();

/**
 * Reading a resource of a server as a tool of it, so that such a call is asked about, shown, watched for texts of other servers and counted
 * as any call is. It only reads, but that is the server's word, as with its tools.
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
