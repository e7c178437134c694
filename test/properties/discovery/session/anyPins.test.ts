import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import type { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { runs } from '../../../effort.ts';
import { call, keptLog, search, servers, sessionOf, surfaceOf } from '../../../unit/discovery/fixtures.ts';
import { NaiveActivations } from '../../../unit/discovery/session/naiveActivations.ts';

const names = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel'] as const;
const all = servers({ it: names, other: ['always'] });

type Step =
	| { readonly kind: 'search'; readonly names: readonly string[] }
	| { readonly kind: 'call' | 'pin'; readonly name: string }
	| { readonly kind: 'cap'; readonly cap: number | null }
	| { readonly kind: 'turn' | 'reload' };

/** A chat beside a plain model of its activation set, while the user pins, unpins and sets another cap. */
class PinningChat {
	readonly #naive: NaiveActivations;
	#session: DiscoverySession;
	/** What the last request had among its tools: evicted ones linger there, and can be called. */
	#sent: readonly string[] = [];
	/** What goes without a search: told with the next request. */
	#untold: string[] = [];

	constructor(cap: number | null) {
		this.#naive = new NaiveActivations(cap);
		this.#session = sessionOf(all, this.#policy);
	}

	async take(step: Step): Promise<void> {
		await this.#does(step);
		const { pinned, cap, order } = this.#naive;
		const loaded = this.#session.loadedTools.map(({ wireName }) => wireName);
		expect(loaded).toEqual([...pinned.toSorted(), ...order.filter((name) => !pinned.includes(name))]);
		expect(this.#session.activated.length).toBeLessThanOrEqual(cap ?? Number.POSITIVE_INFINITY);
		const { tools, evicted } = this.#session.nextRequest();
		expect(evicted).toEqual(this.#untold);
		this.#untold = [];
		this.#sent = tools.map((tool) => tool.name);
		expect(loaded.filter((name) => !this.#sent.includes(name))).toEqual([]);
		expect(new Set(this.#sent).size).toBe(this.#sent.length);
	}

	async #does(step: Step): Promise<void> {
		const naive = this.#naive;
		switch (step.kind) {
			case 'search': {
				const wanted = step.names.map(wireNameOf);
				const outcome = await search(this.#session, { tool_names: wanted });
				const expected = naive.activate(wanted.filter((name) => !naive.pinned.includes(name)));
				expect(outcome.evicted).toEqual(expected.evicted);
				expect(outcome.evicted.filter((name) => naive.pinned.includes(name))).toEqual([]);
				break;
			}
			case 'call': {
				const name = wireNameOf(step.name);
				const isThere = naive.order.includes(name) || naive.pinned.includes(name);
				const lingers = !isThere && this.#sent.includes(name);
				if (lingers) this.#untold.push(...naive.activate([name]).evicted);
				if (isThere || lingers) naive.call(name);
				expect(call(this.#session, name).kind).toBe(isThere || lingers ? 'tool' : 'refused');
				break;
			}
			case 'pin': {
				const name = wireNameOf(step.name);
				const others = naive.pinned.filter((one) => one !== name);
				this.#configure(naive.cap, others.length < naive.pinned.length ? others : [...others, name]);
				break;
			}
			case 'cap':
				this.#configure(step.cap, naive.pinned);
				break;
			case 'reload':
				this.#session = sessionOf(all, this.#policy, keptLog(this.#session));
				naive.turn = Math.max(0, ...naive.order.map((name) => naive.turns.get(name) ?? 0));
				naive.beginTurn();
				this.#session.beginTurn({ model: 'm', loading: 'append' });
				break;
			case 'turn':
				naive.beginTurn();
				this.#session.beginTurn({ model: 'm', loading: 'append' });
				break;
		}
	}

	#configure(cap: number | null, pinned: readonly string[]): void {
		this.#untold.push(...this.#naive.bound(cap, pinned));
		this.#session.surface = surfaceOf(all, this.#policy);
	}

	get #policy() {
		const pinned = this.#naive.pinned.map((name) => name.replace('it__', ''));
		const deferred = { ...defaultServerPolicy, deferLoading: true };
		return {
			maxActiveSchemas: this.#naive.cap,
			servers: new Map([
				['it', { ...deferred, pinned }],
				['other', deferred],
			]),
		};
	}
}

function wireNameOf(name: string): string {
	return `it__${name}`;
}

const name = fc.constantFrom(...names);
const cap = fc.oneof({ arbitrary: fc.integer({ min: 1, max: 4 }), weight: 5 }, fc.constant(null));
const steps: fc.Arbitrary<Step> = fc.oneof(
	fc.record({
		kind: fc.constant('search'),
		names: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
	}),
	fc.record({ kind: fc.constantFrom('call', 'pin'), name }),
	fc.record({ kind: fc.constant('cap'), cap }),
	fc.record({ kind: fc.constantFrom('turn', 'turn', 'reload') }),
);

test('whatever is pinned and unpinned: a pinned tool is loaded, takes nobody’s place and never goes', async () => {
	const anyChat = fc.asyncProperty(cap, fc.array(steps, { maxLength: 40 }), async (first, taken) => {
		const chat = new PinningChat(first);
		for (const step of taken) await chat.take(step);
	});
	await fc.assert(anyChat, { numRuns: runs(80) });
});
