import { listAvailableToolsName, listToolDetailsName, type SyntheticTool } from '../catalog/syntheticTool.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { listAvailableTools, listToolDetails } from './inspection.ts';

const listAvailableToolsDefinition: ToolDefinition = {
	name: listAvailableToolsName,
	description:
		'Lists the tools of all MCP servers, or of one, as JSON objects with server, tool and description. Loads none of them.',
	inputSchema: {
		type: 'object',
		properties: {
			detailed: { type: 'boolean', description: 'Include input schemas. Default: false.' },
			filter_by_server: { type: 'string', description: 'Only the tools of this server.' },
			search: { type: 'string', description: 'Only tools whose texts have all of these words.' },
		},
	},
};

const listToolDetailsDefinition: ToolDefinition = {
	name: listToolDetailsName,
	description:
		'Returns the name, description and input schema of one tool as a JSON object. Does not load it.',
	inputSchema: {
		type: 'object',
		properties: {
			server: { type: 'string', description: 'Name of the server.' },
			tool_name: { type: 'string', description: 'Name of the tool on that server.' },
		},
		required: ['server', 'tool_name'],
	},
};

/** The tools that list tools, if the user has turned them on; independent of deferral. */
function availableTools({ policy }: ToolSurface) {
	if (!policy.enabled || !policy.inspectionTools) return [];
	return [
		{ definition: listAvailableToolsDefinition, run: listAvailableTools },
		{ definition: listToolDetailsDefinition, run: listToolDetails },
	];
}

export function inspectionTools(surface: ToolSurface): readonly SyntheticTool[] {
	return availableTools(surface).map(({ definition: { name }, run }) => ({
		name,
		execute: (input) => run(surface, input),
	}));
}

export function inspectionDefinitions(surface: ToolSurface): readonly ToolDefinition[] {
	return availableTools(surface).map(({ definition }) => definition);
}
