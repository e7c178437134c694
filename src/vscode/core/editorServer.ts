import type { LanguageModelToolInformation } from 'vscode';
import { isRecord } from '../../common/json.ts';
import type { CatalogServer } from '../../discovery/catalog/catalog.ts';

/** Our own language-model tools only lead to tools that are in the catalog already. */
const ownPrefix = 'mcpDiscovery_';

/** VS Code's tools, including those of extensions and of its own MCP servers, as a server of the catalog. */
export function editorServer(
	name: string,
	tools: readonly Pick<LanguageModelToolInformation, 'name' | 'description' | 'inputSchema'>[],
): CatalogServer {
	return {
		name,
		description: 'Tools of VS Code, of its extensions, and of MCP servers that it runs itself.',
		tools: tools
			.filter((tool) => !tool.name.startsWith(ownPrefix))
			.map(({ name: tool, description, inputSchema }) => ({
				server: name,
				name: tool,
				description,
				inputSchema: isRecord(inputSchema) ? inputSchema : { type: 'object', properties: {} },
			})),
	};
}
