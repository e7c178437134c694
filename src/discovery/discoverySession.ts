import { type Activation, type ActivationReason, ActivationSet } from './activationSet.ts';
import { type CallTarget, notLoaded, unknownTool } from './callTarget.ts';
import { callToolName, unwrappedCall } from './callTool.ts';
import { type CatalogTool, toolDefinition } from './catalog.ts';
import { Emitter } from './event.ts';
import { type GoneTool, keepFingerprints, LoadedDefinitions } from './loadedDefinitions.ts';
import type { Loading } from './policy.ts';
import { LastPrompt } from './prompt/lastPrompt.ts';
import { isSameDefinition, type PromptPrefix } from './prompt/promptPrefix.ts';
import { SearchTools } from './searchTools/searchTools.ts';
import { type DiscoveryStatistics, noDiscovery, withSearch } from './statistics.ts';
import { type SyntheticResult, type SyntheticTool, searchToolsName } from './syntheticTool.ts';
import { estimateDefinitionTokens } from './tokens.ts';
import type { ToolDefinition } from './tool.ts';
import { type ToolResult, withText } from './toolResult.ts';
import type { ToolSurface } from './toolSurface.ts';
import {
	type CallOutcome,
	type KeptUsage,
	noUsage,
	restoredUsage,
	type SessionUsage,
	withAnswer,
	withCall,
} from './usage.ts';

/** What is kept of a session so that it can be taken up again; plain JSON. */
export interface SessionState {
	readonly activations: readonly Activation[];
	readonly toolset?: string;
	readonly statistics: DiscoveryStatistics;
	/** Absent in what earlier versions kept. */
	readonly usage?: KeptUsage;
}

/** What a model is told at the beginning of its next request. */
export interface NextPrompt {
	/** What the system prompt says of discovery. */
	readonly paragraph: string | undefined;
	readonly tools: readonly ToolDefinition[];
	/** Unloaded, by wire name, because the request would have more tools than it may. */
	readonly evicted: readonly string[];
}

/** Who answers the turns that follow, and how loaded tools reach it. */
export interface TurnOptions {
	/** Another model has another cache, so the prompt may begin anew. */
	readonly model: string;
	readonly loading: Loading;
}

/**
 * Most tools of a request, as long as it is loading that fills it: models choose worse among more. What is always loaded is the user's
 * wish, and only the model's own limit stands against it.
 */
