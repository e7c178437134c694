import { estimateTokens } from '../../common/tokens.ts';
import { searchToolsName } from '../catalog/syntheticTool.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';

const purpose =
	"Search for and load tool definitions from available MCP servers. Use this before calling a tool that isn't currently loaded.";

const inputSchema = {
	type: 'object',
	properties: {
		query: {
			type: 'string',
			description:
				"Natural language capability search across all deferred tools (e.g. 'create a calendar event'). Uses keyword matching.",
		},
		server_name: { type: 'string', description: 'Filter results to a specific server by name.' },
		tool_names: {
			type: 'array',
			items: { type: 'string' },
			description:
				'Load specific tools by exact name. Most token-efficient when you know the tool name from the manifest.',
		},
	},
};

/** Tokens of everything but the manifest, as providers take it, including the tags. */
const frameTokens = estimateTokens(
	JSON.stringify({
		type: 'function',
		function: {
			name: searchToolsName,
			description: `${purpose}\n\n<manifest>\n\n</manifest>`,
			parameters: inputSchema,
		},
	}),
);

/** The definition of `search_tools` with the manifest, within the policy's token budget. */
export function searchToolsDefinition(surface: ToolSurface): ToolDefinition {
	const inDescription = surface.policy.manifestPlacement === 'tool';
	const description = inDescription ? `${purpose}\n\n${framedManifest(surface)}` : purpose;
	return { name: searchToolsName, description, inputSchema };
}

/** The manifest inside the tags that mark it as data. */
export function framedManifest(surface: ToolSurface): string {
	return `<manifest>\n${surface.manifest(surface.policy.maxManifestTokens - frameTokens)}\n</manifest>`;
}
