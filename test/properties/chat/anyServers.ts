import { Catalog } from '../../../src/discovery/catalog/catalog.ts';
import { ToolSurface } from '../../../src/discovery/catalog/toolSurface.ts';
import { policyFor, tool, toolset } from '../../unit/discovery/fixtures.ts';

const bareNames = ['x', 'y', 'z'];
export const serverNames = ['a', 'b', 'c'];
export const toolNames = serverNames.flatMap((server) => bareNames.map((name) => `${server}__${name}`));

/** What servers may do, and the user with the configuration. */
export type Change =
	| { readonly kind: 'refresh' | 'toolset' }
	/** A tool has another definition, or is pinned, or not any more. */
	| { readonly kind: 'redefined' | 'pin'; readonly name: string }
	/** A server comes or goes. */
	| { readonly kind: 'server'; readonly server: string }
	| { readonly kind: 'cap'; readonly cap: number };

/** What a change means for a prompt: tools that cannot stay as they were sent; or all of it has to begin anew. */
export interface Effect {
	readonly touched: readonly string[];
	readonly begunAnew: boolean;
}

const tooLarge = {
	type: 'object',
	properties: Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`p${i}`, {}])),
} as const;

/** Three servers of three tools, to which anything may happen. */
export class AnyServers {
	readonly #absent = new Set<string>();
	readonly #pinned = new Set<string>();
	readonly #versions = new Map<string, number>();
	#narrow = false;
	#cap: number;
	#surface: ToolSurface | undefined;
	readonly #outgrows: boolean;

	/** `outgrows`: some tools have a schema that no provider takes, and others come to have one. */
	constructor(cap: number, outgrows = false) {
		this.#cap = cap;
		this.#outgrows = outgrows;
	}

	change(change: Change): Effect {
		this.#surface = undefined;
		switch (change.kind) {
			case 'refresh':
				return { touched: [], begunAnew: false };
			case 'toolset':
				this.#narrow = !this.#narrow;
				return { touched: [], begunAnew: true };
			case 'cap':
				this.#cap = change.cap;
				return { touched: [], begunAnew: true };
			case 'redefined':
				this.#versions.set(change.name, this.#version(change.name) + 1);
				return { touched: [change.name], begunAnew: false };
			case 'pin': {
				const wasPinned = this.#pinned.delete(change.name);
				if (!wasPinned) this.#pinned.add(change.name);
				return { touched: wasPinned ? [change.name] : [], begunAnew: false };
			}
			case 'server':
				if (!this.#absent.delete(change.server)) this.#absent.add(change.server);
				return { touched: toolNames.filter((name) => name.startsWith(change.server)), begunAnew: false };
		}
	}

	/** As it is now: another object after each change. */
	get surface(): ToolSurface {
		this.#surface ??= this.#newSurface();
		return this.#surface;
	}

	#newSurface(): ToolSurface {
		const all = serverNames.map((server) => ({
			name: server,
			tools: bareNames.map((name) => {
				const version = this.#version(`${server}__${name}`);
				const one = tool(server, name, `Version ${version}`);
				return this.#outgrows && (name === 'z') === (version % 2 === 0)
					? { ...one, inputSchema: tooLarge }
					: one;
			}),
		}));
		const policy = policyFor(all, { maxActiveSchemas: this.#cap, maxSearchResults: 2 });
		const servers = new Map(
			[...policy.servers].map(([server, its]) => {
				const pinned = bareNames.filter((name) => this.#pinned.has(`${server}__${name}`));
				return [server, { ...its, pinned }] as const;
			}),
		);
		const present = all.filter(({ name }) => !this.#absent.has(name));
		const chosen = this.#narrow ? toolset('narrow', { a: true, b: ['x'] }) : undefined;
		return new ToolSurface(new Catalog(present, 1), { ...policy, servers }, chosen);
	}

	#version(name: string): number {
		return this.#versions.get(name) ?? 0;
	}
}
