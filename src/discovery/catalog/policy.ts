import { isOfEditorsServer } from './nameSpellings.ts';
import { type Tool, toolId } from './tool.ts';

/** How tools are ranked for a query: see `search/toolIndex.ts`. */
export type Ranking = 'default' | 'okapi' | 'name-parts';

/**
 * How a loaded tool reaches the model. `append`: at the end of the tools of the next request. `native`: in the
 * conversation, by the provider's own means, with the tools at the start of the request unchanged. `call`: not as a tool at all; its schema
 * stands in the result, and a fixed synthetic tool calls it.
 */
export type Loading = 'append' | 'native' | 'call';

/** Whether something is disabled; `workspace`: it is, for this workspace only, whatever the configuration says. */
export type Disabled = boolean | 'workspace';

/** What the user has set for one tool. */
export interface ToolPolicy {
	readonly deferLoading?: boolean;
	readonly searchHint?: string;
	/** Beats the server's `enabledTools`. */
	readonly disabled?: Disabled;
}

/** What the user has set for one server. */
export interface ServerPolicy {
	readonly deferLoading: boolean;
	/** `true`: every tool of the server; a list: those tools. Pinned tools are always loaded. */
	readonly pinned: boolean | readonly string[];
	readonly searchHint?: string;
	readonly tools: ReadonlyMap<string, ToolPolicy>;
	/** It does not start, and has no tools for anybody. */
	readonly disabled?: Disabled;
	/** Its only tools that are not disabled; absent: all. */
	readonly enabledTools?: readonly string[];
	/** It stands for the editor's own tools, which no server of the configuration has: nothing can be set for them there. */
	readonly isOfEditor?: true;
}

/** Why `"auto"` has turned discovery on or off for one surface. */
export type AutoReason =
	/** On: a first request is smaller by this share, 0 to 1, than with every tool loaded. */
	| { readonly kind: 'saves'; readonly share: number }
	/** On: loading all tools would exceed the limit of a request. */
	| { readonly kind: 'tooMany'; readonly tools: number; readonly limit: number }
	/** On: the chat began with discovery, and keeps it so that its requests begin as before. */
	| { readonly kind: 'chat' }
	/** Off: all tools together cost this many tokens, and deferring them would save too little. */
	| { readonly kind: 'fits'; readonly tools: number; readonly tokens: number };

/** The engine's settings as the configuration file yields them; `session/autoDiscovery.ts` decides what `auto` comes to. */
export interface ConfiguredPolicy extends Omit<DiscoveryPolicy, 'enabled' | 'auto'> {
	readonly enabled: boolean | 'auto';
}

/** The engine's settings that are in force. */
export interface DiscoveryPolicy {
	/** Off: every tool loads, nothing is injected. */
	readonly enabled: boolean;
	/** Why `enabled` is what it is, where the configuration says `"auto"`. */
	readonly auto?: AutoReason;
	readonly deferAll: boolean;
	/** Tools a search loads, 1 to 25. */
	readonly maxSearchResults: number;
	/** Activated tools kept, least recently used out first; `null`: no cap. */
	readonly maxActiveSchemas: number | null;
	/**
	 * Most tools of a request, as far as loading fills it: among more, models choose worse. It does not limit what is always loaded, which
	 * the user has wished for; there only the model's own limit holds.
	 */
	readonly maxRequestTools: number;
	readonly ranking: Ranking;
	/** Words that mean the same in this workspace, as lines of a list of synonyms: see `search/words/thesaurus.ts`. */
	readonly synonyms: readonly string[];
	/**
	 * What happens when the model calls a deferred tool that nothing has loaded: it gets an error, or, where the arguments fit, the tool is
	 * loaded and run.
	 */
	readonly onUndiscoveredCall: 'error' | 'activate';
	/** Where the manifest stands: in the description of `search_tools`, or in the system prompt. */
	readonly manifestPlacement: 'tool' | 'system';
	/** `auto`: the best that the model at hand can do. */
	readonly loading: Loading | 'auto';
	/**
	 * How many tools the user's message may load before the model is asked, 0 to 5. With 0, tools that the message names are not loaded
	 * either.
	 */
	readonly prefetch: number;
	/** Whether a model is offered the tools that list tools and tell their schemas; only while discovery is on. */
	readonly inspectionTools: boolean;
	/** Upper bound of the definition of `search_tools`, in tokens. */
	readonly maxManifestTokens: number;
	/** No server decides which of its tools are always loaded. */
	readonly ignoresWishes?: true;
	/** The servers of the configuration, by name. A tool of any other server loads eagerly. */
	readonly servers: ReadonlyMap<string, ServerPolicy>;
}

