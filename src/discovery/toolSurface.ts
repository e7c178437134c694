import type { Catalog, CatalogServer, CatalogTool } from './catalog.ts';
import { compareStrings } from './compareStrings.ts';
import { generateManifest } from './manifest.ts';
import { partition } from './partition.ts';
import type { DiscoveryPolicy } from './policy.ts';
import { ToolIndex } from './search/toolIndex.ts';
import { ToolNames } from './toolNames.ts';
import { permits, type Toolset, unknownNames } from './toolset.ts';

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
	#index: ToolIndex<CatalogTool> | undefined;

	constructor(catalog: Catalog, policy: DiscoveryPolicy, toolset?: Toolset) {
		this.version = catalog.version;
		this.policy = policy;
		this.toolset = toolset;
		const permitted = catalog.tools
			.filter((tool) => permits(toolset, tool))
			.map((tool) => withSearchHint(tool, policy));
		const present = new Set(permitted.map((tool) => tool.server));
		this.servers = catalog.servers.filter((server) => present.has(server.name));
		const { loaded, deferred } = partition(permitted, policy);
		this.loaded = loaded.sort((a, b) => compareStrings(a.wireName, b.wireName));
		this.deferred = deferred;
		this.unknownInToolset = toolset ? unknownNames(toolset, catalog.servers, catalog.tools) : [];
		this.#byWireName = new Map(permitted.map((tool) => [tool.wireName, tool]));
	}

	/** A permitted tool, loaded or deferred. */
	get(wireName: string): CatalogTool | undefined {
		return this.#byWireName.get(wireName);
	}

	/** All permitted tools. */
	get tools(): readonly CatalogTool[] {
		return [...this.#byWireName.values()];
	}

	get names(): ToolNames {
		this.#names ??= new ToolNames(this.tools);
		return this.#names;
	}

	/** Over the deferred tools only. */
	get index(): ToolIndex<CatalogTool> {
		this.#index ??= new ToolIndex(this.deferred, { ranking: this.policy.ranking });
		return this.#index;
	}

	/** The manifest of the deferred tools in at most so many tokens. */
	manifest(maxTokens: number): string {
		let manifest = this.#manifests.get(maxTokens);
		if (manifest === undefined) {
			const servers = new Map(this.servers.map((server) => [server.name, server]));
			manifest = generateManifest(this.deferred, { servers, maxTokens });
			this.#manifests.set(maxTokens, manifest);
		}
		return manifest;
	}
}

function withSearchHint(tool: CatalogTool, policy: DiscoveryPolicy): CatalogTool {
	const server = policy.servers.get(tool.server);
	const hints = [tool.searchHint, server?.tools.get(tool.name)?.searchHint, server?.searchHint].filter(
		Boolean,
	);
	return hints.length > 0 ? { ...tool, searchHint: hints.join(' ') } : tool;
}
