import type { Fault, FaultGroup } from './fault.ts';
import { callingFaults } from './table/calling.ts';
import { dyingFaults } from './table/dying.ts';
import { eraFaults } from './table/eras.ts';
import { floodingFaults } from './table/flooding.ts';
import { listingFaults } from './table/listing.ts';
import { processFaults } from './table/processes.ts';
import { startingFaults } from './table/starting.ts';
import { textFaults } from './table/text.ts';

/** Every fault of a server that is tried, by group. */
export const faults: Readonly<Record<FaultGroup, readonly Fault[]>> = {
	starting: startingFaults,
	listing: listingFaults,
	calling: callingFaults,
	flooding: floodingFaults,
	dying: dyingFaults,
	text: textFaults,
	eras: eraFaults,
	processes: processFaults,
};
