import { addressFaults } from './addressFaults.ts';
import type { Fault } from './fault.ts';
import { fileFaults } from './fileFaults.ts';
import { launchFaults } from './launchFaults.ts';
import { modelFaults } from './modelFaults.ts';
import { nameFaults } from './nameFaults.ts';
import { toolsetFaults } from './toolsetFaults.ts';
import { valueFaults } from './valueFaults.ts';
import { variableFaults } from './variableFaults.ts';

/** All faults that a file can have and still be read. */
export const faults: readonly Fault[] = [
	...fileFaults,
	...launchFaults,
	...addressFaults,
	...variableFaults,
	...nameFaults,
	...valueFaults,
	...modelFaults,
	...toolsetFaults,
];
