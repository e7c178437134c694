import type { Fault } from '../fixtures.ts';
import { fileFaults, valueFaults } from './fileFaults.ts';
import { modelFaults, toolsetFaults } from './modelFaults.ts';
import { addressFaults, launchFaults, nameFaults, variableFaults } from './serverFaults.ts';

/** All faults of a file that can still be read. */
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
