import type Anthropic from '@anthropic-ai/sdk';
import type { ToolDefinition } from '../../discovery/tool.ts';
import type { ChatRequest } from '../chatModel.ts';
import { type DroppedTool, sendableTools } from '../toolSchemas/sendableTools.ts';

/** The tools of a request as Anthropic takes them. */
export interface WireTools {
	/** Those of the request in its order, then those with `defer_loading`. */
	readonly tools: readonly Anthropic.Tool[];
	/** Names of those with `defer_loading`: a `tool_reference` may name these and no others. */
	readonly deferred: ReadonlySet<string>;
	readonly dropped: readonly DroppedTool[];
}

/**
 * Writes the tools of a request, and behind them what its messages have loaded natively. A deferred definition is no part of the
 * prompt's prefix, so more of them cost no cached token.
 */
export function wireTools(request: ChatRequest): WireTools {
	const fixed = sendableTools(request.tools, 'anthropic');
	const loaded = sendableTools(loadedTools(request), 'anthropic');
	// The API refuses a request all of whose tools are deferred.
	const deferred = fixed.tools.length > 0 ? loaded.tools : [];
	return {
		tools: [
			...fixed.tools.map(wireTool),
			...deferred.map((tool) => ({ ...wireTool(tool), defer_loading: true })),
		],
		deferred: new Set(deferred.map(({ name }) => name)),
		dropped: [...fixed.dropped, ...loaded.dropped],
	};
}

/** What results have loaded and `tools` does not have, in the order of first appearance, each as last defined. */
function loadedTools({ searchTool, messages, tools }: ChatRequest): readonly ToolDefinition[] {
	if (searchTool === undefined) return [];
	const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
	const loaded = results.flatMap((result) => result.loaded ?? []);
	const byName = new Map(loaded.map((tool) => [tool.name, tool]));
	for (const { name } of tools) byName.delete(name);
	return [...byName.values()];
}

function wireTool({ name, description, inputSchema }: ToolDefinition): Anthropic.Tool {
	return { name, description, input_schema: { ...inputSchema, type: 'object' } };
}
