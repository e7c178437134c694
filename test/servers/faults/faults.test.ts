import { afterAll, describe, expect, test } from 'vitest';
import { isNightly } from '../../effort.ts';
import { canCountProcesses } from './census.ts';
import { faultGroups } from './fault.ts';
import { FaultGround } from './faultGround.ts';
import { faults } from './faults.ts';

/** Trials mostly wait, so several run at once. */
const grounds = [new FaultGround(), new FaultGround(), new FaultGround()] as const;

afterAll(async () => {
	await Promise.all(grounds.map((ground) => ground.dispose()));
});

const rows = faultGroups.flatMap((group) =>
	faults[group].flatMap((fault) => {
		if (fault.onlyNightly && !isNightly) return [];
		const transports = isNightly || fault.isOfTransport ? fault.transports : fault.transports.slice(0, 1);
		return transports.map((transport) => ({ group, fault, transport }));
	}),
);

const whatTheHostKeeps = ({ fault }: (typeof rows)[number]) => JSON.stringify([fault.end, fault.limits]);
const sorted = [...Map.groupBy(rows, whatTheHostKeeps).values()].flat();
const rowsOfGround = Math.ceil(rows.length / grounds.length);
/** A host keeps its pool while the limits stay the same, so each ground gets rows with the same limits one after the other. */
const trials = sorted.map((row, i) => ({
	...row,
	name: row.fault.name,
	ground: Math.floor(i / rowsOfGround),
}));
/** Tests start in this order: it takes one from each ground in turn. */
const inTurn = Array.from({ length: rowsOfGround }, (_, i) =>
	grounds.flatMap((_ground, ground) => trials[ground * rowsOfGround + i] ?? []),
).flat();

describe.runIf(canCountProcesses)(
	'a server that goes wrong harms nobody, and the user is told what happened',
	{ concurrent: true },
	() => {
		test.each(inTurn)('$group: $name, over $transport', async ({ group, fault, transport, ground }) => {
			const row = await grounds[ground]?.try(group, fault, transport);
			expect(row?.problems).toEqual([]);
		});
	},
);
