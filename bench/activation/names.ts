/** The timed extensions: ours, and the editor's git extension for comparison. */
export const OURS = 'mcp-discovery.mcp-discovery';
export const GIT = 'vscode.git';
/** The file that `probe.ts` writes: the text of the editor's page. */
export const PAGE_FILE = 'startupPerformance.md';
/** The bundled `probe.ts`. */
export const PROBE_FILE = 'probe.mjs';
/** Id and title of the view of `probe.ts`. */
export const PLAIN_VIEW = 'Plain';
