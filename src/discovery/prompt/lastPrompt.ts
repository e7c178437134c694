import type { CatalogTool } from '../catalog.ts';
import type { Loading } from '../policy.ts';
import type { ToolDefinition } from '../tool.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { extendedPrefix, frozenPrefix, type PromptPrefix } from './promptPrefix.ts';
import { type Findable, findable, surfaceChanges } from './surfaceChanges.ts';

/** What the model of one chat has before it: how its last request began, and which definitions stood in the messages. */
export class LastPrompt {
	#prefix: PromptPrefix | undefined;
	/** Tools whose definitions stand in messages, by wire name. */
	#told: ReadonlySet<string> = new Set();
	/** Evicted since the prefix was frozen, by wire name. */
	readonly #lingering = new Set<string>();
	/** What the model knows of what can be found. */
	#known: Findable | undefined;

	/** The next request begins anew, with things as they stand. */
	forget(): void {
		this.#prefix = undefined;
		this.#lingering.clear();
	}

	/** How the next request begins, with these tools loaded. */
	next(surface: ToolSurface, loading: Loading, loaded: readonly CatalogTool[]): PromptPrefix {
		// While discovery is off nothing is kept, so that requests are what they would be without it.
		const before = surface.policy.enabled ? this.#prefix : undefined;
		const extended = before && extendedPrefix(before, surface, loaded, this.#told, this.#lingering);
		const untold = loaded.filter((tool) => !this.#told.has(tool.wireName));
		return extended ?? frozenPrefix(surface, loading, untold);
	}

	/** The next request has the definitions of these tools in its messages. */
	tell(wireNames: ReadonlySet<string>): void {
		this.#told = wireNames;
	}

	/** A request is sent that begins so. */
	send(prefix: PromptPrefix): void {
		if (this.#prefix?.frozen !== prefix.frozen) {
			this.#known = prefix.frozen.findable;
			this.#lingering.clear();
		}
		this.#prefix = prefix;
	}

	/** Whether a tool is among the tools of the request. */
	sends(wireName: string): boolean {
		return this.#definitions.some(({ name }) => name === wireName);
	}

	/** Whether a model knows how to call a tool. With `call` it reads that in a text, which may have gone from the conversation. */
	has(wireName: string): boolean {
		const isTold = this.#prefix?.loading === 'native' && this.#told.has(wireName);
		return isTold || this.sends(wireName);
	}

	/** Whether a tool was evicted and is there all the same: taking it out would break the prefix. */
	lingers(wireName: string): boolean {
		return this.#lingering.has(wireName);
	}

	/** Tools were evicted. */
	evict(wireNames: readonly string[]): void {
		for (const name of wireNames) if (this.sends(name) || this.#told.has(name)) this.#lingering.add(name);
	}

	/** What can be found now and could not be when the model last heard of it, told once. */
	changes(surface: ToolSurface): string | undefined {
		if (!this.#known) return undefined;
		const now = findable(surface);
		const changes = surfaceChanges(this.#known, now);
		this.#known = now;
		return changes;
	}

	get #definitions(): readonly ToolDefinition[] {
		return this.#prefix?.tools ?? [];
	}
}
