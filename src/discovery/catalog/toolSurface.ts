import { loadOnce } from '../../common/loadOnce.ts';
import { compareStrings } from '../../common/text.ts';
import type { SearchResult, ToolIndex, ToolIndexOptions, ToolSearchOptions } from '../search/toolIndex.ts';
import type { Catalog, CatalogServer, CatalogTool } from './catalog.ts';
import { generateManifest } from './manifest.ts';
import type { DiscoveryPolicy } from './policy.ts';
import { placement } from './policy.ts';
import { ToolNames } from './toolNames.ts';
import { permits, type Toolset, unknownNames } from './toolset.ts';

/** How surfaces build their indexes. Successive surfaces share this, so that each index reuses the previous one's documents. */
export interface Indexing {
	/** Awaited between steps of about ten milliseconds; absent: built synchronously. */
	readonly pause?: () => Promise<void>;
	/** The newest index. */
	newest?: ToolIndex<CatalogTool>;
	/** Opens what was learned from past chats, for every index; read at each search. */
	use?: () => Promise<ToolIndexOptions['use']>;
}

/**
 * What a model sees of one catalog, policy and toolset: tools → toolset → loaded and deferred → manifest and index. Immutable and shared by chats.
 * Nothing outside the toolset is in any part. Index and manifest are built on demand.
 */
export class ToolSurface {
	readonly version: number;
	readonly policy: DiscoveryPolicy;
	readonly toolset: Toolset | undefined;
	/** Servers with at least one permitted tool, in catalog order. */
	readonly servers: readonly CatalogServer[];
	/** By wire name: the order in which they are sent. */
	readonly loaded: readonly CatalogTool[];
	/** In server order, as listed. */
	readonly deferred: readonly CatalogTool[];
	/** Names in the toolset that match nothing. */
	readonly unknownInToolset: readonly string[];
	readonly #byWireName: ReadonlyMap<string, CatalogTool>;
	readonly #manifests = new Map<number, string>();
	#names: ToolNames | undefined;
	#quarantined: ToolNames | undefined;
	readonly #catalog: Catalog;
	readonly #indexing: Indexing;

	constructor(catalog: Catalog, policy: DiscoveryPolicy, toolset?: Toolset, indexing: Indexing = {}) {
		this.version = catalog.version;
		this.policy = policy;
		this.toolset = toolset;
		this.#catalog = catalog;
		this.#indexing = indexing;
		const permitted = catalog.tools
			.filter((tool) => permits(toolset, tool))
			.map((tool) => withSearchHint(tool, policy));
		const present = new Set(permitted.map((tool) => tool.server));
		this.servers = catalog.servers.filter((server) => present.has(server.name));
		const isDeferred = (tool: CatalogTool) => placement(tool, policy) === 'deferred';
		this.loaded = permitted
			.filter((tool) => !isDeferred(tool))
			.sort((a, b) => compareStrings(a.wireName, b.wireName));
		this.deferred = permitted.filter(isDeferred);
		this.unknownInToolset = toolset
			? unknownNames(toolset, catalog.servers, [
					...catalog.tools,
					...catalog.quarantined,
					...catalog.disabled,
				])
			: [];
		this.#byWireName = new Map(permitted.map((tool) => [tool.wireName, tool]));
	}

	/** A permitted tool, loaded or deferred. */
	get(wireName: string): CatalogTool | undefined {
		return this.#byWireName.get(wireName);
	}

	/** Whether some server offers the tool now, within the toolset or not. */
	exists(wireName: string): boolean {
		return this.#byWireName.has(wireName) || this.#catalog.tools.some((tool) => tool.wireName === wireName);
	}

	/** The wire names that the model may be told. With a toolset only permitted tools, even if others were loaded before. */
	nameable(wireNames: readonly string[]): readonly string[] {
		return this.toolset ? wireNames.filter((name) => this.get(name)) : wireNames;
	}

	get tools(): readonly CatalogTool[] {
		return [...this.#byWireName.values()];
	}

	get names(): ToolNames {
		this.#names ??= new ToolNames(this.tools, this.#knownServers);
		return this.#names;
	}

	/** Servers that a name may mean, whether or not any of their tools is permitted. */
	get #knownServers(): readonly string[] {
		return [...this.#catalog.servers.map(({ name }) => name), ...this.policy.servers.keys()];
	}

	/** Names of permitted quarantined tools. */
	get quarantined(): ToolNames {
		this.#quarantined ??= new ToolNames(this.waiting);
		return this.#quarantined;
	}

	/** Permitted quarantined tools. */
	get waiting(): Catalog['quarantined'] {
		return this.#catalog.quarantined.filter((tool) => permits(this.toolset, tool));
	}

	/** An agent's surface: only these tools, as if a toolset of that name permitted no others. */
	narrowed(name: string, tools: readonly CatalogTool[], policy = this.policy): ToolSurface {
		const byServer = Map.groupBy(tools, (tool) => tool.server);
		const servers = new Map([...byServer].map(([server, tools]) => [server, tools.map((tool) => tool.name)]));
		// It may reuse this surface's documents, but the chat's later surfaces must not reuse its smaller index: hence its own `Indexing`.
		return new ToolSurface(this.#catalog, policy, { name, servers }, { ...this.#indexing });
	}

	/** The index of deferred tools, built on demand in steps. A failure is not cached: the next search tries again. */
	readonly index = loadOnce(async () => {
		const all = await this.indexOfAll();
		return this.loaded.length === 0 ? all : this.indexOf(this.deferred);
	});

	/** The index of all tools: for people, and for searches that an always-loaded tool answers. */
	readonly indexOfAll = loadOnce(async () => {
		const index = await this.indexOf(this.tools);
		this.#indexing.newest = index;
		return index;
	});

	/** Searches the deferred tools. If an always-loaded tool fits better than all of them, searches all: else the next best would be loaded. */
	async find(query: string, options: ToolSearchOptions): Promise<SearchResult<CatalogTool>> {
		const all = (await this.indexOfAll()).find(query, options);
		const best = all.hits[0]?.tool;
		return best && this.loaded.includes(best) ? all : (await this.index()).find(query, options);
	}

	/** The manifest of the deferred tools within a token budget. */
	manifest(maxTokens: number): string {
		let manifest = this.#manifests.get(maxTokens);
		if (manifest === undefined) {
			manifest = generateManifest(this.deferred, { servers: this.#serversByName(), maxTokens });
			this.#manifests.set(maxTokens, manifest);
		}
		return manifest;
	}

	/** Loads the search engine and its synonyms on first use. */
	async indexOf(tools: readonly CatalogTool[]): Promise<ToolIndex<CatalogTool>> {
		const { ToolIndex } = await import('../search/toolIndex.ts');
		const { pause = noPause, newest } = this.#indexing;
		const use = await this.#indexing.use?.();
		return ToolIndex.build(tools, {
			ranking: this.policy.ranking,
			synonyms: this.policy.synonyms,
			servers: this.#serversByName(),
			...(newest && { previous: newest }),
			...(use && { use }),
			pause,
		});
	}

	#serversByName(): ReadonlyMap<string, CatalogServer> {
		return new Map(this.servers.map((server) => [server.name, server]));
	}
}

async function noPause(): Promise<void> {}

function withSearchHint(tool: CatalogTool, policy: DiscoveryPolicy): CatalogTool {
	const server = policy.servers.get(tool.server);
	const hints = [tool.searchHint, server?.tools.get(tool.name)?.searchHint, server?.searchHint].filter(
		Boolean,
	);
	return hints.length > 0 ? { ...tool, searchHint: hints.join(' ') } : tool;
}
