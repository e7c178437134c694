import { type DiscoveryPolicy, defaultPolicy } from '../discovery/policy.ts';
import type { Toolset } from '../discovery/toolset.ts';
import type { ServerLaunch } from './launch.ts';

/** How serious a fault of the configuration is: `error`, something is off because of it; `warning`, all works. */
export type ProblemSeverity = 'error' | 'warning';

/** Zero-based, as editors count. */
export interface Position {
	readonly line: number;
	readonly character: number;
}

/** A fault of the configuration file, at its place. */
export interface ConfigProblem {
	readonly severity: ProblemSeverity;
	/** Names the place and says what to do, e.g. `servers.weather.command: expected a string`. */
	readonly message: string;
	/** Keys from the root, e.g. `['servers', 'weather', 'command']`. */
	readonly path: readonly (string | number)[];
	readonly start: Position;
	readonly end: Position;
}

/** The configuration as the rest of the extension uses it: defaults filled in, aliases resolved, variables replaced. */
export interface Config {
	readonly policy: DiscoveryPolicy;
	readonly toolsets: ReadonlyMap<string, Toolset>;
	/** Well-formed servers only, in the order of the file. */
	readonly launches: ReadonlyMap<string, ServerLaunch>;
	/** `MCP_TOOL_CACHE_TTL`: age in seconds at which a server's list of tools is fetched anew; 0 or less: never. */
	readonly toolCacheTtlSeconds: number;
}

/** What holds without a configuration file; its time to live is what the environment variable is by default. */
export const emptyConfig: Config = {
	policy: defaultPolicy,
	toolsets: new Map(),
	launches: new Map(),
	toolCacheTtlSeconds: 30,
};

/** Outcome of reading a configuration. Without `config` the file as a whole is unreadable. */
export interface LoadedConfig {
	readonly config: Config | undefined;
	readonly problems: readonly ConfigProblem[];
}
