import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import type { ChatRequest } from './chatModel.ts';

/** Tools that results loaded and `tools` lacks, in the order of their first appearance, each with its latest definition. */
export function toolsInResults({ searchTool, messages, tools }: ChatRequest): readonly ToolDefinition[] {
	if (searchTool === undefined) return [];
	const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
	const loaded = results.flatMap((result) => result.loaded ?? []);
	const byName = new Map(loaded.map((tool) => [tool.name, tool]));
	for (const { name } of tools) byName.delete(name);
	return [...byName.values()];
}

/** The same request with all its tools in the list, for an endpoint that takes none in the conversation. */
export function withToolsInList(request: ChatRequest): ChatRequest {
	const { searchTool: _, ...others } = request;
	return { ...others, tools: [...request.tools, ...toolsInResults(request)] };
}

/**
 * The tools of a request apart: those of its list, and by name those that joined the conversation later. `takesThem`: whether the endpoint takes
 * these where they joined; otherwise all are in the list.
 */
export function toolsByPlace(
	{ messages, tools, searchTool }: ChatRequest,
	takesThem: boolean,
): { readonly listed: readonly ToolDefinition[]; readonly joined: ReadonlyMap<string, ToolDefinition> } {
	if (!takesThem || searchTool === undefined) return { listed: tools, joined: new Map() };
	const added = messages.flatMap((message) => (message.role === 'assistant' ? [] : (message.added ?? [])));
	const names = new Set(added.map(({ name }) => name));
	const [listed, late] = [
		tools.filter(({ name }) => !names.has(name)),
		tools.filter(({ name }) => names.has(name)),
	];
	return { listed, joined: new Map(late.map((tool) => [tool.name, tool])) };
}

/** What a refusal of tools in the conversation names: fields, kinds of parts, headers. */
export const nativeWords =
	/tool_search|defer_loading|tool_reference|additional_tools|tool_addition|inline-tools|(?:missing|unknown) namespace/i;
