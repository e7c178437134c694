import type { ChatCompletionFunctionTool } from 'openai/resources';
import type { ToolDefinition } from '../../../discovery/tool.ts';

/** Tools as Chat Completions has them; one definition is the same bytes in every request, wherever it stands. */
export function chatTools(tools: readonly ToolDefinition[]): ChatCompletionFunctionTool[] {
	return tools.map(({ name, description, inputSchema }) => ({
		type: 'function',
		function: { name, description, parameters: inputSchema },
	}));
}
