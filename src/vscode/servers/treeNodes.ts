import * as l10n from '@vscode/l10n';
import type { ServerLaunch } from '../../config/launch.ts';
import type { CatalogTool } from '../../discovery/catalog.ts';
import { isUnconfigured } from '../../discovery/policy.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import type { DiscoveryHub, ToolState } from '../discoveryHub.ts';
import type { FaultyNode, ProblemNode, ProblemsNode } from './problemNodes.ts';
import type { ToolUse } from './toolUse.ts';

/** A server with its tools, as the tree shows them. */
export interface ServerNode {
	readonly kind: 'server';
	readonly status: ServerStatus;
	/** Absent for a moment, while a server that is no longer configured ends. */
	readonly launch: ServerLaunch | undefined;
	/** Those that are shown. */
	readonly tools: readonly ToolNode[];
	/** All that it has, where a filter shows not all of them. */
	readonly all?: readonly ToolNode[];
	/** Whether its word counts that a tool only reads. */
	readonly trustsHints?: boolean;
	/** It is the editor, and not a server of the configuration. */
	readonly unconfigured?: true;
	/** What past chats speak for, in a sentence. */
	readonly advice?: string;
}

/** One tool in the tree. */
export interface ToolNode {
	readonly kind: 'tool';
	readonly tool: CatalogTool;
	readonly state: ToolState;
	/** Half a sentence for people: why it is in that state. */
	readonly why: string;
	/** It is loaded, and yet the model of the last turn was not sent it. */
	readonly unsent?: { readonly model: string; readonly reason: string };
	/** It is one of the editor's: nothing can be set for it in the configuration. */
	readonly unconfigured?: true;
	/** What past chats speak for, in a sentence. */
	readonly advice?: string;
	/** Absent where it never was called. */
	readonly use?: ToolUse;
}

/** What stands on the level of the servers. */
export type RootNode = ServerNode | FaultyNode | ProblemsNode | ProblemNode;

export type TreeNode = RootNode | ToolNode;

/** By what a node is the same after a change. */
export function nodeId(node: TreeNode): string {
	switch (node.kind) {
		case 'server':
			return `server ${node.status.name}`;
		case 'tool':
			return `tool ${node.tool.wireName}`;
		case 'problem':
			return `problem ${node.index}`;
		case 'problems':
			return `problems ${node.severity}`;
		case 'faulty':
			return `faulty ${node.name}`;
	}
}

/** Whether the schema of a tool in that state goes to the model with every request. */
export function isLoaded(state: ToolState): boolean {
	return state === 'pinned' || state === 'loaded' || state === 'activated';
}

/** Every tool of the catalog, as it stands in the chat that was last used. */
export function toolNodes(hub: DiscoveryHub): ToolNode[] {
	const stateOf = hub.toolStates();
	const why = whyPlaced(hub);
	const unsent = unsentBy(hub);
	return hub.catalog.tools.map((tool) => {
		const state = stateOf(tool);
		return {
			kind: 'tool',
			tool,
			state,
			why: why[state],
			...(isLoaded(state) && unsent(tool)),
			...(isUnconfigured(tool, hub.policy) && { unconfigured: true }),
		};
	});
}

/** Tools of the catalog that are neither found nor called until the user accepts what they have become. */
export function heldNodes(hub: DiscoveryHub): ToolNode[] {
	const why = whyPlaced(hub).held;
	return hub.catalog.held.map((tool) => ({ kind: 'tool', tool, state: 'held', why }));
}

/** Why tools are in a state, as far as the state tells: half a sentence for people. */
export function whyPlaced({ current, policy }: DiscoveryHub): Readonly<Record<ToolState, string>> {
	const toolset = current?.discovery.surface.toolset?.name;
	return {
		pinned: l10n.t('the configuration pins it'),
		loaded: policy.enabled
			? l10n.t('the configuration does not defer it')
			: l10n.t('discovery is turned off'),
		activated: l10n.t('the last used chat has loaded it'),
		deferred: l10n.t('it is found by search when it is needed'),
		held: l10n.t('it is not what you had accepted'),
		outside: l10n.t('the toolset “{0}” of the last used chat does not have it', toolset ?? ''),
	};
}

/** Tells whether a loaded tool was kept from the model of the last turn. */
export function unsentBy({ current }: DiscoveryHub): (tool: CatalogTool) => Pick<ToolNode, 'unsent'> {
	const unsent = current?.unsent;
	return ({ wireName }) => {
		const reason = unsent?.reasons.get(wireName);
		return unsent && reason !== undefined ? { unsent: { model: unsent.model, reason } } : {};
	};
}
