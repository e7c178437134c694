import { type Activation, ActivationSet } from './activationSet.ts';
import { type CatalogTool, toolDefinition } from './catalog.ts';
import { Emitter } from './event.ts';
import { framedManifest } from './searchTools/definition.ts';
import { SearchTools } from './searchTools/searchTools.ts';
import { type DiscoveryStatistics, noDiscovery } from './statistics.ts';
import { type SyntheticResult, type SyntheticTool, searchToolsName } from './syntheticTool.ts';
import { estimateDefinitionTokens } from './tokens.ts';
import type { ToolDefinition } from './tool.ts';
import type { ToolSurface } from './toolSurface.ts';

/** What is kept of a session so that it can be taken up again; plain JSON. */
export interface SessionState {
	readonly activations: readonly Activation[];
	readonly toolset?: string;
	readonly statistics: DiscoveryStatistics;
}

/** What a call by a model leads to. */
export type CallTarget =
	| { readonly kind: 'synthetic'; readonly tool: SyntheticTool }
	| { readonly kind: 'tool'; readonly tool: CatalogTool }
	/** Not to be called; the message is for the model. */
	| { readonly kind: 'refused'; readonly message: string };

/**
 * Discovery in one chat: what the model sees at each call, what a search loads, what a call leads to. The catalog may change
 * under it at any time ({@link DiscoverySession.surface}); loaded tools that still exist stay loaded.
 */
export class DiscoverySession {
	readonly #changed = new Emitter<void>();
	/** Something is loaded, unloaded or used. */
	readonly onDidChange = this.#changed.event;
	#surface: ToolSurface;
	readonly #active: ActivationSet;
	#statistics: DiscoveryStatistics;

	constructor(surface: ToolSurface, state?: SessionState) {
		this.#surface = surface;
		this.#active = new ActivationSet(surface.policy.maxActiveSchemas, state?.activations);
		this.#statistics = state?.statistics ?? noDiscovery;
	}

	get surface(): ToolSurface {
		return this.#surface;
	}

