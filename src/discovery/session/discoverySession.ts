import { answerCost, type TokenPrice, type TokenUsage } from '../../common/cost.ts';
import { Emitter } from '../../common/event.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import type { UserMessage } from '../catalog/message.ts';
import type { Loading } from '../catalog/policy.ts';
import { type SyntheticTool, searchToolsName } from '../catalog/syntheticTool.ts';
import { type ToolDefinition, toolId } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { isSameToolset, keptToolset } from '../catalog/toolset.ts';
import { inspectionTools } from '../tools/inspectionTools.ts';
import { type ActivatedTool, type Activation, activatedTools, activationsByUse } from './activations.ts';
import { withAddedTools } from './addedTools.ts';
import { type CallTarget, readResourceHint, resolveCall } from './callTarget.ts';
import { ChatLog } from './chatLog.ts';
import { search } from './chatSearch.ts';
import { newTools } from './earlierTools.ts';
import { dropGoneTools, evictBeyondRoom, keepWithinCap, load, recordDefinitions } from './loadedTools.ts';
import type { ActivationReason, RequestCost } from './logEntry.ts';
import {
	type ChatState,
	canSearch,
	loadingOf,
	type NextRequest,
	nextCost,
	nextHead,
	sentRequest,
	type TurnOptions,
	updatedDefinition,
} from './nextHead.ts';
import { changedTools, goneTools, knownAs, noteBeforeRequest, stillEvicted } from './notes.ts';
import type { PromptPrefix } from './promptPrefix.ts';

/**
 * Discovery in one chat: the next request, what a search loads, where a call leads. The catalog may change at any time ({@link
 * DiscoverySession.surface}); loaded tools that still exist stay loaded.
 */
export class DiscoverySession {
	readonly #changed = new Emitter<void>();
	/** Something happened in the chat or to its tools. */
	readonly onDidChange = this.#changed.event;
	/** Everything that happened in the chat. Callers append what the session does not do itself. */
	readonly log: ChatLog;
	#surface: ToolSurface;
	/** The model of the current turn. */
	#turn: TurnOptions | undefined;
	#lastState: ChatState | undefined;

