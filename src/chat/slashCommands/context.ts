import { type CatalogTool, toolDefinition } from '../../discovery/catalog.ts';
import type { DiscoverySession } from '../../discovery/discoverySession.ts';
import { plain } from '../../discovery/markdown.ts';
import { searchToolsName } from '../../discovery/syntheticTool.ts';
import { estimateDefinitionTokens } from '../../discovery/tokens.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { counted } from './toolLine.ts';

/** `/context`: what is loaded in this chat, and what it costs. */
export function context(_args: string, { session }: SlashCommandContext): string {
	const { surface, activated } = session;
	const cap = surface.policy.maxActiveSchemas ?? '∞';
	const names = activated.length > 0 ? ` (${activated.map((tool) => plain(tool.id)).join(', ')})` : '';
	return [`MCP active: ${activated.length}/${cap}${names}`, costs(session), ...notes(session)].join('\n\n');
}

/** What goes to the model with each call, and what would if every tool were loaded. */
function costs({ surface, activated, definitions, definitionTokens }: DiscoverySession): string {
	const always = tokensOf(surface.loaded);
	const searched = tokensOf(activated);
	const everything = tokensOf(surface.tools);
	const ownTools = definitions.length - surface.loaded.length - activated.length;
	const rows = [
		['always loaded', surface.loaded.length, always],
		['loaded in this chat', activated.length, searched],
		...(ownTools > 0 ? [[searchToolsName, ownTools, definitionTokens - always - searched] as const] : []),
		['**sent with each call**', definitions.length, definitionTokens],
		['every tool loaded', surface.tools.length, everything],
	] as const;
	const body = rows.map(([what, tools, tokens]) => `| ${what} | ${tools} | ${tokens.toLocaleString('en')} |`);
	return ['| | tools | tokens (estimated) |', '|---|---:|---:|', ...body].join('\n');
}

function notes({ surface, statistics }: DiscoverySession): string[] {
	const toolset = surface.toolset ? [`Toolset: ${plain(surface.toolset.name)}`] : [];
	if (!statistics) {
		return [
			...toolset,
			'Discovery is off: every tool is loaded. Set `tool_discovery.enabled` to `true` to turn it on.',
		];
	}
	const searches = counted(statistics.search_calls, 'search', 'searches');
	return [
		...toolset,
		`In this chat: ${searches}, ${counted(statistics.tools_discovered, 'tool')} discovered.`,
	];
}

function tokensOf(tools: readonly CatalogTool[]): number {
	return tools.reduce((sum, tool) => sum + estimateDefinitionTokens(toolDefinition(tool)), 0);
}
