import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { Loading } from '../catalog/policy.ts';
import { readResourceDefinition, readResourceName, searchToolsName } from '../catalog/syntheticTool.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { type KeptToolset, keptToolset, restoredToolset } from '../catalog/toolset.ts';
import type { ActivationSet, RequestRoom } from './activationSet.ts';
import { activatedTools } from './activationSet.ts';
import {
	type DeferredByServer,
	deferredByServer,
	extendedPrefix,
	type FrozenSurface,
	frozenPrefix,
	isSameDefinition,
	type PromptPrefix,
	surfaceChanges,
} from './promptPrefix.ts';

/** Who answers the turns that follow, and how loaded tools reach it. */
export interface TurnOptions {
	/** Another model has another cache, so the prompt may begin anew. */
	readonly model: string;
	readonly loading: Loading;
	/** Most tools that the model takes in a request; any number if absent. */
	readonly maxTools?: number | undefined;
	/** No language model is asked: what is sent costs and saves no tokens. */
	readonly isByRules?: true;
	/** Why the model would not be sent a tool, as a sentence; `undefined`: it would. */
	readonly refusalOf?: (tool: ToolDefinition) => string | undefined;
	/** Tools that whoever runs the turn answers itself; sent behind `search_tools`, while discovery is on. */
	readonly hosted?: readonly ToolDefinition[];
}

/** What a model is told at the beginning of its next request. */
export interface NextPrompt {
	/** What the system prompt says of discovery. */
	readonly paragraph: string | undefined;
	readonly tools: readonly ToolDefinition[];
	/**
	 * Unloaded since the last request, by wire name, of which the user has not been told: because the request would have more tools than
	 * it may, the cap is lower, or a call took a tool back that had been evicted.
	 */
	readonly evicted: readonly string[];
	/** Of which the model has been told since the last request that they have changed; the user has not been told. */
	readonly changed: readonly CatalogTool[];
}

/** How the requests of a chat begin, kept for another window; plain JSON. */
export interface KeptPrompt {
	readonly model: string;
	readonly loading: Loading;
	readonly prefix: Omit<PromptPrefix, 'frozen'>;
	readonly frozen: Omit<FrozenSurface, 'toolset' | 'findable'> &
		KeptToolset & { readonly findable: KeptDeferred };
	readonly known: KeptDeferred;
	readonly lingering: readonly string[];
	readonly outdated: readonly ToolDefinition[];
	readonly inResults: readonly ToolDefinition[];
}

type KeptDeferred = readonly (readonly [string, readonly string[]])[];

/**
 * How the requests of one chat begin, and so what its model has before it: the tools of the last request, and which definitions stood
 * in the messages.
 */
export class ChatPrompt {
	readonly #active: ActivationSet;
	#turn: TurnOptions | undefined;
	#prefix: PromptPrefix | undefined;
	/** Tools whose definitions stand in messages, by wire name. */
	#told: ReadonlySet<string> = new Set();
	/** Evicted since the prefix was frozen, by wire name: still sent, since taking one out would change how the request begins. */
	readonly #lingering = new Set<string>();
	/** The deferred tools that the model has been told of. */
	#known: DeferredByServer | undefined;
	/** The last request began anew. */
	#isNew = true;
	/** Tools that have changed since the prefix was frozen: what the model was told of them since. */
	readonly #outdated = new Map<string, ToolDefinition>();
	/** A result of the chat has linked to a resource: from then on the model has a tool that reads such. */
	readsResources = false;
	/** Definitions that stand in messages, as they stand there; with `native`, which sends them. */
	readonly #inResults = new Map<string, ToolDefinition>();

	constructor(active: ActivationSet) {
		this.#active = active;
	}

