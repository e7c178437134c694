import { Emitter } from '../../common/event.ts';
import { oneLine } from '../../common/text.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { Loading } from '../catalog/policy.ts';
import {
	callToolName,
	readResourceName,
	type SyntheticResult,
	type SyntheticTool,
	searchToolsName,
	unwrappedCall,
} from '../catalog/syntheticTool.ts';
import { errorResult, type ToolDefinition, type ToolResult, textResult, toolId } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { type KeptToolset, keptToolset } from '../catalog/toolset.ts';
import type { SearchMiss } from '../catalog/unsearched.ts';
import type { SearchHit } from '../search/toolIndex.ts';
import {
	type Asked,
	isMiss,
	type LoadedFindings,
	type OutcomeHit,
	type SearchFault,
	type SearchFindings,
} from '../tools/findTools.ts';
import { inspectionTools } from '../tools/inspectionTools.ts';
import { runSearch } from '../tools/searchTools.ts';
import { worthLoading } from '../tools/worthLoading.ts';
import {
	type ActivatedTool,
	type Activation,
	type ActivationOutcome,
	type ActivationReason,
	ActivationSet,
	activatedTools,
	activationsByUse,
	wordsLimit,
} from './activationSet.ts';
import { type CalledTool, type CallTarget, calledResource, calledTool, notLoaded } from './callTarget.ts';
import { ChatPrompt, type KeptPrompt, type NextPrompt, type TurnOptions } from './chatPrompt.ts';
import { EarlierTools } from './earlierTools.ts';
import { Instructions } from './instructions.ts';
import { type DiscoveryStatistics, Journal, type TimelineEntry } from './journal.ts';
import { type GoneTool, keepHashes, type Reader, ToolNews } from './toolNews.ts';
import { requestCost } from './toolTokens.ts';
import type { KeptUsage } from './usage.ts';

/** Tools of each kind that count as in use. */
const mostInUse = 3;

/** What is kept of a session so that it can be taken up again; plain JSON. */
export interface SessionState extends KeptToolset {
	readonly activations: readonly Activation[];
	/** Turns there were; absent in what earlier versions kept. */
	readonly turn?: number;
	/** Servers that there were in it: see `earlierTools.ts`. Absent in what earlier versions kept. */
	readonly servers?: readonly string[];
	/** Servers whose instructions the model has been told. */
	readonly instructed?: readonly string[];
	/** A result has linked to a resource. */
	readonly resources?: true;
	readonly statistics: DiscoveryStatistics;
	/** Absent in what earlier versions kept. */
	readonly usage?: KeptUsage;
}

/** What a session is taken up with besides its state. */
export interface SessionOptions {
	/** What happened before. */
	readonly timeline?: readonly TimelineEntry[];
	/** Milliseconds since 1970, for the timeline: the engine has no clock of its own. */
	readonly now?: () => number;
	/** Servers that whoever begins the session has known: those of the chat that an agent works for. */
	readonly servers?: readonly string[];
}

/**
 * Discovery in one chat: what the model sees at each call, what a search loads, what a call leads to. The catalog may change
 * under it at any time ({@link DiscoverySession.surface}); loaded tools that still exist stay loaded.
 */
export class DiscoverySession {
	readonly #changed = new Emitter<void>();
	/** Something has happened in the chat: see {@link journal}. */
	readonly onDidChange = this.#changed.event;
	#surface: ToolSurface;
	readonly #earlier: EarlierTools;
	readonly #active: ActivationSet;
	readonly #news: ToolNews;
	readonly #prompt: ChatPrompt;
	readonly #instructions: Instructions;
	/** Servers of which the model knows that their links can be read. */
	readonly #linked = new Set<string>();
	/** What happens in this chat is to be written here, as far as the session does not do it itself. */
	readonly journal: Journal;

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
		this.#prompt.readsResources = state?.resources === true;
		this.#instructions = new Instructions(state?.instructed);
		const [turn, written] = [() => this.#active.turn, () => this.#changed.fire()];
		this.journal = new Journal({ now, turn, written }, { ...state, timeline });
		this.#news = new ToolNews(this.#active, this.#prompt);
		this.#news.review(surface);
	}

	get surface(): ToolSurface {
		return this.#surface;
	}

