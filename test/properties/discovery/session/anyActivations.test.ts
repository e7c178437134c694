import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	byUse,
	type Limit,
	nothingActive,
	planLoading,
	toolsBeyondLimit,
	withActivity,
} from '../../../../src/discovery/session/activations.ts';
import type { ChatEvent } from '../../../../src/discovery/session/logEntry.ts';
import { runs } from '../../../effort.ts';
import { NaiveActivations } from '../../../unit/discovery/session/naiveActivations.ts';

/** The activations of a log, and the cap that applies now. */
class Chat {
	active = nothingActive;
	#size: number | null;
	#pinned: readonly string[] = [];

	constructor(size: number | null) {
		this.#size = size;
	}

	get cap(): Limit {
		return {
			size: this.#size ?? Number.POSITIVE_INFINITY,
			counts: (name) => !this.#pinned.includes(name),
			isProtected: ({ lastUse }) => lastUse >= this.active.protectedFrom,
		};
	}

	bound(size: number | null, pinned: readonly string[]): readonly string[] {
		this.#size = size;
		this.#pinned = pinned;
		return this.evict(toolsBeyondLimit(this.active, this.cap));
	}

	take(entry: ChatEvent): void {
		this.active = withActivity(this.active, entry);
	}

	evict(wireNames: readonly string[]): readonly string[] {
		this.take({ kind: 'evict', wireNames, names: [] });
		return wireNames;
	}
}

type Step = fc.Command<NaiveActivations, Chat>;

/** One step, taken by the chat and by the plain lists; what it returns is compared there, what it leaves behind after it. */
function step(text: string, take: (naive: NaiveActivations, chat: Chat) => void): Step {
	return {
		check: () => true,
		run: (naive, chat) => {
			take(naive, chat);
			agree(naive, chat);
		},
		toString: () => text,
	};
}

function agree(naive: NaiveActivations, { active }: Chat): void {
	const counted = byUse(active).filter((name) => !naive.pinned.includes(name));
	expect(counted.length).toBeLessThanOrEqual(naive.cap ?? Number.POSITIVE_INFINITY);
	const activations = [...active.tools.values()];
	expect(activations.map(({ wireName }) => wireName)).toEqual(naive.order);
	expect(byUse(active)).toEqual(naive.use);
	expect(activations.map(({ lastTurn }) => lastTurn)).toEqual(
		naive.order.map((name) => naive.turns.get(name)),
	);
}

function activate(wanted: readonly string[]): Step {
	return step(`activate(${wanted.join()})`, (naive, chat) => {
		const outcome = planLoading(chat.active, wanted, [chat.cap]);
		expect(outcome).toEqual(naive.activate(wanted));
		const { added, renewed, evicted } = outcome;
		const tools = added.map((wireName) => ({ wireName, server: '', name: '' }));
		chat.take({ kind: 'load', tools, renewed, reason: 'search' });
		chat.evict(evicted);
	});
}

function bound(cap: number | null, pinned: readonly string[]): Step {
	return step(`bound(${cap}, ${pinned.join()})`, (naive, chat) => {
		expect(chat.bound(cap, pinned)).toEqual(naive.bound(cap, pinned));
	});
}

const clear = step('clear()', (naive, chat) => {
	chat.take({ kind: 'reset' });
	for (const one of naive.order) naive.remove(one);
});

const name = fc.constantFrom(...'abcdefghij');
const cap = fc.oneof({ arbitrary: fc.integer({ min: 1, max: 6 }), weight: 6 }, fc.constant(null));
const bounds = fc.tuple(cap, fc.uniqueArray(name, { maxLength: 3 })).map((args) => bound(...args));
const calls = name.map((one) =>
	step(`call(${one})`, (naive, chat) => {
		naive.call(one);
		chat.take({ kind: 'use', wireName: one, server: '', name: '' });
	}),
);
const removals = name.map((one) =>
	step(`remove(${one})`, (naive, chat) => {
		naive.remove(one);
		chat.take({ kind: 'drop', wireNames: [one] });
	}),
);
const turns = fc.constant(
	step('beginTurn()', (naive, chat) => {
		naive.beginTurn();
		chat.take({ kind: 'turn', model: 'm', loading: 'append', prompt: '' });
	}),
);
const releases = fc.constant(
	step('release()', (naive, chat) => {
		naive.release();
		chat.take({ kind: 'byHand' });
	}),
);
const activations = fc.array(name, { maxLength: 7 }).map(activate);
const steps = fc.commands([activations, calls, removals, turns, releases, bounds, fc.constant(clear)], {
	maxCommands: 60,
	size: 'max',
});

test('loaded tools never exceed the cap, include those of this turn, and are ordered by use', () => {
	fc.assert(
		fc.property(cap, steps, (first, taken) => {
			fc.modelRun(() => ({ model: new NaiveActivations(first), real: new Chat(first) }), taken);
		}),
		{ numRuns: runs(200) },
	);
});
