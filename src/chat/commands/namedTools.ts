import * as l10n from '@vscode/l10n';
import { code, plain } from '../../common/markdown.ts';
import { nameList } from '../../common/nameList.ts';
import { nearestName } from '../../common/nearestName.ts';
import { firstSentence } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { placement } from '../../discovery/catalog/policy.ts';
import type { SearchMiss, Unsearched } from '../../discovery/catalog/searchMiss.ts';
import type { Toolset } from '../../discovery/catalog/toolset.ts';
import { quarantinedTool } from '../../discovery/session/callTarget.ts';
import type { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import type { AgentList } from '../agents/agent.ts';
import type { PromptSource } from './promptSource.ts';

export interface SlashCommandContext {
	readonly session: DiscoverySession;
	readonly toolsets: ReadonlyMap<string, Toolset>;
	/** Chooses a toolset for this chat; `undefined` for none. */
	readonly chooseToolset: (name: string | undefined) => void;
	/** Reads the agents of the workspace. */
	readonly agents: () => Promise<AgentList>;
	/** Prompts of servers; absent if no server may be asked. */
	readonly prompts?: PromptSource;
	/** For a search without a likely match. */
	readonly miss?: SearchMiss;
	/** Gets the servers that such a search could not cover. */
	readonly onUnsearched?: (unsearched: Unsearched) => void;
	/** Gets the changed tools that a search would have found if they were accepted. */
	readonly onWaiting?: (tools: readonly CatalogTool[]) => void;
	/** Gets the deferred tools that a search would load. */
	readonly onFound?: (tools: readonly CatalogTool[]) => void;
	/** Called after a search by words without a likely match. */
	readonly onMiss?: () => void;
}

/** Finds the tools in `args`, separated by blanks or commas. `faults`: what is wrong with other names, in Markdown. */
export function findNamedTools(
	args: string,
	session: DiscoverySession,
): { readonly tools: readonly CatalogTool[]; readonly faults: readonly string[] } {
	const tools = new Set<CatalogTool>();
	const faults: string[] = [];
	for (const name of namesIn(args, session)) {
		const resolution = session.surface.names.resolve(name);
		if (resolution.kind === 'found') tools.add(resolution.tool);
		else if (resolution.kind === 'ambiguous') {
			const candidates = toolList(resolution.candidates);
			faults.push(l10n.t('More than one tool is called {0}: {1}.', code(name), candidates));
		} else if (quarantinedTool(name, session.surface.quarantined)) {
			faults.push(
				l10n.t('{0} has changed since you accepted it: review it in the Servers view first.', code(name)),
			);
		} else {
			const closest = toolList(resolution.closest);
			const sentences = [
				noTool(name, session),
				...(closest ? [l10n.t('Closest names: {0}.', closest)] : []),
				...serverHint(name, session),
			];
			faults.push(sentences.join(' '));
		}
	}
	return { tools: [...tools], faults };
}

/** Does not reveal tools outside a toolset, but mentions the toolset. */
function noTool(name: string, { surface: { toolset } }: DiscoverySession): string {
	if (!toolset) return l10n.t('There is no tool {0}.', code(name));
	const leave = code('/toolset none');
	return l10n.t(
		'There is no tool {0} in the toolset {1} ({2} leaves it).',
		code(name),
		code(toolset.name),
		leave,
	);
}

function serverHint(name: string, { surface }: DiscoverySession): readonly string[] {
	const isServer = surface.servers.some((server) => server.name === name);
	return isServer ? [l10n.t('That is a server. {0} lists its tools.', code(`/tools ${name}`))] : [];
}

/** A name that {@link findNamedTools} finds in a list, where a name with blanks would count as several. */
export function commandName(tool: CatalogTool): string {
	return /[\s,]/.test(tool.id) ? tool.wireName : tool.id;
}

/** Names may contain blanks, so the whole text is tried before its words. */
function namesIn(args: string, session: DiscoverySession): string[] {
	const name = args.trim();
	if (session.surface.names.resolve(name).kind === 'found') return [name];
	return name.split(/[\s,]+/).filter(Boolean);
}

/** Characters of a description in a list, and maximum names in a sentence. */
const descriptionLimit = 160;
const shownNames = 20;

/** A tool in a list: name, marks such as its state, and the first sentence of its description. */
export function toolLine(tool: CatalogTool, marks: readonly string[]): string {
	const text = firstSentence(tool.description ?? tool.title ?? '');
	const inBrackets = marks.length > 0 ? ` (${marks.join(', ')})` : '';
	return `${code(tool.id)}${inBrackets}${text ? ` — ${plain(text, descriptionLimit)}` : ''}`;
}

/** `pinned`, `loaded` or `deferred`; empty while discovery is off, because then every tool is loaded. */
export function toolStateWords(tool: CatalogTool, session: DiscoverySession): readonly string[] {
	const { policy } = session.surface;
	if (!policy.enabled) return [];
	if (placement(tool, policy) === 'pinned') return [l10n.t('pinned')];
	return [isLoaded(tool, session) ? l10n.t('loaded') : l10n.t('deferred')];
}

/** Whether the model gets the tool's schema. */
export function isLoaded(tool: CatalogTool, session: DiscoverySession): boolean {
	return session.loadedTools.includes(tool);
}

export function toolList(tools: readonly CatalogTool[]): string {
	return codeList(tools.map(({ id }) => id));
}

/** Names in a sentence, as code. */
export function codeList(names: readonly string[]): string {
	return nameList(
		names.map((name) => code(name)),
		shownNames,
	);
}

/** A question for the most similar name; empty if none is similar. */
export function didYouMean(typedName: string, names: readonly string[]): readonly string[] {
	const closest = nearestName(typedName, names);
	return closest === undefined ? [] : [l10n.t('Did you mean {0}?', code(closest))];
}
