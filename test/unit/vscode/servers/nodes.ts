import { Catalog } from '../../../../src/discovery/catalog.ts';
import type { Tool } from '../../../../src/discovery/tool.ts';
import type { ServerStatus } from '../../../../src/mcp/serverStatus.ts';
import type { FaultyNode } from '../../../../src/vscode/servers/problemNodes.ts';
import type { ServerNode, ToolNode } from '../../../../src/vscode/servers/treeNodes.ts';

/** What is particular about a tool in a test. */
export type Particular = Partial<Pick<Tool, 'title' | 'description' | 'inputSchema'>> &
	Partial<Pick<ToolNode, 'state' | 'unsent' | 'use'>>;

/** A server that runs, with these tools, deferred unless said otherwise. */
export function serverWith(
	name: string,
	tools: Readonly<Record<string, Particular>>,
	status: Partial<ServerStatus> = {},
): ServerNode {
	const listed = Object.entries(tools).map(([tool, { title, description, inputSchema }]) => ({
		server: name,
		name: tool,
		...(title && { title }),
		...(description && { description }),
		inputSchema: inputSchema ?? { type: 'object' },
	}));
	return {
		kind: 'server',
		status: {
			name,
			kind: 'stdio',
			state: { kind: 'ready', since: 0 },
			tools: listed,
			cached: false,
			dropped: [],
			...status,
		},
		launch: undefined,
		tools: new Catalog([{ name, tools: listed }], 1).tools.map((tool) => {
			const { state = 'deferred', unsent, use } = tools[tool.name] ?? {};
			return { kind: 'tool', tool, state, why: '', ...(unsent && { unsent }), ...(use && { use }) };
		}),
	};
}

/** `server:tool` of all tools that are shown. */
export function shownIn(servers: readonly ServerNode[]): readonly string[] {
	return servers.flatMap(({ tools }) => tools.map(({ tool }) => tool.id));
}

/** Without the servers that are off. */
export function serversOf(nodes: readonly (ServerNode | FaultyNode)[]): readonly ServerNode[] {
	return nodes.filter((node) => node.kind === 'server');
}
