import { afterAll, describe, expect, test } from 'vitest';
import type { FaultGroup } from './fault.ts';
import { FaultGround } from './faultGround.ts';
import { faults } from './faults.ts';

/** Faults spend most of their time waiting, so two are tried at once. */
const grounds = [new FaultGround(), new FaultGround()] as const;

/** A test for each fault of a group and each transport that it has. */
export function testFaults(group: FaultGroup): void {
	afterAll(async () => {
		await Promise.all(grounds.map((ground) => ground.dispose()));
	});
	let tried = 0;
	for (const fault of faults[group])
		describe.concurrent(`a server that ${fault.name}`, () => {
			test.each(fault.transports)(
				'over %s: harms nobody, and it is told what happened',
				async (transport) => {
					tried += 1;
					const row = await grounds[tried % 2 === 0 ? 0 : 1].try(group, fault, transport);
					expect(row.problems).toEqual([]);
				},
			);
		});
}
