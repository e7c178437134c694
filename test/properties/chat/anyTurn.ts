import fc from 'fast-check';
import type { Happening, Round, Turn } from './anyChat.ts';
import { serverNames, toolNames } from './anyServers.ts';

const name = fc.constantFrom(...toolNames);
const duringAnswer: fc.Arbitrary<Happening> = fc.oneof(
	fc.record({ kind: fc.constantFrom('refresh', 'toolset', 'reset') }),
	fc.record({ kind: fc.constantFrom('redefined', 'pin', 'unload', 'load'), name }),
	fc.record({ kind: fc.constant('server'), server: fc.constantFrom(...serverNames) }),
	fc.record({ kind: fc.constant('cap'), cap: fc.integer({ min: 1, max: 5 }) }),
);
const betweenTurns: fc.Arbitrary<Happening> = fc.oneof(
	{ arbitrary: duringAnswer, weight: 3 },
	{ arbitrary: fc.record({ kind: fc.constantFrom('model', 'loading', 'reload') }), weight: 1 },
);
const asking = fc.oneof(
	fc.record({
		kind: fc.constant('search'),
		names: fc.array(name, { minLength: 1, maxLength: 3 }),
	}),
	fc.record({
		kind: fc.constant('call'),
		which: fc.oneof(fc.nat(20), name),
		form: fc.constantFrom('wire', 'wire', 'id', 'bare'),
	}),
);
const round: fc.Arbitrary<Round> = fc.record(
	{ happening: duringAnswer, asks: fc.array(asking, { minLength: 1, maxLength: 3 }) },
	{ requiredKeys: ['asks'] },
);
/** A turn of a chat in which anything may happen. */
export const anyTurn: fc.Arbitrary<Turn> = fc.record({
	before: fc.array(betweenTurns, { maxLength: 1 }),
	back: fc.oneof({ arbitrary: fc.constant(0), weight: 5 }, { arbitrary: fc.nat(3), weight: 1 }),
	rounds: fc.array(round, { maxLength: 4 }),
	end: fc.constantFrom('answer', 'answer', 'answer', 'failure', 'stop'),
});
