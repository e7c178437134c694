import { answerCost, type TokenPrice, type TokenUsage } from '../../common/cost.ts';
import { Emitter } from '../../common/event.ts';
import { oneLine } from '../../common/text.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { UserMessage } from '../catalog/message.ts';
import type { Loading } from '../catalog/policy.ts';
import type { SearchMiss } from '../catalog/searchMiss.ts';
import { type SyntheticResult, type SyntheticTool, searchToolsName } from '../catalog/syntheticTool.ts';
import {
	errorResult,
	type ToolDefinition,
	type ToolResult,
	textResult,
	toolId,
	withText,
} from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { isSameToolset, keptToolset, restoredToolset } from '../catalog/toolset.ts';
import type { Asked, LoadedFindings, SearchFindings } from '../tools/findTools.ts';
import { inspectionTools } from '../tools/inspectionTools.ts';
import { searchResultText } from '../tools/resultText.ts';
import { worthLoading } from '../tools/worthLoading.ts';
import {
	type ActivatedTool,
	type Activation,
	type ActivationReason,
	activatedTools,
	activationsByUse,
	wordsLimit,
} from './activationSet.ts';
import { type CallTarget, howToRead } from './callTarget.ts';
import { ChatLog } from './chatLog.ts';
import { asKnown, refusalOf, searchIn, searchReasons, toBring, withOutcome } from './chatSearch.ts';
import { EarlierTools } from './earlierTools.ts';
import { namedTools, type Reader, shortened } from './logEntry.ts';
import { LoggedActivations } from './loggedActivations.ts';
import {
	type ChatState,
	isCrowded,
	knowsTool,
	loadingOf,
	type NextRequest,
	nextHead,
	requestRoom,
	searches,
	sentRequest,
	standingDefinition,
	type TurnOptions,
} from './nextHead.ts';
import {
	changedTools,
	dueBeforeRequest,
	dueWithCall,
	dueWithSearch,
	type GoneTool,
	goneTools,
	loggedTool,
	type Note,
	stillEvicted,
} from './notes.ts';
import type { PromptPrefix } from './promptPrefix.ts';
import { resolveCall } from './resolveCall.ts';

/**
 * Discovery in one chat: what the model sees at each call, what a search loads, what a call leads to. The catalog may change
 * under it at any time ({@link DiscoverySession.surface}); loaded tools that still exist stay loaded.
 */
export class DiscoverySession {
	readonly #changed = new Emitter<void>();
	/** Something has happened in the chat, or to its tools. */
	readonly onDidChange = this.#changed.event;
	/** All that happened in the chat. What the session does not do itself is to be appended by whoever does it. */
	readonly log: ChatLog;
	#surface: ToolSurface;
	/** Who answers the present turn. */
	#turn: TurnOptions | undefined;
	readonly #loaded: LoggedActivations;
	readonly #earlier: EarlierTools;

