import type { FunctionTool, Tool } from 'openai/resources/responses/responses';
import type { ToolDefinition } from '../../../discovery/tool.ts';
import { type DroppedTool, sendableTools } from '../../toolSchemas/sendableTools.ts';

/**
 * The `tools` of a request. `searchTool`: the one that is sent as the API's own `tool_search`, answered by us; a model that was
 * trained on it expects what it finds to be callable at once.
 */
export function responsesTools(
	definitions: readonly ToolDefinition[],
	searchTool: string | undefined,
): { readonly tools: readonly Tool[]; readonly dropped: readonly DroppedTool[] } {
	const { tools, dropped } = sendableTools(definitions, 'openai');
	return {
		tools: tools.map((tool) => (tool.name === searchTool ? toolSearch(tool) : functionTool(tool))),
		dropped,
	};
}

/** The definitions that a search has loaded, as they stand in its result. */
export function loadedTools(definitions: readonly ToolDefinition[]): {
	readonly tools: readonly FunctionTool[];
	readonly dropped: readonly DroppedTool[];
} {
	const { tools, dropped } = sendableTools(definitions, 'openai');
	return { tools: tools.map((tool) => ({ ...functionTool(tool), defer_loading: true })), dropped };
}

/** `strict` wants every parameter to be required and no other to be allowed, which few servers' schemas do. */
function functionTool({ name, description, inputSchema }: ToolDefinition): FunctionTool {
	return { type: 'function', name, description, parameters: inputSchema, strict: false };
}

function toolSearch({ description, inputSchema }: ToolDefinition): Tool {
	return { type: 'tool_search', execution: 'client', description, parameters: inputSchema };
}
