import { afterAll, describe, expect, test } from 'vitest';
import { isNightly } from '../../effort.ts';
import { canCountProcesses } from './census.ts';
import { type FaultGroup, faultGroups } from './fault.ts';
import { FaultGround } from './faultGround.ts';
import { faults } from './faults.ts';

/** Trials mostly wait, so several run at once. */
const grounds = [new FaultGround(), new FaultGround(), new FaultGround()];
let next = 0;

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

const what = 'a server that goes wrong harms nobody, and the user is told what happened';
describe.runIf(canCountProcesses)(what, { concurrent: true }, () => {
	test.each(rows.map((row) => ({ ...row, name: row.fault.name })))(
		'$group: $name, over $transport',
		async ({ group, fault, transport }: (typeof rows)[number] & { group: FaultGroup }) => {
			next = (next + 1) % grounds.length;
			const row = await grounds[next]?.try(group, fault, transport);
			expect(row?.problems).toEqual([]);
		},
	);
});
