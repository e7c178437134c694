import { Emitter } from '../../common/event.ts';
import { estimateDefinitionTokens } from '../../common/tokens.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { Loading } from '../catalog/policy.ts';
import { type SyntheticResult, type SyntheticTool, searchToolsName } from '../catalog/syntheticTool.ts';
import { type ToolDefinition, type ToolResult, toolId, withText } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { keptToolset } from '../catalog/toolset.ts';
import { inspectionTools } from '../tools/inspection.ts';
import { unloadedToMakeRoom } from '../tools/resultText.ts';
import { SearchTools } from '../tools/searchTools.ts';
import {
	type ActivatedTool,
	type Activation,
	type ActivationReason,
	ActivationSet,
	activatedTools,
	activationsByUse,
} from './activationSet.ts';
import { type CalledTool, type CallTarget, calledTool, notLoaded } from './callTarget.ts';
import { ChatPrompt, type KeptPrompt, type NextPrompt, type TurnOptions } from './chatPrompt.ts';
import { EarlierTools } from './earlierTools.ts';
import type { DiscoveryStatistics, TimelineEntry } from './journal.ts';
import { Journal } from './journal.ts';
import { areTellable, type GoneTool, keepHashes, LoadedDefinitions } from './loadedDefinitions.ts';
import type { SessionOptions, SessionState } from './sessionState.ts';
import { requestCost } from './toolTokens.ts';
import type { SessionUsage } from './usage.ts';

/**
 * Discovery in one chat: what the model sees at each call, what a search loads, what a call leads to. The catalog may change
 * under it at any time ({@link DiscoverySession.surface}); loaded tools that still exist stay loaded.
 */
export class DiscoverySession {
	readonly #changed = new Emitter<void>();
	/** Something has happened in the chat: see {@link timeline}. */
	readonly onDidChange = this.#changed.event;
	#surface: ToolSurface;
	readonly #earlier: EarlierTools;
	readonly #active: ActivationSet;
	readonly #definitions: LoadedDefinitions;
	readonly #prompt: ChatPrompt;
	/** What happens in this chat is to be written here, as far as the session does not do it itself. */
	readonly journal: Journal;
	/** Evicted, by wire name, where the user was not told yet. */
	readonly #untold: string[] = [];
	/** The same for the model. */
	readonly #unsaid: string[] = [];

	constructor(
		surface: ToolSurface,
		state?: SessionState,
		{ timeline = [], now = noClock, servers = [] }: SessionOptions = {},
	) {
		this.#surface = surface;
		const loadedBefore = (state?.activations ?? []).flatMap((one) => toolOf(one) ?? []);
		this.#earlier = new EarlierTools([...servers, ...(state?.servers ?? [])], loadedBefore);
		this.#earlier.follow(surface);
		const { maxActiveSchemas } = surface.policy;
		this.#active = new ActivationSet(
			maxActiveSchemas,
			state?.activations,
			alwaysLoaded(surface),
			state?.turn,
		);
		this.#prompt = new ChatPrompt(this.#active);
		const [turn, written] = [() => this.#active.turn, () => this.#changed.fire()];
		this.journal = new Journal({ now, turn, written }, { ...state, timeline });
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
		this.#earlier.follow(surface);
		const evicted = this.#active.bound(surface.policy.maxActiveSchemas, alwaysLoaded(surface));
		this.#prompt.evict(evicted);
		this.#recordEvicted(evicted);
		this.#untold.push(...evicted);
		this.#unsaid.push(...evicted);
		this.#definitions.review(surface);
		this.#changed.fire();
	}

	/** Whether anything is deferred, or was and is away, and so `search_tools` is there. */
	get discovers(): boolean {
		return this.#prompt.searches(this.#surface);
	}

	/** Absent while discovery is off. */
	get statistics(): DiscoveryStatistics | undefined {
		return this.#surface.policy.enabled ? this.journal.statistics : undefined;
	}

	/** Tokens and calls. */
	get usage(): SessionUsage {
		return this.journal.usage;
	}

	/** What happened in this chat, the oldest first. */
	get timeline(): readonly TimelineEntry[] {
		return this.journal.timeline;
	}

