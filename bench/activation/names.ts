/** The extensions that are timed: ours, and the editor's own one that it is held against. */
export const OURS = 'mcp-discovery.mcp-discovery';
export const GIT = 'vscode.git';
/** What `probe.ts` leaves in its folder: the text of the editor's page. */
export const PAGE_FILE = 'startupPerformance.md';
/** `probe.ts` once it is bundled. */
export const PROBE_FILE = 'probe.mjs';
/** The view of `probe.ts`: its id, and its title. */
export const PLAIN_VIEW = 'Plain';
