import * as l10n from '@vscode/l10n';
import type { CatalogTool } from '../../discovery/catalog.ts';
import { placement } from '../../discovery/partition.ts';
import { isUnconfigured } from '../../discovery/policy.ts';
import type { DiscoveryHub, ToolState } from '../discoveryHub.ts';
import { type ToolNode, unsentBy, whyPlaced } from '../servers/treeNodes.ts';
import { loadReason } from './loadReasons.ts';

/** A loaded tool. Commands take it as they take a tool of the Servers view. */
export interface LoadedNode extends ToolNode {
	/** Why it is loaded, in a few words. */
	readonly reason: string;
	/** A sentence for people on when the chat has used it; absent where it has not. */
	readonly lastUse?: string;
}

/** What no chat has loaded, in one row where it would bury the rest. */
export interface AlwaysNode {
	readonly kind: 'always';
	readonly tools: readonly LoadedNode[];
}

export type LoadedTreeNode = LoadedNode | AlwaysNode;

/** Most tools that stand below those of the chat without a row over them. */
const flatTools = 5;

/** What is loaded in the last used chat: first what it has loaded, the most recently used first, then what is always loaded. */
export function loadedNodes(hub: DiscoveryHub): LoadedTreeNode[] {
	const always = alwaysLoaded(hub);
	const below = always.length > flatTools ? [{ kind: 'always' as const, tools: always }] : always;
	return [...activated(hub), ...below];
}

/** Every tool in these nodes. */
export function loadedTools(nodes: readonly LoadedTreeNode[]): readonly CatalogTool[] {
	return nodes.flatMap((node) => (node.kind === 'always' ? node.tools : [node])).map(({ tool }) => tool);
}

function activated(hub: DiscoveryHub): LoadedNode[] {
	const { discovery } = hub.current ?? {};
	const unsent = unsentBy(hub);
	return (discovery?.activatedByUse ?? []).map(({ tool, activation }) => {
		const { short, long } = loadReason(activation);
		const lastUse = useOf(
			activation.lastTurn,
			discovery?.usage.calls.find((one) => one.server === tool.server && one.tool === tool.name)?.calls,
		);
		return {
			kind: 'tool',
			tool,
			state: 'activated',
			why: long,
			reason: short,
			...(lastUse && { lastUse }),
			...unsent(tool),
			...(isUnconfigured(tool, hub.policy) && { unconfigured: true }),
		};
	});
}

/** Pinned ones first; each half by wire name, as it is sent. */
function alwaysLoaded(hub: DiscoveryHub): LoadedNode[] {
	const why = whyPlaced(hub);
	const unsent = unsentBy(hub);
	const nodes = hub.currentSurface.loaded.map((tool): LoadedNode => {
		const state: ToolState = placement(tool, hub.policy);
		const reason = state === 'pinned' ? l10n.t('pinned') : l10n.t('always');
		return { kind: 'tool', tool, state, why: why[state], reason, ...unsent(tool) };
	});
	const { pinned = [], loaded = [] } = Object.groupBy(nodes, ({ state }) =>
		state === 'pinned' ? 'pinned' : 'loaded',
	);
	return [...pinned, ...loaded];
}

/** Sentences; what is loaded before the first message belongs to turn 0. */
function useOf(lastTurn: number, calls = 0): string | undefined {
	const last = lastTurn === 0 ? [] : [l10n.t('Loaded or called last in turn {0} of the chat.', lastTurn)];
	const sentences = [...(calls === 0 ? [] : [called(calls)]), ...last];
	return sentences.length === 0 ? undefined : sentences.join(' ');
}

function called(times: number): string {
	return times === 1 ? l10n.t('Called once.') : l10n.t('Called {0} times.', times);
}
