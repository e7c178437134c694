import { type ChatSession, ChatSessions } from '../../../src/chat/sessions.ts';
import { Emitter } from '../../../src/common/event.ts';
import { Catalog } from '../../../src/discovery/catalog/catalog.ts';
import {
	type ConfiguredPolicy,
	defaultPolicy,
	defaultServerPolicy,
	type ServerPolicy,
} from '../../../src/discovery/catalog/policy.ts';
import type { Tool } from '../../../src/discovery/catalog/tool.ts';
import { AgentUses } from '../../../src/gateway/agentUses.ts';
import type { ServerStatus } from '../../../src/mcp/serverStatus.ts';
import { ServerModels } from '../../../src/vscode/core/serverModels.ts';
import type { ServerNode, ToolNode } from '../../../src/vscode/ui/nodes.ts';

/** Chat sessions whose server `files` has these tools, deferred unless said otherwise. */
export function sessionsWith(
	names: readonly string[],
	files: Partial<ServerPolicy> = {},
	policy: Partial<ConfiguredPolicy> = {},
	inputSchema: Readonly<Record<string, unknown>> = {
		type: 'object',
		properties: { path: { type: 'string', description: 'Where it is' } },
	},
): ChatSessions {
	const tools = names.map((name) => ({
		server: 'files',
		name,
		description: `Does what ${name} says, and does it with great care for whoever asked.`,
		inputSchema,
	}));
	const servers = new Map([['files', { ...defaultServerPolicy, deferLoading: true, ...files }]]);
	const sessions = new ChatSessions();
	sessions.setPolicy({ ...defaultPolicy, enabled: true, servers, ...policy }, new Map());
	sessions.setCatalog([{ name: 'files', tools }]);
	return sessions;
}

/** Other agents, of which none is there yet. */
export function noAgents(): AgentUses {
	let names: readonly string[] = [];
	const set = (all: readonly string[]) => {
		names = all;
	};
	return new AgentUses({ get: () => names, set });
}

/** What views show of sessions, with these servers, or one that has all of their tools. */
export function modelsOf(
	sessions: ChatSessions,
	servers: () => readonly ServerStatus[] = () => [statusOf('files')],
): ServerModels {
	const { event: onDidChange } = new Emitter<never>();
	const inForce = { config: { launches: new Map() }, servers: new Map() };
	return new ServerModels({
		sessions,
		pool: { servers, onDidChange },
		approvals: { trustsHints: () => false, onDidChange },
		permissions: { ruleFor: () => undefined, rulesOf: () => [], onDidChange },
		configFile: { inForce, onDidChange },
	} as unknown as ConstructorParameters<typeof ServerModels>[0]);
}

/** A server that runs, unless `more` says otherwise. */
export function statusOf(name: string, more: Partial<ServerStatus> = {}): ServerStatus {
	const state = { kind: 'ready', since: 0 } as const;
	return { name, kind: 'stdio', state, tools: [], cached: false, dropped: [], ...more };
}

/** The tool of that name in a chat's surface. */
export function toolOf(chat: ChatSession, name: string) {
	const tool = chat.discovery.surface.get(`files__${name}`);
	if (!tool) throw new Error(`there is no ${name}`);
	return tool;
}

/** Names of what a chat has loaded. */
export function loadedIn(chat: ChatSession): readonly string[] {
	return chat.discovery.activated.map(({ name }) => name);
}

/** What is particular about a tool in a test. */
export type Particular = Partial<Pick<Tool, 'title' | 'description' | 'inputSchema'>> &
	Partial<Pick<ToolNode, 'state' | 'unsent'>>;

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
		status: statusOf(name, { tools: listed, ...status }),
		launch: undefined,
		tools: new Catalog([{ name, tools: listed }], 1).tools.map((tool) => {
			const { state = 'deferred', unsent } = tools[tool.name] ?? {};
			return { kind: 'tool', tool, label: tool.name, state, why: '', ...(unsent && { unsent }) };
		}),
	};
}

/** The editor's storage: what is written is read as JSON by the next window. */
export function storage(text = '{}') {
	const values = new Map<string, unknown>(Object.entries(JSON.parse(text)));
	return {
		keys: () => [...values.keys()],
		get: <T>(key: string, otherwise?: T) => (values.get(key) ?? otherwise) as T,
		update: async (key: string, value: unknown) => void values.set(key, value),
		text: () => JSON.stringify(Object.fromEntries(values)),
	};
}
