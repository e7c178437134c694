import * as l10n from '@vscode/l10n';
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
		return l10n.t('Which tool? Example: {0}', code('/describe filesystem:write_file'));
	}
	return [...faults, ...tools.map((tool) => description(tool, session))].join('\n\n');
}

function description(tool: CatalogTool, session: DiscoverySession): string {
	const tokens = estimateDefinitionTokens(toolDefinition(tool));
	return [
		`### ${plain(tool.id, 160)}`,
		[
			...stateOf(tool, session),
			l10n.t('≈{0} tokens (estimated)', tokens),
			l10n.t('models call it {0}', code(tool.wireName)),
		].join(' · '),
		codeBlock(cut(tool.description ?? tool.title ?? l10n.t('No description.'), shownText), 'text'),
		l10n.t('Parameters: {0}', plain(parameterList(tool.inputSchema))),
		codeBlock(cut(JSON.stringify(tool.inputSchema, null, 2), shownText), 'json'),
	].join('\n\n');
}
