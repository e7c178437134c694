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

/** The same conversation with every tool in every request: nobody searches, so what a search said and cost is gone. */
export function withEverything(requests: readonly ChatRequest[], catalog: Catalog): ChatRequest[] {
	const tools = catalog.tools.map(toolDefinition).sort(byName);
	return requests
		.filter(({ messages }) => !answersSearch(messages, messages.length - 1))
		.map(({ messages }) => ({ system: systemOf(requests), tools, messages: withoutSearches(messages) }));
}

/**
 * The same conversation as casual-mcp holds it, by its documents: what is loaded is put among the tools in its place by name, and the
 * manifest is made of what is still deferred at each turn.
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

/** As all would be if these tools were not deferred. */
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

/** What the system prompt says without the paragraph on discovery. */
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