	/** A newer catalog, another policy or toolset: index and manifest are the new one's, activations stay. */
	set surface(surface: ToolSurface) {
		if (surface === this.#surface) return;
		this.#surface = surface;
		this.#active.cap = surface.policy.maxActiveSchemas;
		this.#changed.fire();
	}

	/** Whether anything is deferred, and so `search_tools` is there. */
	get discovers(): boolean {
		return this.#surface.deferred.length > 0;
	}

	/** Absent while discovery is off. */
	get statistics(): DiscoveryStatistics | undefined {
		return this.#surface.policy.enabled ? this.#statistics : undefined;
	}

	get state(): SessionState {
		const toolset = this.#surface.toolset?.name;
		return {
			activations: this.#active.activations,
			...(toolset !== undefined && { toolset }),
			statistics: this.#statistics,
		};
	}

	/** Activated tools that exist now, in the order of activation. */
	get activated(): readonly CatalogTool[] {
		const eager = new Set(this.#surface.loaded);
		return this.#active.activations
			.map(({ wireName }) => this.#surface.get(wireName))
			.filter((tool) => tool !== undefined)
			.filter((tool) => !eager.has(tool));
	}

	/** Every tool whose schema the model gets: the loaded by wire name, then the activated as they came. No doubles. */
	get loadedTools(): readonly CatalogTool[] {
		return [...this.#surface.loaded, ...this.activated];
	}

	/** Tools as they go to the model: `search_tools` while anything is deferred, then {@link loadedTools}. */
	get definitions(): readonly ToolDefinition[] {
		return [...this.#synthetic().map((tool) => tool.definition), ...this.loadedTools.map(toolDefinition)];
	}

	/** Estimated tokens of {@link definitions}. */
	get definitionTokens(): number {
		return this.definitions.reduce((sum, definition) => sum + estimateDefinitionTokens(definition), 0);
	}

	/** What the system prompt says of discovery; `undefined` while nothing is deferred. */
	get systemParagraph(): string | undefined {
		if (!this.discovers) return undefined;
		const { deferred, policy } = this.#surface;
		const servers = new Set(deferred.map((tool) => tool.server)).size;
		const paragraph =
			`${deferred.length} tools of ${servers} MCP servers are deferred: they exist, but their definitions are not loaded. ` +
			`Before you conclude that something cannot be done, call ${searchToolsName} with words for what you need; ` +
			'the tools it finds are loaded and can be called from then on.';
		return policy.manifestPlacement === 'system'
			? `${paragraph}\n\n${framedManifest(this.#surface)}`
			: paragraph;
	}

	/** Begins a turn of the chat: what earlier turns loaded may make room. */
	beginTurn(): void {
		this.#active.beginTurn();
	}

	/** Where a call goes. Calling a tool counts as using it. */
	resolve(name: string): CallTarget {
		const synthetic = this.#synthetic().find((tool) => tool.name === name);
		if (synthetic) return { kind: 'synthetic', tool: synthetic };
		const tool = this.#surface.get(name) ?? this.#misnamed(name);
		if (!tool) return { kind: 'refused', message: this.#unknown(name) };
		if (this.#surface.loaded.includes(tool)) return { kind: 'tool', tool };
		if (!this.#active.touch(tool.wireName)) return { kind: 'refused', message: notLoaded(name) };
		this.#changed.fire();
		return { kind: 'tool', tool };
	}

	/** Runs a synthetic tool and counts what it did. */
	async execute(tool: SyntheticTool, input: Readonly<Record<string, unknown>>): Promise<SyntheticResult> {
		const outcome = await tool.execute(input);
		if (tool.name === searchToolsName) this.#count(outcome.newlyLoaded.length);
		if (outcome.newlyLoaded.length > 0 || outcome.evicted.length > 0) this.#changed.fire();
		return outcome;
	}

	/** Loads deferred tools at the user's wish; returns those that were not loaded before. */
	load(tools: readonly CatalogTool[]): readonly CatalogTool[] {
		const deferred = [...new Set(tools)].filter((tool) => !this.#surface.loaded.includes(tool));
		const { added } = this.#active.activate(
			deferred.map((tool) => tool.wireName),
			'user',
		);
		this.#changed.fire();
		return deferred.filter((tool) => added.includes(tool.wireName));
	}

	/** Defers activated tools again; returns those that were activated. */
	unload(tools: readonly CatalogTool[]): readonly CatalogTool[] {
		const removed = tools.filter((tool) => this.#active.remove(tool.wireName));
		if (removed.length > 0) this.#changed.fire();
		return removed;
	}

	/** Forgets all activations and counts. */
	reset(): void {
		this.#active.clear();
		this.#statistics = noDiscovery;
		this.#changed.fire();
	}

	#synthetic(): readonly SyntheticTool[] {
		return this.discovers ? [new SearchTools(this.#surface, this.#active)] : [];
	}

	/** A model may write `server:tool` for the wire name that it was given. */
	#misnamed(name: string): CatalogTool | undefined {
		const resolution = this.#surface.names.resolve(name);
		return resolution.kind === 'found' ? resolution.tool : undefined;
	}

	#unknown(name: string): string {
		const closest = this.#surface.names.closest(name).map((tool) => tool.wireName);
		const hint = closest.length > 0 ? ` Closest names: ${closest.join(', ')}.` : '';
		const advice = this.discovers ? ` Use the '${searchToolsName}' tool to find one.` : '';
		return `Error: There is no tool '${name}'.${hint}${advice}`;
	}

	#count(discovered: number): void {
		this.#statistics = {
			search_calls: this.#statistics.search_calls + 1,
			tools_discovered: this.#statistics.tools_discovered + discovered,
		};
	}
}

function notLoaded(name: string): string {
	return (
		`Error: Tool '${name}' is not yet loaded. ` +
		`Use the '${searchToolsName}' tool to discover and load it first, then call it again.`
	);
}