	/** What another window needs to go on as the last request began; `undefined` where there was none, or nothing is frozen. */
	get kept(): KeptPrompt | undefined {
		if (!this.#prefix?.frozen.policy.enabled || !this.#turn || !this.#known) return undefined;
		const { model, loading } = this.#turn;
		const { frozen, ...prefix } = this.#prefix;
		const { enabled, inspectionTools, manifestPlacement, maxManifestTokens } = frozen.policy;
		return {
			model,
			loading,
			prefix,
			frozen: {
				policy: { enabled, inspectionTools, manifestPlacement, maxManifestTokens },
				hosted: frozen.hosted,
				findable: keptDeferred(frozen.findable),
				...keptToolset(frozen.toolset),
			},
			known: keptDeferred(this.#known),
			lingering: [...this.#lingering],
			outdated: [...this.#outdated.values()],
			inResults: [...this.#inResults.values()],
		};
	}

	/** Goes on where an earlier window stopped; nothing where the model has been asked in this one already. */
	resume({ model, loading, prefix, frozen, known, lingering, outdated, inResults }: KeptPrompt): void {
		if (this.hasBegun) return;
		const { policy, hosted, findable, ...toolset } = frozen;
		this.#turn = { model, loading };
		this.#prefix = {
			...prefix,
			frozen: { policy, hosted, toolset: restoredToolset(toolset), findable: restoredDeferred(findable) },
		};
		this.#known = restoredDeferred(known);
		this.#isNew = false;
		for (const name of lingering) this.#lingering.add(name);
		for (const one of outdated) this.#outdated.set(one.name, one);
		for (const one of inResults) this.#inResults.set(one.name, one);
	}

	/** How loaded tools reach the model of the last turn. */
	get loading(): Loading {
		return this.#turn?.loading ?? 'append';
	}

	/** Whether the turns that follow take tokens of a language model. */
	get takesTokens(): boolean {
		return !this.#turn?.isByRules;
	}

	/** Whether the model has been asked anything in this chat. */
	get hasBegun(): boolean {
		return this.#known !== undefined;
	}

	/** Whether requests go on as they were frozen while discovery was on. */
	get isFrozen(): boolean {
		return this.#prefix?.frozen.policy.enabled === true;
	}

	/** Whether whoever runs the turn answers a tool of this name itself. */
	hosts(name: string): boolean {
		return this.#turn?.hosted?.some((tool) => tool.name === name) ?? false;
	}

	beginTurn(turn: TurnOptions): void {
		if (turn.model !== this.#turn?.model || turn.loading !== this.#turn.loading) this.forget();
		this.#turn = turn;
	}

	/** Why the model of the turn would not be sent a tool, as a sentence. */
	refusalOf(tool: CatalogTool): string | undefined {
		return this.#turn?.refusalOf?.(toolDefinition(tool));
	}

	/** The next request begins anew, with things as they stand. */
	forget(): void {
		this.#prefix = undefined;
		this.#lingering.clear();
		this.#outdated.clear();
	}

	/** Whether the next request begins as the last one did. */
	goesOn(surface: ToolSurface): boolean {
		return this.#prefix !== undefined && this.next(surface).frozen === this.#prefix.frozen;
	}

	/** How the next request would begin. */
	next(surface: ToolSurface): PromptPrefix {
		const { hosted = [] } = this.#turn ?? {};
		const loaded = [...surface.loaded, ...activatedTools(this.#active, surface)];
		// While discovery is off nothing is kept, so that requests are what they would be without it.
		if (!surface.policy.enabled) return frozenPrefix(surface, this.loading, [], loaded);
		// With `call` the tools never change: the note on the link says how to call it.
		const late = this.readsResources && this.loading !== 'call' ? [readResourceDefinition] : [];
		const parts = { surface, hosted, loaded, told: this.#told, late, lingering: this.#lingering };
		const extended = this.#prefix && extendedPrefix(this.#prefix, parts);
		const untold = loaded.filter((tool) => !this.#told.has(tool.wireName));
		return extended ?? frozenPrefix(surface, this.loading, hosted, untold, late);
	}

	/**
	 * Room in the next request for tools that are activated, and for those that are about to be. `inResult`: the definitions of these come
	 * in a result, so only what is activated takes room.
	 */
	room(surface: ToolSurface, asked: readonly CatalogTool[] = [], inResult = false): RequestRoom {
		const { always, most } = this.#bounds(surface);
		const eager = new Set(surface.loaded);
		const inRequest = [...activatedTools(this.#active, surface), ...(inResult ? [] : asked)]
			.filter((tool) => !this.#told.has(tool.wireName) && !eager.has(tool))
			.map(({ wireName }) => wireName);
		return { size: Math.max(0, most - always), inRequest: new Set(inRequest) };
	}

	/** Notes definitions that now stand in results: they take no room among the tools of the request. */
	bring(definitions: readonly ToolDefinition[]): void {
		if (definitions.length === 0) return;
		this.#told = new Set([...this.#told, ...definitions.map(({ name }) => name)]);
		if (this.loading === 'native') for (const one of definitions) this.#inResults.set(one.name, one);
	}

	/**
	 * Unloads what the next request would have no room for, and returns it, by wire name. `told`: wire names whose definitions stand in
	 * results among its messages, so that they are not sent again; none with `append`.
	 */
	makeRoom(surface: ToolSurface, told: ReadonlySet<string>): readonly string[] {
		// Where nothing can be searched any more, nobody reads definitions out of results.
		this.#told = this.loading === 'append' || !this.searches(surface) ? new Set() : told;
		if (this.next(surface).tools.length <= this.#bounds(surface).most) return [];
		this.forget();
		return this.#active.fitInto(this.room(surface));
	}

	/** A request is sent, for which {@link makeRoom} has made room: how it begins. */
	send(surface: ToolSurface): PromptPrefix {
		const prefix = this.next(surface);
		this.#sent(prefix);
		this.#active.requestSent();
		if (this.loading === 'native' && this.#isNew) {
			this.#told = new Set([...this.#told].filter((name) => this.isStillSent(surface, name)));
		}
		return prefix;
	}

	/** Whether a tool is among the tools of the last request. */
	sends(wireName: string): boolean {
		return this.#definitions.some(({ name }) => name === wireName);
	}

	/** Whether a model knows how to call a tool. With `call` it reads that in a text, which may have gone from the conversation. */
	has(wireName: string): boolean {
		const isTold = this.#prefix?.loading === 'native' && this.#told.has(wireName);
		return isTold || this.sends(wireName);
	}

	/** Whether the model can know a tool from the text of a result alone. */
	isInText(surface: ToolSurface, wireName: string): boolean {
		return this.loading === 'call' && this.searches(surface) && !this.sends(wireName);
	}

	/** Whether a definition that a search has put into a result is still to be sent with it. */
	isStillSent(surface: ToolSurface, wireName: string): boolean {
		const tool = surface.get(wireName);
		if (!tool) return false;
		return surface.loaded.includes(tool) || this.#active.has(wireName) || this.#lingering.has(wireName);
	}

	/**
	 * A definition that stands in a result as it is to be sent: as it was, so that the request goes on as the last one did; where that begins
	 * anew, as it is now, or `undefined` where it may not go on standing there.
	 */
	refreshedDefinition(surface: ToolSurface, definition: ToolDefinition): ToolDefinition | undefined {
		const retold = this.#isNew ? this.#standing(surface, definition) : definition;
		if (retold) this.#inResults.set(retold.name, retold);
		return retold;
	}

	#standing(surface: ToolSurface, definition: ToolDefinition): ToolDefinition | undefined {
		const tool = surface.get(definition.name);
		if (!tool || !this.isStillSent(surface, definition.name)) return undefined;
		const now = toolDefinition(tool);
		return isSameDefinition(definition, now) ? definition : now;
	}

	/** Notes tools that were evicted. The request still has them until its beginning changes anyway, since taking them out would change it. */
	evict(wireNames: readonly string[]): void {
		for (const name of wireNames) if (this.sends(name) || this.#told.has(name)) this.#lingering.add(name);
	}

	/**
	 * What can be found now and could not be when the model last heard of it, told once. `undefined` where the next request begins anew and
	 * so says it anyway.
	 */
	changes(surface: ToolSurface): string | undefined {
		if (!this.#known || !this.goesOn(surface)) return undefined;
		const now = deferredByServer(surface);
		const changes = surfaceChanges(this.#known, now);
		this.#known = now;
		return changes;
	}

	/** Whether the model can search: while what it could find is away, it still has the tool. */
	searches(surface: ToolSurface): boolean {
		return (
			surface.deferred.length > 0 || this.next(surface).tools.some(({ name }) => name === searchToolsName)
		);
	}

	/** Tools that the next request will have otherwise than they are, and of which the model has not been told as much. */
	changedSent(surface: ToolSurface): readonly CatalogTool[] {
		if (!this.goesOn(surface)) return [];
		return this.#serverTools.flatMap((sent) => {
			const tool = surface.get(sent.name);
			if (!tool) return [];
			return isSameDefinition(this.#outdated.get(sent.name) ?? sent, toolDefinition(tool)) ? [] : [tool];
		});
	}

	/** Wire names of tools that the next request will have, and that are not there. */
	goneSent(surface: ToolSurface): readonly string[] {
		if (!this.goesOn(surface)) return [];
		return this.#serverTools.filter(({ name }) => !surface.get(name)).map(({ name }) => name);
	}

	/** Notes that the model has been told how these tools have changed, while its requests go on having the old definitions. */
	outdate(tools: readonly CatalogTool[]): void {
		for (const tool of tools) this.#outdated.set(tool.wireName, toolDefinition(tool));
	}

	/** Has the model told again what it was told of tools since its request began. */
	forgetTold(): void {
		this.#outdated.clear();
	}

	/** Whether the model has an older definition of a tool before it. */
	isOutdated(wireName: string): boolean {
		return this.#outdated.has(wireName);
	}

	/** Tools of servers in the last request, in results too; none while discovery is off, when nothing is frozen. */
	get #serverTools(): readonly ToolDefinition[] {
		if (!this.#prefix || !this.isFrozen) return [];
		const told = [...this.#inResults.values()].filter(({ name }) => this.#told.has(name));
		const joined = this.#prefix.tools.slice(this.#prefix.synthetic);
		return [...joined.filter(({ name }) => name !== readResourceName), ...told];
	}

	#sent(prefix: PromptPrefix): void {
		this.#isNew = this.#prefix?.frozen !== prefix.frozen;
		if (this.#isNew) {
			this.#known = prefix.frozen.findable;
			this.#lingering.clear();
			this.#outdated.clear();
			this.#inResults.clear();
		}
		this.#prefix = prefix;
	}

	/** How many tools of a request are always there, and how many there may be: one search has room, unless the model takes no more. */
	#bounds(surface: ToolSurface): { readonly always: number; readonly most: number } {
		const { maxRequestTools, maxSearchResults } = surface.policy;
		const loaded = surface.loaded.filter(({ wireName }) => !this.#told.has(wireName));
		const { tools, synthetic } = this.next(surface);
		const late = tools.slice(synthetic).some(({ name }) => name === readResourceName) ? 1 : 0;
		const always = synthetic + late + loaded.length;
		const most = Math.max(maxRequestTools, always + maxSearchResults);
		return { always, most: Math.min(this.#turn?.maxTools ?? most, most) };
	}

	get #definitions(): readonly ToolDefinition[] {
		return this.#prefix?.tools ?? [];
	}
}

function keptDeferred(servers: DeferredByServer): KeptDeferred {
	return [...servers].map(([server, names]) => [server, [...names]]);
}

function restoredDeferred(servers: KeptDeferred): DeferredByServer {
	return new Map(servers.map(([server, names]) => [server, new Set(names)]));
}
