import { isRecord, type JsonRecord } from '../common/json.ts';
import { type ConfiguredPolicy, defaultPolicy } from '../discovery/catalog/policy.ts';
import type { ToolResultFormat } from '../discovery/catalog/tool.ts';
import type { Toolset } from '../discovery/catalog/toolset.ts';
import type { ConfigProblem } from './file/problemReport.ts';
import type { ClientDefinition } from './models/clientDefinition.ts';
import type { ModelDefinition } from './models/models.ts';
import type { ServerLaunch } from './servers/launch.ts';

/** From everything to failures only. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** The configuration for the rest of the extension: defaults filled in, aliases resolved, variables replaced. */
export interface Config {
	readonly policy: ConfiguredPolicy;
	/** Whether VS Code's own tools can be found too. */
	readonly editorTools: boolean;
	/** The file has discovery settings. Of several files, the first one with settings counts. */
	readonly setsDiscovery: boolean;
	readonly toolsets: ReadonlyMap<string, Toolset>;
	/** Prompts that `@discovery` offers in its greeting: at most three, each on one line and without invisible characters. */
	readonly prompts: readonly string[];
	/** Only valid servers, in the order of the file. */
	readonly launches: ReadonlyMap<string, ServerLaunch>;
	/** `MCP_TOOL_CACHE_TTL`: age in seconds at which a server's tool list is stale; 0 or less: never. */
	readonly toolCacheTtlSeconds: number;
	/** Only valid clients, in the order of the file. Of several files: all that may be used, also two with the same name. */
	readonly clients: readonly ClientDefinition[];
	/** Clients that no entry of `models` names, not even a faulty one: all models of their endpoints are offered. */
	readonly clientsWithoutModels: readonly ClientDefinition[];
	/** Only valid models of valid clients, in the order of the file. */
	readonly models: ReadonlyMap<string, ModelDefinition>;
	/** `TOOL_RESULT_FORMAT`. */
	readonly toolResultFormat: ToolResultFormat;
	/** `LOG_LEVEL`; absent: VS Code's level. */
	readonly logLevel?: LogLevel;
}

/**
 * Names of the servers section, ours and those of other programs. A file may have several; if two contain the same server, the first
 * section in this list wins.
 */
export const serverSections = ['servers', 'mcpServers', 'mcp_servers'] as const;

export function isServerSection(key: unknown): key is (typeof serverSections)[number] {
	return serverSections.some((section) => section === key);
}

/** The section for new servers: the first one of the file, or the first name that the file uses for nothing else. */
export function sectionForServers(file: JsonRecord): (typeof serverSections)[number] | undefined {
	return (
		serverSections.find((section) => isRecord(file[section])) ??
		serverSections.find((section) => !Object.hasOwn(file, section))
	);
}

/** The server whose entry has an error; `undefined`: the error is elsewhere, or only a warning. */
export function faultyServer({ severity, path: [section, name] }: ConfigProblem): string | undefined {
	const isOfServer = severity === 'error' && isServerSection(section);
	return isOfServer && name !== undefined ? String(name) : undefined;
}

/** The configuration without a file. Settings from environment variables have their defaults. */
export const emptyConfig: Config = {
	policy: defaultPolicy,
	editorTools: false,
	setsDiscovery: false,
	toolsets: new Map(),
	prompts: [],
	launches: new Map(),
	toolCacheTtlSeconds: 30,
	clients: [],
	clientsWithoutModels: [],
	models: new Map(),
	toolResultFormat: 'result',
};

/** The result of reading a configuration. Without `config`, the whole file is unreadable. */
export interface LoadedConfig {
	readonly config: Config | undefined;
	readonly problems: readonly ConfigProblem[];
}

/** Names for the server with VS Code's own tools, in order of preference, as the configuration may use one. */
const editorServerNames = ['editor', 'vscode'] as const;

/** The name of VS Code's server; `undefined` if both are taken. */
export function editorServerName(configured: { has(name: string): boolean }): string | undefined {
	return editorServerNames.find((name) => !configured.has(name));
}

/** Keys of the file that decide how discovery works. */
export const discoveryKeys = ['tool_discovery', 'tools', 'lazy_mcp'] as const;

/** Each line of synonyms is an entry of its own: without one, some searches find less, but all other settings are as intended. */
function isLineOfSynonyms([section, setting, line]: ConfigProblem['path']): boolean {
	return section === 'tool_discovery' && setting === 'synonyms' && line !== undefined;
}

/**
 * The configuration with the last good discovery settings if its own have a fault: a typo in `enabled` must not load every tool at once. A
 * faulty line of synonyms does not count. Servers and toolsets are the new ones.
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
