/** How tools are ranked for a query: see `search/toolIndex.ts`. */
export type Ranking = 'default' | 'okapi' | 'name-parts';

/**
 * How a loaded tool reaches the model. `append`: at the end of the tools of the next request. `native`: in the result of the search, as
 * the provider's own deferral has it, with the tools of the request unchanged. `call`: not as a tool at all; its
 * schema stands in the result, and a fixed synthetic tool calls it.
 */
export type Loading = 'append' | 'native' | 'call';

/** What the user has set for one tool. */
export interface ToolPolicy {
	readonly deferLoading?: boolean;
	readonly searchHint?: string;
}

/** What the user has set for one server. */
export interface ServerPolicy {
	readonly deferLoading: boolean;
	/** `true`: every tool of the server; a list: those tools. Pinned tools are always loaded. */
	readonly pinned: boolean | readonly string[];
	readonly searchHint?: string;
	readonly tools: ReadonlyMap<string, ToolPolicy>;
	/** It is none of the configuration's servers, so nothing can be set for it there. */
	readonly unconfigured?: true;
}

/** The engine's settings, as the configuration file yields them. */
export interface DiscoveryPolicy {
	/** Off: every tool loads, nothing is injected. */
	readonly enabled: boolean;
	readonly deferAll: boolean;
	/** Tools a search loads, 1 to 25. */
	readonly maxSearchResults: number;
	/** Activated tools kept, least recently used out first; `null`: no cap. */
	readonly maxActiveSchemas: number | null;
	/**
	 * Most tools of a request, as long as it is loading that fills it: models choose worse among more. What is always loaded is the
	 * user's wish, and only the model's own limit stands against it.
	 */
	readonly maxRequestTools: number;
	readonly ranking: Ranking;
	/** Words that mean the same in this workspace, as lines of a list of synonyms: see `search/words/thesaurus.ts`. */
	readonly synonyms: readonly string[];
	/** What comes of a call of a deferred tool that nothing has loaded: an error, or, where the arguments fit, it is loaded and run. */
	readonly onUndiscoveredCall: 'error' | 'activate';
	/** Where the manifest stands: in the description of `search_tools`, or in the system prompt. */
	readonly manifestPlacement: 'tool' | 'system';
	/** `auto`: the best that the model at hand can do. */
	readonly loading: Loading | 'auto';
	/** Tools that the user's words load before the model is asked, 0 to 5; 0: none, and none that the user names. */
	readonly prefetch: number;
	/** Whether a model is offered the tools that list tools and tell their schemas; only while discovery is on. */
	readonly inspectionTools: boolean;
	/** Upper bound of the definition of `search_tools`, in tokens. */
	readonly maxManifestTokens: number;
	/** The servers of the configuration, by name. A tool of any other server loads eagerly. */
	readonly servers: ReadonlyMap<string, ServerPolicy>;
}

/** Whether a tool is of a server that is none of the configuration's. */
export function isUnconfigured({ server }: { readonly server: string }, policy: DiscoveryPolicy): boolean {
	return policy.servers.get(server)?.unconfigured === true;
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
