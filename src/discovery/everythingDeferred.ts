import { type DiscoveryPolicy, defaultServerPolicy, type ServerPolicy, type ToolPolicy } from './policy.ts';

/**
 * The policy with every tool of these servers deferred, whatever the user has set for chats: for callers that are told of no tool
 * beforehand, and so have to find each. Hints stay.
 */
export function everythingDeferred(policy: DiscoveryPolicy, serverNames: readonly string[]): DiscoveryPolicy {
	const deferred = (name: string) => withoutPlacements(policy.servers.get(name) ?? defaultServerPolicy);
	return {
		...policy,
		enabled: true,
		servers: new Map(serverNames.map((name) => [name, deferred(name)])),
	};
}

function withoutPlacements(server: ServerPolicy): ServerPolicy {
	const hints = [...server.tools].map(([name, { searchHint }]): [string, ToolPolicy] => [
		name,
		searchHint === undefined ? {} : { searchHint },
	]);
	return { ...server, deferLoading: true, pinned: false, tools: new Map(hints) };
}
