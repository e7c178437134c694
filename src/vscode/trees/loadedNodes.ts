import * as l10n from '@vscode/l10n';
import { callCount, shortNumber, shownTokens, spokenTokens, toolCount } from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import { code, codeBlock, plain, quotedLines } from '../../common/markdown.ts';
import { cut, oneLine } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { sumOfTokens, toolTokens } from '../../discovery/session/toolTokens.ts';
import type { AgentUse, AgentUses } from '../../gateway/agentUses.ts';
import { contextValue } from '../actions/contributions.ts';
import { agentTokens } from '../ui/agentTokens.ts';
import { loadReason } from '../ui/loadReasons.ts';
import { toolLook, unsentLook } from '../ui/looks.ts';
import type { ToolNode } from '../ui/nodes.ts';
import type { CallVerdict } from '../ui/toolCalls.ts';
import { toolFacts, tooltipOf } from '../ui/tooltips.ts';
import type { TreeRow } from './drawnRows.ts';
import { marksOf } from './serverRows.ts';

/** The row that groups tools that every chat has: many of them would hide the tools of this chat. */
interface AlwaysNode {
	readonly kind: 'always';
}

const alwaysNode: AlwaysNode = { kind: 'always' };

export type LoadedTreeNode = ToolNode | AlwaysNode | AgentUse;

/** What the view says about a loaded tool. */
interface Loading {
	/** Why the tool is loaded, in a few words. */
	readonly reason: string;
	/** The same as half a sentence. */
	readonly why: string;
	/** When the chat has used the tool, as a sentence. */
	readonly lastUse?: string;
}

/** What is loaded in the last used chat. */
export interface LoadedTools {
	/** First the chat's own tools, most recently used first; then tools that are always loaded. */
	readonly roots: readonly LoadedTreeNode[];
	/** The tools below Always Loaded. */
	readonly shared: readonly ToolNode[];
	readonly loading: ReadonlyMap<ToolNode, Loading>;
	/** What other agents would have in each request without Discovery. */
	readonly agentTools: readonly CatalogTool[];
}

/** Tools that the tooltip of an agent names. */
const maxTools = 10;
/** Characters of a description or a schema. */
const shownText = 20_000;
/** More tools than this that are always loaded are grouped in one row. */
const flatTools = 5;

export function loadedTools(
	sessions: ChatSessions,
	agents: AgentUses,
	nodeOf: (tool: CatalogTool) => ToolNode | undefined,
): LoadedTools {
	const { discovery } = sessions.current ?? {};
	const loading = new Map<ToolNode, Loading>();
	for (const { tool, activation } of discovery?.activatedByUse ?? []) {
		const node = nodeOf(tool);
		if (!node) continue;
		const { short, long } = loadReason(activation);
		const { lastTurn } = activation;
		loading.set(node, {
			reason: short,
			why: long,
			// Turn 0 is before the first message.
			...(lastTurn > 0 && { lastUse: l10n.t('Last loaded or called in turn {0}.', lastTurn) }),
		});
	}
	const activated = [...loading.keys()];
	const always = sessions.currentSurface.loaded.flatMap((tool) => nodeOf(tool) ?? []);
	for (const node of always) {
		const reason = node.state === 'pinned' ? l10n.t('pinned') : l10n.t('not deferred');
		loading.set(node, { reason, why: node.why });
	}
	// Pinned tools first, and both parts in the order in which models get them.
	const { pinned = [], loaded = [] } = Object.groupBy(always, ({ state }) =>
		state === 'pinned' ? 'pinned' : 'loaded',
	);
	const ordered = [...pinned, ...loaded];
	const using = agents.all.filter(({ name, lastUse }) => lastUse > 0 && !agents.isDisconnected(name));
	const isShared = ordered.length > flatTools;
	return {
		roots: [...activated, ...(isShared ? [alwaysNode] : ordered), ...using],
		shared: isShared ? ordered : [],
		loading,
		agentTools: using.length > 0 ? sessions.serverTools : [],
	};
}

export function loadedRow(node: LoadedTreeNode, { shared, loading, agentTools }: LoadedTools): TreeRow {
	if (node.kind === 'always') return alwaysRow(shared);
	if (node.kind === 'agent') return agentRow(node, agentTools);
	const { tool, state, unsent } = node;
	const reason = loading.get(node)?.reason ?? '';
	const { word: _, ...look } = toolLook(state);
	const tokens = toolTokens(tool);
	const label = oneLine(tool.id, 100);
	const marks = marksOf(node);
	return {
		...(unsent ? unsentLook : look),
		label,
		description: [`≈${shortNumber(tokens)}`, reason, ...marks].join(' · '),
		contextValue: contextValue(node),
		accessibleLabel: [label, reason, ...marks, spokenTokens(tokens)].join(', '),
		isExpandable: false,
	};
}

/** Another agent: what it has used, and its tokens. */
function agentRow(agent: AgentUse, tools: readonly CatalogTool[]): TreeRow {
	const { having, without } = agentTokens(agent, tools);
	const label = oneLine(agent.name, 100);
	const words = [
		l10n.t('≈{0} of {1} tokens', shortNumber(having), shortNumber(without)),
		toolCount(agent.tools.size),
	];
	const used = [...agent.tools].reverse().slice(0, maxTools);
	const lines = used.map(([id, calls]) => `- ${code(id)}${calls > 0 ? `: ${callCount(calls)}` : ''}`);
	return {
		label,
		description: words.join(' · '),
		icon: 'plug',
		tooltip: [l10n.t('This agent uses the tools of this window. It found or called:'), lines.join('\n')].join(
			'\n\n',
		),
		contextValue: '',
		accessibleLabel: [label, ...words].join(', '),
		isExpandable: false,
	};
}

function alwaysRow(tools: readonly ToolNode[]): TreeRow {
	const tokens = sumOfTokens(tools.map(({ tool }) => tool));
	const label = l10n.t('Always Loaded');
	const { word: _, ...look } = toolLook('loaded');
	return {
		label,
		description: `${shownTokens(tokens)} · ${toolCount(tools.length)}`,
		...look,
		tooltip: l10n.t('These tools are sent with every request.'),
		contextValue: '',
		accessibleLabel: `${label}, ${toolCount(tools.length)}, ${spokenTokens(tokens)}`,
		isExpandable: true,
	};
}

export function loadedTooltip(node: ToolNode, { loading }: LoadedTools): string {
	const { why = node.why, lastUse } = loading.get(node) ?? {};
	return [tooltipOf({ ...node, why }), ...(lastUse ? [lastUse] : [])].join('\n\n');
}

/** Everything about a tool, as a page in Markdown. The server's texts are quoted or in code blocks, so that none of them becomes a link or an image. */
export function toolPage(
	node: ToolNode,
	{ loading }: LoadedTools,
	{ kind }: Pick<CallVerdict, 'kind'>,
): string {
	const { tool, rule, calls } = node;
	const { why = node.why, lastUse } = loading.get(node) ?? {};
	const asks =
		kind === 'asks'
			? l10n.t('Asks you before each call.')
			: l10n.t('Runs without asking: you trust the read-only annotations of its server.');
	return `${[
		`# ${plain(tool.id)}`,
		quotedLines(cut(tool.description ?? tool.title ?? l10n.t('No description.'), shownText)),
		...toolFacts({ ...node, why }),
		...(rule ? [] : [asks]),
		...(lastUse ? [lastUse] : calls ? [] : [l10n.t('Not used in the last used chat.')]),
		codeBlock(cut(JSON.stringify(tool.inputSchema, undefined, 2), shownText), 'json'),
	].join('\n\n')}\n`;
}
