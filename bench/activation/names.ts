/** The extension that is timed. */
export const EXTENSION_ID = 'mcp-discovery.mcp-discovery';
/** What `insideHost.ts` leaves in its folder: an `ActivationTimes` as JSON. */
export const TIMES_FILE = 'times.json';
/** `insideHost.ts` once it is bundled. */
export const SUITE_FILE = 'insideHost.mjs';
