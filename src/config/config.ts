import { type ConfiguredPolicy, defaultPolicy } from '../discovery/catalog/policy.ts';
import type { ToolResultFormat } from '../discovery/catalog/tool.ts';
import type { Toolset } from '../discovery/catalog/toolset.ts';
import type { ConfigProblem } from './file/problemReport.ts';
import type { ClientDefinition } from './models/clientDefinition.ts';
import type { ModelDefinition } from './models/models.ts';
import type { ServerLaunch } from './servers/launch.ts';

/** From everything to failures only. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** The configuration as the rest of the extension uses it: defaults filled in, aliases resolved, variables replaced. */
export interface Config {
	readonly policy: ConfiguredPolicy;
	/** Whether the editor's own tools can be found, too. */
	readonly editorTools: boolean;
	/** The file has discovery settings: where there are several files, those of the first that has any are in force. */
	readonly setsDiscovery: boolean;
	readonly toolsets: ReadonlyMap<string, Toolset>;
	/** Requests that `@discovery` offers to click when it greets: at most three, each on one line and without invisible characters. */
	readonly prompts: readonly string[];
	/** Well-formed servers only, in the order of the file. */
	readonly launches: ReadonlyMap<string, ServerLaunch>;
	/** `MCP_TOOL_CACHE_TTL`: age in seconds at which a server's list of tools is fetched anew; 0 or less: never. */
	readonly toolCacheTtlSeconds: number;
	/** Well-formed clients only, in the order of the file. */
	readonly clients: ReadonlyMap<string, ClientDefinition>;
	/** Clients that no entry of `models` names, not even a faulty one: all that their endpoints have is offered. */
	readonly clientsWithoutModels: readonly ClientDefinition[];
	/** Well-formed models of well-formed clients only, in the order of the file. */
	readonly models: ReadonlyMap<string, ModelDefinition>;
	/** `TOOL_RESULT_FORMAT`. */
	readonly toolResultFormat: ToolResultFormat;
	/** `LOG_LEVEL`; absent: as the editor has it. */
	readonly logLevel?: LogLevel;
}

/**
 * What we and other MCP clients call the section of servers. A file may have several of them; where two have a server of the same name,
 * the entry in the section that stands first in this list counts.
 */
export const serverSections = ['servers', 'mcpServers', 'mcp_servers'] as const;

/** True for the names that the section of servers can have. */
export function isServerSection(key: unknown): key is (typeof serverSections)[number] {
	return serverSections.some((section) => section === key);
}

/** The server in whose entry an error is; `undefined`: it is elsewhere, or only a warning. */
export function faultyServer({ severity, path: [section, name] }: ConfigProblem): string | undefined {
	const isOfServer = severity === 'error' && isServerSection(section);
	return isOfServer && name !== undefined ? String(name) : undefined;
}

/** What holds without a configuration file; settings that come from environment variables have their defaults. */
export const emptyConfig: Config = {
	policy: defaultPolicy,
	editorTools: false,
	setsDiscovery: false,
	toolsets: new Map(),
	prompts: [],
	launches: new Map(),
	toolCacheTtlSeconds: 30,
	clients: new Map(),
	clientsWithoutModels: [],
	models: new Map(),
	toolResultFormat: 'result',
};

/** Outcome of reading a configuration. Without `config` the file as a whole is unreadable. */
export interface LoadedConfig {
	readonly config: Config | undefined;
	readonly problems: readonly ConfigProblem[];
}

/** Names for the server of the editor's own tools, the first choice first: a server of the configuration may have it already. */
const editorServerNames = ['editor', 'vscode'] as const;

/** The name of the editor's server beside those that are configured; `undefined` where both are taken. */
export function editorServerName(configured: { has(name: string): boolean }): string | undefined {
	return editorServerNames.find((name) => !configured.has(name));
}

/** Keys of the file that decide how discovery works. */
export const discoveryKeys = ['tool_discovery', 'tools', 'lazy_mcp'] as const;

/** A line of synonyms is an entry of its own: without it some searches find less, but all other settings are as they are meant. */
function isLineOfSynonyms([section, setting, line]: ConfigProblem['path']): boolean {
	return section === 'tool_discovery' && setting === 'synonyms' && line !== undefined;
}

/**
 * The configuration with the discovery settings of the last one, where its own have a fault: a slip in `enabled` must not load
 * every tool of every server at once. A faulty line of synonyms is no such fault. Servers and toolsets are the new one's.
 */
export function withLastGoodSettings(
	config: Config,
	problems: readonly ConfigProblem[],
	last: Config | undefined,
): Config {
	const isFaulty = problems.some(
		({ severity, path }) =>
			severity === 'error' && discoveryKeys.some((key) => key === path[0]) && !isLineOfSynonyms(path),
	);
	if (!last || !isFaulty) return config;
	const { policy, editorTools } = last;
	return {
		...config,
		editorTools,
		setsDiscovery: true,
		policy: { ...policy, servers: config.policy.servers },
	};
}
