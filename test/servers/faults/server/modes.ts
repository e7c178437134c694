import type { Modes } from './exchange.ts';
import { callingModes } from './modes/calling.ts';
import { eraModes } from './modes/eras.ts';
import { floodingModes } from './modes/flooding.ts';
import { httpModes } from './modes/http.ts';
import { listingModes } from './modes/listing.ts';
import { processModes } from './modes/processes.ts';
import { startingModes } from './modes/starting.ts';
import { textModes } from './modes/text.ts';

/** Every mode. */
export const modes: Modes = {
	healthy: () => ({}),
	...startingModes,
	...listingModes,
	...callingModes,
	...floodingModes,
	...textModes,
	...eraModes,
	...httpModes,
	...processModes,
};
