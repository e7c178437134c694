import { activatedTools } from '../activatedTools.ts';
import type { ActivationSet } from '../activationSet.ts';
import { toolDefinition } from '../catalog.ts';
import type { Loading } from '../policy.ts';
import type { ToolDefinition } from '../tool.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { isSameToolset } from '../toolset.ts';
import { extendedPrefix, frozenPrefix, isSameDefinition, type PromptPrefix } from './promptPrefix.ts';
import { type Findable, findable, surfaceChanges } from './surfaceChanges.ts';

/** Who answers the turns that follow, and how loaded tools reach it. */
export interface TurnOptions {
	/** Another model has another cache, so the prompt may begin anew. */
	readonly model: string;
	readonly loading: Loading;
	/** Tools that whoever runs the turn answers itself; sent behind `search_tools`, while discovery is on. */
	readonly hosted?: readonly ToolDefinition[];
}

/** What a model is told at the beginning of its next request. */
export interface NextPrompt {
	/** What the system prompt says of discovery. */
	readonly paragraph: string | undefined;
	readonly tools: readonly ToolDefinition[];
	/**
	 * Unloaded since the last request, by wire name, of which nothing else tells: because the request would have more tools than it may,
	 * the cap is lower, or a call took a tool back that had been evicted.
	 */
	readonly evicted: readonly string[];
}

/** How one request begins. */
export interface NextPrefix {
	readonly prefix: PromptPrefix;
	/** Unloaded, by wire name, because the request would have more tools than it may. */
	readonly evicted: readonly string[];
}

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
	/** Evicted since the prefix was frozen, by wire name. */
	readonly #lingering = new Set<string>();
	/** What the model knows of what can be found. */
	#known: Findable | undefined;

	constructor(active: ActivationSet) {
		this.#active = active;
	}

	/** How loaded tools reach the model of the last turn. */
	get loading(): Loading {
		return this.#turn?.loading ?? 'append';
	}

	/** Whether whoever runs the turn answers a tool of this name itself. */
	hosts(name: string): boolean {
		return this.#turn?.hosted?.some((tool) => tool.name === name) ?? false;
	}

	beginTurn(turn: TurnOptions): void {
		if (turn.model !== this.#turn?.model || turn.loading !== this.#turn.loading) this.forget();
		this.#turn = turn;
	}

	/** The next request begins anew, with things as they stand. */
	forget(): void {
		this.#prefix = undefined;
		this.#lingering.clear();
	}

	/** How the next request would begin. */
	next(surface: ToolSurface): PromptPrefix {
		const { hosted = [] } = this.#turn ?? {};
		const loaded = [...surface.loaded, ...activatedTools(this.#active, surface)];
		// While discovery is off nothing is kept, so that requests are what they would be without it.
		if (!surface.policy.enabled) return frozenPrefix(surface, this.loading, [], loaded);
		const parts = { surface, hosted, loaded, told: this.#told, lingering: this.#lingering };
		const extended = this.#prefix && extendedPrefix(this.#prefix, parts);
		const untold = loaded.filter((tool) => !this.#told.has(tool.wireName));
		return extended ?? frozenPrefix(surface, this.loading, hosted, untold);
	}

	/**
	 * A request is sent: how it begins, with no more tools than may be. `told`: wire names whose definitions stand in results among
	 * its messages, so that they are not sent again; none with `append`.
	 */
	send(surface: ToolSurface, told: ReadonlySet<string>, maxTools: number): NextPrefix {
		// Where nothing is deferred any more, nobody reads definitions out of results.
		const read = this.loading === 'append' || surface.deferred.length === 0 ? [] : [...told];
		this.#told = new Set(read);
		const next = this.#fitting(surface, maxTools);
		this.#sent(next.prefix);
		if (this.loading === 'native') {
			this.#told = new Set(read.filter((name) => this.stands(surface, name)));
		}
		return next;
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

	/** Whether a definition may go on standing in a result. */
	stands(surface: ToolSurface, wireName: string): boolean {
		const tool = surface.get(wireName);
		if (!tool) return false;
		return surface.loaded.includes(tool) || this.#active.has(wireName) || this.#lingering.has(wireName);
	}

	/** A definition that stands in a result as it is now; `undefined` where it may not go on standing there. */
	retold(surface: ToolSurface, definition: ToolDefinition): ToolDefinition | undefined {
		const tool = surface.get(definition.name);
		if (!tool || !this.stands(surface, definition.name)) return undefined;
		const now = toolDefinition(tool);
		return isSameDefinition(definition, now) ? definition : now;
	}

	/** Tools were evicted. They are there all the same until the prefix breaks: taking them out would break it. */
	evict(wireNames: readonly string[]): void {
		for (const name of wireNames) if (this.sends(name) || this.#told.has(name)) this.#lingering.add(name);
	}

	/**
	 * What can be found now and could not be when the model last heard of it, told once. With another toolset the next request begins
	 * anew and tells all of it; a comparison would name what the toolset leaves out.
	 */
	changes(surface: ToolSurface): string | undefined {
		if (!this.#known || !isSameToolset(this.#prefix?.frozen.toolset, surface.toolset)) return undefined;
		const now = findable(surface);
		const changes = surfaceChanges(this.#known, now);
		this.#known = now;
		return changes;
	}

	#sent(prefix: PromptPrefix): void {
		if (this.#prefix?.frozen !== prefix.frozen) {
			this.#known = prefix.frozen.findable;
			this.#lingering.clear();
		}
		this.#prefix = prefix;
	}

	#fitting(surface: ToolSurface, maxTools: number): NextPrefix {
		const prefix = this.next(surface);
		const always = prefix.synthetic + surface.loaded.length;
		const room = Math.min(
			maxTools,
			Math.max(surface.policy.maxRequestTools, always + surface.policy.maxSearchResults),
		);
		if (prefix.tools.length <= room) return { prefix, evicted: [] };
		this.forget();
		const anew = this.next(surface);
		const activated = new Set(activatedTools(this.#active, surface).map(({ wireName }) => wireName));
		const sent = new Set(anew.tools.map(({ name }) => name));
		const oldest = this.#active.byUse.filter((name) => activated.has(name) && sent.has(name));
		const evicted = oldest.slice(0, Math.max(0, anew.tools.length - room));
		for (const name of evicted) this.#active.remove(name);
		return { prefix: evicted.length > 0 ? this.next(surface) : anew, evicted };
	}

	get #definitions(): readonly ToolDefinition[] {
		return this.#prefix?.tools ?? [];
	}
}