/** Whether a tool is one of the editor's own, of no server of the configuration. */
export function isEditorTool({ server }: { readonly server: string }, policy: DiscoveryPolicy): boolean {
	return policy.servers.get(server)?.isOfEditor === true;
}

/**
 * The server whose text a tool returns. VS Code's own tools count as one, but each tool of the MCP servers that VS Code runs by itself: nothing says
 * which of them belong together.
 */
export function sourceOf({ server, name }: Pick<Tool, 'server' | 'name'>, policy: DiscoveryPolicy): string {
	return isEditorTool({ server }, policy) && isOfEditorsServer(name) ? toolId({ server, name }) : server;
}

/** Whether a server is disabled: it neither starts nor is found. */
export function isServerDisabled(server: string, { servers }: Pick<DiscoveryPolicy, 'servers'>): boolean {
	return Boolean(servers.get(server)?.disabled);
}

/** Whether a tool is disabled, alone or with its server. Disabled tools cannot be found, loaded or called. */
export function isDisabled(
	{ server, name }: Pick<Tool, 'server' | 'name'>,
	policy: Pick<DiscoveryPolicy, 'servers'>,
): boolean {
	const { tools, enabledTools } = policy.servers.get(server) ?? defaultServerPolicy;
	const isDisabled =
		tools.get(name)?.disabled ?? (enabledTools !== undefined && !enabledTools.includes(name));
	return Boolean(isDisabled) || isServerDisabled(server, policy);
}

/** What holds where the configuration says nothing. */
export const defaultPolicy: DiscoveryPolicy = {
	enabled: false,
	deferAll: false,
	maxSearchResults: 5,
	maxActiveSchemas: 24,
	maxRequestTools: 64,
	ranking: 'default',
	synonyms: [],
	onUndiscoveredCall: 'error',
	manifestPlacement: 'tool',
	loading: 'auto',
	prefetch: 1,
	inspectionTools: false,
	maxManifestTokens: 2500,
	servers: new Map(),
};

/** A server of which nothing is set. */
export const defaultServerPolicy: ServerPolicy = { deferLoading: false, pinned: false, tools: new Map() };

/** Whether a tool's schema is in every request, or must be searched for first. */
export type Placement = 'pinned' | 'loaded' | 'deferred';

/**
 * Where a tool stands, by the first of these that says something: pinned · the tool's own `defer_loading` · the wish of its
 * server (`alwaysLoad`) · `defer_all` · the server's `defer_loading` · loaded. While discovery is off, and for a server the configuration
 * does not name, a tool is loaded. With `"auto"`, the answer is for while it is on.
 */
export function placement(
	tool: Pick<Tool, 'server' | 'name' | 'alwaysLoad'>,
	policy: Pick<ConfiguredPolicy, 'enabled' | 'deferAll' | 'servers' | 'ignoresWishes'>,
): Placement {
	const server = policy.servers.get(tool.server);
	if (!policy.enabled || !server) return 'loaded';
	if (isPinned(server, tool.name)) return 'pinned';
	const isWished = tool.alwaysLoad && !policy.ignoresWishes;
	const others = !isWished && (policy.deferAll || server.deferLoading);
	return (server.tools.get(tool.name)?.deferLoading ?? others) ? 'deferred' : 'loaded';
}

function isPinned(server: ServerPolicy, tool: string): boolean {
	return typeof server.pinned === 'boolean' ? server.pinned : server.pinned.includes(tool);
}

/**
 * The policy with every tool of these servers deferred, whatever the user has set for chats: for callers that are told of no tool
 * beforehand, and so have to find each. Hints stay.
 */
export function everythingDeferred(policy: DiscoveryPolicy, serverNames: readonly string[]): DiscoveryPolicy {
	const deferred = (name: string) => withoutPlacements(policy.servers.get(name) ?? defaultServerPolicy);
	return {
		...policy,
		enabled: true,
		ignoresWishes: true,
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

/** The policy with the editor's server: all deferred, and nothing else can be set. */
export function withEditorServer(policy: ConfiguredPolicy, name: string | undefined): ConfiguredPolicy {
	if (name === undefined) return policy;
	const editor = { ...defaultServerPolicy, deferLoading: true, isOfEditor: true } as const;
	return { ...policy, servers: new Map([...policy.servers, [name, editor]]) };
}
