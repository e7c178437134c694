import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ActivationSet } from '../../../../src/discovery/session/activationSet.ts';
import { runs } from '../../../effort.ts';
import { NaiveActivations } from '../../../unit/discovery/session/naiveActivations.ts';

type Step = fc.Command<NaiveActivations, ActivationSet>;

/** One step, taken by the set and by the plain lists; what it returns is compared there, what it leaves behind after it. */
function step(text: string, take: (naive: NaiveActivations, set: ActivationSet) => void): Step {
	return {
		check: () => true,
		run: (naive, set) => {
			take(naive, set);
			agree(naive, set);
		},
		toString: () => text,
	};
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
	return step(`activate(${wanted.join()})`, (naive, set) =>
		expect(set.activate(wanted, 'search')).toEqual(naive.activate(wanted)),
	);
}

function bound(cap: number | null, pinned: readonly string[]): Step {
	return step(`bound(${cap}, ${pinned.join()})`, (naive, set) =>
		expect(set.bound(cap, new Set(pinned))).toEqual(naive.bound(cap, pinned)),
	);
}

const clear = step('clear()', (naive, set) => {
	set.clear();
	for (const one of naive.order) naive.remove(one);
});

const name = fc.constantFrom(...'abcdefghij');
const cap = fc.oneof({ arbitrary: fc.integer({ min: 1, max: 6 }), weight: 6 }, fc.constant(null));
const bounds = fc.tuple(cap, fc.uniqueArray(name, { maxLength: 3 })).map((args) => bound(...args));
const ofName = (['touch', 'call', 'remove'] as const).map((method) =>
	name.map((one) =>
		step(`${method}(${one})`, (naive, set) => expect(set[method](one)).toBe(naive[method](one))),
	),
);
const ofTime = (['beginTurn', 'release'] as const).map((method) =>
	fc.constant(
		step(`${method}()`, (naive, set) => {
			naive[method]();
			set[method]();
		}),
	),
);
const activations = fc.array(name, { maxLength: 7 }).map(activate);
const steps = fc.commands([activations, ...ofName, ...ofTime, bounds, fc.constant(clear)], {
	maxCommands: 60,
	size: 'max',
});

test('loaded tools never exceed the cap, include those of this turn, and are ordered by use', () => {
	fc.assert(
		fc.property(cap, steps, (first, taken) => {
			fc.modelRun(() => ({ model: new NaiveActivations(first), real: new ActivationSet(first) }), taken);
		}),
		{ numRuns: runs(200) },
	);
});
