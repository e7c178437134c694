import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ActivationSet } from '../../../../src/discovery/session/activationSet.ts';
import { runs } from '../../../effort.ts';
import { NaiveActivations } from '../../../unit/discovery/session/naiveActivations.ts';

/** The set under test; taken up again, it is another object. */
interface Chat {
	set: ActivationSet;
}

/** One step, taken by the set and by the plain lists; what it returns is compared there, what it leaves behind after it. */
class Step implements fc.Command<NaiveActivations, Chat> {
	readonly #text: string;
	readonly #take: (naive: NaiveActivations, chat: Chat) => void;
	constructor(text: string, take: (naive: NaiveActivations, chat: Chat) => void) {
		this.#text = text;
		this.#take = take;
	}
	check(): boolean {
		return true;
	}
	run(naive: NaiveActivations, chat: Chat): void {
		this.#take(naive, chat);
		agree(naive, chat.set);
	}
	toString(): string {
		return this.#text;
	}
}

function agree(naive: NaiveActivations, set: ActivationSet): void {
	const counted = set.byUse.filter((name) => !naive.pinned.includes(name));
	expect(counted.length).toBeLessThanOrEqual(naive.cap ?? Number.POSITIVE_INFINITY);
	expect(set.size).toBe(naive.order.length);
	expect(set.activations.map(({ wireName }) => wireName)).toEqual(naive.order);
	expect(set.byUse).toEqual(naive.use);
	expect(set.activations.map(({ lastTurn }) => lastTurn)).toEqual(
		naive.order.map((name) => naive.turns.get(name)),
	);
}

function activate(wanted: readonly string[]): Step {
	return new Step(`activate(${wanted.join()})`, (naive, { set }) => {
		const safe = new Set([...naive.thisTurns, ...wanted, ...naive.pinned]);
		const before = naive.counted;
		const outcome = set.activate(wanted, 'search');
		expect(outcome.evicted.filter((name) => safe.has(name))).toEqual([]);
		const others = before.filter((name) => !safe.has(name));
		expect(outcome.evicted).toEqual(others.slice(0, outcome.evicted.length));
		expect(outcome).toEqual(naive.activate(wanted));
	});
}

function touch(name: string): Step {
	return new Step(`touch(${name})`, (naive, { set }) => expect(set.touch(name)).toBe(naive.touch(name)));
}

function call(name: string): Step {
	return new Step(`call(${name})`, (naive, { set }) => expect(set.call(name)).toBe(naive.call(name)));
}

function remove(name: string): Step {
	return new Step(`remove(${name})`, (naive, { set }) => expect(set.remove(name)).toBe(naive.remove(name)));
}

function bound(cap: number | null, pinned: readonly string[]): Step {
	return new Step(`bound(${cap}, ${pinned.join()})`, (naive, { set }) => {
		expect(set.bound(cap, new Set(pinned))).toEqual(naive.bound(cap, pinned));
	});
}

const beginTurn = new Step('beginTurn()', (naive, { set }) => {
	naive.beginTurn();
	set.beginTurn();
});

const release = new Step('release()', (naive, { set }) => {
	naive.release();
	set.release();
});

const clear = new Step('clear()', (naive, { set }) => {
	set.clear();
	for (const one of naive.order) naive.remove(one);
});

const name = fc.constantFrom(...'abcdefghij');
const cap = fc.oneof({ arbitrary: fc.integer({ min: 1, max: 6 }), weight: 6 }, fc.constant(null));
const bounds = fc.tuple(cap, fc.uniqueArray(name, { maxLength: 3 })).map((args) => bound(...args));
const changes = [
	fc.array(name, { maxLength: 7 }).map(activate),
	name.map(touch),
	name.map(call),
	name.map(remove),
	fc.constant(beginTurn),
];
const steps = fc.commands([...changes, bounds, fc.constant(release), fc.constant(clear)], {
	maxCommands: 60,
});

test('loaded tools never exceed the cap, include those of this turn, and are ordered by use', () => {
	fc.assert(
		fc.property(cap, steps, (first, taken) => {
			fc.modelRun(
				() => ({ model: new NaiveActivations(first), real: { set: new ActivationSet(first) } }),
				taken,
			);
		}),
		{ numRuns: runs(200) },
	);
});
