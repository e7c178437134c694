import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import type { Loading } from '../../../../src/discovery/catalog/policy.ts';
import { resultText, textResult } from '../../../../src/discovery/catalog/tool.ts';
import type { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import type { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { runs } from '../../../effort.ts';
import { keptLog, search, servers, sessionOf, surfaceOf, tool } from '../../../unit/discovery/fixtures.ts';

const names = ['alpha', 'bravo', 'charlie', 'delta'] as const;
type Name = (typeof names)[number];
/** Nothing is evicted here: what then becomes of a tool is the activation set's own matter. */
const policy = { maxActiveSchemas: null };

type Step =
	| { readonly kind: 'load' | 'search' | 'unload' | 'change' | 'vanish' | 'return'; readonly name: Name }
	| { readonly kind: 'reload' | 'result' };

/** A chat beside what it should know: which version of each tool the model has been told of. */
class ChangingChat {
	readonly #versions = new Map<Name, number>(names.map((name) => [name, 0]));
	readonly #gone = new Set<Name>();
	/** Of loaded tools; with `call` also of unloaded ones, as the model goes on reading what it was told. */
	readonly #known = new Map<Name, number>();
	readonly #loaded = new Set<Name>();
	readonly #loading: Loading;
	#session: DiscoverySession;

	constructor(loading: Loading) {
		this.#loading = loading;
		this.#session = sessionOf(this.#servers, policy);
		this.#session.beginTurn({ model: 'm', loading });
	}

	async take(step: Step): Promise<void> {
		switch (step.kind) {
			case 'load': {
				const found = this.#session.surface.get(`it__${step.name}`);
				if (!found || this.#session.load([found]).length === 0) break;
				this.#loaded.add(step.name);
				if (!this.#known.has(step.name)) this.#known.set(step.name, this.#now(step.name));
				break;
			}
			case 'search':
				await this.#search(step.name);
				break;
			case 'unload': {
				const found = this.#session.surface.get(`it__${step.name}`);
				if (!found || this.#session.unload([found]).length === 0) break;
				this.#loaded.delete(step.name);
				if (this.#loading !== 'call') this.#known.delete(step.name);
				break;
			}
			case 'change':
				this.#versions.set(step.name, this.#now(step.name) + 1);
				this.#session.surface = this.#surface;
				break;
			case 'vanish':
				this.#gone.add(step.name);
				this.#session.surface = this.#surface;
				break;
			case 'return':
				this.#gone.delete(step.name);
				this.#session.surface = this.#surface;
				break;
			case 'reload':
				this.#session = sessionOf(this.#servers, policy, keptLog(this.#session));
				this.#session.beginTurn({ model: 'm', loading: this.#loading });
				break;
			case 'result':
				this.#looksAt(resultText(this.#session.withChanges(textResult('done'))));
				break;
		}
	}

	/** A search loads a tool; with `call` its text has the schema as it is now, so that nothing more is to be told of that tool. */
	async #search(name: Name): Promise<void> {
		const isThere = !this.#gone.has(name);
		if (isThere && (this.#loading === 'call' || !this.#known.has(name)))
			this.#known.set(name, this.#now(name));
		if (isThere) this.#loaded.add(name);
		const { text } = await search(this.#session, { tool_names: [`it__${name}`] });
		this.#looksAt(text);
	}

	/** The result names exactly those loaded tools whose present version the model has not been told of. */
	#looksAt(text: string): void {
		const changed = [...this.#known].filter(
			([name, version]) => this.#loaded.has(name) && !this.#gone.has(name) && version !== this.#now(name),
		);
		const note = /Changed since you loaded it: ([^;]*);/.exec(text)?.[1];
		expect(new Set(note?.split(', '))).toEqual(new Set(changed.map(([name]) => `it__${name}`)));
		for (const [name] of changed) this.#known.set(name, this.#now(name));
	}

	#now(name: Name): number {
		return this.#versions.get(name) ?? 0;
	}

	get #servers(): CatalogServer[] {
		const its = names.filter((name) => !this.#gone.has(name));
		return servers({
			it: its.map((name) => tool('it', name, `Version ${this.#now(name)}`)),
			other: ['always'],
		});
	}

	get #surface(): ToolSurface {
		return surfaceOf(this.#servers, policy);
	}
}

const steps: fc.Arbitrary<Step> = fc.oneof(
	fc.record({
		kind: fc.constantFrom('load', 'search', 'unload', 'change', 'vanish', 'return'),
		name: fc.constantFrom(...names),
	}),
	fc.record({ kind: fc.constantFrom('reload', 'result') }),
);

test('whatever servers and user do: the model is told of each change of a loaded tool once, across reloads', async () => {
	const anyChat = fc.asyncProperty(
		fc.constantFrom<Loading>('append', 'native', 'call'),
		fc.array(steps, { maxLength: 40 }),
		async (loading, taken) => {
			const chat = new ChangingChat(loading);
			for (const step of taken) await chat.take(step);
			await chat.take({ kind: 'result' });
		},
	);
	await fc.assert(anyChat, { numRuns: runs(40) });
});
