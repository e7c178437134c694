import path from 'node:path';
import { projectNode } from './install/install.mjs';

export const PROJECT_ROOT = path.dirname(import.meta.dirname);
/** The Node that the project pins (npm package `node`). */
export const PROJECT_NODE = projectNode;
/** The workspace that `npm start` opens and the browser tests copy. */
export const EXAMPLE_WORKSPACE = path.join(PROJECT_ROOT, 'examples/workspace');
/** The package that users install. The fixed name avoids version lookups. */
export const VSIX = path.join(PROJECT_ROOT, 'dist/mcp-discovery.vsix');
/** Screenshots and logs of tests; ignored by git. */
export const TEST_RESULTS = path.join(PROJECT_ROOT, 'test-results');
