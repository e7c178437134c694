import * as l10n from '@vscode/l10n';
import { shownTokens, spokenTokens, toolCount } from '../../chat/counts.ts';
import type { ChatSessions, ToolState } from '../../chat/sessions.ts';
import { oneLine } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { isEditorTool, placement } from '../../discovery/catalog/policy.ts';
import { sumOfTokens, toolTokens } from '../../discovery/session/toolTokens.ts';
import { contextValue } from '../actions/contextValue.ts';
import { loadReason } from '../ui/loadReasons.ts';
import { toolLook, unsentLook } from '../ui/looks.ts';
import { type ToolNode, unsentBy, whyPlaced } from '../ui/nodes.ts';
import { isSameTool, marksOf } from './serverRows.ts';
import type { Drawing, TreeRow } from './stableNodes.ts';

/** A loaded tool. Commands take it as they take a tool of the Servers view. */
export interface LoadedNode extends ToolNode {
	/** Why it is loaded, in a few words. */
	readonly reason: string;
	/** A sentence for people on when the chat has used it; absent where it has not. */
	readonly lastUse?: string;
}

/** The tools that are loaded in every chat, in one row that opens: many of them would bury those of the chat. */
interface AlwaysNode {
	readonly kind: 'always';
	readonly tools: readonly LoadedNode[];
}

export type LoadedTreeNode = LoadedNode | AlwaysNode;

/** How many always loaded tools are listed one by one; more of them share a row. */
const flatTools = 5;

/** What is loaded in the last used chat: first what it has loaded, the most recently used first, then what is always loaded. */
export function loadedNodes(sessions: ChatSessions): LoadedTreeNode[] {
	const always = alwaysLoaded(sessions);
	const below = always.length > flatTools ? [{ kind: 'always' as const, tools: always }] : always;
	return [...activated(sessions), ...below];
}

/** Every tool in these nodes. */
export function loadedTools(nodes: readonly LoadedTreeNode[]): readonly CatalogTool[] {
	return nodes.flatMap((node) => (node.kind === 'always' ? node.tools : [node])).map(({ tool }) => tool);
}

function activated(sessions: ChatSessions): LoadedNode[] {
	const { discovery } = sessions.current ?? {};
	const unsent = unsentBy(sessions);
	return (discovery?.activatedByUse ?? []).map(({ tool, activation }) => {
		const { short, long } = loadReason(activation);
		const lastUse = useOf(
			activation.lastTurn,
			discovery?.log.usage.calls.find((one) => one.server === tool.server && one.tool === tool.name)?.calls,
		);
		return {
			kind: 'tool',
			tool,
			state: 'activated',
			why: long,
			reason: short,
			...(lastUse && { lastUse }),
			...unsent(tool),
			...(isEditorTool(tool, sessions.policy) && { isOfEditor: true }),
		};
	});
}

/** The tools that every chat has: pinned ones first, each part in the order in which they are sent. */
function alwaysLoaded(sessions: ChatSessions): LoadedNode[] {
	const why = whyPlaced(sessions);
	const unsent = unsentBy(sessions);
	const nodes = sessions.currentSurface.loaded.map((tool): LoadedNode => {
		const state: ToolState = placement(tool, sessions.policy);
		const reason = state === 'pinned' ? l10n.t('pinned') : l10n.t('always');
		return { kind: 'tool', tool, state, why: why[state], reason, ...unsent(tool) };
	});
	const { pinned = [], loaded = [] } = Object.groupBy(nodes, ({ state }) =>
		state === 'pinned' ? 'pinned' : 'loaded',
	);
	return [...pinned, ...loaded];
}

/** When the chat has used a tool, in sentences. Turn 0 is before the first message. */
function useOf(lastTurn: number, calls = 0): string | undefined {
	const last = lastTurn === 0 ? [] : [l10n.t('Loaded or called last in turn {0} of the chat.', lastTurn)];
	const sentences = [...(calls === 0 ? [] : [called(calls)]), ...last];
	return sentences.length === 0 ? undefined : sentences.join(' ');
}

function called(times: number): string {
	return times === 1 ? l10n.t('Called once.') : l10n.t('Called {0} times.', times);
}

/** How the Loaded Tools view draws its nodes. */
export const loadedDrawing: Drawing<LoadedTreeNode> = {
	id: (node) => (node.kind === 'always' ? 'always' : `tool ${node.tool.wireName}`),
	row: (node) => (node.kind === 'always' ? alwaysRow(node) : loadedRow(node)),
	isSame: (a, b) =>
		a.kind === 'tool' &&
		b.kind === 'tool' &&
		isSameTool(a, b) &&
		a.reason === b.reason &&
		a.lastUse === b.lastUse,
};

function loadedRow(node: LoadedNode): TreeRow {
	const { tool, state, unsent, reason } = node;
	const { word: _, ...look } = toolLook(state);
	const tokens = toolTokens(tool);
	const label = oneLine(tool.id, 100);
	const marks = marksOf(node);
	return {
		...(unsent ? unsentLook : look),
		label,
		description: [reason, ...marks, shownTokens(tokens)].join(' · '),
		contextValue: contextValue(node),
		accessibleLabel: [label, reason, ...marks, spokenTokens(tokens)].join(', '),
		expandable: false,
	};
}

function alwaysRow({ tools }: AlwaysNode): TreeRow {
	const tokens = sumOfTokens(tools.map(({ tool }) => tool));
	const label = l10n.t('Always Loaded');
	const { word: _, ...look } = toolLook('loaded');
	return {
		label,
		description: `${toolCount(tools.length)} · ${shownTokens(tokens)}`,
		...look,
		tooltip: l10n.t('Every chat has these tools, whether it needs them or not.'),
		contextValue: '',
		accessibleLabel: `${label}, ${toolCount(tools.length)}, ${spokenTokens(tokens)}`,
		expandable: true,
	};
}