	/** A newer catalog, another policy or toolset: the index is the new one's, activations stay. */
	set surface(surface: ToolSurface) {
		if (surface === this.#surface) return;
		const isTurnedOn = surface.policy.enabled && !this.#surface.policy.enabled;
		this.#surface = surface;
		this.#earlier.follow(surface);
		const evicted = this.#active.bound(surface.policy.maxActiveSchemas, alwaysLoaded(surface));
		this.#evicted(evicted, ['user', 'model']);
		if (isTurnedOn) this.#loadCalled();
		if (!surface.policy.enabled) this.#prompt.forget();
		this.#news.review(surface);
		this.#changed.fire();
	}

	/** Discovery was turned on: the model keeps the tools that it has called while every tool was loaded. */
	#loadCalled(): void {
		const called = new Set(
			this.journal.usage.calls.map(({ server, tool: name }) => toolId({ server, name })),
		);
		this.#activate(
			this.#surface.deferred.filter(({ id }) => called.has(id)),
			'call',
		);
	}

	/** Whether anything is deferred, or was and is away, and so `search_tools` is there. */
	get discovers(): boolean {
		return this.#prompt.searches(this.#surface);
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
			...(this.#instructions.told.length > 0 && { instructed: this.#instructions.told }),
			...(this.#prompt.readsResources && { resources: true }),
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
		return this.#news.changed(this.#surface);
	}

	/** Loaded tools that are not there any more; they are again once their server offers them. */
	get goneTools(): readonly GoneTool[] {
		return this.discovers ? this.#news.gone(this.#surface) : [];
	}

	/** Tools that were last called, and those that were last loaded, by `server:tool`: what is often called after them may be next. */
	get toolsInUse(): readonly string[] {
		const called = this.journal.timeline.flatMap((entry) => (entry.kind === 'call' ? [entry.tool] : []));
		const loaded = this.activatedByUse.slice(0, mostInUse).map(({ tool }) => tool.id);
		return [...new Set([...called.slice(-mostInUse), ...loaded])];
	}

	/** Every tool whose schema the model gets: the loaded by wire name, then the activated as they came. No doubles. */
	get loadedTools(): readonly CatalogTool[] {
		return [...this.#surface.loaded, ...this.activated];
	}

	/** Tools as they would go to the model now: synthetic ones while anything is deferred, then those that are loaded. */
	get definitions(): readonly ToolDefinition[] {
		return this.nextHead.tools;
	}

	/** How the next request would begin. */
	get nextHead(): Pick<NextPrompt, 'paragraph' | 'tools'> {
		return this.#prompt.next(this.#surface);
	}

	/** Whether the requests of this chat begin with what was frozen while discovery was on. */
	get isFrozen(): boolean {
		return this.#prompt.isFrozen;
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
		this.journal.request(requestCost(this.#surface, tools, told, paragraph), this.#prompt.takesTokens);
		return {
			paragraph,
			tools,
			evicted: this.#news.tellEvicted('user', this.#surface),
			changed: this.#news.tellChanges(),
		};
	}

	/**
	 * What the model is to know before the next request and no result has told it yet: tools that have made room, servers that came or
	 * went, tools that its request has and that have changed or are gone. Told once, in the last message, since the beginning of the request stays as it is. `told`: as in {@link nextPrompt}.
	 */
	news(told: ReadonlySet<string> = new Set()): string | undefined {
		this.#makeRoom(told);
		const news = this.#news.beforeRequest(this.#surface);
		const isOn = this.#surface.policy.enabled;
		const instructions = isOn ? this.#instructions.tell(this.activated, this.#surface) : undefined;
		return [news, instructions].filter((text) => text !== undefined).join('\n\n') || undefined;
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
		const read = this.#asRead(name, input);
		if (read) return calledResource(read, this.#surface);
		const called = calledTool(name, input, this.#surface, this.#earlier, explains);
		return called.ok ? this.#target(called) : { kind: 'refused', message: called.message };
	}

	/** What a call that reads a resource says, made directly or through the tool that calls others. */
	#asRead(
		name: string,
		input: Readonly<Record<string, unknown>>,
	): Readonly<Record<string, unknown>> | undefined {
		if (!this.#surface.policy.enabled || !this.#prompt.readsResources) return undefined;
		if (name === readResourceName) return input;
		if (name !== callToolName) return undefined;
		const wrapped = unwrappedCall(input);
		return wrapped.ok && wrapped.name === readResourceName ? wrapped.input : undefined;
	}

	/**
	 * A result of this server has linked to a resource. From now on the model has a tool to read such, behind all others, so that requests
	 * go on as they began; returns what it is to be told of that, once for each server.
	 */
	offerResources(server: string): string | undefined {
		if (!this.#surface.policy.enabled || this.#linked.has(server)) return undefined;
		this.#linked.add(server);
		this.#prompt.readsResources = true;
		const call = { server, uri: '…' };
		return this.loading === 'call'
			? `What it links to can be read with ${callToolName}: ${JSON.stringify({ name: readResourceName, arguments: call })}.`
			: `What it links to can be read with ${readResourceName}: ${JSON.stringify(call)}.`;
	}

	#target({ name, tool, input, isWrapped }: CalledTool): CallTarget {
		const unchecked =
			isWrapped ||
			this.#prompt.isInText(this.#surface, tool.wireName) ||
			this.#prompt.isOutdated(tool.wireName);
		// A tool that was evicted, but whose definition the model still has, can be called without a new search.
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
		this.#instructions.used(tool.server);
		// Of tools that are loaded anyway too: should one be deferred again, it was used all the same.
		const isActive = this.#active.call(tool.wireName);
		if (this.#surface.loaded.includes(tool)) return;
		if (!isActive) this.#activate([tool], 'call', { untold: ['user', 'model'] });
		this.#changed.fire();
	}

	/** What the model reads of a call: its result, and which loaded tools have changed. */
	withChanges(result: ToolResult): ToolResult {
		return this.#news.withChanges(result, this.#surface);
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
		const { loaded, evicted } = this.#activate([tool], 'call', { inResult });
		const brings = inResult ? loaded.map(toolDefinition) : [];
		this.#prompt.bring(brings);
		return { loaded, evicted, brings };
	}

	/** The synthetic tool that finds deferred tools and loads them, in one step. */
	async #search(
		input: Readonly<Record<string, unknown>>,
		miss: SearchMiss | undefined,
	): Promise<SyntheticResult> {
		const { surface, found } = await this.#find(input, miss);
		this.journal.search(found);
		const outcome = found.ok ? this.#loadFound(found, surface) : found;
		const known = outcome.ok ? this.#asKnown(outcome, surface) : outcome;
		const { searchResultText } = await import('../tools/resultText.ts');
		const text = searchResultText(known, this.loading);
		const brings = known.ok ? this.#broughtBy(known.hits) : [];
		this.#prompt.bring(brings);
		const names = brings.map(({ name }) => name);
		keepHashes(this.#active, surface, names);
		// Names that lead nowhere are the caller's mistake; words that find nothing are an answer.
		const failed = !found.ok || (found.kind === 'select' && found.hits.length === 0);
		const result = this.#news.withAll(failed ? errorResult(text) : textResult(text), this.#surface);
		return { result, search: outcome, ...(brings.length > 0 && { brings }) };
	}

	/** Looks once more where it has found nothing likely and servers have told their tools since. */
	async #find(
		input: Readonly<Record<string, unknown>>,
		miss: SearchMiss | undefined,
	): Promise<{ readonly surface: ToolSurface; readonly found: Asked & (SearchFindings | SearchFault) }> {
		// While the index is searched there may come another surface; what was found is of this one.
		const surface = this.#surface;
		const chat = { earlier: this.#earlier.servers, after: this.toolsInUse };
		const found = await runSearch(surface, input, chat);
		if (!miss || !isMiss(found)) return { surface, found };
		await miss.settle();
		if (this.#surface !== surface) {
			const again = await this.#find(input, undefined);
			if (!isMiss(again.found)) return again;
			return { ...again, found: withUnsearched(again.found, miss) };
		}
		return { surface, found: withUnsearched(found, miss) };
	}

	/** Loads what is worth it of what was found, and leaves the others to be named. What the model has already costs nothing. */
	#loadFound(found: Asked & SearchFindings, surface: ToolSurface): Asked & LoadedFindings {
		const isKnown = (tool: CatalogTool) =>
			surface.loaded.includes(tool) || this.#active.has(tool.wireName) || this.#prompt.has(tool.wireName);
		const { worth, named } = worthLoading(found, isKnown);
		const refusals = new Map(worth.map(({ tool }) => [tool, this.#prompt.refusalOf(tool)]));
		const { added, refused, crowded, evicted } = this.#activate(
			worth.map(({ tool }) => tool).filter((tool) => refusals.get(tool) === undefined),
			searchReasons[found.kind],
			{
				...(found.kind === 'keyword' && { words: oneLine(found.query, wordsLimit) }),
				inResult: this.loading !== 'append',
				surface,
				// The result tells both.
				untold: [],
			},
		);
		const stateOf = ({ tool, tool: { wireName } }: SearchHit) => {
			if (refusals.get(tool) !== undefined) return 'unsendable';
			if (added.includes(wireName)) return 'loaded';
			if (refused.includes(wireName)) return 'refused';
			return crowded.includes(wireName) ? 'crowded' : 'already-loaded';
		};
		return {
			...found,
			searched: surface.deferred.length,
			hits: worth.map((hit) => ({ ...hit, state: stateOf(hit), refusal: refusals.get(hit.tool) })),
			further: [...named, ...found.further].filter(({ tool }) => !this.#active.has(tool.wireName)),
			more: found.more + named.length,
			evicted,
		};
	}

	/** What was evicted and is found again is loaded anew, but a model that still has it before it knows it already. */
	#asKnown(outcome: Asked & LoadedFindings, surface: ToolSurface): Asked & LoadedFindings {
		const hits = outcome.hits.map((hit) =>
			hit.state === 'loaded' && this.#prompt.has(hit.tool.wireName)
				? { ...hit, state: 'already-loaded' as const }
				: hit,
		);
		return { ...outcome, hits, evicted: surface.nameable(outcome.evicted) };
	}

	/** Definitions that a search's result brings. With `call` it tells every schema again: the earlier result may have gone. */
	#broughtBy(hits: readonly OutcomeHit[]): ToolDefinition[] {
		if (this.loading === 'append') return [];
		const isBrought = ({ state, tool }: OutcomeHit) =>
			state === 'loaded' ||
			(this.loading === 'call' && state === 'already-loaded' && this.#active.has(tool.wireName));
		return hits.filter(isBrought).map(({ tool }) => toolDefinition(tool));
	}

	/** The one place where tools are loaded. `untold`: who is to hear of what had to go for them. */
	#activate(
		tools: readonly CatalogTool[],
		reason: ActivationReason,
		{ words, inResult = false, surface = this.#surface, untold = ['model'] }: ActivateOptions = {},
	): ActivationOutcome & { readonly loaded: readonly CatalogTool[] } {
		const deferred = [...new Set(tools)].filter((tool) => !surface.loaded.includes(tool));
		const outcome = this.#active.activate(
			deferred.map((tool) => tool.wireName),
			reason,
			words,
			this.#prompt.room(surface, deferred, inResult),
		);
		keepHashes(this.#active, surface, outcome.added);
		const loaded = deferred.filter((tool) => outcome.added.includes(tool.wireName));
		this.journal.load(loaded, reason, words);
		this.#evicted(outcome.evicted, untold);
		// The journal says nothing of tools that were only used again.
		if (loaded.length === 0) this.#changed.fire();
		return { ...outcome, loaded };
	}

	#evicted(wireNames: readonly string[], untold: readonly Reader[]): void {
		this.#prompt.evict(wireNames);
		const names = this.#surface.nameable(wireNames).map((name) => this.#surface.get(name)?.id ?? name);
		this.journal.remove('evict', names);
		this.#news.evicted(wireNames, untold);
	}

	/** The user has gone back in the chat, so the model no longer knows what it was told in the turns that are taken back. */
	takeBack(): void {
		this.#news.forgetTold();
		this.#instructions.forget();
		this.#linked.clear();
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
		this.#news.clear();
		this.#instructions.forget();
		this.#linked.clear();
		this.#prompt.readsResources = false;
		this.journal.clear();
		this.#prompt.forget();
		this.#changed.fire();
	}

	#synthetic(): readonly SyntheticTool[] {
		const inspection = inspectionTools(this.#surface);
		if (!this.discovers || !this.#surface.policy.enabled) return inspection;
		return [{ name: searchToolsName, execute: (input, miss) => this.#search(input, miss) }, ...inspection];
	}

	#makeRoom(told: ReadonlySet<string>): void {
		this.#evicted(this.#prompt.makeRoom(this.#surface, told), ['user', 'model']);
	}
}

function withUnsearched<T extends Asked>(found: T, miss: SearchMiss): T {
	const unsearched = miss.unsearched();
	return unsearched ? { ...found, unsearched } : found;
}

/** Why a tool is loaded that a search has found. */
const searchReasons: Record<SearchFindings['kind'], ActivationReason> = {
	keyword: 'search',
	select: 'name',
	server: 'server',
};

interface ActivateOptions {
	/** Those that spoke for the tools. */
	readonly words?: string | undefined;
	/** A result brings the definitions, so that they take no room among the tools of the request. */
	readonly inResult?: boolean;
	readonly surface?: ToolSurface;
	readonly untold?: readonly Reader[];
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