	/** `log`: what happened before. */
	constructor(surface: ToolSurface, log = new ChatLog()) {
		this.log = log;
		this.#surface = surface;
		log.onDidAppend(() => this.#changed.fire());
		this.#follow();
	}

	get surface(): ToolSurface {
		return this.#surface;
	}

	/** A newer catalog, policy or toolset. Activations stay. */
	set surface(surface: ToolSurface) {
		if (surface === this.#surface) return;
		const isTurnedOn = surface.policy.enabled && !this.#surface.policy.enabled;
		this.#surface = surface;
		// It holds the index of the surface before, which an idle chat would keep in memory.
		this.#lastState = undefined;
		this.#follow(isTurnedOn);
		this.#changed.fire();
	}

	/** Adapts to the current surface. */
	#follow(isTurnedOn = false): void {
		const { surface, log } = this;
		if (!isSameToolset(log.state.toolset, surface.toolset)) {
			log.append({ kind: 'toolset', toolset: keptToolset(surface.toolset) });
		}
		const newToolNames = newTools(surface, log.state.tools);
		if (newToolNames.length > 0) log.append({ kind: 'joined', tools: newToolNames });
		keepWithinCap(this);
		if (isTurnedOn) {
			// Keeps the tools that the model called while every tool was loaded.
			const called = new Set(log.usage.calls.map(({ server, tool: name }) => toolId({ server, name })));
			load(
				this,
				surface.deferred.filter(({ id }) => called.has(id)),
				'call',
			);
		}
		if (!surface.policy.enabled && log.state.head) log.append({ kind: 'anew', why: 'off' });
		dropGoneTools(this);
	}

	/** Everything that the next request depends on. The same object while nothing happens: what is computed of it is computed once. */
	get state(): ChatState {
		const { state: logState, definitions: inResults } = this.log;
		const state: ChatState = { logState, inResults, surface: this.#surface, turn: this.#turn };
		const last = this.#lastState;
		const isLast =
			last && Object.entries(state).every(([part, value]) => last[part as keyof ChatState] === value);
		this.#lastState = isLast ? last : state;
		return this.#lastState;
	}

	/** Whether `search_tools` is offered: something is deferred, or was and is temporarily away. */
	get discovers(): boolean {
		return canSearch(this.state);
	}

	/** How loaded tools reach the model of the last turn. */
	get loading(): Loading {
		return loadingOf(this.state);
	}

	/** All activations in order, whether or not their tools exist now. */
	get activations(): readonly Activation[] {
		return [...this.log.state.active.tools.values()];
	}

	/** Activated tools that exist now, in order of activation. */
	get activated(): readonly CatalogTool[] {
		return activatedTools(this.log.state.active, this.#surface);
	}

	/** {@link activated} with the reasons, most recently used first. */
	get activatedByUse(): readonly ActivatedTool[] {
		return activationsByUse(this.log.state.active, this.#surface);
	}

	/** Loaded tools whose definition changed and whose change the model has not been told yet. */
	get changedTools(): readonly CatalogTool[] {
		return changedTools(this.state);
	}

	/** Loaded tools that no server offers now, as `server:tool`; they count again when they come back. */
	get goneTools(): readonly string[] {
		return this.discovers ? goneTools(this.state) : [];
	}

	/** The name by which people know a tool that the chat has, or had: `server:tool`. */
	knownAs(wireName: string): string {
		return knownAs(wireName, { surface: this.#surface, logState: this.log.state });
	}

	/** Every tool whose schema the model gets: always-loaded ones by wire name, then activated ones in order. No duplicates. */
	get loadedTools(): readonly CatalogTool[] {
		return [...this.#surface.loaded, ...this.activated];
	}

	/** The head that the next request would have. Its tools: synthetic ones while anything is deferred, then the loaded ones. */
	get nextHead(): Pick<PromptPrefix, 'paragraph' | 'tools'> {
		return nextHead(this.state);
	}

	/** The cost of the tool definitions in the next request. */
	get nextCost(): RequestCost {
		return nextCost(this.state);
	}

	/** Starts a turn with the user's message: tools that earlier turns loaded may be evicted. */
	beginTurn(turn: TurnOptions, message?: UserMessage): void {
		const { model, loading } = turn;
		const previousLoading = this.log.state.loading;
		this.#turn = turn;
		this.log.append({ kind: 'turn', model, loading, prompt: message?.text ?? '' });
		// With another way of loading, the provider would not understand definitions in results.
		if (previousLoading !== undefined && previousLoading !== loading) this.log.redefine(() => undefined);
		if (message) this.log.append({ kind: 'message', message });
	}

	/**
	 * The next request, which counts as sent. It starts byte for byte like the last one, with newly loaded tools at the end. Anything else the model
	 * needs to know is a note in the last message, told once, so that the head stays the same.
	 */
	nextRequest(): NextRequest {
		const { log } = this;
		evictBeyondRoom(this);
		const { texts, told, isTooMuch } = noteBeforeRequest(this.state);
		if (Object.keys(told).length > 0) log.append({ kind: 'told', ...told });
		if (isTooMuch) log.append({ kind: 'anew', why: 'changes' });
		if (texts.length > 0) log.note(texts.join('\n\n'));
		const state = this.state;
		const head = nextHead(state);
		const entry = sentRequest(state);
		this.log.append(entry);
		const isNative = this.loading === 'native';
		if (isNative && entry.anew !== undefined) log.redefine((one) => updatedDefinition(this.state, one));
		return {
			paragraph: head.paragraph,
			tools: head.tools,
			get messages() {
				return isNative ? withAddedTools(log.entries) : log.messages;
			},
			...(isNative && this.discovers && { searchTool: searchToolsName }),
			evicted: stillEvicted(state).map((name) => this.knownAs(name)),
			changed: told.redefined?.map(({ name }) => this.knownAs(name)) ?? [],
		};
	}

	/** Records the provider's token counts for the last request and its answer. `price`: the model's, if known. */
	measured(tokens: TokenUsage, price?: TokenPrice): void {
		const request = this.log.entries.findLast((entry) => entry.kind === 'request');
		const cost = answerCost(tokens, price, request);
		this.log.append({ kind: 'measured', tokens, ...(cost && { cost }) });
	}

	/** Where a call leads; changes nothing. `explains`: an unknown name gets the closest names, which compares it with every tool. */
	resolve(name: string, input: Readonly<Record<string, unknown>> = {}, explains = true): CallTarget {
		const execute: SyntheticTool['execute'] = (input, miss) => search(this, input, miss);
		const isOffered = this.discovers && this.#surface.policy.enabled;
		const searching = isOffered ? [{ name: searchToolsName, execute }] : [];
		const synthetic = [...searching, ...inspectionTools(this.#surface)];
		return resolveCall(this.state, synthetic, { name, input }, explains);
	}

	/**
	 * A result of this server linked to a resource. From now on the model has a tool that reads resources, after all others so that the head stays the
	 * same. Returns what to tell the model, once per server.
	 */
	offerResources(server: string): string | undefined {
		if (!this.#surface.policy.enabled || this.log.state.linked.has(server)) return undefined;
		this.log.append({ kind: 'linked', server });
		return readResourceHint(server, this.loading);
	}

	/** Marks a called tool as used, so that others are evicted first. */
	called(target: CallTarget): void {
		if (target.kind !== 'tool' || target.undiscovered) return;
		const { tool } = target;
		const { wireName, server, name } = tool;
		// Also for always-loaded tools: they keep their use if they are deferred again.
		this.log.append({ kind: 'use', wireName, server, name });
		if (!this.log.state.active.tools.has(wireName)) load(this, [tool], 'call');
	}

	/** Loads deferred tools as far as there is room; returns the newly loaded. `words`: the search words that matched. */
	load(
		tools: readonly CatalogTool[],
		reason: ActivationReason = 'user',
		words?: string,
	): readonly CatalogTool[] {
		return load(this, tools, reason, { words }).loaded;
	}

	/**
	 * Loads a tool that the model called without a search, unless this turn has filled the set. `brings`: definitions to include in the call's result,
	 * since nothing else tells them.
	 */
	discover(tool: CatalogTool): {
		readonly loaded: readonly CatalogTool[];
		readonly brings: readonly ToolDefinition[];
	} {
		const inResult = this.loading === 'call';
		const { loaded } = load(this, [tool], 'call', { inResult });
		return { loaded, brings: inResult ? recordDefinitions(this, loaded) : [] };
	}

	/** Unloads activated tools; returns those that were activated. The next request is without them, even if that breaks the cached prefix. */
	unload(tools: readonly CatalogTool[]): readonly CatalogTool[] {
		const removed = tools.filter(({ wireName }) => this.log.state.active.tools.has(wireName));
		const wireNames = removed.map(({ wireName }) => wireName);
		if (removed.length > 0)
			this.log.append({ kind: 'unload', wireNames, names: removed.map(({ id }) => id) });
		return removed;
	}
}
