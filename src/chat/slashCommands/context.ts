import { toolDefinition } from '../../discovery/catalog.ts';
import { estimateDefinitionTokens } from '../../discovery/tokens.ts';
import { plain } from '../markdown.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { counted } from './toolLine.ts';

/** `/context`: what is loaded in this chat, and what it costs. */
export function context(_args: string, { session }: SlashCommandContext): string {
	const { surface, activated, statistics } = session;
	const cap = surface.policy.maxActiveSchemas ?? '∞';
	const names = activated.length > 0 ? ` (${activated.map((tool) => plain(tool.id)).join(', ')})` : '';
	const everything = surface.tools.reduce(
		(sum, tool) => sum + estimateDefinitionTokens(toolDefinition(tool)),
		0,
	);
	const sent = session.definitionTokens;
	const rows = [
		`MCP active: ${activated.length}/${cap}${names}`,
		'',
		'| | tools | tokens (estimated) |',
		'|---|---:|---:|',
		`| always loaded | ${surface.loaded.length} | |`,
		`| sent with each call now, \`search_tools\` included | ${session.definitions.length} | ${sent.toLocaleString('en')} |`,
		`| if every tool were loaded | ${surface.tools.length} | ${everything.toLocaleString('en')} |`,
	];
	if (surface.toolset) rows.push('', `Toolset: ${plain(surface.toolset.name)}`);
	if (statistics) {
		const searches = counted(statistics.search_calls, 'search', 'searches');
		rows.push('', `In this chat: ${searches}, ${counted(statistics.tools_discovered, 'tool')} discovered.`);
	} else {
		rows.push(
			'',
			'Discovery is off: every tool is loaded. Set `tool_discovery.enabled` to `true` to turn it on.',
		);
	}
	return rows.join('\n');
}
