import { compareStrings } from '../../common/text.ts';
import type { ToolIndex, ToolIndexOptions } from '../search/toolIndex.ts';
import type { Catalog, CatalogServer, CatalogTool } from './catalog.ts';
import { generateManifest } from './manifest.ts';
import type { DiscoveryPolicy } from './policy.ts';
import { partition } from './policy.ts';
import { ToolNames } from './toolNames.ts';
import { permits, type Toolset, unknownNames } from './toolset.ts';

/** How surfaces make their indexes. Surfaces that follow one another share this, so that a new index reuses the documents of the last one. */
export interface Indexing {
	/** Awaited between two steps of some ten milliseconds; without it an index is made in one go. */
	readonly pause?: () => Promise<void>;
	/** The index that was made last. */
	newest?: ToolIndex<CatalogTool>;
	/** Opens what was learned from past chats, for every index of these surfaces; what it gives is asked at each search. */
	use?: () => Promise<ToolIndexOptions['use']>;
}

/**
 * What one catalog, policy and toolset let a model see: tools → toolset → loaded and deferred → manifest and index. Immutable;
 * chat sessions share it. What the toolset excludes is in none of its parts. Index and manifest are made when first asked for.
 */
export class ToolSurface {
	readonly version: number;
	readonly policy: DiscoveryPolicy;
	readonly toolset: Toolset | undefined;
	/** Servers with at least one permitted tool, in the order of the catalog. */
	readonly servers: readonly CatalogServer[];
	/** By wire name: the order in which they are sent. */
	readonly loaded: readonly CatalogTool[];
	/** By server, as listed. */
	readonly deferred: readonly CatalogTool[];
	/** Names in the toolset that nothing goes by. */
	readonly unknownInToolset: readonly string[];
	readonly #byWireName: ReadonlyMap<string, CatalogTool>;
	readonly #manifests = new Map<number, string>();
	#names: ToolNames | undefined;
	#quarantined: ToolNames | undefined;
	readonly #catalog: Catalog;
	readonly #indexing: Indexing;
	#index: Promise<ToolIndex<CatalogTool>> | undefined;

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
		const { loaded, deferred } = partition(permitted, policy);
		this.loaded = loaded.sort((a, b) => compareStrings(a.wireName, b.wireName));
		this.deferred = deferred;
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

	/**
	 * Which of these wire names may be told to the model. With a toolset, only tools that it permits, even where others were loaded before
	 * it was chosen.
	 */
	nameable(wireNames: readonly string[]): readonly string[] {
		return this.toolset ? wireNames.filter((name) => this.get(name)) : wireNames;
	}

	/** All permitted tools. */
	get tools(): readonly CatalogTool[] {
		return [...this.#byWireName.values()];
	}

	get names(): ToolNames {
		this.#names ??= new ToolNames(this.tools, this.#knownServers);
		return this.#names;
	}

	/** Servers that a name may mean, whether or not a model may see any of their tools. */
	get #knownServers(): readonly string[] {
		return [...this.#catalog.servers.map(({ name }) => name), ...this.policy.servers.keys()];
	}

	/** Names of what the toolset permits, and the user has to accept first. */
	get quarantined(): ToolNames {
		this.#quarantined ??= new ToolNames(this.waiting);
		return this.#quarantined;
	}

	/** What the toolset permits, and the user has to accept first. */
	get waiting(): Catalog['quarantined'] {
		return this.#catalog.quarantined.filter((tool) => permits(this.toolset, tool));
	}

	/** The surface of an agent: only some of these tools, as if a toolset of that name permitted no others. */
	narrowed(name: string, tools: readonly CatalogTool[]): ToolSurface {
		const byServer = Map.groupBy(tools, (tool) => tool.server);
		const servers = new Map([...byServer].map(([server, its]) => [server, its.map((tool) => tool.name)]));
		// The narrower index may reuse this one's documents, but later surfaces of the chat must not reuse the narrower index: so it gets
		// an `Indexing` of its own.
		return new ToolSurface(this.#catalog, this.policy, { name, servers }, { ...this.#indexing });
	}

	/** The same, searched by what servers and users say of tools alone: what was learned from chats does not count. */
	withoutUse(): ToolSurface {
		const { use, ...indexing } = this.#indexing;
		return use ? new ToolSurface(this.#catalog, this.policy, this.toolset, indexing) : this;
	}

	/** Over the deferred tools only. Made once, in steps, when first asked for; a failure is forgotten, so that the next search tries again. */
	index(): Promise<ToolIndex<CatalogTool>> {
		this.#index ??= this.indexOf(this.deferred).then(
			(index) => {
				this.#indexing.newest = index;
				return index;
			},
			(error: unknown) => {
				this.#index = undefined;
				throw error;
			},
		);
		return this.#index;
	}

	/** The manifest of the deferred tools in at most so many tokens. */
	manifest(maxTokens: number): string {
		let manifest = this.#manifests.get(maxTokens);
		if (manifest === undefined) {
			manifest = generateManifest(this.deferred, { servers: this.#serversByName(), maxTokens });
			this.#manifests.set(maxTokens, manifest);
		}
		return manifest;
	}

	/** An index over tools as this surface searches them. The engine and its synonyms are loaded here: who never searches never pays for them. */
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