	/** How loaded tools reach the model of the last turn. */
	get loading(): Loading {
		return this.#prompt.loading;
	}

	get state(): SessionState {
		return {
			activations: this.#active.activations,
			turn: this.#active.turn,
			servers: this.knownServers,
			...keptToolset(this.#surface.toolset),
			statistics: this.journal.statistics,
			usage: this.journal.usage,
		};
	}

	/** How the next request is to begin, kept for another window; see {@link resume}. */
	get keptPrompt(): KeptPrompt | undefined {
		return this.#prompt.kept;
	}

	/** Goes on as the last request of an earlier window began, as far as that still holds. */
	resume(kept: KeptPrompt): void {
		this.#prompt.resume(kept);
	}

	/** Servers that there are or were in this chat. */
	get knownServers(): readonly string[] {
		return this.#earlier.servers;
	}

	/** Activated tools that exist now, in the order of activation. */
	get activated(): readonly CatalogTool[] {
		return activatedTools(this.#active, this.#surface);
	}

	/** {@link activated} with why each was loaded, the most recently used first. */
	get activatedByUse(): readonly ActivatedTool[] {
		return activationsByUse(this.#active, this.#surface);
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
		return this.#prompt.next(this.#surface).tools;
	}

	/** Estimated tokens of {@link definitions}. */
	get definitionTokens(): number {
		return this.definitions.reduce((sum, definition) => sum + estimateDefinitionTokens(definition), 0);
	}

	/** What the system prompt would say of discovery now; `undefined` while nothing is deferred. */
	get systemParagraph(): string | undefined {
		return this.#prompt.next(this.#surface).paragraph;
	}

	/** Begins a turn of the chat: what earlier turns loaded may make room. `message`: what the user said. */
	beginTurn(turn?: TurnOptions, message = ''): void {
		this.#active.beginTurn();
		if (!turn) return;
		this.#prompt.beginTurn(turn);
		this.journal.turn(turn.model, message);
	}

	/** What a person does by hand is no turn, but as with a turn what was loaded before may make room for it. */
	beginByHand(): void {
		this.#active.release();
	}

	/**
	 * What the next request begins with: what the last one began with, byte for byte, and what has been loaded since at its end.
	 * `told`: wire names whose definitions stand in results among the messages, so that they are not sent again; none with `append`.
	 */
	nextPrompt(told: ReadonlySet<string> = new Set()): NextPrompt {
		this.#makeRoom(told);
		const { paragraph, tools } = this.#prompt.send(this.#surface);
		this.journal.request(requestCost(this.#surface, tools, told));
		return { paragraph, tools, evicted: this.#goneOf(this.#untold) };
	}

	/**
	 * What the model is to know before the next request and no result has told it yet: tools that have made room, servers that came or
	 * went, tools that its request has and that have changed or are gone. Told once, in the last message, since the beginning of the request stays as it is. `told`: as in {@link nextPrompt}.
	 */
	news(told: ReadonlySet<string> = new Set()): string | undefined {
		this.#makeRoom(told);
		const gone = this.#goneOf(this.#unsaid);
		// A model that has been asked nothing yet has lost nothing.
		const evicted = gone.length > 0 && this.#prompt.hasBegun ? [unloadedToMakeRoom(gone)] : [];
		const news = [
			...evicted,
			this.#prompt.changes(this.#surface),
			...(this.#prompt.goesOn(this.#surface) ? this.#frozenNews() : []),
		].filter((text) => text !== undefined);
		return news.length > 0 ? news.join('\n\n') : undefined;
	}

	/**
	 * What is to stand in a result in place of a definition that a search has once put there (`native`): the definition as it is now;
	 * `undefined` where the tool is gone, or is not loaded any more. Asked after {@link nextPrompt}.
	 */
	refreshedDefinition(definition: ToolDefinition): ToolDefinition | undefined {
		return this.#prompt.refreshedDefinition(this.#surface, definition);
	}

	/**
	 * Where a call goes; changes nothing. `explains`: a name that leads nowhere is answered with the closest ones, to find which it is
	 * compared with every tool there is.
	 */
	resolve(name: string, input: Readonly<Record<string, unknown>> = {}, explains = true): CallTarget {
		const synthetic = this.#synthetic().find((tool) => tool.name === name);
		if (synthetic) return { kind: 'synthetic', tool: synthetic };
		if (this.#surface.policy.enabled && this.#prompt.hosts(name)) return { kind: 'hosted' };
		const called = calledTool(name, input, this.#surface, this.#earlier, explains);
		return called.ok ? this.#target(called) : { kind: 'refused', message: called.message };
	}

	#target({ name, tool, input, isWrapped }: CalledTool): CallTarget {
		const unchecked = isWrapped || this.#isText(tool.wireName) || this.#prompt.isOutdated(tool.wireName);
		// One that was evicted and that the model still has before it need not be searched for again.
		const isKnown =
			this.#surface.loaded.includes(tool) ||
			this.#active.has(tool.wireName) ||
			this.#prompt.has(tool.wireName);
		if (isKnown) return { kind: 'tool', tool, input, unchecked };
		return this.#surface.policy.onUndiscoveredCall === 'activate'
			? { kind: 'tool', tool, input, unchecked: true, undiscovered: true }
			: { kind: 'refused', message: notLoaded(name) };
	}

	/** What the model has called counts as used from now on, so that other tools make room before it does. */
	called(target: CallTarget): void {
		if (target.kind !== 'tool' || target.undiscovered) return;
		const { tool } = target;
		// Of tools that are loaded anyway too: should one be deferred again, it was used all the same.
		const isActive = this.#active.touch(tool.wireName);
		if (this.#surface.loaded.includes(tool)) return;
		if (!isActive) this.#untold.push(...this.#activate([tool], 'call').evicted);
		this.#changed.fire();
	}

	/** Runs a synthetic tool and counts what it did. What a search found is told together with what else has changed. */
	async execute(tool: SyntheticTool, input: Readonly<Record<string, unknown>>): Promise<SyntheticResult> {
		const outcome = await tool.execute(input);
		if (tool.name !== searchToolsName) return outcome;
		this.#prompt.evict(outcome.evicted);
		this.#prompt.bring(outcome.brings ?? []);
		this.#recordSearch(outcome);
		const news = [this.#prompt.changes(this.#surface), this.#definitions.tellGone(this.#surface)];
		const told = news.filter((text) => text !== undefined).reduce(withText, outcome.result);
		return { ...outcome, result: this.withChanges(told) };
	}

	/** What the model reads of a call: its result, and which loaded tools have changed. Told once, with whatever result comes first. */
	withChanges(result: ToolResult): ToolResult {
		const changes = this.#tellChanged();
		return changes === undefined ? result : withText(result, changes);
	}

	/** Tells the model of tools that have changed. More than a note can tell has the next request begin anew, where all is as it is. */
	#tellChanged(): string | undefined {
		const sent = this.#prompt.changedSent(this.#surface);
		if (areTellable(sent)) this.#prompt.outdate(sent);
		else this.#prompt.forget();
		const tools = [...new Set([...this.changedTools, ...sent])];
		return this.#definitions.tellChanged(tools, this.#surface, {
			isRead: (name) => this.#isText(name),
			isSent: (name) => this.#prompt.isOutdated(name) && sent.some(({ wireName }) => wireName === name),
		});
	}

	/**
	 * Loads deferred tools, at the user's wish unless said otherwise, as far as there is room; returns those that were not loaded before.
	 * `words`: those that spoke for them.
	 */
	load(
		tools: readonly CatalogTool[],
		reason: ActivationReason = 'user',
		words?: string,
	): readonly CatalogTool[] {
		return this.#activate(tools, reason, { words }).loaded;
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
		const inResult = this.loading === 'call';
		const outcome = this.#activate([tool], 'call', { inResult });
		const brings = inResult ? outcome.loaded.map(toolDefinition) : [];
		this.#prompt.bring(brings);
		return { ...outcome, brings };
	}

	#activate(
		tools: readonly CatalogTool[],
		reason: ActivationReason,
		{ words, inResult }: { readonly words?: string | undefined; readonly inResult?: boolean } = {},
	) {
		const deferred = [...new Set(tools)].filter((tool) => !this.#surface.loaded.includes(tool));
		const { added, evicted } = this.#active.activate(
			deferred.map((tool) => tool.wireName),
			reason,
			words,
			this.#prompt.room(this.#surface, deferred, inResult),
		);
		keepHashes(this.#active, this.#surface, added);
		const loaded = deferred.filter((tool) => added.includes(tool.wireName));
		this.#prompt.evict(evicted);
		this.journal.load(loaded, reason, words);
		this.#recordEvicted(evicted);
		this.#unsaid.push(...evicted);
		// Of what was only used again the journal says nothing.
		if (loaded.length === 0) this.#changed.fire();
		return { loaded, evicted };
	}

	/** The user has gone back in the chat: what the model was told of tools in turns that are taken back, it does not know any more. */
	takeBack(): void {
		this.#prompt.forgetTold();
		this.#definitions.forgetTold();
	}

	/** Defers activated tools again; returns those that were activated. The next request is without them, whatever that costs. */
	unload(tools: readonly CatalogTool[]): readonly CatalogTool[] {
		const removed = tools.filter((tool) => this.#active.remove(tool.wireName));
		if (removed.length === 0) return removed;
		this.#prompt.forget();
		this.journal.remove(
			'unload',
			removed.map(({ id }) => id),
		);
		return removed;
	}

	/** Forgets all activations and counts. */
	reset(): void {
		this.#active.clear();
		this.#untold.length = 0;
		this.#unsaid.length = 0;
		this.journal.clear();
		this.#prompt.forget();
		this.#changed.fire();
	}

	#synthetic(): readonly SyntheticTool[] {
		const inspection = inspectionTools(this.#surface);
		if (!this.discovers || !this.#surface.policy.enabled) return inspection;
		return [new SearchTools(this.#surface, this.#active, this.#prompt, this.#earlier), ...inspection];
	}

	#makeRoom(told: ReadonlySet<string>): void {
		const evicted = this.#prompt.makeRoom(this.#surface, told);
		this.#recordEvicted(evicted);
		this.#untold.push(...evicted);
		this.#unsaid.push(...evicted);
	}

	/** What of the tools in the last request no longer holds, though the next one goes on as it began. */
	#frozenNews(): readonly (string | undefined)[] {
		const gone = this.#prompt.goneSent(this.#surface);
		return [this.#tellChanged(), this.#definitions.tellGone(this.#surface, gone)];
	}

	/** Empties a list of what was evicted, and returns what of it may be told, without what has been found again since. */
	#goneOf(evicted: string[]): readonly string[] {
		const names = this.#surface.nameable([...new Set(evicted.splice(0))]);
		return names.filter((name) => !this.#active.has(name));
	}

	#recordSearch({ search, newlyLoaded, evicted }: SyntheticResult): void {
		this.journal.search(search, newlyLoaded.length);
		const loaded = newlyLoaded.map((name) => this.#surface.get(name)).filter((tool) => tool !== undefined);
		const activations = new Map(this.#active.activations.map((one) => [one.wireName, one]));
		const { reason = 'search', words } = activations.get(loaded[0]?.wireName ?? '') ?? {};
		this.journal.load(loaded, reason, words);
		this.#recordEvicted(evicted);
	}

	#recordEvicted(wireNames: readonly string[]): void {
		this.journal.remove(
			'evict',
			this.#surface.nameable(wireNames).map((name) => this.#surface.get(name)?.id ?? name),
		);
	}

	/** Whether the model can know a tool from the text of a result alone. */
	#isText(wireName: string): boolean {
		return this.loading === 'call' && this.discovers && !this.#prompt.sends(wireName);
	}
}

function alwaysLoaded({ loaded }: ToolSurface): ReadonlySet<string> {
	return new Set(loaded.map(({ wireName }) => wireName));
}

/** Of an activation only the names are left. */
function toolOf({ wireName, tool }: Activation): CatalogTool | undefined {
	return tool && { ...tool, id: toolId(tool), wireName, inputSchema: {} };
}

function noClock(): number {
	return 0;
}
