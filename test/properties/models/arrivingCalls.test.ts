import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Answer } from '../../../src/models/answer.ts';
import { callsOf } from '../../../src/models/answerParts.ts';
import type { CallPiece } from '../../../src/models/arrivingCalls.ts';
import { runs } from '../../effort.ts';

interface Written {
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
	/** Where its arguments are cut into pieces, in shares of their length. */
	readonly cuts: readonly number[];
}

const written: fc.Arbitrary<Written> = fc.record({
	name: fc.constantFrom('read', 'write', 'list'),
	input: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
	cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
});

/** The pieces of each call, the one with the name first. */
function piecesOf({ name, input, cuts }: Written, index: number): CallPiece[] {
	const json = JSON.stringify(input);
	const at = [0, ...cuts.map((cut) => Math.round(cut * json.length)), json.length].toSorted((a, b) => a - b);
	const parts = at.slice(1).map((end, i) => json.slice(at[i], end));
	return [
		{ id: `call_${index}`, index, name, json: '' },
		...parts.map((part) => ({ id: `call_${index}`, index, json: part })),
	];
}

/** Pieces of several calls in any order that keeps each call's own. `turns`: whose piece comes next. */
function interleaved(calls: readonly (readonly CallPiece[])[], turns: readonly number[]): CallPiece[] {
	const left = calls.map((pieces) => [...pieces]);
	const order: CallPiece[] = [];
	for (let turn = 0; left.some((pieces) => pieces.length > 0); turn++) {
		const open = left.filter((pieces) => pieces.length > 0);
		const next = open[(turns[turn] ?? 0) % open.length]?.shift();
		if (next) order.push(next);
	}
	return order;
}

function callsAfter(pieces: readonly CallPiece[]) {
	const answer = new Answer(() => undefined);
	for (const piece of pieces) answer.call(piece);
	answer.finish();
	return callsOf(answer.parts)
		.map(({ name, input, fault }) => JSON.stringify([name, fault ?? input]))
		.toSorted();
}

const calls = fc.array(written, { minLength: 1, maxLength: 4 });
const turns = fc.array(fc.nat(100), { maxLength: 40 });
const expected = (all: readonly Written[]) =>
	all.map(({ name, input }) => JSON.stringify([name, JSON.parse(JSON.stringify(input))])).toSorted();

test('pieces with the index of their call make the calls, whatever their order, and without an id', () => {
	fc.assert(
		fc.property(calls, turns, fc.boolean(), (all, order, asText) => {
			const pieces = interleaved(all.map(piecesOf), order).map(({ id, ...piece }) => ({
				...piece,
				...(piece.name && { id }),
				...(asText && { index: String(piece.index) }),
			}));
			expect(callsAfter(pieces)).toEqual(expected(all));
		}),
		{ numRuns: runs(300) },
	);
});

test('pieces with the id of their call make the calls, whatever their order and their index', () => {
	const index = fc.option(fc.oneof(fc.nat(3), fc.constantFrom('0', '1')), { nil: undefined });
	fc.assert(
		fc.property(calls, turns, fc.infiniteStream(index), (all, order, indexes) => {
			const pieces = interleaved(all.map(piecesOf), order).map((piece) => ({
				...piece,
				index: indexes.next().value,
			}));
			expect(callsAfter(pieces)).toEqual(expected(all));
		}),
		{ numRuns: runs(300) },
	);
});
