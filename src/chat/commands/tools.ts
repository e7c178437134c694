import * as l10n from '@vscode/l10n';
import { code, codeBlock, plain, quotedLines } from '../../common/markdown.ts';
import { cut } from '../../common/text.ts';
import { estimateDefinitionTokens } from '../../common/tokens.ts';
import { type CatalogTool, toolDefinition } from '../../discovery/catalog/catalog.ts';
import { alterationsOfTool } from '../../discovery/catalog/hiddenText.ts';
import { misleadingText } from '../../discovery/catalog/misleading.ts';
import { namedServer } from '../../discovery/catalog/toolNames.ts';
import { contextReport } from '../../discovery/report.ts';
import type { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import { andMore, estimatedTokens, toolCount } from '../counts.ts';
import { loadedCount, loadedIn, loadedWords } from '../loadedCount.ts';
import { shownParameters } from '../shownParameters.ts';
import type { SlashCommandContext } from './namedTools.ts';
import { codeList, didYouMean, findNamedTools, isLoaded, toolLine, toolStateWords } from './namedTools.ts';
import { missingToolset } from './toolset.ts';

/** Maximum tools in the list of a server. */
const listedOfServer = 500;

/** `/tools`: all servers, a line each; `/tools SERVER`: its tools with their state. */
export function tools(args: string, { session }: SlashCommandContext): string {
	const { servers, policy } = session.surface;
	const requestedName = args.trim();
	if (requestedName) return oneServer(requestedName, session);
	if (servers.length === 0)
		return missingToolset(session.surface) ?? l10n.t('No server has listed a tool yet.');
	const total = policy.enabled
		? `${loadedWords(loadedIn(contextReport(session)))}.`
		: l10n.t('{0} in all.', toolCount(session.loadedTools.length));
	const how = l10n.t('{0} lists the tools of a server.', code('/tools SERVER'));
	return [servers.map(({ name }) => brief(name, session)).join('\n'), `${total} ${how}`].join('\n\n');
}

function oneServer(requestedName: string, session: DiscoverySession): string {
	const name = namedServer(session.surface, requestedName);
	if (name === undefined) return noServer(requestedName, session);
	const tools = toolsOf(name, session);
	const lines = tools
		.slice(0, listedOfServer)
		.map((tool) => `- ${toolLine(tool, [...toolStateWords(tool, session), ...alterationMarks(tool)])}`);
	return `**${plain(name)}** (${toolCount(tools.length)})\n\n${[...lines, ...andMore(tools.length - lines.length).map((more) => `- ${more}`)].join('\n')}`;
}

function noServer(requestedName: string, { surface }: DiscoverySession): string {
	const names = surface.servers.map(({ name }) => name);
	return [
		l10n.t('There is no server {0}.', code(requestedName)),
		...didYouMean(requestedName, names),
		names.length > 0 ? l10n.t('Servers: {0}', codeList(names)) : l10n.t('No server has listed a tool yet.'),
	].join(' ');
}

/** `- **git** (2 of 28 loaded)` */
function brief(server: string, session: DiscoverySession): string {
	const tools = toolsOf(server, session);
	const loaded = session.surface.policy.enabled ? tools.filter((tool) => isLoaded(tool, session)).length : 0;
	return `- **${plain(server)}** (${loadedCount(loaded, tools.length)})`;
}

function toolsOf(server: string, session: DiscoverySession): CatalogTool[] {
	return session.surface.tools.filter((tool) => tool.server === server);
}

/** Marks texts of a server that are hidden from people, because they may be meant for models. */
function alterationMarks(tool: CatalogTool): readonly string[] {
	return [
		...alterationsOfTool(tool).map((alteration) =>
			alteration === 'hidden' ? l10n.t('⚠ hidden characters removed') : l10n.t('⚠ misleading tags removed'),
		),
		...(misleadingText(tool) === '' ? [] : [l10n.t('⚠ instructs the model')]),
	];
}

/** Characters of a description or a schema that are shown. */
const shownText = 20_000;

/** `/describe NAMES`: each tool with its cost, its description and its schema. */
export function describe(args: string, { session }: SlashCommandContext): string {
	const { tools, faults } = findNamedTools(args, session);
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
			...toolStateWords(tool, session),
			...alterationMarks(tool),
			estimatedTokens(tokens),
			l10n.t('models call it {0}', code(tool.wireName)),
		].join(' · '),
		quotedLines(cut(tool.description ?? tool.title ?? l10n.t('No description.'), shownText)),
		l10n.t('Parameters: {0}', plain(shownParameters(tool.inputSchema))),
		codeBlock(cut(JSON.stringify(tool.inputSchema, null, 2), shownText), 'json'),
	].join('\n\n');
}
