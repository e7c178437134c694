import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ActivationSet } from '../../../src/discovery/activationSet.ts';

function names(set: ActivationSet): string[] {
	return set.activations.map(({ wireName }) => wireName);
}

test('holds each tool once, in the order in which they came', () => {
	const set = new ActivationSet(24);
	expect(set.activate(['b', 'a', 'b'], 'search')).toEqual({
		added: ['b', 'a'],
		renewed: [],
		evicted: [],
		refused: [],
	});
	expect(set.activate(['c', 'b'], 'name')).toMatchObject({ added: ['c'], renewed: ['b'] });
	expect(names(set)).toEqual(['b', 'a', 'c']);
});

test('a second activation renews a tool, and keeps why it was loaded first', () => {
	const set = new ActivationSet(2);
	set.activate(['a'], 'search');
	set.activate(['b'], 'search');
	set.beginTurn();
	set.activate(['a'], 'user');
	set.beginTurn();
	expect(set.activate(['c'], 'search').evicted).toEqual(['b']);
	expect(set.activations[0]).toMatchObject({ wireName: 'a', reason: 'search' });
});

test('calling a tool keeps it; the one not used for longest goes', () => {
	const set = new ActivationSet(3);
	set.activate(['a', 'b', 'c'], 'search');
	set.beginTurn();
	set.touch('a');
	set.beginTurn();
	expect(set.byUse).toEqual(['b', 'c', 'a']);
	expect(set.activate(['d'], 'search').evicted).toEqual(['b']);
});

test('what a caller was given does not change with the set', () => {
	const set = new ActivationSet(2);
	set.activate(['a'], 'search');
	const snapshot = set.activations;
	set.activate(['b'], 'search');
	set.remove('a');
	expect(snapshot.map(({ wireName }) => wireName)).toEqual(['a']);
});

test('without a cap nothing is refused or evicted', () => {
	const set = new ActivationSet(null);
	const many = Array.from({ length: 1000 }, (_, i) => `t${i}`);
	expect(set.activate(many, 'server')).toMatchObject({ added: many, refused: [], evicted: [] });
});

describe('taken up again', () => {
	test('it holds what it held, in order, and none of it counts as this turn’s', () => {
		const before = new ActivationSet(2);
		before.activate(['a', 'b'], 'search');
		const set = new ActivationSet(2, JSON.parse(JSON.stringify(before.activations)));
		expect(set.activations).toEqual(before.activations);
		set.beginTurn();
		expect(set.activate(['c'], 'search').evicted).toHaveLength(1);
	});

	test('under a lower cap, what was used last stays', () => {
		const before = new ActivationSet(3);
		before.activate(['a', 'b', 'c'], 'search');
		before.beginTurn();
		before.touch('a');
		expect(names(new ActivationSet(1, before.activations))).toEqual(['a']);
	});
});

test('a lower cap takes the least recently used at once; a higher one leaves room', () => {
	const set = new ActivationSet(3);
	set.activate(['a', 'b', 'c'], 'search');
	set.touch('a');
	set.cap = 2;
	expect(names(set)).toEqual(['a', 'c']);
	set.cap = null;
	expect(set.activate(['d', 'e'], 'search').added).toEqual(['d', 'e']);
});

/** What the set should be, kept as plainly as can be: names from least to most recently used, each with its turn. */
interface Model {
	cap: number;
	turn: number;
	use: { name: string; turn: number }[];
}

/** One step, told to both the set and the model; what it returns is compared there, what it leaves behind after it. */
class Step implements fc.Command<Model, ActivationSet> {
	readonly #text: string;
	readonly #take: (model: Model, set: ActivationSet) => void;
	constructor(text: string, take: (model: Model, set: ActivationSet) => void) {
		this.#text = text;
		this.#take = take;
	}
	check(): boolean {
		return true;
	}
	run(model: Model, set: ActivationSet): void {
		this.#take(model, set);
		agree(model, set);
	}
	toString(): string {
		return this.#text;
	}
}

function activate(wanted: readonly string[]): Step {
	return new Step(`activate(${wanted.join()})`, (model, set) => {
		const before = new Set(names(set));
		const thisTurn = new Set(model.use.filter(({ turn }) => turn === model.turn).map(({ name }) => name));
		const { added, renewed, evicted, refused } = set.activate(wanted, 'search');
		const distinct = new Set(wanted);
		expect(new Set([...added, ...renewed, ...refused])).toEqual(distinct);
		expect(added.length + renewed.length + refused.length).toBe(distinct.size);
		expect(renewed.every((name) => before.has(name))).toBe(true);
		expect(evicted.filter((name) => thisTurn.has(name) || distinct.has(name))).toEqual([]);
		// Refused only where every place belongs to this turn.
		if (refused.length > 0)
			expect(set.activations.every(({ lastTurn }) => lastTurn === model.turn)).toBe(true);

		const order = model.use.filter(({ name }) => !renewed.includes(name)).map(({ name }) => name);
		expect(evicted).toEqual(order.slice(0, evicted.length));
		const stay = model.use.filter(({ name }) => !renewed.includes(name) && !evicted.includes(name));
		model.use = [...stay, ...[...renewed, ...added].map((name) => ({ name, turn: model.turn }))];
	});
}

function touch(name: string): Step {
	return new Step(`touch(${name})`, (model, set) => {
		const others = model.use.filter((used) => used.name !== name);
		const known = others.length < model.use.length;
		expect(set.touch(name)).toBe(known);
		if (known) model.use = [...others, { name, turn: model.turn }];
	});
}

function remove(name: string): Step {
	return new Step(`remove(${name})`, (model, set) => {
		expect(set.remove(name)).toBe(model.use.some((used) => used.name === name));
		model.use = model.use.filter((used) => used.name !== name);
	});
}

const beginTurn = new Step('beginTurn()', (model, set) => {
	model.turn++;
	set.beginTurn();
});

function recap(cap: number): Step {
	return new Step(`cap = ${cap}`, (model, set) => {
		model.cap = cap;
		set.cap = cap;
		model.use = model.use.slice(Math.max(0, model.use.length - cap));
	});
}

function agree(model: Model, set: ActivationSet): void {
	expect(set.size).toBeLessThanOrEqual(model.cap);
	expect(set.byUse).toEqual(model.use.map(({ name }) => name));
	expect(new Set(names(set)).size).toBe(set.size);
}

test('whatever happens in whatever order: never above the cap, never without this turn’s tools, always by use', () => {
	const name = fc.constantFrom(...'abcdefgh');
	const commands = [
		fc.array(name, { maxLength: 6 }).map(activate),
		name.map(touch),
		name.map(remove),
		fc.constant(beginTurn),
		fc.integer({ min: 1, max: 5 }).map(recap),
	];
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 5 }), fc.commands(commands, { maxCommands: 60 }), (cap, steps) => {
			fc.modelRun(() => ({ model: { cap, turn: 0, use: [] }, real: new ActivationSet(cap) }), steps);
		}),
		{ numRuns: 300 },
	);
});
