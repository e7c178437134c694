import { type CatalogTool, toolDefinition } from '../../discovery/catalog.ts';
import type { DiscoverySession } from '../../discovery/discoverySession.ts';
import { code, codeBlock, plain } from '../../discovery/markdown.ts';
import { parameterList } from '../../discovery/searchTools/parameterList.ts';
import { cut } from '../../discovery/text.ts';
import { estimateDefinitionTokens } from '../../discovery/tokens.ts';
import { namedTools } from './namedTools.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { stateOf } from './toolLine.ts';

/** Characters of a description or a schema that are shown. */
const shownText = 20_000;

/** `/describe NAMES`: each tool with its cost, its description and its schema. */
export function describe(args: string, { session }: SlashCommandContext): string {
	const { tools, faults } = namedTools(args, session);
	if (tools.length === 0 && faults.length === 0) {
		return 'Which tool? Example: `/describe filesystem:write_file`';
	}
	return [...faults, ...tools.map((tool) => description(tool, session))].join('\n\n');
}

function description(tool: CatalogTool, session: DiscoverySession): string {
	const tokens = estimateDefinitionTokens(toolDefinition(tool));
	return [
		`### ${plain(tool.id, 160)}`,
		`${stateOf(tool, session)} · ≈${tokens} tokens (estimated) · models call it ${code(tool.wireName)}`,
		codeBlock(cut(tool.description ?? tool.title ?? 'No description.', shownText), 'text'),
		`Parameters: ${plain(parameterList(tool.inputSchema))}`,
		codeBlock(cut(JSON.stringify(tool.inputSchema, null, 2), shownText), 'json'),
	].join('\n\n');
}
