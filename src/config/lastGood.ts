import type { Config, ConfigProblem } from './config.ts';

/** Keys of the file that settle how discovery works. */
const discoveryKeys: readonly unknown[] = ['tool_discovery', 'tools', 'lazy_mcp'];

/**
 * The configuration with the discovery settings of the last one, where its own have a fault: a slip in `enabled` must not load
 * every tool of every server at once. Servers and toolsets are the new one's.
 */
export function withLastGoodSettings(
	config: Config,
	problems: readonly ConfigProblem[],
	last: Config | undefined,
): Config {
	const isFaulty = problems.some(
		({ severity, path }) => severity === 'error' && discoveryKeys.includes(path[0]),
	);
	if (!last || !isFaulty) return config;
	return { ...config, policy: { ...last.policy, servers: config.policy.servers } };
}
