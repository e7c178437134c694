import type { ChatMessage } from '../../src/discovery/catalog/message.ts';
import type { Catalog, DiscoveryPolicy } from '../../src/discovery/index.ts';
import {
	searchToolsDefinition,
	type ToolDefinition,
	ToolSurface,
	toolDefinition,
} from '../../src/discovery/index.ts';
import { callsOf } from '../../src/models/answerParts.ts';
import type { ChatRequest } from '../../src/models/chatModel.ts';

const searchTool = 'search_tools';

/** The same conversation with every tool in every request. The model never searches, so search results cost nothing. */
export function withEverything(requests: readonly ChatRequest[], catalog: Catalog): ChatRequest[] {
	const tools = catalog.tools.map(toolDefinition).sort(byName);
	return requests
		.filter(({ messages }) => !answersSearch(messages, messages.length - 1))
		.map(({ messages }) => ({ system: systemOf(requests), tools, messages: withoutSearches(messages) }));
}

/**
 * The same conversation as casual-mcp's documents describe it: loaded tools are sorted in by name, and the manifest is rebuilt at
 * each turn from what is still deferred.
 */
export function casually(
	requests: readonly ChatRequest[],
	catalog: Catalog,
	policy: DiscoveryPolicy,
): ChatRequest[] {
	return requests.map(({ messages, system, tools }) => {
		const loaded = tools.filter(({ name }) => name !== searchTool);
		const manifest = searchToolsDefinition(surfaceWithout(loaded, catalog, policy));
		return { system, tools: [manifest, ...[...loaded].sort(byName)], messages };
	});
}

/** The surface as if these tools were not deferred. */
function surfaceWithout(
	loaded: readonly ToolDefinition[],
	catalog: Catalog,
	policy: DiscoveryPolicy,
): ToolSurface {
	const names = new Set(loaded.map(({ name }) => name));
	const pinned = Map.groupBy(
		catalog.tools.filter(({ wireName }) => names.has(wireName)),
		({ server }) => server,
	);
	const servers = new Map(
		[...policy.servers].map(([name, server]) => [
			name,
			{ ...server, pinned: (pinned.get(name) ?? []).map((tool) => tool.name) },
		]),
	);
	return new ToolSurface(catalog, { ...policy, servers });
}

/** The system prompt without the paragraph about discovery. */
function systemOf([first]: readonly ChatRequest[]): string {
	return first?.system.split('\n\n')[0] ?? '';
}

function withoutSearches(messages: readonly ChatMessage[]): ChatMessage[] {
	return messages.filter((_, i) => !answersSearch(messages, i) && !answersSearch(messages, i + 1));
}

function answersSearch(messages: readonly ChatMessage[], i: number): boolean {
	const asked = messages[i - 1];
	return (
		messages[i]?.role === 'tool' &&
		asked?.role === 'assistant' &&
		callsOf(asked.parts).some(({ name }) => name === searchTool)
	);
}

function byName(a: ToolDefinition, b: ToolDefinition): number {
	return a.name < b.name ? -1 : 1;
}