const requestTools = 64;

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
	readonly #definitions: LoadedDefinitions;
	#statistics: DiscoveryStatistics;
	#usage: SessionUsage;
	#turn: TurnOptions | undefined;
	readonly #last = new LastPrompt();

	constructor(surface: ToolSurface, state?: SessionState) {
		this.#surface = surface;
		this.#active = new ActivationSet(surface.policy.maxActiveSchemas, state?.activations);
		this.#statistics = state?.statistics ?? noDiscovery;
		this.#usage = state?.usage ? restoredUsage(state.usage) : noUsage;
		this.#definitions = new LoadedDefinitions(this.#active);
		this.#definitions.review(surface);
	}

	get surface(): ToolSurface {
		return this.#surface;
	}

	/** A newer catalog, another policy or toolset: the index is the new one's, activations stay. */
	set surface(surface: ToolSurface) {
		if (surface === this.#surface) return;
		this.#surface = surface;
		this.#active.cap = surface.policy.maxActiveSchemas;
		this.#definitions.review(surface);
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

	/** Tokens and calls, as measured. */
	get usage(): SessionUsage {
		return this.#usage;
	}

	/** How loaded tools reach the model of the last turn. */
	get loading(): Loading {
		return this.#turn?.loading ?? 'append';
	}

	get state(): SessionState {
		const toolset = this.#surface.toolset?.name;
		return {
			activations: this.#active.activations,
			...(toolset !== undefined && { toolset }),
			statistics: this.#statistics,
			usage: this.#usage,
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

	/** {@link activated} with why each was loaded, the most recently used first. */
	get activatedByUse(): readonly { readonly tool: CatalogTool; readonly activation: Activation }[] {
		const tools = new Map(this.activated.map((tool) => [tool.wireName, tool]));
		const activations = new Map(this.#active.activations.map((one) => [one.wireName, one]));
		return this.#active.byUse.toReversed().flatMap((name) => {
			const [tool, activation] = [tools.get(name), activations.get(name)];
			return tool && activation ? [{ tool, activation }] : [];
		});
	}

	/** Loaded tools that have changed since, and of which the model has not been told yet: it will be with the next result. */
	get changedTools(): readonly CatalogTool[] {
		return this.#definitions.changed(this.#surface);
	}

	/** Loaded tools that are not there any more; they are again once their server offers them. */
	get goneTools(): readonly GoneTool[] {
		return this.discovers ? this.#definitions.gone(this.#surface) : [];
	}

	/** Every tool whose schema the model gets: the loaded by wire name, then the activated as they came. No doubles. */
	get loadedTools(): readonly CatalogTool[] {
		return [...this.#surface.loaded, ...this.activated];
	}

	/** Tools as they would go to the model now: synthetic ones while anything is deferred, then those that are loaded. */
	get definitions(): readonly ToolDefinition[] {
		return this.#nextPrefix().tools;
	}

	/** Estimated tokens of {@link definitions}. */
	get definitionTokens(): number {
		return this.definitions.reduce((sum, definition) => sum + estimateDefinitionTokens(definition), 0);
	}

	/** What the system prompt would say of discovery now; `undefined` while nothing is deferred. */
	get systemParagraph(): string | undefined {
		return this.#nextPrefix().paragraph;
	}

	/** Begins a turn of the chat: what earlier turns loaded may make room. */
	beginTurn(turn?: TurnOptions): void {
		this.#active.beginTurn();
		if (!turn) return;
		if (turn.model !== this.#turn?.model || turn.loading !== this.#turn.loading) this.#last.forget();
		this.#turn = turn;
	}

	/**
	 * What the next request begins with: what the last one began with, byte for byte, and what has been loaded since at its end.
	 * `told`: wire names whose definitions stand in results among the messages, so that they are not sent again; none with `append`.
	 */
	nextPrompt(told: ReadonlySet<string> = new Set(), maxTools = Number.POSITIVE_INFINITY): NextPrompt {
		// Where nothing is deferred any more, nobody reads definitions out of results.
		const read = this.loading === 'append' || !this.discovers ? [] : [...told];
		this.#last.tell(new Set(read));
		const { prefix, evicted } = this.#fitting(maxTools);
		this.#last.send(prefix);
		if (this.loading === 'native') this.#last.tell(new Set(read.filter((name) => this.#stands(name))));
		if (evicted.length > 0) this.#changed.fire();
		return { paragraph: prefix.paragraph, tools: prefix.tools, evicted };
	}

	/**
	 * What is to stand in a result in place of a definition that a search has once put there (`native`): the definition as it is now;
	 * `undefined` where the tool is gone, or is not loaded any more. Asked after {@link nextPrompt}.
	 */
	retold(definition: ToolDefinition): ToolDefinition | undefined {
		const tool = this.#surface.get(definition.name);
		if (!tool || !this.#stands(definition.name)) return undefined;
		const now = toolDefinition(tool);
		return isSameDefinition(definition, now) ? definition : now;
	}

	/** Where a call goes. Calling a tool counts as using it. */
	resolve(name: string, input: Readonly<Record<string, unknown>> = {}): CallTarget {
		const synthetic = this.#synthetic().find((tool) => tool.name === name);
		if (synthetic) return { kind: 'synthetic', tool: synthetic };
		// Whatever the way of loading is now: earlier results of this chat may say that this is how to call.
		if (name !== callToolName || !this.discovers) return this.#target(name, input, false);
		const wrapped = unwrappedCall(input);
		return wrapped.ok
			? this.#target(wrapped.name, wrapped.input, true)
			: { kind: 'refused', message: wrapped.message };
	}

	/** Runs a synthetic tool and counts what it did. What a search found is told together with what else has changed. */
	async execute(tool: SyntheticTool, input: Readonly<Record<string, unknown>>): Promise<SyntheticResult> {
		const outcome = await tool.execute(input);
		if (tool.name !== searchToolsName) return outcome;
		const hits = outcome.search?.ok ? outcome.search.hits.length : undefined;
		this.#statistics = withSearch(this.#statistics, { discovered: outcome.newlyLoaded.length, hits });
		this.#last.evict(outcome.evicted);
		if (outcome.newlyLoaded.length > 0 || outcome.evicted.length > 0) this.#changed.fire();
		const news = [this.#last.changes(this.#surface), this.#definitions.tellGone(this.#surface)];
		const told = news.filter((text) => text !== undefined).reduce(withText, outcome.result);
		return { ...outcome, result: this.withChanges(told) };
	}

	/** What the model reads of a call: its result, and which loaded tools have changed. Told once, with whatever result comes first. */
	withChanges(result: ToolResult): ToolResult {
		const isRead = (name: string) => this.#isText(name);
		const changes = this.#definitions.tellChanged(this.#surface, isRead);
		return changes === undefined ? result : withText(result, changes);
	}

	/**
	 * Loads deferred tools, at the user's wish unless said otherwise; returns those that were not loaded before. `words`: those that spoke
	 * for them.
	 */
	load(
		tools: readonly CatalogTool[],
		reason: ActivationReason = 'user',
		words?: string,
	): readonly CatalogTool[] {
		return this.#activate(tools, reason, words).loaded;
	}

	/**
	 * Loads a tool that the model has called without a search; a set that this turn has filled loads nothing. `evicted`: what had to go
	 * for it, by wire name. `brings`: definitions for the call's result to tell, as what is loaded is told nowhere else.
	 */
	discover(tool: CatalogTool): {
		readonly loaded: readonly CatalogTool[];
		readonly evicted: readonly string[];
		readonly brings: readonly ToolDefinition[];
	} {
		const outcome = this.#activate([tool], 'call');
		return { ...outcome, brings: this.loading === 'call' ? outcome.loaded.map(toolDefinition) : [] };
	}

	#activate(tools: readonly CatalogTool[], reason: ActivationReason, words?: string) {
		const deferred = [...new Set(tools)].filter((tool) => !this.#surface.loaded.includes(tool));
		const { added, evicted } = this.#active.activate(
			deferred.map((tool) => tool.wireName),
			reason,
			words,
		);
		keepFingerprints(this.#active, this.#surface, added);
		this.#last.evict(evicted);
		this.#changed.fire();
		return { loaded: deferred.filter((tool) => added.includes(tool.wireName)), evicted };
	}

	/** Defers activated tools again; returns those that were activated. The next request is without them, whatever that costs. */
	unload(tools: readonly CatalogTool[]): readonly CatalogTool[] {
		const removed = tools.filter((tool) => this.#active.remove(tool.wireName));
		if (removed.length === 0) return removed;
		this.#last.forget();
		this.#changed.fire();
		return removed;
	}

	/** Tokens that a provider reported for one answer. */
	recordAnswer(tokens: Parameters<typeof withAnswer>[1]): void {
		this.#usage = withAnswer(this.#usage, tokens);
		this.#changed.fire();
	}

	/** A call of a tool has come to its end. */
	recordCall(tool: CatalogTool, outcome: CallOutcome): void {
		this.#usage = withCall(this.#usage, tool, outcome);
		this.#changed.fire();
	}

	/** Forgets all activations and counts. */
	reset(): void {
		this.#active.clear();
		this.#statistics = noDiscovery;
		this.#usage = noUsage;
		this.#last.forget();
		this.#changed.fire();
	}

	#synthetic(): readonly SyntheticTool[] {
		if (!this.discovers) return [];
		return [new SearchTools(this.#surface, this.#active, this.loading, (name) => this.#last.has(name))];
	}

	#nextPrefix(): PromptPrefix {
		return this.#last.next(this.#surface, this.loading, this.loadedTools);
	}

	/** The next beginning with no more tools than may be, and the tools that were evicted for that, by wire name. */
	#fitting(maxTools: number): { prefix: PromptPrefix; evicted: readonly string[] } {
		let prefix = this.#nextPrefix();
		const always = prefix.synthetic + this.#surface.loaded.length;
		const room = Math.min(maxTools, Math.max(requestTools, always + this.#surface.policy.maxSearchResults));
		if (prefix.tools.length <= room) return { prefix, evicted: [] };
		this.#last.forget();
		prefix = this.#nextPrefix();
		const activated = new Set(this.activated.map(({ wireName }) => wireName));
		const sent = new Set(prefix.tools.map(({ name }) => name));
		const oldest = this.#active.byUse.filter((name) => activated.has(name) && sent.has(name));
		const evicted = oldest.slice(0, Math.max(0, prefix.tools.length - room));
		for (const name of evicted) this.#active.remove(name);
		return { prefix: evicted.length > 0 ? this.#nextPrefix() : prefix, evicted };
	}

	/** Whether a definition may go on standing in a result. */
	#stands(wireName: string): boolean {
		const tool = this.#surface.get(wireName);
		if (!tool) return false;
		return this.#surface.loaded.includes(tool) || this.#active.has(wireName) || this.#last.lingers(wireName);
	}

	#target(name: string, input: Readonly<Record<string, unknown>>, isWrapped: boolean): CallTarget {
		const tool = this.#surface.get(name) ?? this.#misnamed(name);
		if (!tool) {
			const { names } = this.#surface;
			return { kind: 'refused', message: unknownTool(name, names.closest(name), this.discovers) };
		}
		const unchecked = isWrapped || this.#isText(tool.wireName);
		const target = { kind: 'tool', tool, input, unchecked } as const;
		if (this.#surface.loaded.includes(tool)) return target;
		if (!this.#active.touch(tool.wireName)) {
			// Evicted, but the model has the definition before it all the same, and need not search for it again.
			if (!this.#last.has(tool.wireName)) {
				return this.#surface.policy.onUndiscoveredCall === 'activate'
					? { ...target, unchecked: true, undiscovered: true }
					: { kind: 'refused', message: notLoaded(name) };
			}
			this.load([tool], 'call');
		}
		this.#changed.fire();
		return target;
	}

	/** Whether the model can know a tool from the text of a result alone. */
	#isText(wireName: string): boolean {
		return this.loading === 'call' && this.discovers && !this.#last.sends(wireName);
	}

	/** A model may write `server:tool` for the wire name that it was given. */
	#misnamed(name: string): CatalogTool | undefined {
		const resolution = this.#surface.names.resolve(name);
		return resolution.kind === 'found' ? resolution.tool : undefined;
	}
}
