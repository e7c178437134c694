import { Emitter } from '../common/event.ts';

/** What an agent has done with the tools of this window. One for each name that agents give themselves. */
export interface AgentUse {
	readonly kind: 'agent';
	readonly name: string;
	/** Tools that it found or called, by id, with the number of calls; the last one used last. */
	readonly tools: ReadonlyMap<string, number>;
	/** Tokens of what it read to find tools, estimated. */
	readonly searchTokens: number;
	/** In milliseconds since 1970; 0: not in this window. */
	readonly lastUse: number;
}

/** Agents, and tools of each, that are remembered. */
const maxAgents = 20;
const maxToolsPerAgent = 200;

/** Names that outlive the window. */
interface KeptNames {
	get(): readonly string[];
	set(names: readonly string[]): void;
}

/** What other agents have done in this window, and which of them the user has disconnected. */
export class AgentUses {
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;
	/** The last used one last. */
	readonly #uses = new Map<string, AgentUse & { readonly tools: Map<string, number> }>();
	readonly #disconnected: KeptNames;
	readonly #now: () => number;

	constructor(disconnected: KeptNames, now: () => number = Date.now) {
		this.#disconnected = disconnected;
		this.#now = now;
	}

	/** Most recently used first, then disconnected agents that were not used in this window. */
	get all(): readonly AgentUse[] {
		const unused = this.#disconnected.get().filter((name) => !this.#uses.has(name));
		return [...[...this.#uses.values()].reverse(), ...unused.map(newUse)];
	}

	isDisconnected(name: string): boolean {
		return this.#disconnected.get().includes(name);
	}

	setDisconnected(name: string, isDisconnected: boolean): void {
		const others = this.#disconnected.get().filter((other) => other !== name);
		this.#disconnected.set(isDisconnected ? [...others, name] : others);
		this.#changed.fire();
	}

	/** An agent has found tools. `tokens`: of the answer. */
	found(name: string, tools: readonly string[], tokens: number): void {
		this.#note(name, tools, { calls: 0, tokens });
	}

	called(name: string, tool: string): void {
		this.#note(name, [tool], { calls: 1, tokens: 0 });
	}

	#note(
		name: string,
		ids: readonly string[],
		{ calls, tokens }: { readonly calls: number; readonly tokens: number },
	): void {
		const use = this.#uses.get(name) ?? newUse(name);
		const { tools } = use;
		for (const id of ids) {
			const called = tools.get(id) ?? 0;
			tools.delete(id);
			tools.set(id, called + calls);
		}
		for (const id of [...tools.keys()].slice(0, -maxToolsPerAgent)) tools.delete(id);
		this.#uses.delete(name);
		// The same object, because a view shows it.
		this.#uses.set(
			name,
			Object.assign(use, { searchTokens: use.searchTokens + tokens, lastUse: this.#now() }),
		);
		for (const old of [...this.#uses.keys()].slice(0, -maxAgents)) this.#uses.delete(old);
		this.#changed.fire();
	}
}

function newUse(name: string) {
	return { kind: 'agent' as const, name, tools: new Map<string, number>(), searchTokens: 0, lastUse: 0 };
}
