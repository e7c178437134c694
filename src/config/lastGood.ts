import type { Config, ConfigProblem } from './config.ts';

/** Keys of the file that settle how discovery works. */
const discoveryKeys: readonly unknown[] = ['tool_discovery', 'tools', 'lazy_mcp'];

/** A line of synonyms is an entry of its own: without it some searches find less, and no setting says other than it is meant to. */
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
			severity === 'error' && discoveryKeys.includes(path[0]) && !isLineOfSynonyms(path),
	);
	if (!last || !isFaulty) return config;
	const { policy, editorTools } = last;
	return { ...config, editorTools, policy: { ...policy, servers: config.policy.servers } };
}