	/** `log`: what happened before, which the session goes on with. */
	constructor(surface: ToolSurface, log = new ChatLog()) {
		this.log = log;
		this.#surface = surface;
		const { servers, loaded } = log.seen;
		const known = [...loaded.values()].map((tool) => ({ ...tool, id: toolId(tool), inputSchema: {} }));
		this.#earlier = new EarlierTools([...servers], known);
		this.#loaded = new LoggedActivations(log);
		log.onDidAppend(() => this.#changed.fire());
		this.#follow();
	}

	get surface(): ToolSurface {
		return this.#surface;
	}

	/** A newer catalog, another policy or toolset: the index is the new one's, activations stay. */
	set surface(surface: ToolSurface) {
		if (surface === this.#surface) return;
		const isTurnedOn = surface.policy.enabled && !this.#surface.policy.enabled;
		this.#surface = surface;
		this.#follow(isTurnedOn);
		this.#changed.fire();
	}

	/** Takes up the surface that is there now. */
	#follow(isTurnedOn = false): void {
		const { surface, log } = this;
		this.#earlier.follow(surface);
		if (!isSameToolset(restoredToolset(log.seen.toolset), surface.toolset)) {
			log.append({ kind: 'toolset', toolset: keptToolset(surface.toolset) });
		}
		const joined = surface.servers.map(({ name }) => name).filter((name) => !log.seen.servers.has(name));
		if (joined.length > 0) log.append({ kind: 'servers', joined });
		this.#loaded.follow(surface);
		if (isTurnedOn) this.#loadCalled();
		if (!surface.policy.enabled && log.seen.head) log.append({ kind: 'anew', why: 'off' });
		this.#loaded.dropLost(surface);
	}

	/** Discovery was turned on: the model keeps the tools that it has called while every tool was loaded. */
	#loadCalled(): void {
		const called = new Set(this.log.usage.calls.map(({ server, tool: name }) => toolId({ server, name })));
		this.#activate(
			this.#surface.deferred.filter(({ id }) => called.has(id)),
			'call',
		);
	}

	/** All that the next request depends on. */
	get #state(): ChatState {
		const { seen, definitions: inResults } = this.log;
		return { seen, inResults, surface: this.#surface, active: this.#loaded.set, turn: this.#turn };
	}

	/** Whether anything is deferred, or was and is away, and so `search_tools` is there. */
	get discovers(): boolean {
		return searches(this.#state);
	}

	/** How loaded tools reach the model of the last turn. */
	get loading(): Loading {
		return loadingOf(this.#state);
	}

	/** What was loaded, in the order of activation, whether it exists now or not. */
	get activations(): readonly Activation[] {
		return this.#loaded.set.activations;
	}

	/** Activated tools that exist now, in the order of activation. */
	get activated(): readonly CatalogTool[] {
		return activatedTools(this.#loaded.set, this.#surface);
	}

	/** {@link activated} with why each was loaded, the most recently used first. */
	get activatedByUse(): readonly ActivatedTool[] {
		return activationsByUse(this.#loaded.set, this.#surface);
	}

	/** Loaded tools that have changed since, and of which the model has not been told yet: it will be with the next result. */
	get changedTools(): readonly CatalogTool[] {
		return changedTools(this.#state);
	}

	/** Loaded tools that are not there any more; they are again once their server offers them. */
	get goneTools(): readonly GoneTool[] {
		return this.discovers ? goneTools(this.#state) : [];
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
	get nextHead(): Pick<PromptPrefix, 'paragraph' | 'tools'> {
		return nextHead(this.#state);
	}

	/** Begins a turn of the chat with what the user said: what earlier turns loaded may make room. */
	beginTurn(turn: TurnOptions, message?: UserMessage): void {
		const { model, loading } = turn;
		const before = this.log.seen.loading;
		this.#turn = turn;
		this.#loaded.append({ kind: 'turn', model, loading, prompt: message?.text ?? '' });
		// With another way of loading, the provider would not know what definitions in results mean.
		if (before !== undefined && before !== loading) this.log.redefine(() => undefined);
		if (message) this.log.append({ kind: 'message', message });
	}

	/** What a person does by hand is no turn, but as with a turn what was loaded before may make room for it. */
	beginByHand(): void {
		this.#loaded.append({ kind: 'byHand' });
	}

	/**
	 * The next request, which counts as sent: it begins as the last one did, byte for byte, with what has been loaded since at its end. What
	 * else the model is to know is told once, in the last message, since the beginning of the request stays as it is.
	 */
	nextRequest(): NextRequest {
		const { log } = this;
		this.#makeRoom();
		const notes = this.#tell(dueBeforeRequest(this.#state));
		if (notes.length > 0) log.note(notes.join('\n\n'));
		this.#makeRoom();
		const state = this.#state;
		const head = nextHead(state);
		const sent = sentRequest(state, head);
		this.#loaded.append(sent);
		const isNative = this.loading === 'native';
		if (isNative && sent.anew !== undefined) log.redefine((one) => standingDefinition(this.#state, one));
		return {
			paragraph: head.paragraph,
			tools: head.tools,
			messages: log.messages,
			...(isNative && this.discovers && { searchTool: searchToolsName }),
			evicted: stillEvicted(state, 'user'),
			changed: [...state.seen.changed],
		};
	}

	/** Counts what is due as told, and returns its words. */
	#tell({ texts, told, isTooMuch }: Note): readonly string[] {
		if (Object.keys(told).length > 0) this.log.append({ kind: 'told', ...told });
		if (isTooMuch) this.log.append({ kind: 'anew', why: 'changes' });
		return texts;
	}

	/** The provider has counted the tokens of the last request and its answer. `price`: the model's, where it is known. */
	measured(tokens: TokenUsage, price?: TokenPrice): void {
		const cost = answerCost(tokens, price, this.log.lastRequest);
		this.log.append({ kind: 'measured', tokens, ...(cost && { cost }) });
	}

	/**
	 * Where a call goes; changes nothing. `explains`: a name that leads nowhere is answered with the closest ones, to find which it is
	 * compared with every tool there is.
	 */
	resolve(name: string, input: Readonly<Record<string, unknown>> = {}, explains = true): CallTarget {
		const chat = { ...this.#state, earlier: this.#earlier, synthetic: this.#synthetic() };
		return resolveCall(chat, name, input, explains);
	}

	/**
	 * A result of this server has linked to a resource. From now on the model has a tool to read such, behind all others, so that requests
	 * go on as they began; returns what it is to be told of that, once for each server.
	 */
	offerResources(server: string): string | undefined {
		if (!this.#surface.policy.enabled || this.log.seen.linked.has(server)) return undefined;
		this.log.append({ kind: 'linked', server });
		return howToRead(server, this.loading);
	}

	/** What the model has called counts as used from now on, so that other tools make room before it does. */
	called(target: CallTarget): void {
		if (target.kind !== 'tool' || target.undiscovered) return;
		const { tool } = target;
		// Of tools that are loaded anyway too: should one be deferred again, it was used all the same.
		const isActive = this.#loaded.use(tool);
		if (!isActive && !this.#surface.loaded.includes(tool)) {
			this.#activate([tool], 'call', { untold: ['user', 'model'] });
		}
	}

	/** What the model reads of a call: its result, and which loaded tools have changed. */
	withChanges(result: ToolResult): ToolResult {
		return this.#tell(dueWithCall(this.#state)).reduce(withText, result);
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
		return { loaded, evicted, brings: inResult ? this.#brought(loaded) : [] };
	}

	/** The synthetic tool that finds deferred tools and loads them, in one step. */
	async #search(
		input: Readonly<Record<string, unknown>>,
		miss: SearchMiss | undefined,
	): Promise<SyntheticResult> {
		const { surface, found } = await searchIn(this, input, miss);
		this.log.append({
			kind: 'search',
			words: shortened(found.query),
			found: namedTools(found.ok ? found.hits.map(({ tool }) => tool.id) : []),
			...(!found.ok && { fault: shortened(found.message) }),
		});
		const outcome = found.ok ? this.#loadFound(found, surface) : found;
		const known = outcome.ok ? asKnown(outcome, { ...this.#state, surface }) : outcome;
		const text = searchResultText(known, this.loading);
		const brings = known.ok ? this.#brought(toBring(known.hits, this.#state)) : [];
		// Names that lead nowhere are the caller's mistake; words that find nothing are an answer.
		const failed = !found.ok || (found.kind === 'select' && found.hits.length === 0);
		const notes = this.#tell(dueWithSearch(this.#state));
		const result = notes.reduce(withText, failed ? errorResult(text) : textResult(text));
		return { result, search: outcome, ...(brings.length > 0 && { brings }) };
	}

	/** Loads what is worth it of what was found, and leaves the others to be named. What the model has already costs nothing. */
	#loadFound(found: Asked & SearchFindings, surface: ToolSurface): Asked & LoadedFindings {
		const state = this.#state;
		const isKnown = (tool: CatalogTool) =>
			surface.loaded.includes(tool) || this.#loaded.set.has(tool.wireName) || knowsTool(state, tool.wireName);
		const { worth, named } = worthLoading(found, isKnown);
		const outcome = this.#activate(
			worth.map(({ tool }) => tool).filter((tool) => refusalOf(tool, state) === undefined),
			searchReasons[found.kind],
			{
				...(found.kind === 'keyword' && { words: oneLine(found.query, wordsLimit) }),
				inResult: this.loading !== 'append',
				surface,
				// The result tells both.
				untold: [],
			},
		);
		const others = { further: [...named, ...found.further], more: found.more + named.length };
		return withOutcome({ ...found, ...others }, worth, outcome, { ...state, surface });
	}

	/** A result brings the definitions of these tools: they take no room among the tools of the request. */
	#brought(tools: readonly CatalogTool[]): readonly ToolDefinition[] {
		const definitions = tools.map(toolDefinition);
		if (tools.length > 0) this.log.append({ kind: 'brought', definitions, tools: tools.map(loggedTool) });
		return definitions;
	}

	/** Loads what is not loaded always. `untold`: who is to hear of what has to go for it. */
	#activate(
		tools: readonly CatalogTool[],
		reason: ActivationReason,
		{ words, inResult = false, surface = this.#surface, untold = ['model'] }: ActivateOptions = {},
	): ReturnType<LoggedActivations['load']> {
		const deferred = [...new Set(tools)].filter((tool) => !surface.loaded.includes(tool));
		const room = requestRoom({ ...this.#state, surface }, deferred, inResult);
		return this.#loaded.load(deferred, reason, this.#surface, { words, room, untold });
	}

	/** Defers activated tools again; returns those that were activated. The next request is without them, whatever that costs. */
	unload(tools: readonly CatalogTool[]): readonly CatalogTool[] {
		return this.#loaded.unload(tools);
	}

	/** Forgets all activations and counts. */
	reset(): void {
		this.#loaded.append({ kind: 'reset' });
	}

	#synthetic(): readonly SyntheticTool[] {
		const inspection = inspectionTools(this.#surface);
		if (!this.discovers || !this.#surface.policy.enabled) return inspection;
		return [{ name: searchToolsName, execute: (input, miss) => this.#search(input, miss) }, ...inspection];
	}

	/** Unloads what the next request would have no room for. */
	#makeRoom(): void {
		if (!isCrowded(this.#state)) return;
		if (this.log.seen.head) this.log.append({ kind: 'anew', why: 'limit' });
		this.#loaded.fitInto(requestRoom(this.#state), this.#surface);
	}
}

interface ActivateOptions {
	/** Those that spoke for the tools. */
	readonly words?: string | undefined;
	/** A result brings the definitions, so that they take no room among the tools of the request. */
	readonly inResult?: boolean;
	readonly surface?: ToolSurface;
	readonly untold?: readonly Reader[];
}
