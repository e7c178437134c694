import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import type { ChatRequest } from './chatModel.ts';

/**
 * What of its protocol's ways to take tools in the middle of a conversation an endpoint gets: all of them, only those of a search, or none, so that
 * all tools are in the list. Which it knows, its refusal says.
 */
export type NativeForm = 'all' | 'searches' | 'list';

/** Tools that results loaded and `tools` lacks, in the order of their first appearance, each with its latest definition. */
export function toolsInResults({ searchTool, messages, tools }: ChatRequest): readonly ToolDefinition[] {
	if (searchTool === undefined) return [];
	const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
	const loaded = results.flatMap((result) => result.loaded ?? []);
	const byName = new Map(loaded.map((tool) => [tool.name, tool]));
	for (const { name } of tools) byName.delete(name);
	return [...byName.values()];
}

/** The same request without what a form does not have. */
export function inForm(request: ChatRequest, form: NativeForm): ChatRequest {
	if (form === 'all' || request.searchTool === undefined) return request;
	const { searchTool: _, ...others } = request;
	if (form === 'list') return { ...others, tools: [...request.tools, ...toolsInResults(request)] };
	const messages = request.messages.map((message) =>
		message.role === 'assistant' ? message : { ...message, added: [] },
	);
	return { ...request, messages };
}

/** The tools of a request apart: those of its list, and by name those that join the conversation later. */
export function splitAdditions({ messages, tools, searchTool }: ChatRequest) {
	const added = messages.flatMap((message) => (message.role === 'assistant' ? [] : (message.added ?? [])));
	const names = new Set(searchTool === undefined ? [] : added.map(({ name }) => name));
	return {
		listedTools: tools.filter(({ name }) => !names.has(name)),
		additions: new Map(tools.filter(({ name }) => names.has(name)).map((tool) => [tool.name, tool])),
	};
}

/** What a refusal of tools in the conversation names: fields, kinds of parts, headers. */
export const nativeRefusal =
	/tool_search|defer_loading|tool_reference|additional_tools|tool_addition|inline-tools|anthropic-beta|(?:missing|unknown) namespace/i;
