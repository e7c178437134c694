import * as l10n from '@vscode/l10n';
import type { ServerLaunch } from '../../config/launch.ts';
import { type Habits, noHabits } from '../../discovery/habits/habits.ts';
import type { Suggestion } from '../../discovery/habits/suggestion.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { adviceOn } from '../habits/suggestionWords.ts';
import { toolUses } from './toolUse.ts';
import { heldNodes, type ServerNode, type ToolNode, toolNodes } from './treeNodes.ts';

/** Servers with their tools, as they stand in the chat that was last used, and with what past chats speak for. */
export function serverNodes(
	hub: DiscoveryHub,
	servers: readonly ServerStatus[],
	launches: ReadonlyMap<string, ServerLaunch>,
	suggestions: readonly Suggestion[],
	habits: Habits = noHabits,
	trustsHints: (server: string) => boolean = () => false,
): ServerNode[] {
	const advice = adviceOn(suggestions);
	const useOf = toolUses(hub, habits);
	const nodes = [...toolNodes(hub), ...heldNodes(hub)].map((node) => {
		const { server, name } = node.tool;
		const use = useOf(server, name);
		return { ...node, ...advice(server, name), ...(use && { use }) };
	});
	const tools = Map.groupBy(nodes, ({ tool }) => tool.server);
	const configured = servers.map((status) => ({
		kind: 'server' as const,
		status,
		launch: launches.get(status.name),
		tools: tools.get(status.name) ?? [],
		trustsHints: trustsHints(status.name),
		...advice(status.name),
	}));
	return [...configured, ...[...tools].flatMap(([name, its]) => editorNode(name, its))];
}

/** The editor among the servers: it is always there, and cannot be started or stopped. */
function editorNode(name: string, tools: readonly ToolNode[]): ServerNode[] {
	if (!tools[0]?.unconfigured) return [];
	const status: ServerStatus = {
		name,
		kind: 'stdio',
		state: { kind: 'stopped' },
		tools: tools.map(({ tool }) => tool),
		cached: false,
		dropped: [],
		description: l10n.t('Tools of VS Code, of its extensions, and of MCP servers that it runs itself.'),
	};
	return [{ kind: 'server', status, launch: undefined, tools, unconfigured: true }];
}
